"""The list of games and their versions. `docs/add-a-game.md` adds one."""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ..core.compiled.drivers import bind
from ..core.features import GenericFeatures, features_of
from ..core.game import UNKNOWN_RETURNS, Game
from ..extras import module_in

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
LIKE = 0.7  # how much two names must have in common so that one may be the other misspelt
# The names that `game_of` uses, by module. In place of some constants there may be a function of the configuration.
NEEDED = {
    "state": ("OPTIONS", "FIELDS", "PHASES or phases(config)"),
    "actions": ("ACTIONS or actions(config)",),
    "view": ("VIEW_BLOCKS or view_blocks(config)", "observe(s, seat, view)"),
    "rules": ("deal(s, seed)", "legal_actions(s, mask)", "apply(s, action)"),
    "redeal": ("redeal(s, seed, seat)",),
    "words.notation": ("picture(game, state, seat)", "position(game, state, full)", "from_position(game, given)"),
}
# Names in modules that a game may have. A game with the first name of a module, or with most of them, needs all.
OPTIONAL = {
    "agents.scripted": (
        "rate(known, mask, work, values)",
        "worth(game, known)",
        "clock(s)",
        "standing(s, seat)",
        "prepare(game)",
        "SEARCH",
    ),
    "agents.features": ("describe_legal(known, mask, work, features, table)", "prepare(game)", "OF_ACTION", "OF_TABLE"),
    "agents.rewind": ("rewind(s, past, sample, seat)", "TEMPERATURE", "MIN_PROBABILITY"),
    "words.consistency": ("check(game, tables)",),
    "agents.limits": ("returns(config)",),
}
FURTHER = {"agents.scripted": ("decide(known, mask, work)",)}  # names that nothing requires, but with these arguments


def game(name: str, /, **config: Any) -> Game:
    """Return one configuration of a game by name; raise ValueError for an unknown name, option or value."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    build = importlib.import_module(f"{__name__}.{name}").build
    made: Game = build(**config)
    return made


@functools.cache
def settings(name: str, part: str) -> dict[str, Any]:
    """Return a part of the `settings.toml` in the folder of a game, or {} if there is none."""
    file = Path(__file__).parent / name / "settings.toml"
    parts: dict[str, dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return parts.get(part, {})


def game_of(package: str, **own: Any) -> Callable[..., Game]:
    """Return the function `build(**config)` of a game. It makes the game from names in the game's modules.

    `NEEDED` lists the names, and `OPTIONAL` those of modules that a game may have. `state` may also have
    `resolve(given)`, which checks the options, and `blank(config)`. Without `features`, see
    `core.features.Describing`, actions have generic features. Names of a missing module are looked up in the package
    itself, so a small game needs no other file.

    Args:
        package: The name of the package, whose other names must be defined before the call.
        own: Further fields of `Game`, or functions of the configuration that return them.

    Raises:
        ValueError: Names are missing, or functions have other arguments. The message lists all of them.
    """
    if faults := list(_faults(package, own)):
        raise ValueError("\n".join(faults))
    state, actions, view, rules, redeal, words = (_part(package, name) for name in NEEDED)
    scripted, features, rewind = (_optional(package, f"agents.{name}") for name in ("scripted", "features", "rewind"))
    consistency, limits = _part(package, "words.consistency"), _part(package, "agents.limits")
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
        "features": features,
        "most_legal": None,
        "returns": getattr(limits, "returns", UNKNOWN_RETURNS),
        "longest": getattr(limits, "longest", None),
    }
    varied |= own

    def build(**config: Any) -> Game:
        """Return the game with these options; raise ValueError for an option or value that the rules refuse."""
        full = getattr(state, "resolve", state.OPTIONS.resolve)(config)
        made = {field: value(full) if isinstance(value, FunctionType) else value for field, value in varied.items()}
        describing = made["features"] or GenericFeatures(made["actions"], made["view"], view)
        made["features"] = features_of(describing, rules, state.FIELDS.conceal)
        made["most_legal"] = min(made["most_legal"] or made["actions"].size, made["actions"].size)
        return Game(**fixed, **made, config=full, build=build)

    build.__module__, build.__qualname__ = package, "build"  # games are pickled by this name
    return build


def _faults(package: str, own: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each name that a game lacks, and for each function with other arguments.

    Names in `own` are not looked for, because `game_of` has got them.
    """
    if (game := package.rpartition(".")[2]) not in GAMES:
        yield f"{game}: not in GAMES of {__name__}; allowed: {', '.join(GAMES)}"
    begun = {
        name: names
        for name, names in OPTIONAL.items()
        if name.rpartition(".")[2] not in own and _optional(package, name)
    }
    for module, names in (NEEDED | begun).items():
        part = _part(package, module)
        where = game if part.__name__ == package else f"{game}.{module}"
        further = [name for name in FURTHER.get(module, ()) if hasattr(part, name.partition("(")[0])]
        for name in (*names, *further):
            if not own.keys() & set(re.findall(r"\w+(?=\()", name)):
                yield from (f"{where}: {fault}" for fault in _faults_of(part, name))


def _faults_of(part: ModuleType, wanted: str) -> Iterator[str]:
    """Yield the fault of a name of `NEEDED` or `OPTIONAL` in a module, if it has one: missing, or other arguments."""
    constant, _, function = wanted.rpartition(" or ")
    name, is_function = function.partition("(")[0], wanted.endswith(")")
    value = getattr(part, name, None)
    if is_function and callable(value):
        signature = inspect.signature(inspect.unwrap(value))
        try:
            signature.bind(*wanted.partition("(")[2].split(","))
        except TypeError:
            yield f"{name}{signature} has other arguments; allowed: {function}"
    elif not hasattr(part, constant or name) or (is_function and not constant):
        kinds = {is_function, not constant and is_function}
        nearest = _nearest(part, name, kinds)
        yield f"no {'' if False in kinds else 'function '}{wanted}" + (f"; found {nearest}" if nearest else "")


def _nearest(part: ModuleType, missing: str, kinds: set[bool]) -> str:
    """Return the name in a module that is most like a missing one, or an empty string if none is like it.

    `kinds`: True = functions, False = other values.
    """
    wanted = " ".join(name for names in (NEEDED | OPTIONAL).values() for name in names)
    taken = re.sub(r"\([^)]*\)", "", wanted).split()
    others = {
        other.lower(): other
        for other, value in vars(part).items()
        if other not in taken and not isinstance(value, (type, ModuleType)) and callable(value) in kinds
    }
    return next((others[match] for match in difflib.get_close_matches(missing.lower(), others, 1, LIKE)), "")


def _optional(package: str, name: str) -> ModuleType | None:
    """Return an optional module of a game, or the package if it has the first or most of the names in `OPTIONAL`."""
    part = _part(package, name)
    present = [hasattr(part, wanted.partition("(")[0]) for wanted in OPTIONAL[name]]
    return part if part.__name__ != package or present[0] or sum(present) > len(present) / 2 else None


def _part(package: str, name: str) -> Any:
    """Return the module of a game, or the package if there is no such module."""
    return module_in(package, name) or sys.modules[package]


def _named(part: ModuleType, name: str) -> Any:
    """Return the function of the configuration with this name, or the constant with this name in capitals."""
    return getattr(part, name, None) or getattr(part, name.upper(), None)
