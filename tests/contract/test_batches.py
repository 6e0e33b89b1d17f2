"""Every agent decides at a table as if it stood alone: with a stream for each table, no other table matters."""

import sys

import numpy as np
import pytest

import tantra_envs
from agents import AgentSpec, load
from tantra_envs.core.playouts import Playouts
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import OPPONENTS, ismcts, search
from tantra_envs.opponents.network_spec import NetworkSpec

torch = pytest.importorskip("torch")
networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")

CONFIGS = {
    "karma": {"players": 3},
    "kanastic": {"episode": "round"},
    "tantra": {"players": 3},
    "tantrix": {},
    "tarot": {"players": 3},
}
EVERYWHERE = [
    *("uniform", "greedy", "scripted", "search:4,margin=0", "search:3,base=learned,margin=0", "ismcts:12"),
    *("learned", "strongest", "ppo:FILE", "search:2,base=ppo:FILE,margin=0", "text:PROGRAM,retries=0"),
]
PLAYED = [(name, words) for name in SHIPPED for words in EVERYWHERE] + [
    *(("karma", "search:16"), ("tarot", "search:16"), ("tantrix", "search:4,candidates=40,margin=0")),
    ("tarot", "search:4,belief=moves,margin=0"),
]
TABLES = 9


def positions(game):
    """Tables in many stages of the game, from one to many legal actions each."""
    states = []
    for seed in range(10 * TABLES):
        state = game.new(seed)
        Playouts(game).run(state, plies=3 * seed)
        if not state["over"][0]:
            states.append(state)
        if len(states) == TABLES:
            break
    return np.concatenate(states)


@pytest.fixture
def agent_of(tmp_path):
    """Load an agent, with a model file of an untrained network or a program without answers in place of the word."""

    def made(words, game):
        file, program = tmp_path / "model.safetensors", tmp_path / "program.py"
        spec = NetworkSpec(net_arch=(8, 6))
        torch.manual_seed(3)
        checkpoint.write_model(file, networks.tensors_of(networks.build_actor(spec, game)), spec, game)
        program.write_text("for line in iter(input, None):\n    if not line: print('?', flush=True)\n")
        return load(words.replace("FILE", str(file)).replace("PROGRAM", f"{sys.executable} {program}"), game)

    return made


def test_no_agent_is_left_out():
    assert {AgentSpec.parse(words).name for words in EVERYWHERE} == set(OPPONENTS)


@pytest.mark.parametrize(("name", "words"), PLAYED, ids=str)
def test_no_other_table_changes_an_action(name, words, agent_of, monkeypatch):
    game = tantra_envs.game(name, **CONFIGS[name])
    states, agent = positions(game), agent_of(words, game)
    streams = np.random.default_rng(4).integers(1 << 32, size=(len(states), 4))

    def chosen(rows, agent=agent):
        obs = tantra_envs.Observation(game, states, np.array(rows), streams=streams)
        return agent.act(obs, np.random.default_rng(0)).tolist()

    every = range(len(states))
    together = chosen(every)
    assert [chosen([row])[0] for row in every] == together
    assert chosen(every[::-1]) == together[::-1]
    assert chosen(every[::3]) == together[::3]
    assert chosen([2, 5, 2, 2]) == [together[row] for row in (2, 5, 2, 2)]
    for module in (search, ismcts):
        monkeypatch.setattr(module, "ROOM", 5 * game.blank.dtype.itemsize)  # parts of a table, and of five samples
    assert chosen(every, agent_of(words, game)) == together
