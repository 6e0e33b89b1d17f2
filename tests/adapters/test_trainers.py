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
everywhere = pytest.mark.parametrize("name", GAMES)


def needs(package):
    return pytest.mark.skipif(not importlib.util.find_spec(package), reason=f"{package} is not installed")


def alike(name, **more):
    """The tables of the project that an adapter should follow, step by step."""
    game = tantra_envs.game(name)
    return tantra_envs.make_seat_vector(game.id, 3, **game.config, **more)


@needs("sb3_contrib")
@everywhere
def test_sb3_is_handed_the_tables_step_by_step(name):
    plain, adapted = alike(name, autoreset_mode="SameStep"), adapters.sb3(name, 3)
    adapted.seed(2)
    assert (adapted.reset() == plain.reset(seed=2)[0]).all()
    for _ in range(60):
        masks = np.stack(adapted.env_method("action_masks"))
        assert (masks == plain.action_masks()).all()
        actions = masks.argmax(axis=1)
        views, rewards, terminated, truncated, _ = plain.step(actions)
        seen, paid, dones, infos = adapted.step(actions)
        assert (seen == views).all() and (paid == rewards).all() and (dones == terminated | truncated).all()
        assert all(not info for info, done in zip(infos, dones, strict=True) if not done)


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


@needs("tianshou")
def test_tianshou_takes_a_game_at_its_limit_as_terminated():
    env = adapters.tianshou(tantra_envs.game("karma", **LIMIT))
    seen, _ = env.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        seen, _, terminated, truncated, _ = env.step(int(seen["mask"].argmax()))
    assert terminated and truncated


@needs("torchrl")
def test_torchrl_takes_a_game_at_its_limit_as_terminated():
    played = adapters.torchrl(tantra_envs.game("karma", **LIMIT), 3).rollout(20, break_when_any_done=False)["next"]
    assert played["truncated"].any()
    assert (played["truncated"] == played["done"]).all() and (played["terminated"] == played["done"]).all()


@needs("ray")
def test_rllib_takes_a_game_at_its_limit_as_terminated():
    env = rllib_env("karma", **LIMIT)
    seen, _ = env.reset(seed=1)
    for _ in range(LIMIT["max_moves"]):
        ((agent, view),) = seen.items()
        seen, _, terminated, truncated, _ = env.step({agent: int(view["action_mask"].argmax())})
    assert env._table["truncated"][0] and terminated == {"__all__": True} and truncated == {"__all__": False}


@needs("tianshou")
@everywhere
def test_tianshou_sees_masks_where_it_looks_and_flat_infos(name):
    from tianshou.data import Batch

    env, plain = (
        adapters.tianshou(name),
        tantra_envs.make_seat(tantra_envs.game(name).id, **tantra_envs.game(name).config),
    )
    (seen, infos), (view, told) = env.reset(seed=3), plain.reset(seed=3)
    for _ in range(60):
        assert (seen["obs"] == view).all() and (seen["mask"] == told["action_mask"]).all()
        assert env.observation_space.contains(seen)
        assert all(np.ndim(value) == 0 for value in infos.values())
        assert Batch(obs=seen).obs.mask.sum() >= 1
        action = int(seen["mask"].argmax())
        seen, reward, *ends, infos = env.step(action)
        view, paid, *plain_ends, told = plain.step(action)
        assert (reward, ends) == (paid, plain_ends)
        if any(ends):
            break


@needs("tianshou")
def test_the_masked_actor_of_tianshou_never_likes_what_is_illegal():
    import torch
    from tianshou.data import Batch

    from tantra_envs.adapters.tianshou_tables import MaskedActor

    net = torch.nn.Linear(4, 3)
    torch.nn.init.zeros_(net.weight)
    net.bias.data = torch.tensor([9.0, 1.0, 0.0])
    batch = Batch(obs=np.ones((2, 4), np.float32), mask=np.array([[1, 1, 1], [0, 1, 1]], np.int8))
    logits, _ = MaskedActor(net)(batch)
    chances = torch.distributions.Categorical(logits=logits).probs
    assert logits.argmax(dim=1).tolist() == [0, 1] and chances[1, 0] == 0


@needs("tianshou")
def test_dqn_of_tianshou_explores_legal_actions_only():
    import torch
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.utils.net.common import Net

    for name in ("karma", "tantra"):
        game = tantra_envs.game(name)
        model = Net(state_shape=game.view.size, action_shape=game.actions.size, hidden_sizes=[8])
        policy = DiscreteQLearningPolicy(
            model=model, action_space=adapters.tianshou(game).action_space, eps_training=0.5, eps_inference=0.5
        )
        tables = DummyVectorEnv([lambda game=game: adapters.tianshou(game, illegal_reward=None) for _ in range(2)])
        torch.manual_seed(0)
        collected = Collector(policy, tables, VectorReplayBuffer(400, 2)).collect(n_step=200, reset_before_collect=True)
        assert collected.n_collected_steps == 200  # an illegal action would have raised


@needs("torchrl")
@everywhere
def test_torchrl_finds_nothing_wrong_and_draws_legal_actions(name):
    from torchrl.envs.utils import check_env_specs

    env = adapters.torchrl(name, 3, illegal_reward=None)
    check_env_specs(env, seed=0)
    played = env.rollout(60, break_when_any_done=False)
    assert played.batch_size == (3, 60)
    assert played["action_mask"].gather(-1, played["action"][..., None]).all()


@needs("torchrl")
def test_torchrl_is_handed_the_tables_step_by_step():
    import torch

    env, plain = adapters.torchrl("karma", 3), alike("karma", autoreset_mode="Disabled")
    env.set_seed(5)
    now, (views, infos) = env.reset(), plain.reset(seed=5)
    for _ in range(150):
        assert (now["observation"].numpy() == views).all()
        assert (now["action_mask"].numpy() == infos["action_mask"]).all()
        actions = infos["action_mask"].argmax(axis=1)
        then, now = env.step_and_maybe_reset(now.set("action", torch.from_numpy(actions)))
        views, rewards, terminated, truncated, infos = plain.step(actions)
        assert (then["next", "reward"][:, 0].numpy() == rewards.astype(np.float32)).all()
        assert (then["next", "done"][:, 0].numpy() == terminated | truncated).all()
        if (terminated | truncated).any():
            views, infos = plain.reset(options={"reset_mask": terminated | truncated})


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


@needs("rlcard")
def test_an_agent_of_rlcard_sits_at_our_tables():
    from rlcard.agents import RandomAgent

    game = tantra_envs.game("karma")
    agent = adapters.rlcard(RandomAgent(game.actions.size))
    obs = Observation(game, np.concatenate([game.new(seed) for seed in range(5)]))
    assert len(ask(agent, obs, np.random.default_rng(0))) == 5


@needs("rlcard")
@pytest.mark.parametrize("name", GAMES)
def test_rlcard_plays_our_tables_with_its_own_loop(name):
    from rlcard.agents import RandomAgent
    from rlcard.utils import reorganize

    game = tantra_envs.game(name)
    table = adapters.rlcard_env(game, seed=3)
    table.set_agents([RandomAgent(game.actions.size)] * game.players)
    trajectories, payoffs = table.run(is_training=True)
    assert table.is_over() and payoffs.shape == (game.players,)
    assert table.timestep == sum(len(own) // 2 for own in trajectories)
    last = [own[-1] for own in reorganize(trajectories, payoffs) if own]
    assert all(done for *_, done in last)
    again = adapters.rlcard_env(game, seed=3)
    state, seat = again.reset()
    assert state["raw_legal_actions"] == game.legal(again.table)
    assert (state["obs"] == game.observation(again.table, seat)).all()
    illegal = int(game.mask(again.table).argmin())
    with pytest.raises(ValueError, match="illegal"):
        again.step(illegal)


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
    ("tianshou", {"tianshou": "1.2.0"}, "tianshou 1.2.0 does not work; allowed: tianshou>=2.0"),
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

    asked = "import sys, tantra_envs.adapters; print({'torch', 'ray', 'pyspiel', 'tianshou'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "set()"
