"""Every example learns Karma clearly beyond uniform play, and runs on Tantra."""

import importlib
import importlib.util
import json
import sys

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.core.observation import Observation

evaluate = pytest.importorskip("training.evaluate")
pytestmark = pytest.mark.trainers

NEEDED = {"sb3": "sb3_contrib", "torchrl": "torchrl", "jax": "optax"}
DECISIONS = {"jax": (1_000_000, 40_000)}  # for Karma and for Tantra, where they differ from the others


def learner(example):
    package = NEEDED[example]
    if not importlib.util.find_spec(package.partition(".")[0]):
        pytest.skip(f"{package} is not installed")
    return importlib.import_module(f"training.examples.{example}").learn


def test_all_examples_are_tested():
    from training.examples import EXAMPLES

    assert (*NEEDED, "baselines") == tuple(EXAMPLES)


@pytest.mark.parametrize("example", NEEDED)
def test_it_learns_karma(example):
    game = tantra_envs.game("karma")
    agent = learner(example)(game, DECISIONS.get(example, (20_000, 0))[0])
    assert evaluate.evaluate(game, agent, load("uniform", game), 150).score.low > 0.6


@pytest.mark.parametrize("example", NEEDED)
def test_the_seed_decides_what_is_learned(example):
    game, rng = tantra_envs.game("karma"), np.random.default_rng(1)
    obs = Observation(game, np.concatenate([game.new(seed) for seed in range(64)]))
    one, again, other = (learner(example)(game, 1, seed=seed).act(obs, rng).tolist() for seed in (5, 5, 6))
    assert one == again != other


def test_a_missing_framework_is_one_line_with_the_command_that_installs_it(monkeypatch, capsys):
    from training import examples

    for name in {"torchrl", *(name for name in sys.modules if name.startswith("torchrl."))}:  # others may have it
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "training.examples.torchrl", raising=False)
    with pytest.raises(SystemExit):
        examples.main(["torchrl", "karma"])
    assert "pip install -c constraints/torchrl.txt -e . torchrl" in capsys.readouterr().err


def test_nothing_follows_a_game_at_its_limit():
    learner("torchrl")
    table = importlib.import_module("training.examples.torchrl").Table(
        tantra_envs.make_seat("karma", view="features", max_moves=8)
    )
    table.reset(seed=1)
    ends = [False]
    while not any(ends):
        _, _, *ends, _ = table.step(0)
    assert ends == [True, True]


@pytest.mark.parametrize(
    ("example", "name"),
    [
        *((example, "tantra") for example in NEEDED),
        *(("jax", name) for name in ("kanastic:round", "tantrix", "tarot:hand")),
    ],
)
def test_it_runs_on_the_other_games(example, name):
    game = tantra_envs.game(name)
    agent = learner(example)(game, DECISIONS.get(example, (0, 5_000))[1])
    assert evaluate.evaluate(game, agent, load("uniform", game), 2).games >= 4


BASELINES = {
    "learn": "torch",
    "self-play": "torch",
    "ppo": "sb3_contrib",
    "ppo-features": "sb3_contrib",
    "rllib": "ray",
}


@pytest.mark.parametrize("baseline", BASELINES)
def test_a_baseline_keeps_its_budget(tmp_path, baseline):
    from training.examples.baselines import course

    if not importlib.util.find_spec(BASELINES[baseline].partition(".")[0]):
        pytest.skip(f"{BASELINES[baseline]} is not installed")
    assert tuple(BASELINES) == tuple(course.ALGORITHMS)
    course.main([baseline, "karma", "--decisions", "3000", "--runs", str(tmp_path), "--name", "mine"])
    found = json.loads((tmp_path / "mine/training.json").read_text())
    assert 3000 <= found["decisions"] < (66_000 if baseline == "self-play" else 9000)  # the last update may exceed it
    game = tantra_envs.game("karma")
    assert evaluate.evaluate(game, load(found["agent"], game), load("uniform", game), 2).games == 4
