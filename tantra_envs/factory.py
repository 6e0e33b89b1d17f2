"""Environments by the name of a game: for PettingZoo, for Gymnasium, and in batches.

`config` takes the options of the game everywhere. `max_cycles` is PettingZoo's name for the limit of actions.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, overload

from gymnasium.vector import AutoresetMode
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from .configuration import game
from .core.features import Described
from .core.game import Game
from .envs.aec import ListTableEnv, TableEnv
from .envs.batch import BatchEnv, Dtype
from .envs.episode import ILLEGAL_REWARD, action_id
from .envs.opponents import Opponents
from .envs.seat import SeatEnv
from .envs.vector import SeatVectorEnv
from .envs.views import VIEWS, Lists, Numbers, View

F = TypeVar("F", bound="functools.partial[Any]")
P = ParamSpec("P")
Inner = TypeVar("Inner")
Outer = TypeVar("Outer")


def make_raw(
    name: str,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    flat: bool = False,
    view: View = "observation",
    score_reward: bool = False,
    max_cycles: int | None = None,
    **config: Any,
) -> TableEnv:
    """Return the PettingZoo environment without wrappers, which is faster. An illegal action raises ValueError.

    Args:
        name: The game, or the game and a variant: "karma:sixty".
        variant: A named set of options.
        render_mode: "human", "ansi", "svg" or "rgb_array".
        flat: True = an observation is the float32 array only, a plain Box, and the mask is in `infos` and in
            `action_mask(agent)`. SuperSuit needs this.
        view: "observation", or "features": a list of the legal actions with their features, and an action is a place in
            this list.
        score_reward: True = the rewards are scores at the end of the game, see `score_rewards`, and 0 before.
        max_cycles: The limit of actions, another name of the game's own option.
        config: Options of the game.
    """
    configured = _configured(name, variant, max_cycles, config)
    configured.check_in("view", view, VIEWS)
    if view == "observation":
        return TableEnv(configured, render_mode, flat, score_reward)
    configured.check("flat", flat, flat is False, "False with view='features'")
    return ListTableEnv(configured, render_mode, score_reward)


def _around(build: Callable[P, Inner]) -> Callable[[Callable[[Inner], Outer]], Callable[P, Outer]]:
    """Return a decorator for a function that wraps an environment: its result takes the arguments of `build`."""

    def decorate(wrap: Callable[[Inner], Outer]) -> Callable[P, Outer]:
        def make_wrapped(*args: P.args, **options: P.kwargs) -> Outer:
            return wrap(build(*args, **options))

        functools.update_wrapper(make_wrapped, wrap)
        signature, returns = inspect.signature(build), inspect.signature(wrap).return_annotation
        make_wrapped.__signature__ = signature.replace(return_annotation=returns)  # type: ignore[attr-defined]
        return make_wrapped

    return decorate


@_around(make_raw)
def make(env: TableEnv) -> AECEnv:
    """Return the PettingZoo environment of a game, in the usual wrappers: `make("karma", players=3)`.

    An illegal action ends the game with reward -1 for the agent that chose it. A value that is not an action id raises
    ValueError. The arguments are those of `make_raw`.
    """
    return OrderEnforcingWrapper(_ActionIdWrapper(TerminateIllegalWrapper(env, ILLEGAL_REWARD)))


class _ActionIdWrapper(BaseWrapper):
    """PettingZoo's AssertOutOfBoundsWrapper with the error that all environments raise."""

    def step(self, action: Any) -> None:
        """Play an action; raise ValueError unless it is an action id, or None for an agent whose game is over."""
        agent, actions = self.agent_selection, self.action_space(self.agent_selection).n
        over = self.terminations[agent] or self.truncations[agent]
        fits = (over and action is None) or 0 <= action_id(action) < actions
        self.game.check("action", action, fits, f"0..{actions - 1}")
        super().step(action)


@_around(make)
def make_parallel(env: AECEnv) -> ParallelEnv:
    """Return the game as a PettingZoo ParallelEnv. It plays only the action of the current agent.

    The arguments are those of `make_raw`.
    """
    return _TurnBasedParallelEnv(env)


class _TurnBasedParallelEnv(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's parallel form of a turn-based environment, but `step` returns five dicts after the end, not four."""

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the current agent's action; return observations, rewards, terminations, truncations and infos."""
        return super().step(actions) if self.agents else ({}, {}, {}, {}, {})


def of_game(
    name: str, module: str
) -> tuple[Callable[..., AECEnv], Callable[..., TableEnv], Callable[..., ParallelEnv]]:
    """Return the functions `env`, `raw_env` and `parallel_env` of the module of a game, such as `karma_v0`."""
    return (
        as_function(functools.partial(make, name), f"{module}.env"),
        as_function(functools.partial(make_raw, name), f"{module}.raw_env"),
        as_function(functools.partial(make_parallel, name), f"{module}.parallel_env"),
    )


def as_function(bound: F, path: str) -> F:
    """Return a `functools.partial` as a function that `help` and `pickle` find at `path`, its module and its name."""

    @functools.wraps(bound.func)
    def function(*args: Any, **config: Any) -> Any:
        return bound(*args, **config)

    function.__module__, _, function.__name__ = path.rpartition(".")
    function.__qualname__ = function.__name__
    function.__signature__ = inspect.signature(bound)  # type: ignore[attr-defined]
    return function  # type: ignore[return-value]


@overload
def make_batch(
    name: str,
    n: int,
    variant: str | None = None,
    seed: int = 0,
    threads: int = 1,
    *,
    view: Literal["features"],
    **options: Any,
) -> BatchEnv[Described]: ...


@overload
def make_batch(
    name: str,
    n: int,
    variant: str | None = None,
    seed: int = 0,
    threads: int = 1,
    *,
    view: Literal["observation"] = ...,
    **options: Any,
) -> BatchEnv[Numbers]: ...


def make_batch(
    name: str,
    n: int,
    variant: str | None = None,
    seed: int = 0,
    threads: int = 1,
    *,
    view: View = "observation",
    max_cycles: int | None = None,
    observation_dtype: Dtype = "float32",
    illegal_reward: float | None = None,
    skip_forced: bool = False,
    score_reward: bool = False,
    **config: Any,
) -> BatchEnv[Any]:
    """Return `n` tables with arrays as input and output.

    Args:
        name: The game, or the game and a variant.
        n: Number of tables.
        variant: A named set of options.
        seed: Seed of the deals.
        threads: Number of threads, each with a slice of the tables.
        view: "observation", or "features": the legal actions with their features, in `described`.
        max_cycles: The limit of actions, another name of the game's own option.
        observation_dtype: "float32", or "compact" for small integers.
        illegal_reward: The reward of an illegal action, which ends the game; None = it raises ValueError.
        skip_forced: True = a step also plays the actions that follow, as long as there is only one legal action.
        score_reward: True = the rewards are scores at the end of the game, see `score_rewards`, and 0 before.
        config: Options of the game.
    """
    configured = _configured(name, variant, max_cycles, config)
    return BatchEnv(
        configured,
        n,
        seed,
        threads,
        view=view,
        observation_dtype=observation_dtype,
        illegal_reward=illegal_reward,
        skip_forced=skip_forced,
        score_reward=score_reward,
    )


@overload
def make_seat(
    name: str, variant: str | None = None, render_mode: str | None = None, *, view: Literal["features"], **options: Any
) -> SeatEnv[Lists]: ...


@overload
def make_seat(
    name: str,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    view: Literal["observation"] = ...,
    **options: Any,
) -> SeatEnv[Numbers]: ...


def make_seat(
    name: str,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    opponents: Opponents = None,
    seat: int | None = None,
    team: bool = False,
    illegal_reward: float | None = ILLEGAL_REWARD,
    view: View = "observation",
    mask_in_observation: bool = False,
    score_reward: bool = False,
    max_cycles: int | None = None,
    **config: Any,
) -> SeatEnv[Any]:
    """Return a Gymnasium environment where you play one seat and opponents play the others.

    Args:
        name: The game, or the game and a variant.
        variant: A named set of options.
        render_mode: "human", "ansi", "svg" or "rgb_array".
        opponents: A name such as "scripted", "search:8", "learned" or "my_agent.py:MyAgent", or an agent, for all other
            seats. Or a list with one of these for each of the other seats, in order after yours. None = "uniform".
        seat: Your seat; None = it is drawn for every game.
        team: True = you also play the seats of your partners.
        illegal_reward: The reward of an illegal action, which ends the episode; None = it raises ValueError.
        view: "observation", or "features": a list of the legal actions with their features, and an action is a place in
            this list.
        mask_in_observation: True = the action mask follows the numbers of the observation, for trainers without masks.
        score_reward: True = the reward is the score at the end of the game, see `score_rewards`, and 0 before.
        max_cycles: The limit of actions, another name of the game's own option.
        config: Options of the game.
    """
    return SeatEnv(
        _configured(name, variant, max_cycles, config),
        opponents=opponents,
        seat=seat,
        team=team,
        illegal_reward=illegal_reward,
        view=view,
        mask_in_observation=mask_in_observation,
        score_reward=score_reward,
        render_mode=render_mode,
    )


@overload
def make_seat_vector(
    name: str,
    num_envs: int = 1,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    view: Literal["features"],
    **options: Any,
) -> SeatVectorEnv[Lists]: ...


@overload
def make_seat_vector(
    name: str,
    num_envs: int = 1,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    view: Literal["observation"] = ...,
    **options: Any,
) -> SeatVectorEnv[Numbers]: ...


def make_seat_vector(
    name: str,
    num_envs: int = 1,
    variant: str | None = None,
    render_mode: str | None = None,
    *,
    opponents: Opponents = None,
    seat: int | None = None,
    team: bool = False,
    illegal_reward: float | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    view: View = "observation",
    mask_in_observation: bool = False,
    score_reward: bool = False,
    max_cycles: int | None = None,
    **config: Any,
) -> SeatVectorEnv[Any]:
    """Return a Gymnasium vector environment of `num_envs` tables where you play one seat.

    The other arguments are those of `make_seat`. `render_mode` cannot be "human".

    Args:
        name: The game, or the game and a variant.
        num_envs: Number of tables.
        illegal_reward: The reward of an illegal action, which ends the episode; None = it raises ValueError.
        autoreset_mode: When a table that is over is dealt again: "NextStep", "SameStep" or "Disabled".
    """
    return SeatVectorEnv(
        _configured(name, variant, max_cycles, config),
        num_envs,
        autoreset_mode=autoreset_mode,
        view=view,
        opponents=opponents,
        seat=seat,
        team=team,
        illegal_reward=illegal_reward,
        mask_in_observation=mask_in_observation,
        score_reward=score_reward,
        render_mode=render_mode,
    )


def _configured(name: str, variant: str | None, max_cycles: int | None, config: dict[str, Any]) -> Game:
    """Return the game, with `max_cycles` as the option that limits its length."""
    configured = game(name, variant, **config)
    if max_cycles is None:
        return configured
    return configured.build(**{**configured.config, configured.cutoff: max_cycles})
