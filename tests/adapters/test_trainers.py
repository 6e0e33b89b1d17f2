"""What other people's trainers are handed; `tests/envs/test_interfaces.py` plays their environments."""

import importlib.util
import re
import runpy
import subprocess
import sys
from importlib import metadata
from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.extras import CHECKOUT, install_command


def needs(package):
    return pytest.mark.skipif(not importlib.util.find_spec(package), reason=f"{package} is not installed")


@needs("sb3_contrib")
def test_sb3_asks_single_tables_and_passes_options_on():
    tables = adapters.sb3("karma", 3)
    tables.set_options({"dealer": 1})
    tables.reset()
    assert (tables.tables._states["dealer"] == 1).all()
    masks = tables.env_method("action_masks")
    assert (tables.env_method("action_masks", indices=[2])[0] == masks[2]).all()
    assert len(tables.get_attr("game", indices=[0, 2])) == len(tables.env_is_wrapped(object, indices=[0, 1])) == 2
    tables.set_options([{"dealer": 0}, {"dealer": 1}, {}])
    with pytest.raises(ValueError, match="differ; allowed: one dict for all"):
        tables.reset()


@needs("ray")
def test_rllib_refuses_actions_of_others():
    from tantra_envs.adapters.rllib_tables import RLlibTables

    env = RLlibTables(tantra_envs.game("karma"))
    (agent,) = env.reset(seed=1)[0]
    (other,) = set(env.possible_agents) - {agent}
    for actions in ({other: 0}, {}, {agent: 0, other: 0}):
        with pytest.raises(ValueError, match="action_dict"):
            env.step(actions)


@needs("ray")
@pytest.mark.parametrize(("policies", "wanted"), [
    ("shared", ["shared"] * 4), ("seat", ["seat_0", "seat_1", "seat_2", "seat_3"]),
    ("team", ["team_0", "team_1", "team_0", "team_1"]),
])  # fmt: skip
def test_rllib_learns_with_one_policy_or_one_for_each_seat_or_team(policies, wanted):
    setup = adapters.rllib("kanastic:round", policies=policies)
    assert list(setup.policies.values()) == wanted


@needs("ray")
def test_an_algorithm_that_cannot_mask_is_named():
    from ray.rllib.algorithms.dqn import DQNConfig

    with pytest.raises(ValueError, match="DQNConfig cannot mask illegal actions in RLlib; allowed: PPOConfig"):
        adapters.rllib("karma").configure(DQNConfig())
    with pytest.raises(ValueError, match="policies='mine'"):
        adapters.rllib("karma", policies="mine")


def test_a_function_of_scores_is_an_agent():
    game = tantra_envs.game("karma")
    agent = adapters.player("first", lambda views, masks: -np.arange(masks.shape[1]) * np.ones((len(views), 1)))
    obs = Observation(game, np.concatenate([game.new(seed) for seed in range(4)]))
    assert (ask(agent, obs, np.random.default_rng(0)) == obs.action_mask.argmax(axis=1)).all()


@pytest.mark.parametrize("framework", adapters.VERSIONS)
def test_a_missing_framework_is_one_line_with_its_extra(framework, monkeypatch):
    def missing(package):
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(adapters.metadata, "version", missing)
    install = re.escape(install_command(framework, f"constraints/{framework}.txt"))
    with pytest.raises(ImportError, match=rf"adapters.{framework} needs .*: {install}"):
        adapters.check_versions(framework)
    assert CHECKOUT is None or (CHECKOUT / f"constraints/{framework}.txt").is_file()


@pytest.mark.parametrize(("framework", "versions", "told"), [
    ("jax", {"jax": "0.5.3"}, "jax 0.5.3 does not work; allowed: jax>=0.6"),
    ("rllib", {"ray": "2.60.0", "gymnasium": "1.4.0"}, "gymnasium 1.4.0 does not work; allowed: gymnasium>=1.2,<1.3"),
    ("rllib", {"ray": "2.9.1", "gymnasium": "1.2.2"}, "ray 2.9.1 does not work; allowed: ray>=2.60"),
])  # fmt: skip
def test_a_version_that_does_not_work_is_named(framework, versions, told, monkeypatch):
    monkeypatch.setattr(adapters.metadata, "version", versions.__getitem__)
    with pytest.raises(ImportError, match=told):
        adapters.check_versions(framework)


def test_openspiel_remembers_own_actions_that_no_observation_shows(monkeypatch):
    if not importlib.util.find_spec("pyspiel"):  # tables need nothing of it
        players = SimpleNamespace(CHANCE=-1, TERMINAL=-4)
        monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(PlayerId=players, Game=object, State=object))
    table = runpy.run_module("tantra_envs.adapters.openspiel_game")["SpielTable"]
    game = tantra_envs.game("karma")
    monkeypatch.setattr(game.drivers, "apply_row", lambda *_: None)
    start = game.new(1)
    one, two = (table(game, start.copy()) for _ in range(2))
    for played, action in zip((one, two), game.legal(start), strict=False):
        played.play(action)
    for seat in range(game.players):
        assert (one.seen(seat) == two.seen(seat)) == (seat != start["seat"][0])


def test_versions_that_work_are_let_through(monkeypatch):
    monkeypatch.setattr(adapters.metadata, "version", {"ray": "2.60.1", "gymnasium": "1.2.2"}.__getitem__)
    adapters.check_versions("rllib")


def test_nothing_is_imported_before_it_is_asked_for():
    asked = "import sys, tantra_envs.adapters; print({'torch', 'ray', 'pyspiel', 'jax'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "set()"
