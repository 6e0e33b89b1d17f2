"""Trained agents that ship: they play as ever, unfit ones are refused, and other options give a warning."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tantra_envs
from agents import load_all
from tantra_envs.core.observation import Observation
from tantra_envs.opponents import learned, opponent, weights_index
from tantra_envs.opponents import networks as compiled
from tantra_envs.opponents.model_files import read_card, write_model
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.programs import cli
from training.evaluate import evaluate

networks = pytest.importorskip("agents.networks")
GAME = tantra_envs.game("karma")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(learned, "WEIGHTS", tmp_path)
    return tmp_path


def written(file, name="karma"):
    spec = NetworkSpec(net_arch=(8, 6), activation="relu", transform="symlog")
    actor = networks.build_actor(spec, GAME)
    strength = [{"opponent": "uniform", "score": {"mean": 0.5, "low": 0.4, "high": 0.6}}]
    known = {"settings": {"seed": 7}, "decisions": 100, "strength": strength}
    learned.add(file, name, write_model(file, networks.tensors_of(actor), spec, GAME, half=True, **known))
    return actor


def test_weights_play_as_the_network_they_were_taken_from(folder):
    actor = written(learned.file_of("karma", 2))
    player = opponent("learned:karma", GAME)
    for name, mine in actor.state_dict().items():
        assert (mine.half().float().numpy() == player.tensors[name]).all()
    assert {file.name for file in folder.iterdir()} == {"karma-2p.safetensors", "index.json"}


def test_unfit_weights_are_refused(folder):
    with pytest.raises(ValueError, match="no trained agent ships for this game; allowed: ppo:FILE"):
        opponent("learned", GAME)
    file = learned.file_of("karma", 2)
    written(file)
    assert opponent("learned:karma-2p", GAME).file == file
    nearest = "the nearest was trained for karma with players=2; allowed: "
    for words, game, told in (
        ("learned:chess", GAME, r"there are no weights 'chess'; allowed: learned:karma-2p$"),
        ("learned:karma", tantra_envs.game("tarot"), "learned:karma plays karma_v0; allowed: none for this game"),
        ("learned:karma-2p", tantra_envs.game("karma", players=3), f"karma-2p does not fit players=3; {nearest}"),
    ):
        with pytest.raises(ValueError, match=told):
            opponent(words, game)


@pytest.mark.parametrize("words", ["learned", "learned:tantrix"])
def test_a_game_without_an_agent_gets_the_name_of_the_nearest(words):
    with pytest.raises(ValueError, match=r"the nearest was trained for tantrix.*; allowed: learned:tantrix"):
        opponent(words, cli.game("tantrix:daily"))


@pytest.mark.parametrize(
    ("name", "players", "file"),
    [
        ("karma", 2, "karma"),
        ("karma", 3, "karma"),
        ("karma", 4, "karma"),
        ("karma:sixty", 2, "karma-sixty"),
        ("karma:sixty", 4, "karma-sixty"),
        ("kanastic", 3, "kanastic"),
        ("kanastic", 4, "kanastic"),
        ("tantra", 3, "tantra"),
        ("tantra", 4, "tantra"),
        ("tantrix", 2, "tantrix-2p"),
        ("tantrix:solitaire", 1, "tantrix-solitaire"),
        ("tantrix", 3, "tantrix"),
        ("tantrix:gobble", 1, "tantrix-gobble"),
        ("tantrix:race", 3, "tantrix-gobble"),
        ("tarot", 2, "tarot"),
        ("tarot", 3, "tarot"),
    ],
)
def test_learned_alone_is_the_agent_of_the_game(name, players, file):
    game = cli.game(name, players)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent = opponent("learned", game)
    assert agent.file.stem == file and agent.name == "learned"
    (entry,) = [entry for entry in weights_index.entries(learned.WEIGHTS) if entry.file == agent.file.name]
    assert opponent(f"learned:{entry.name}", game).file == agent.file


@pytest.mark.parametrize(
    ("name", "players", "told"),
    [
        ("kanastic:late", 4, r"2 or 3 or 4; it may play badly with start_scores=\(6000, 6000\)"),
        ("tantra", 5, "tantra with players=3 or 4 or 6; it may play badly with players=5"),
        ("tantrix:race", 5, "tantrix:race with players=1 or 2 or 3 or 4; it may play badly with players=5"),
        ("karma:plain", 2, "karma with players=2 or 3 or 4; it may play badly with chain_clears=False"),
    ],
)
def test_other_options_than_it_was_trained_for_give_one_warning(name, players, told, monkeypatch):
    monkeypatch.setattr(learned, "_warnings_given", set())
    game = cli.game(name, players)
    with pytest.warns(UserWarning, match=rf"^learned was trained for [^\n]*{told}[^\n]*$") as given:
        opponent("learned", game)
    assert len(given) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opponent("learned", game)


def test_a_mirror_step_stays_near_the_policy_for_a_small_eta_and_follows_the_results_for_a_large_one():
    """The decision is a sample of p(action) x exp(eta x result)."""
    states = np.concatenate([GAME.new(seed) for seed in range(150)])
    for _ in range(6):
        GAME.drivers.apply_rows(states, np.arange(150), opponent("scripted", GAME).act(Observation(GAME, states), None))
    obs, rng = Observation(GAME, states), np.random.default_rng(3)
    own = opponent("learned", GAME).logits(obs)
    chances = compiled.softmax(own.astype(np.float64))
    near, opinions = opponent("search:2,candidates=50,base=learned,eta=1e-9", GAME).weigh(obs, rng)
    # The best action is the most probable one, also where another is drawn.
    assert all(opinion is None or opinion.best == row.argmax() for opinion, row in zip(opinions, own, strict=True))
    assert abs((near == own.argmax(axis=1)).sum() - chances.max(axis=1).sum()) < 4 * np.sqrt(150) / 2
    far, opinions = opponent("search:8,candidates=50,base=learned,eta=1e12", GAME).weigh(obs, rng)
    for action, opinion in [(action, opinion) for action, opinion in zip(far, opinions, strict=True) if opinion]:
        assert opinion.values[opinion.best] == opinion.values[action] > max(opinion.values.values()) - 1e-9


def test_a_mirror_step_needs_a_network_to_begin_from():
    for base in ("", ",base=scripted"):
        with pytest.raises(ValueError, match="no probabilities to begin from; allowed: eta with base=learned"):
            opponent(f"search:4{base},eta=10", GAME)


PLAYS_BARE = """
import sys
others = ("torch", "stable_baselines3", "sb3_contrib", "rich", "cyclopts", "agents", "training", "benchmarks")
sys.modules.update(dict.fromkeys(others))
import gymnasium
gymnasium.make("tantra_envs:tantra_envs/Karma-v0", opponents="scripted").reset(seed=1)
import tantra_envs
from tantra_envs.opponents import opponent
game = tantra_envs.game(sys.argv[1])
tables = tantra_envs.make_seat_vector(sys.argv[1], num_envs=4, opponents="learned")
tables.reset(seed=1)
print(opponent("learned", game).act(tantra_envs.Observation(game, game.new(3)), None))
"""


@pytest.mark.parametrize("name", ["karma", "tantrix"])
def test_opponents_play_without_torch_and_the_lab(name):
    done = subprocess.run([sys.executable, "-c", PLAYS_BARE, name], capture_output=True, text=True, check=True)
    game = tantra_envs.game(name)
    assert done.stdout.strip() == str(opponent("learned", game).act(tantra_envs.Observation(game, game.new(3)), None))


SHIPPED = {
    "karma": (0.5625, "5225fb029ec7"),
    "karma-sixty": (0.6333333333333333, "15ba71546638"),
    "tantrix-gobble": (0.5333333333333334, "1e4ce191b720"),
    "tantrix-solitaire": (0.9, "b87b75f4813a"),
    "tantrix-2p": (0.9, "82f1f70664c0"),
    "tantrix": (0.8291666666666666, "a6cb7a8fa1b2"),
    "tarot": (0.7833333333333333, "5b2c869a6d3f"),
    "tantra": (0.5566666666666665, "eecc5b36f02e"),
    "kanastic": (0.85, "9f5863969bc5"),
}


def test_a_file_that_is_listed_keeps_its_name_and_its_seats(folder):
    file = learned.file_of("mine")
    weights_index.add(folder, weights_index.Entry(file.name, weights_index.POLICY, "ours", "karma:sixty", (2, 5)))
    written(file)
    assert weights_index.entries(folder) == [weights_index.Entry(file.name, "policy", "ours", "karma", (2, 5))]
    assert {opponent(words, GAME).file for words in ("learned", "learned:mine", "learned:ours")} == {file}
    with pytest.raises(ValueError, match="does not fit players=3"):
        opponent("learned:ours", tantra_envs.game("karma", players=3))


@pytest.mark.parametrize(("seats", "first"), [((), "karma"), ((2,), "karma-demo")])
def test_weights_for_the_number_of_seats_play_first_and_then_those_with_the_name_of_their_game(folder, seats, first):
    for name, own in (("karma", ()), ("karma-demo", seats)):
        file = learned.file_of(name)
        weights_index.add(folder, weights_index.Entry(file.name, weights_index.POLICY, name, "karma", own))
        written(file, name)
    stems = [opponent(words, GAME).file.stem for words in ("learned", "learned:karma-demo")]
    assert stems == [first, "karma-demo"]


@pytest.mark.parametrize("text", ["{", "[1]", '[{"file": "a"}]', '{"a": 1}', '[{"seats": [], "more": 1}]'])
def test_a_damaged_index_is_named(folder, text):
    (folder / weights_index.INDEX).write_text(text)
    with pytest.raises(ValueError, match=r"index.json is not an index of model files .*allowed: a list of objects"):
        opponent("learned", GAME)


@pytest.mark.parametrize("stem", sorted(SHIPPED))
def test_what_ships_scores_what_it_scored(stem):
    """Scores against the scripted agent over ten deals, to the last digit."""
    score, digest = SHIPPED[stem]
    card = read_card(learned.WEIGHTS / f"{stem}.safetensors")
    seats = card.trained_for.get("seats")
    game = cli.game(card.settings["game"], max(seats) if seats else card.settings.get("players"))  # the largest table
    assert card.digest.startswith(digest) and "scripted" in {row["opponent"] for row in card.strength}
    agent = f"ppo:{learned.WEIGHTS / stem}.safetensors"
    assert evaluate(game, *load_all([agent, "scripted"], game), 10, seed=3).score.mean == score


@pytest.mark.parametrize("stem", sorted(SHIPPED))
def test_cards_say_what_they_were_trained_for_and_hold_no_paths(stem):
    card = read_card(learned.WEIGHTS / f"{stem}.safetensors")
    assert "/" not in json.dumps(vars(card)) and card.trained_for["players"] and card.trained_for["game"]
    name = ":".join(filter(None, (card.trained_for["game"], card.trained_for.get("variant"))))
    game = tantra_envs.game(name, players=card.trained_for["players"])
    assert not learned.other_options(card, game)


def test_a_file_may_have_a_name_and_draw_its_actions():
    file = learned.file_of("karma")
    agents = [opponent(f"ppo:{file}{words}", GAME) for words in ("", ",temperature=0.001", ",name=mine,temperature=50")]
    assert [agent.name for agent in agents][::2] == [f"ppo:{file}", "mine"]
    assert "temperature" not in agents[0].origin and agents[2].origin["temperature"] == 50
    matches = [tantra_envs.play_match(GAME, [agent, opponent("greedy", GAME)], [0, 1], 20, seed=1) for agent in agents]
    assert matches[0].rewards.tolist() == matches[1].rewards.tolist()  # a temperature of almost 0 is the best action
    assert matches[2].score(0).mean < matches[0].score(0).mean  # and at 50 all are about equally likely
    obs = tantra_envs.Observation(GAME, np.repeat(GAME.new(1), 50))
    acted, (weighed, _) = (method(obs, np.random.default_rng(1)) for method in (agents[2].act, agents[2].weigh))
    assert (acted == weighed).all() and len(set(acted.tolist())) > 1


@pytest.mark.parametrize(
    "words", ["learned:temperature=0.5", "ppo:{},sound=1", "ppo:{},temperature=hot", "ppo:{},temperature=1e9"]
)
def test_other_options_are_refused(words):
    with pytest.raises(ValueError, match="is not allowed"):
        opponent(words.format(learned.file_of("karma")), GAME)
