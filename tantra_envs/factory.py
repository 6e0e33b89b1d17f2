"""Environments by the name of a game: for PettingZoo, for Gymnasium, and in batches."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from .configuration import game
from .core.game import Game
from .envs.aec import TableEnv
from .envs.batch import BatchEnv
from .envs.episode import action_id
from .envs.seat import SeatEnv
from .envs.vector import SeatVectorEnv

SEATING = ("seat", "team", "opponents", "illegal_reward")  # arguments of environments for one seat
ILLEGAL_REWARD = -1.0  # the reward of an illegal action in `env()`, which ends the game


def make(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> AECEnv:
    """Return the PettingZoo environment of a game, in the usual wrappers: `make("karma", players=3)`.

    An illegal action ends the game with reward -1 for the agent that chose it. A value that is not an action id raises
    ValueError. With `flat=True` an observation is the float32 array only, a plain Box, and the mask is in `infos` and
    in `action_mask(agent)`. SuperSuit needs this.

    `config` takes the options of the game, and `max_cycles`, PettingZoo's name for the limit of actions.
    """
    env = make_raw(name, variant, render_mode, flat=flat, **config)
    return OrderEnforcingWrapper(_ActionIdWrapper(TerminateIllegalWrapper(env, ILLEGAL_REWARD)))


class _ActionIdWrapper(BaseWrapper):
    """PettingZoo's AssertOutOfBoundsWrapper with the error that all environments raise."""

    def step(self, action: Any) -> None:
        """Play an action; raise ValueError unless it is an action id, or None for an agent whose game is over."""
        agent, actions = self.agent_selection, self.game.actions.size
        over = self.terminations[agent] or self.truncations[agent]
        fits = (over and action is None) or 0 <= action_id(action) < actions
        self.game.check("action", action, fits, f"0..{actions - 1}")
        super().step(action)


def make_raw(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> TableEnv:
    """Return the PettingZoo environment without wrappers: 8 times as fast. An illegal action raises ValueError."""
    return TableEnv(_configured(name, variant, config), render_mode, flat)


def make_parallel(
    name: str, variant: str | None = None, render_mode: str | None = None, *, flat: bool = False, **config: Any
) -> ParallelEnv:
    """Return the game as a PettingZoo ParallelEnv. It plays only the action of the current agent."""
    return _TurnBasedParallelEnv(make(name, variant, render_mode, flat=flat, **config))


class _TurnBasedParallelEnv(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's parallel form of a turn-based environment, but `step` returns five dicts after the end, not four."""

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the current agent's action; return observations, rewards, terminations, truncations and infos."""
        return super().step(actions) if self.agents else ({}, {}, {}, {}, {})


def make_batch(
    name: str, n: int, variant: str | None = None, seed: int = 0, threads: int = 1, **config: Any
) -> BatchEnv:
    """Return `n` tables with arrays as input and output. `config` also takes arguments of BatchEnv."""
    borders = _pop(config, "observation_dtype", "illegal_reward")
    return BatchEnv(_configured(name, variant, config), n, seed, threads, **borders)


def make_seat(name: str, variant: str | None = None, render_mode: str | None = None, **config: Any) -> SeatEnv:
    """Return a Gymnasium environment where you play one seat and opponents play the others.

    `seat` fixes your seat; by default it is drawn for every game. `opponents` (default "uniform") are one of these, for
    all other seats:

    - a name such as "scripted", "search:8" or "learned", or "my_agent.py:MyAgent"
    - an agent
    - a list with one of these for each of the other seats, in order after yours

    With `team=True` you also play the seats of your partners. An illegal action ends the episode with `illegal_reward`
    (-1). With None it raises ValueError.
    """
    seating = _pop(config, *SEATING)
    return SeatEnv(_configured(name, variant, config), render_mode=render_mode, **seating)


def make_seat_vector(
    name: str, num_envs: int = 1, variant: str | None = None, render_mode: str | None = None, **config: Any
) -> SeatVectorEnv:
    """Return a Gymnasium vector environment of `num_envs` tables where you play one seat.

    An illegal action raises ValueError, unless `illegal_reward` is given. The other arguments are those of `make_seat`.
    """
    seating = _pop(config, *SEATING, "autoreset_mode")
    return SeatVectorEnv(_configured(name, variant, config), num_envs, render_mode=render_mode, **seating)


def _pop(config: dict[str, Any], *names: str) -> dict[str, Any]:
    """Remove arguments of an environment from the options of its game, and return them."""
    return {name: config.pop(name) for name in names if name in config}


def _configured(name: str, variant: str | None, config: dict[str, Any]) -> Game:
    """Return the game, with `max_cycles` as the option that limits its length."""
    limit = config.pop("max_cycles", None)
    configured = game(name, variant, **config)
    return configured if limit is None else configured.build(**{**configured.config, configured.cutoff: limit})
