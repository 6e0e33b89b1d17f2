"""Checks of an AEC environment that PettingZoo's `api_test` leaves out: returns, ends and copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from ..envs.aec import TableEnv
from .play import choose, expect

MakeEnv = Callable[[], TableEnv]
STEPS_BETWEEN = 7  # steps between two copies of a table


def check_env(make_env: MakeEnv, seed: int = 0) -> None:
    """Run all checks of this file, each on new environments from `make_env`."""
    check_returns(make_env(), seed)
    check_keeping(make_env, seed)


def check_returns(env: TableEnv, seed: int) -> None:
    """Check that the rewards of `last()` add up to the returns, and that all agents end together.

    Agents must be either terminated or truncated, and infos must keep their keys. At the end every agent must get its
    own observation and no legal action.
    """
    env.reset(seed=seed)
    keys = [list(info) for info in env.infos.values()]
    rng, state = np.random.default_rng(seed), env.game.new(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    returns = state["rewards"][0].copy()
    for agent in env.agent_iter(max_iter=10**9):
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        _check_flags(env)
        now = [list(info) for info in env.infos.values()]
        expect(now == keys[-len(now) :], f"infos had the keys {keys[0]} at first and have {now[0]} now")
        if terminated or truncated:
            own = env.game.observation(state, env.possible_agents.index(agent))
            if not observation or (observation["observation"] != own).any():
                raise AssertionError(f"{agent}: another observation at the end")
            expect(not observation["action_mask"].any(), f"{agent}: legal actions at the end")
            env.step(None)
            continue
        action = choose(env.observe(agent)["action_mask"], rng)
        env.game.apply_action(state, action)
        returns += state["rewards"][0]
        env.step(action)
    for agent, expected in zip(env.possible_agents, returns.tolist(), strict=False):
        expect(
            abs(totals[agent] - expected) < 1e-9,
            f"{agent}: the rewards of last() add up to {totals[agent]}, its return is {expected}",
        )


def _check_flags(env: TableEnv) -> None:
    for flags in (env.terminations, env.truncations):
        expect(len(set(flags.values())) <= 1, f"some agents end before others: {flags}")
    ends = any(env.terminations.values()), any(env.truncations.values())
    expect(not all(ends), "a game is terminated or truncated, never both")


def check_keeping(make_env: MakeEnv, seed: int) -> None:
    """Check that `clone`, `pickle` and `deepcopy` give a table that continues like the original."""
    env, rng = make_env(), np.random.default_rng(seed)
    env.reset(seed=seed)
    while not _is_over(env):
        twins = {"clone": env.clone(), "pickle": pickle.loads(pickle.dumps(env)), "deepcopy": copy.deepcopy(env)}
        for _ in range(STEPS_BETWEEN):
            if _is_over(env):
                break
            action = choose(env.observe(env.agent_selection)["action_mask"], rng)
            env.step(action)
            for way, twin in twins.items():
                twin.step(action)
                _check_same(env, twin, way)
    for way, twin in twins.items():
        env_again = env.clone()
        env_again.reset()
        twin.reset()
        _check_same(env_again, twin, f"the deal after {way}")


def _is_over(env: TableEnv) -> bool:
    return any(env.terminations.values()) or any(env.truncations.values())


def _check_same(env: TableEnv, twin: TableEnv, way: str) -> None:
    actual = _shown(twin)
    for name, value in _shown(env).items():
        if actual[name] != value:
            raise AssertionError(f"{way}: {name} differs: {actual[name]} instead of {value}")


def _shown(env: TableEnv) -> dict[str, Any]:
    """Return everything that an environment shows of its table, and the table itself."""
    observations = {agent: env.observe(agent) for agent in env.agents}
    return {
        "agent_selection": env.agent_selection,
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "last": env.last(observe=False)[1:4],
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
        "observations": {
            agent: {key: part.tobytes() for key, part in parts.items()} for agent, parts in observations.items()
        },
        "state": env.state().tobytes(),
    }
