"""Our games where other people's trainers look for them. Each function needs the framework it is named after.

    adapters.sb3("karma", 64, opponents="uniform")     a VecEnv for sb3-contrib's MaskablePPO
    adapters.tianshou("karma", opponents="uniform")    a Gymnasium environment whose mask Tianshou finds
    adapters.torchrl("karma", 64)                      a batched EnvBase with `action_mask`
    adapters.jax("karma", 1024)                        tables inside `jax.jit` and `lax.scan`
    adapters.rllib("karma", policies="shared")         a MultiAgentEnv of all seats, masks for RLlib's modules
    adapters.openspiel("karma", deals=1000)            a pyspiel.Game; adapters.rlcard(agent) and
    adapters.spiel_bot(game, make_bot)                 bring their players to our tables
    adapters.textarena("karma", opponents="scripted")  a table in words; adapters.text needs no framework
    adapters.player(name, scores)                      what a network has learned, as one of our agents

A game is a `Game`, or its name as in "karma:sixty". Nothing is imported before it is asked for. A framework that is
not installed, or of a version that is known not to work, is an ImportError of one line.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

import numpy as np

from ..configuration import game as configured
from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..core.state import States

__all__ = ["jax", "openspiel", "player", "rlcard", "rllib", "sb3", "spiel_bot", "textarena", "tianshou", "torchrl"]

# The package that is asked for its version, the first version that works, the first that is known not to, and why.
VERSIONS: dict[str, tuple[tuple[str, str, str | None, str], ...]] = {
    "sb3": (("sb3-contrib", "2.6", None, "MaskablePPO takes Gymnasium 1 since then"),),
    "tianshou": (("tianshou", "2.0", None, "its classes had other names before"),),
    "torchrl": (("torchrl", "0.14", None, "specs, masks and collectors have these names since"),),
    "rllib": (
        ("ray", "2.60", None, "the new API stack with masks as it is now"),
        ("gymnasium", "1.2", "1.3", "RLlib pins Gymnasium 1.2.2"),
    ),
    "jax": (("jax", "0.6", None, "`io_callback` with results as named tuples, in order, inside `lax.scan`"),),
    "openspiel": (("open-spiel", "1.6", None, "Python games with serialisation"),),
    "textarena": (("textarena", "0.7", None, "environments with `get_observation` and `step(action)`"),),
    "rlcard": (("rlcard", "1.2", None, "agents that take a dict of legal actions"),),
}


def sb3(game: Game | str, num_envs: int = 64, **seating: Any) -> Any:
    """A Stable-Baselines3 VecEnv of `num_envs` tables with one seat, or team, of the learner's at each.

    `seating`: `opponents`, `seat`, `team`, as in `SeatVectorEnv`. `env_method("action_masks")` is what MaskablePPO
    asks for; plain PPO and DQN cannot mask. Infos hold `terminal_observation` and `episode`, as with a Monitor.
    """
    return _module("sb3", "sb3_tables").tables(_game(game), num_envs, **seating)


def tianshou(game: Game | str, **seating: Any) -> Any:
    """A Gymnasium environment with one seat, whose observation is {"obs": (view.size,), "mask": (actions.size,) bool}.

    These are the names Tianshou's batches know. `seating` as in `SeatEnv`. DQN and its kin mask by themselves; for
    actor-critics `adapters.tianshou_tables.MaskedActor` does.
    """
    return _module("tianshou", "tianshou_tables").TianshouSeat(_game(game), **seating)


def torchrl(game: Game | str, num_envs: int = 64, *, device: Any = None, **seating: Any) -> Any:
    """A TorchRL EnvBase of batch size (num_envs,): `observation`, `action_mask`, `action`, `reward`, `done`.

    Only decisions of the learner's seat are steps, so there are no off-turn samples. `seating` as in `SeatVectorEnv`.
    """
    return _module("torchrl", "torchrl_tables").TorchRLTables(_game(game), num_envs, device=device, **seating)


def jax(game: Game | str, n: int = 64, *, seed: int = 0, threads: int = 1, **borders: Any) -> Any:
    """Return `n` tables, a `BatchEnv`, whose `reset` and `step` may be called inside `jax.jit` and `lax.scan`.

    All seats decide in turn, for self-play. Each call returns a named tuple of JAX arrays: `observation`
    (n, view.size), `action_mask` (n, actions.size) bool, `seat` (n,) int32, `reward` (n, players) float32 by seat,
    `terminated` and `truncated` (n,) bool. `borders`: `observation_dtype` and `illegal_reward` of `BatchEnv`.
    """
    return _module("jax", "jax_tables").JaxTables(_game(game), n, seed, threads, **borders)


def rllib(game: Game | str, *, policies: str = "shared") -> Any:
    """What RLlib wants to know of a game: `.env` for `config.environment`, `.multi_agent()` and `.rl_module()`.

    `policies`: "shared" (one for all seats), "seat" (one for each) or "team" (one for each team).
    """
    return _module("rllib", "rllib_tables").RLlibGame(_game(game), policies)


def openspiel(
    game: Game | str,
    deals: int | Sequence[States] = 1000,
    *,
    seed: int = 0,
    zero_sum: bool = False,
    utility: tuple[float, float] = (-1e4, 1e4),
) -> Any:
    """The game as a `pyspiel.Game`, which `pyspiel.load_game` then finds as well, by its `short_name`.

    Chance is one node at the root with `deals` equally likely outcomes: the deals of the seeds from `seed` on, or the
    tables given. What chance does later is fixed by the deal. Rewards are summed up and paid at the end. `zero_sum`
    and `utility` promise what returns add up to and lie between: some algorithms ask.
    """
    return _module("openspiel", "openspiel_game").spiel_game(_game(game), deals, seed, zero_sum, utility)


def spiel_bot(game: Any, make_bot: Callable[[Any], Any], name: str = "openspiel") -> Agent:
    """A bot of OpenSpiel as one of our agents; `game` comes from `openspiel`, `make_bot(game)` gives the bot.

    The bot is shown a table in which all that its seat cannot know was drawn again: no bot sees hidden cards here.
    """
    agent: Agent = _module("openspiel", "openspiel_game").SpielBot(game, make_bot(game), name)
    return agent


def textarena(game: Game | str, *, opponents: str = "scripted", seats: int | None = None, retries: int = 2) -> Any:
    """The game as an environment of TextArena, which Verifiers and OpenEnv take as well.

    `seats`: the first so many are the models', None = all; the others are played by `opponents`. A reply without a
    legal action is answered and may be given anew `retries` times for a decision.
    """
    return _module("textarena", "textarena_game").TextArenaTable(_game(game), opponents, seats, retries)


def rlcard(agent: Any, name: str = "rlcard") -> Agent:
    """An agent of RLCard, anything with its `eval_step(state)`, as one of ours."""
    made: Agent = _module("rlcard", "rlcard_agent").RLCardAgent(agent, name)
    return made


def player(name: str, scores: Callable[[Any, Any], Any]) -> Agent:
    """One of our agents from a function: it plays the legal action with the highest of `scores(views, masks)`.

    views (k, view.size) float32 and masks (k, actions.size) int8 go in, numbers (k, actions.size) come out.
    """
    return Scored(name, scores)


class Scored:
    """The legal action a function likes best."""

    def __init__(self, name: str, scores: Callable[[Any, Any], Any]) -> None:
        self.name = name
        self._scores = scores

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """An action for every table."""
        masks = obs.action_mask
        liked = np.asarray(self._scores(obs.observation, masks))
        return np.asarray(np.where(masks, liked, -np.inf).argmax(axis=1), np.int64)


def check_versions(framework: str) -> None:
    """ImportError of one line if what `framework` needs is not installed, or is known not to work."""
    for package, first, broken, why in VERSIONS[framework]:
        install = f"pip install 'tantra_envs[{framework}]'"
        try:
            found = metadata.version(package)
        except metadata.PackageNotFoundError:
            raise ImportError(f"adapters.{framework} needs {package}: {install}") from None
        wanted = f">={first}" + (f",<{broken}" if broken else "")
        if _numbers(found) < _numbers(first) or (broken and _numbers(found) >= _numbers(broken)):
            told = f"{package} {found} does not work; wanted: {package}{wanted} ({why}): {install}"
            raise ImportError(f"adapters.{framework}: {told}")


def _module(framework: str, name: str) -> Any:
    check_versions(framework)
    return importlib.import_module(f"{__name__}.{name}")


def _game(game: Game | str) -> Game:
    return game if isinstance(game, Game) else configured(game)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])
