"""What other people's trainers are handed: masks under their names, rewards per own decision, legal samples, ends."""

import importlib.util
import re
from importlib import metadata

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.extras import CHECKOUT, install_command

GAMES = ["karma", "kanastic:round", "tantra", "tantrix", "tarot:hand"]


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


LIMIT = {"max_moves": 8}  # too few actions for any game of Karma


@needs("sb3_contrib")
def test_sb3_adds_no_value_to_the_final_rewards_of_a_game_at_its_limit():
    """MaskablePPO adds `gamma` times the value of `terminal_observation` where `TimeLimit.truncated` is True."""
    import torch
    from sb3_contrib import MaskablePPO

    tables = adapters.sb3(tantra_envs.game("karma", **LIMIT, truncation_reward=-0.25), 4)
    model = MaskablePPO("MlpPolicy", tables, n_steps=32, batch_size=32, gamma=1.0, seed=0, device="cpu")
    torch.nn.init.zeros_(model.policy.value_net.weight)
    torch.nn.init.constant_(model.policy.value_net.bias, 50.0)
    model.learn(128)
    assert set(np.unique(model.rollout_buffer.rewards)) == {np.float32(-0.25), np.float32(0)}
    tables.reset()
    infos = [info for _ in range(16) for info in tables.step(tables.tables.action_masks().argmax(axis=1))[3] if info]
    assert infos and all(info["truncated"] and not info["TimeLimit.truncated"] for info in infos)


@needs("sb3_contrib")
def test_sb3_pays_the_score_at_the_end():
    tables = adapters.sb3("tarot:hand", 16, score_reward=True)
    tables.reset()
    steps = [tables.step(tables.tables.action_masks().argmax(axis=1)) for _ in range(60)]
    rewards, dones = (np.array([step[part] for step in steps]) for part in (1, 2))
    assert (rewards[~dones] == 0).all() and {-1, 1} <= set(rewards[dones]) <= {-1, 0, 1}


@needs("ray")
def test_rllib_takes_a_game_at_its_limit_as_terminated():
    env = rllib_env("karma", **LIMIT)
    seen, _ = env.reset(seed=1)
    for _ in range(LIMIT["max_moves"]):
        ((agent, view),) = seen.items()
        seen, _, terminated, truncated, _ = env.step({agent: int(view["action_mask"].argmax())})
    assert env._table["truncated"][0] and terminated == {"__all__": True} and truncated == {"__all__": False}


@needs("ray")
@pytest.mark.parametrize("name", GAMES)
def test_rllib_observes_the_seat_to_decide_and_pays_it_for_all_since(name):
    env, total = rllib_env(name), {}
    game = env.game
    seen, _ = env.reset(seed=7)
    rng, table, due = np.random.default_rng(1), game.new(7), np.zeros(game.players)
    for _ in range(4000):
        ((agent, view),) = seen.items()
        seat = int(table["seat"][0])
        assert agent == f"player_{seat}" and env.observation_spaces[agent].contains(view)
        assert (view["action_mask"] == game.mask(table)).all()
        assert (view["observations"] == game.observation(table, seat)).all()
        action = int(rng.choice(game.legal(table)))
        game.apply_action(table, action)
        due += table["rewards"][0][: game.players]
        seen, paid, terminated, truncated, infos = env.step({agent: action})
        for who, reward in paid.items():
            total[who] = total.get(who, 0.0) + reward
        if terminated["__all__"] or truncated["__all__"]:
            break
        assert not infos and list(paid) == list(seen)
    assert table["over"][0] and set(seen) == set(env.possible_agents)
    assert [total[f"player_{seat}"] for seat in range(game.players)] == pytest.approx(due)


def rllib_env(name, **config):
    adapters.rllib(name)
    from tantra_envs.adapters.rllib_tables import RLlibTables

    return RLlibTables(tantra_envs.game(name, **config))


@needs("ray")
def test_rllib_refuses_what_is_not_its_turn_and_what_is_illegal():
    env = rllib_env("karma")
    ((agent, view),) = env.reset(seed=1)[0].items()
    other = next(who for who in env.possible_agents if who != agent)
    for actions, told in (({other: 0}, "action_dict"), ({}, "action_dict"), ({agent: 43}, "illegal")):
        with pytest.raises(ValueError, match=told):
            env.step(actions)
    env.step({agent: int(view["action_mask"].argmax())})


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


def test_versions_that_work_are_let_through(monkeypatch):
    monkeypatch.setattr(adapters.metadata, "version", {"ray": "2.60.1", "gymnasium": "1.2.2"}.__getitem__)
    adapters.check_versions("rllib")


def test_nothing_is_imported_before_it_is_asked_for():
    import subprocess
    import sys

    asked = "import sys, tantra_envs.adapters; print({'torch', 'ray', 'pyspiel', 'jax'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "set()"
