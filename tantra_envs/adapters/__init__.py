"""Adapters that offer the games to other frameworks. Each function needs the framework that it is named after.

    adapters.sb3("karma", 64, opponents="uniform")     a VecEnv for sb3-contrib's MaskablePPO
    adapters.RatingPolicy                              the policy of MaskablePPO for tables with view="features"
    adapters.RatingBuffer                              its rollout buffer, without the empty places of lists
    adapters.jax("karma", 1024)                        tables inside `jax.jit` and `lax.scan`
    adapters.jax_networks                              functions for view="features", and `save_network` without torch
    adapters.rllib("karma", policies="shared")         a MultiAgentEnv of all seats, with masks for RLlib's modules
    adapters.openspiel("karma", deals=1000)            a pyspiel.Game
    adapters.spiel_bot(game, make_bot)                 an OpenSpiel bot as one of our agents
    adapters.verifiers_tasks                           a module with a task set and an environment of verifiers
    adapters.verifiers_puzzles                         a task set of puzzles for verifiers
    adapters.episodes                                  puzzles and games with a reward 0 .. 1, also for TRL
    adapters.text                                      games as text for language models, without a framework
    adapters.openenv_environment                       a server and a client of OpenEnv
    adapters.player(name, scores)                      a trained network as one of our agents

With `view="features"` the tables of sb3, jax and rllib show a list of legal actions, each described
by numbers. An action is then a place in the list.

A game is a `Game` or its name, for example "karma:sixty". A framework is imported when its function is called. A
missing or incompatible framework raises an ImportError of one line.

A game that reaches its limit is over and pays its final rewards: the limit is a rule of the game, and nothing follows.
So trainers get it as terminated, and do not add the value of a position after it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

import numpy as np

from ..configuration import game as configured
from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..core.state import States
from ..envs.opponents import Opponents
from ..envs.views import View
from ..extras import install_command, version_numbers

__all__ = ["RatingPolicy", "jax", "openspiel", "player", "rllib", "sb3", "spiel_bot"]

# For each framework: package, first version that works, first version that does not (or None), and the reason.
VERSIONS: dict[str, tuple[tuple[str, str, str | None, str], ...]] = {
    "sb3": (("sb3-contrib", "2.6", None, "MaskablePPO takes Gymnasium 1 since then"),),
    "rllib": (
        ("ray", "2.60", None, "the new API stack with masks as it is now"),
        ("gymnasium", "1.2", "1.3", "RLlib pins Gymnasium 1.2.2"),
    ),
    "jax": (("jax", "0.6", None, "`io_callback` with results as named tuples, in order, inside `lax.scan`"),),
    "openspiel": (("open-spiel", "1.6", None, "Python games with serialisation"),),
}


def sb3(
    game: Game | str,
    num_envs: int = 64,
    *,
    opponents: Opponents = None,
    seat: int | None = None,
    team: bool = False,
    illegal_reward: float | None = None,
    view: View = "observation",
    score_reward: bool = False,
) -> Any:
    """Return a Stable-Baselines3 VecEnv of `num_envs` tables where the learner plays one seat or team.

    The other arguments are those of `SeatVectorEnv`. MaskablePPO gets its masks with `env_method("action_masks")`;
    plain PPO and DQN cannot mask. Infos hold `terminal_observation` and `episode`, as with a Monitor. With
    `view="features"` the policy is `adapters.RatingPolicy`, and `rollout_buffer_class` is `adapters.RatingBuffer`.
    """
    seating = {"opponents": opponents, "seat": seat, "team": team, "illegal_reward": illegal_reward}
    rest = {"view": view, "score_reward": score_reward}
    return _module("sb3", "sb3_tables").SB3Tables(_game(game), num_envs, **seating, **rest)


def jax(
    game: Game | str,
    n: int = 64,
    *,
    seed: int = 0,
    threads: int = 1,
    view: View = "observation",
    observation_dtype: str = "float32",
    illegal_reward: float | None = None,
) -> Any:
    """Return `n` tables, a `BatchEnv`, with `reset` and `step` for use inside `jax.jit` and `lax.scan`.

    All seats decide in turn, for self-play. Each call returns a named tuple of JAX arrays: `observation` (n,
    view.size), `action_mask` (n, actions.size) bool, `seat` (n,) int32, `reward` (n, players) float32 by seat,
    `terminated` and `truncated` (n,) bool. `observation_dtype` and `illegal_reward` are those of `BatchEnv`.

    With `view="features"` `observation` is a dict of lists of legal actions, as in `SeatEnv`, for the functions of
    `adapters.jax_networks`. Actions are places in the lists.
    """
    options = {"view": view, "observation_dtype": observation_dtype, "illegal_reward": illegal_reward}
    return _module("jax", "jax_tables").JaxTables(_game(game), n, seed, threads, **options)


def rllib(game: Game | str, *, policies: str = "shared", view: View = "observation") -> Any:
    """Return the game for RLlib: `.env` is the name of its environment, `.configure(config)` sets up an algorithm.

    `policies` is "shared" (one policy for all seats), "seat" (one for each seat) or "team" (one for each team). With
    `view="features"` the modules rate the legal actions of a list.
    """
    return _module("rllib", "rllib_tables").RLlibGame(_game(game), policies, view)


def openspiel(
    game: Game | str,
    deals: int | Sequence[States] = 1000,
    *,
    seed: int = 0,
    zero_sum: bool = False,
    utility: tuple[float, float] | None = None,
) -> Any:
    """Return the game as a `pyspiel.Game`, which `pyspiel.load_game` also finds by its `short_name`.

    Chance is one node at the root with equally likely deals as outcomes. The deal fixes all later chance. Rewards are
    summed and given at the end.

    Args:
        game: The game or its name.
        deals: Number of deals, or tables (1,) to use as deals.
        seed: Seed of the first deal.
        zero_sum: Declare that returns add up to 0, which some algorithms require.
        utility: The lowest and the highest return to declare; None = what the rules and the options allow.
    """
    return _module("openspiel", "openspiel_game").spiel_game(_game(game), deals, seed, zero_sum, utility)


def spiel_bot(game: Any, make_bot: Callable[[Any], Any], name: str = "openspiel") -> Agent:
    """Return an OpenSpiel bot as one of our agents; `game` comes from `openspiel`, `make_bot(game)` returns the bot.

    The bot gets a determinization of the table: everything its seat cannot know is resampled, so it sees no hidden
    cards.
    """
    agent: Agent = _module("openspiel", "openspiel_game").SpielBot(game, make_bot(game), name)
    return agent


def player(name: str, scores: Callable[[Any, Any], Any]) -> Agent:
    """Return an agent that plays the legal action with the highest of `scores(views, masks)`.

    `views` are (k, view.size) float32 and `masks` are (k, actions.size) int8. The scores are numbers (k, actions.size).
    """
    return Scored(name, scores)


class Scored:
    """An agent that plays the legal action with the highest score of a function."""

    def __init__(self, name: str, scores: Callable[[Any, Any], Any]) -> None:
        self.name = name
        self._scores = scores

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        masks = obs.action_mask
        liked = np.asarray(self._scores(obs.observation, masks))
        return np.asarray(np.where(masks, liked, -np.inf).argmax(axis=1), np.int64)


def check_versions(framework: str) -> None:
    """Raise an ImportError of one line if a package that `framework` needs is missing or incompatible."""
    for package, first, broken, why in VERSIONS[framework]:
        install = install_command(framework, f"constraints/{framework}.txt")
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            raise ImportError(f"adapters.{framework} needs {package}: {install}") from None
        allowed = f">={first}" + (f",<{broken}" if broken else "")
        current = version_numbers(version)
        if current < version_numbers(first) or (broken and current >= version_numbers(broken)):
            problem = f"{package} {version} does not work; allowed: {package}{allowed} ({why}): {install}"
            raise ImportError(f"adapters.{framework}: {problem}")


def __getattr__(name: str) -> Any:
    if name in ("RatingPolicy", "RatingBuffer"):  # they need sb3-contrib
        return getattr(_module("sb3", "sb3_policy"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _module(framework: str, name: str) -> Any:
    check_versions(framework)
    return importlib.import_module(f"{__name__}.{name}")


def _game(game: Game | str) -> Game:
    return game if isinstance(game, Game) else configured(game)
