"""Environments by the name of a game: for PettingZoo, for Gymnasium, and in batches."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from .configuration import game
from .core.game import Game
from .envs.aec import TableEnv
from .envs.batch import BatchEnv
from .envs.seat import SeatEnv
from .envs.vector import SeatVectorEnv

ILLEGAL_REWARD = -1.0  # what `env()` pays for an illegal action, which ends the game


def make(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> AECEnv:
    """The PettingZoo environment of a game, checked by the usual wrappers: `make("karma", players=3)`.

    An illegal action ends the game with -1 for who chose it. `config` takes the game's fields and
    `max_cycles`, the cut-off under the name PettingZoo knows. With `flat=True` an observation is the float32 array
    alone, a plain Box, and the mask is in `infos` and in `action_mask(agent)`: for SuperSuit.
    """
    env = make_raw(name, variant, render_mode, flat=flat, **config)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, ILLEGAL_REWARD)))


def make_raw(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> TableEnv:
    """The same without wrappers: eight times as fast, and an illegal action raises ValueError."""
    return TableEnv(_configured(name, variant, config), render_mode, flat)


def make_parallel(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> ParallelEnv:
    """Return the game as a PettingZoo ParallelEnv. It plays only the action of the current agent."""
    return _TurnBasedParallelEnv(make(name, variant, render_mode, flat=flat, **config))


class _TurnBasedParallelEnv(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's conversion of an environment in turns. After the end `step` returns five empty dicts, not four."""

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the current agent's action; return observations, rewards, terminations, truncations and infos."""
        return super().step(actions) if self.agents else ({}, {}, {}, {}, {})


def make_batch(
    name: str, n: int, variant: str | None = None, seed: int = 0, threads: int = 1, **config: Any
) -> BatchEnv:
    """`n` tables at once, arrays in and arrays out. `observation_dtype` and `illegal_reward`: see BatchEnv."""
    borders = {option: config.pop(option) for option in ("observation_dtype", "illegal_reward") if option in config}
    return BatchEnv(_configured(name, variant, config), n, seed, threads, **borders)


def make_seat(name: str, variant: str | None = None, render_mode: str | None = None, **config: Any) -> SeatEnv:
    """A Gymnasium environment: one seat is yours. `seat` fixes it, `opponents` play the others (default "uniform").

    Opponents are a name such as "scripted", "search:8", "learned" or "my_agent.py:MyAgent", an agent, or a list with
    one of these for each of the other seats, in turn from yours on. `team=True` makes the seats of your partners yours
    as well. An illegal action ends the episode with `illegal_reward` (-1); None makes it a ValueError.
    """
    seating = _seating(config)
    return SeatEnv(_configured(name, variant, config), render_mode=render_mode, **seating)


def make_seat_vector(
    name: str, num_envs: int = 1, variant: str | None = None, render_mode: str | None = None, **config: Any
) -> SeatVectorEnv:
    """A Gymnasium vector environment of `num_envs` tables, one seat yours at each.

    An illegal action is a ValueError, unless `illegal_reward` is given.
    """
    seating = _seating(config, "autoreset_mode")
    return SeatVectorEnv(_configured(name, variant, config), num_envs, render_mode=render_mode, **seating)


def _seating(config: dict[str, Any], *more: str) -> dict[str, Any]:
    names = ("seat", "team", "opponents", "illegal_reward", *more)
    return {name: config.pop(name) for name in names if name in config}


def _configured(name: str, variant: str | None, config: dict[str, Any]) -> Game:
    """The game, with `max_cycles` put into the field that limits its length."""
    limit = config.pop("max_cycles", None)
    made = game(name, variant, **config)
    return made if limit is None else made.build(**{**made.config, made.cutoff: limit})
