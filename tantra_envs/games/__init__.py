"""The list of games and their versions. `docs/add-a-game.md` adds one."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from ..core.compiled.drivers import bind
from ..core.features import GenericFeatures, features_of
from ..core.game import UNKNOWN_RETURNS, Game

# Versions are raised when play, encodings or defaults change.
GAMES = {"tantra": "v0", "kanastic": "v0", "tantrix": "v0", "karma": "v0", "tarot": "v0"}
# The variant and the number of seats that benchmarks use, for each game of the project.
BENCHMARKS = {
    "karma": ("karma", 2),
    "tarot": ("tarot:hand", 2),
    "kanastic": ("kanastic:round", 4),
    "tantra": ("tantra", 4),
    "tantrix": ("tantrix", 2),
}
# The tables of the benchmark, which also has more seats of some games. A table for more seats is named GAME-SEATS.
TABLES = {
    "karma": BENCHMARKS["karma"],
    "karma-4": ("karma", 4),
    "tarot": BENCHMARKS["tarot"],
    "tarot-3": ("tarot:hand", 3),
    "kanastic": BENCHMARKS["kanastic"],
    "tantra": BENCHMARKS["tantra"],
    "tantrix": BENCHMARKS["tantrix"],
}
SHIPPED = tuple(name for name in GAMES if name in BENCHMARKS)  # without games that you have added for yourself


def game(name: str, /, **config: Any) -> Game:
    """Return one configuration of a game by name; raise ValueError for an unknown name, option or value."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    build = importlib.import_module(f"{__name__}.{name}").build
    made: Game = build(**config)
    return made


def game_of(package: str, **own: Any) -> Callable[..., Game]:
    """Return the function `build(**config)` of a game. It makes the game from names in the game's modules.

    `state` has FIELDS, OPTIONS and PHASES, `actions` has ACTIONS and `view` has VIEW_BLOCKS. Instead of the last three
    there may be functions of the configuration with these names in lower case. `state` may have `resolve(given)`,
    which checks the options, and `blank(config)`. The kernels are in `rules`, `view`, `redeal` and `scripted`; `words`
    has the notation. `consistency`, `rewind` and `limits` are optional. So is `features`, see
    `core.features.Describing`: without it actions have generic features. Names of a missing module are looked up in the
    package itself, so a small game needs no other file.

    Args:
        package: The name of the package, whose other names must be defined before the call.
        own: Further fields of `Game`, or functions of the configuration that return them.
    """
    state, actions, view, rules, redeal, words = (
        _part(package, name) for name in ("state", "actions", "view", "rules", "redeal", "words")
    )
    scripted, rewind = _part(package, "scripted", "rate"), _part(package, "rewind", "rewind")
    consistency, limits = _part(package, "consistency"), _part(package, "limits", "returns")
    fixed: dict[str, Any] = {
        "id": (name := package.rpartition(".")[2]),
        "version": GAMES[name],
        "title": name.capitalize(),
        "options": state.OPTIONS,
        "fields": state.FIELDS,
        "drivers": bind(rules, view, redeal, state.FIELDS.conceal, scripted, rewind),
        "words": words,
        "player": scripted,
        "consistent": getattr(consistency, "check", None),
        "settle": getattr(consistency, "settle_all", None),
    }
    varied = {
        "seats": tuple(state.OPTIONS.fields["players"].allowed),
        "cutoff": "max_moves",
        "deal_options": (),
        "phases": _named(state, "phases"),
        "blank": getattr(state, "blank", lambda config: state.FIELDS.blank(state.OPTIONS, config)),
        "actions": _named(actions, "actions"),
        "view": _named(view, "view_blocks"),
        "features": _part(package, "features", "describe_legal"),
        "most_legal": None,
        "returns": getattr(limits, "returns", UNKNOWN_RETURNS),
        "longest": getattr(limits, "longest", None),
    }
    varied |= own
    kernels = rules.legal_actions, state.FIELDS.conceal, str(rules.__file__), rules.__name__

    def build(**config: Any) -> Game:
        """Return the game with these options; raise ValueError for an option or value that the rules refuse."""
        full = getattr(state, "resolve", state.OPTIONS.resolve)(config)
        made = {field: value(full) if isinstance(value, FunctionType) else value for field, value in varied.items()}
        generic = made["actions"], made["view"], view.observe, str(view.__file__), view.__name__
        made["features"] = features_of(made["features"] or GenericFeatures(*generic), *kernels)
        made["most_legal"] = min(made["most_legal"] or made["actions"].size, made["actions"].size)
        return Game(**fixed, **made, config=full, build=build)

    build.__module__, build.__qualname__ = package, "build"  # games are pickled by this name
    return build


def _part(package: str, name: str, needed: str = "") -> Any:
    """Return the module of a game, or the package if there is no such module; None without the name `needed`."""
    exists = importlib.util.find_spec(f"{package}.{name}") is not None
    part: ModuleType = importlib.import_module(f"{package}.{name}") if exists else sys.modules[package]
    return part if hasattr(part, needed or "__name__") else None


def _named(part: ModuleType, name: str) -> Any:
    """Return the function of the configuration with this name, or the constant with this name in capitals."""
    return getattr(part, name, None) or getattr(part, name.upper())
