"""Critics: the values of torch, blind to hidden cards, and read by searches where playouts stop."""

import pickle
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts
from tantra_envs.opponents import opponent, weights_index
from tantra_envs.opponents.critics import Critic, CriticInputs, critic_file, critic_files, write_critic
from tantra_envs.opponents.learned import WEIGHTS, LearnedAgent, file_of
from tantra_envs.opponents.model_files import read_card, read_tensors, write_model
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.programs import cli

pytestmark = pytest.mark.filterwarnings("ignore:.* was trained for")
GAME = tantra_envs.game("karma")
POLICIES = {entry.file: entry.name for entry in weights_index.entries(WEIGHTS) if entry.kind == weights_index.VALUE}
SHIPPED = [WEIGHTS / file for file in POLICIES]


def tables(game, n=40, plies=12):
    """Return tables in the middle of games."""
    states = np.concatenate([game.new(seed) for seed in range(n)])
    for k in range(n):
        Playouts(game).run(states[k : k + 1], plies=1 + k % plies)
    return states[states["over"] == 0]


def policy_of(file, game):
    """Return the policy in a file, or the one that a critic belongs to."""
    return LearnedAgent(game, file.with_name(POLICIES.get(file.name, file.name))).policy()


def written(folder, game, *hidden, inputs="table"):
    """Return a critic with random weights."""
    rng, spec = np.random.default_rng(0), NetworkSpec("value", hidden or (9, 7), "relu", inputs=inputs)
    widths, tensors = spec.widths(game), {}
    for layer, (width, wider) in enumerate(pairwise(widths)):
        tensors[f"{2 * layer}.weight"] = rng.normal(0, width**-0.5, (wider, width)).astype(np.float32)
        tensors[f"{2 * layer}.bias"] = rng.normal(0, 0.1, wider).astype(np.float32)
    folder.mkdir(exist_ok=True)
    write_model(folder / "mine.value.safetensors", tensors, spec, game)
    return Critic(game, folder / "mine.value.safetensors", policy_of(file_of(game.id), game))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_compiled_values_are_those_of_torch(file):
    torch, networks = pytest.importorskip("torch"), pytest.importorskip("tantra_envs.networks")
    card = read_card(file)
    game = cli.game(card.settings["game"], card.trained_for["seats"][-1])
    states, (width, *hidden, _) = tables(game, 30), card.spec.widths(game)
    network, tensors = networks.ValueNetwork(width, hidden), read_tensors(file, card, game)
    network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    rows = np.repeat(np.arange(len(states)), game.players)
    policy = policy_of(file, game) if card.spec.inputs == "action" else None
    inputs = CriticInputs(game, policy)(states, rows, np.tile(np.arange(game.players), len(states)))
    with torch.inference_mode():
        wanted = network(torch.from_numpy(inputs)).numpy().clip(-1, 1)
    values = Critic(game, file, policy).values(states)
    assert np.abs(values.ravel() - wanted).max() < 1e-5 and values.std() > 0.05


@pytest.mark.parametrize("reads_action", [False, True])
def test_a_critic_reads_the_table_of_its_seat_whether_it_decides_and_the_action_that_the_policy_prefers(reads_action):
    states, size = tables(GAME), GAME.features.of_table.size
    read, every = (
        CriticInputs(GAME, policy_of(file_of("karma"), GAME) if reads_action else None),
        np.arange(len(states)),
    )
    seats, described = states["seat"].astype(np.int64), GAME.describe(states)
    inputs, others = read(states, every, seats), read(states, every, 1 - seats)
    assert (inputs[:, :size] == described.tables).all() and (inputs[:, -1] == 1).all()
    assert (others[:, :size] == GAME.describe(states, 1 - seats).tables).all() and (others[:, size:] == 0).all()
    if reads_action:
        played = opponent("learned", GAME).act(Observation(GAME, states), None)
        places = np.flatnonzero(described.actions == played[described.rows])  # one in each table
        assert (inputs[:, size:-1] == described.features[places]).all() and described.features[places].any()


@pytest.mark.parametrize(
    ("inputs", "decides", "scores"),
    [
        ("table", 0, [5 / 6, 5 / 6, 0]),  # 1, 1, -1 less a third of their sum: 0.67, 0.67, -1.33
        ("action", 0, [1, 3 / 4, 0]),  # the seat to decide keeps its 1, the others lose a half of the sum
        ("action", 2, [3 / 4, 3 / 4, 0]),
    ],
)
def test_scores_of_teams_are_shares(tmp_path, monkeypatch, inputs, decides, scores):
    game = cli.game("karma", 3)
    critic, state = written(tmp_path, game, 8, inputs=inputs), game.new(1)
    state["seat"] = decides
    monkeypatch.setattr(critic, "values", lambda states: np.array([[1.0, 1.0, -1.0]]))
    assert critic.scores(state)[0] == pytest.approx(scores)
    monkeypatch.setattr(critic, "values", lambda states: np.array([[1.0, -1.0, -1.0]]))
    assert critic.scores(state).max() <= 1


def test_a_playout_that_stops_has_the_scores_of_its_leaf_and_others_have_their_own():
    states = tables(GAME, 60)
    obs = Observation(GAME, states)
    actions, plies = Playouts(GAME).choose(obs.known, obs.action_mask), int(np.median(states["plies"])) + 40
    whole = Playouts(GAME).scores(states.copy(), actions)
    leaf = Playouts(GAME, None, lambda open_tables: np.full((len(open_tables), 2), 0.25))
    scores, lengths = leaf.scores_and_lengths(states.copy(), actions, plies)
    stopped = np.isinf(lengths)
    assert 0 < stopped.sum() < len(states)
    assert (scores[stopped] == 0.25).all() and (scores[~stopped] == whole[~stopped]).all()


def test_a_search_reads_the_value_network_and_says_which_one():
    agent = opponent("search:4,base=learned,eta=20,leaf=value", GAME)
    assert agent.origin["critic"] == read_card(critic_file(file_of("karma"), [2])).digest[:12]
    obs = Observation(GAME, tables(GAME, 20))
    actions = agent.act(obs, np.random.default_rng(1))
    assert (np.take_along_axis(obs.action_mask, actions[:, None], 1) == 1).all()
    again = pickle.loads(pickle.dumps(agent)).act(obs, np.random.default_rng(1))
    assert (actions == again).all()
    other = opponent("search:4,base=learned,eta=20", GAME).act(obs, np.random.default_rng(1))
    assert (actions != other).any()


@pytest.mark.parametrize(("words", "name", "told"), [
    ("search:4,leaf=value", "karma", "has no value network to read; allowed: leaf=value with base=learned"),
    ("search:4,base=scripted,leaf=value", "karma", "no value network to read; allowed: leaf=value with base=learned"),
    ("search:4,base=learned,leaf=value", "karma:plain", "was fitted for .*; it is not allowed with chain_clears=False"),
    ("search:4,base=learned,leaf=value", "karma:sixty",
     r"has no value network; .*index.json' lists none for .*python -m training critic"),
    ("ppo:{critic}", "karma", "holds a value network, which chooses no actions"),
])  # fmt: skip
def test_a_search_without_a_value_network_that_fits_is_refused(words, name, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        opponent(words.format(critic=written(tmp_path, GAME).file), cli.game(name, 2))


def test_a_value_network_is_refused_where_it_does_not_fit(tmp_path):
    reads_action = written(tmp_path / "other", GAME, inputs="action").file
    for game, file, told in (
        (GAME, file_of("karma"), "holds a policy and no value network"),
        (GAME, reads_action, "reads the action of its policy; allowed: with a policy over action features"),
        (tantra_envs.game("tantra"), written(tmp_path, GAME).file, "game='karma_v0'"),
    ):
        with pytest.raises(ValueError, match=told):
            Critic(game, file)


def test_the_critics_of_a_policy_are_those_of_the_index(tmp_path):
    policy, other = (
        Path(shutil.copy(file_of("karma"), tmp_path / f"{name}.safetensors")) for name in ("mine", "other")
    )
    assert critic_files(policy) == {}
    assert critic_file(policy, [2, 3], "hand").name == "mine.value.hand.2-3.safetensors"
    own, card = written(tmp_path, GAME).file, {"settings": {"game": "karma"}}
    spec = NetworkSpec("value", (9, 7), "relu")
    for seats in ([2, 3], [2], [3, 4], [2]):
        file = critic_file(policy, seats)
        write_critic(policy, file, load_file(own), spec, GAME, trained_for={"seats": seats}, **card)
    write_critic(other, tmp_path / "any.safetensors", load_file(own), spec, GAME, **card)
    assert list(critic_files(other)) == [tmp_path / "any.safetensors"]
    assert sorted(entry.seats for entry in weights_index.entries(tmp_path)) == [(2,), (2,), (2, 3), (3, 4)]
    chosen = [LearnedAgent(cli.game("karma", players), policy).critic().file for players in (2, 3, 4)]
    assert chosen == [critic_file(policy, seats) for seats in ([2], [2, 3], [3, 4])]
