"""Held-out agents: benchmarks load them by name, and training refuses their weights under any name."""

import shutil

import numpy as np
import pytest

from agents import held_out, load
from tantra_envs import game
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.games import BENCHMARKS
from tantra_envs.opponents.model_files import read_card, read_tensors, write_model
from training import evaluate, options, ppo
from training.examples.baselines import course


@pytest.fixture
def renamed(tmp_path):
    """The weights of a held-out agent of Karma under another name."""
    return shutil.copy(held_out.file_of("karma", "late"), tmp_path / "mine.safetensors")


def args(**changes):
    values = {"game": "karma", "players": 2, "tables": 4, "steps": 4, "name": "x", **changes}
    return ppo.Args(**values)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_game_has_all_held_out_networks(name):
    digests = {read_card(held_out.file_of(name, agent)).digest for agent in held_out.NETWORKS}
    assert len(digests) == len(held_out.NETWORKS)


def test_held_out_agents_play():
    karma = game("karma")
    for name in held_out.AGENTS:
        agent = load(f"held-out:{name}", karma)
        assert agent.name == f"held-out:{name}" and "digest" in agent.origin
        ask(agent, Observation(karma, karma.new(3)), np.random.default_rng(0))


@pytest.mark.parametrize("word", ["held-out:nobody", "held-out:late,samples=3", "held-out"])
def test_other_held_out_agents_do_not_exist(word):
    with pytest.raises(ValueError, match="held-out"):
        load(word, game("karma"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("opponents", lambda agent: ("scripted", agent)),
        ("exploit", lambda agent: agent),
        ("eval_opponents", lambda agent: (agent,)),
        ("opponents", lambda agent: (f"search:4,base={agent}",)),
    ],
)
def test_training_refuses_held_out_weights_under_another_name(renamed, option, value):
    with pytest.raises(ValueError, match="held-out:late of karma") as refused:
        ppo.PPO(args(**{option: value(f"ppo:{renamed}")}))
    assert option in str(refused.value) and "mine.safetensors" in str(refused.value)


def test_training_refuses_them_by_name_and_as_first_weights(renamed):
    with pytest.raises(ValueError, match="opponents='held-out:early' is not allowed"):
        ppo.PPO(args(opponents=("held-out:early",)))
    with pytest.raises(ValueError, match=r"start='.*mine.safetensors' is not allowed"):
        ppo.PPO(args(start=renamed))


def test_other_precision_is_no_disguise(renamed, tmp_path):
    karma, card = game("karma"), read_card(renamed)
    single = tmp_path / "single.safetensors"
    write_model(single, read_tensors(renamed, card, karma), card.spec, karma)
    with pytest.raises(ValueError, match="held-out:late of karma"):
        options.load_agent("opponents", f"ppo:{single}", karma)


def test_measuring_in_training_refuses_them_too(renamed):
    with pytest.raises(ValueError, match="held-out:late of karma"):
        evaluate.prepare(evaluate.Args(game="karma", agent="scripted", opponents=(f"ppo:{renamed}",)))


def test_baselines_refuse_them(renamed, tmp_path, capsys):
    with pytest.raises(SystemExit):
        course.main(["ppo", "karma", "--opponents", f"ppo:{renamed}", "--runs", str(tmp_path)])
    assert "held-out:late of karma" in capsys.readouterr().err


def test_other_weights_are_allowed():
    assert options.load_agent("opponents", "learned", game("karma")).name == "learned"
    held_out.refuse("start", "mine", "0" * 64)
