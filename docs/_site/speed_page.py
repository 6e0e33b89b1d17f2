"""The tables of the page on speed, from docs/results/speed.json. `python -m docs._site.pages` writes them."""

from __future__ import annotations

import statistics
from typing import Any

import tantra_envs
from benchmarks.speed import engines
from tantra_envs.games import SHIPPED

from .markdown import table
from .results import content, label

MEANINGS = {
    engines.SINGLE: "one PettingZoo table",
    engines.WRAPPED: "one PettingZoo table in the usual wrappers",
    engines.batch_name(1024): "1,024 tables as arrays, random actions from a recording",
    engines.vector_name("uniform"): "256 tables of one learner, random opponents",
    engines.vector_name("scripted"): "256 tables of one learner, scripted opponents",
    engines.PLAYOUTS: "random playouts inside compiled code",
    engines.SCRIPTED: "playouts of the scripted agent",
    engines.DECISIONS: "decisions of `search` with its defaults",
    engines.TREE: "simulations of `ismcts`",
}

TASKS = {  # our engine, and how the names of comparable ones begin
    "one table, played from Python": (engines.SINGLE, ("PettingZoo ", "RLCard ")),
    "1,024 tables as arrays": (engines.CHOOSING, ("pgx ",)),
    "random games in compiled code": (engines.PLAYOUTS, ("OpenSpiel ",)),
    "simulations of a tree search": (engines.RANDOM_TREE, ("OpenSpiel's search ",)),
}


def tables() -> str:
    """Return the table of moves per second, and how it was measured."""
    results, games = content("speed"), _games()
    spread = statistics.median(game["engines"][name]["spread"] for game in games.values() for name in MEANINGS)
    machine = results["machine"]
    return (
        f"Measured with {label([results])}, Python {machine['python']}, on one of "
        f"{machine['cores']} cores ({machine['machine']}). Each figure is the median of many short slices. Slices "
        f"differ from it by {100 * spread:.0f} % in the median.\n\n{rates(tuple(MEANINGS))}"
    )


def peers() -> str:
    """Return the moves per second of this package and of other libraries, measured in one run."""
    results = content("peers")
    figures = results["games"]["karma_v0"]["engines"]
    rows = []
    for task, (ours, theirs) in TASKS.items():
        names = [ours, *(name for name in figures if name.startswith(theirs))]
        rates = [f"{figures[name]['rate']:,} ± {100 * figures[name]['spread']:.0f} %" for name in names]
        rows += [[task, f"tantra_envs, Karma: `{ours}`", rates[0]]]
        rows += [["", name, rate] for name, rate in zip(names[1:], rates[1:], strict=True)]
    machine = results["machine"]
    return (
        f"Measured with {label([results])}, Python {machine['python']}, on "
        f"{machine['cores']} cores ({machine['machine']}) that other programs used as well. ± is half of the "
        f"range of all slices.\n\n"
        f"{table(['task', 'engine', 'moves a second'], rows, right=(2,))}"
    )


def rates(names: tuple[str, ...]) -> str:
    """Return the table of moves per second of some engines in every game."""
    games = _games()
    rows = [
        [f"`{name}`: {MEANINGS[name]}", *(f"{game['engines'][name]['rate']:,}" for game in games.values())]
        for name in names
    ]
    return table(["moves a second", *games], rows, right=range(1, 1 + len(games)))


def _games() -> dict[str, Any]:
    """Return the figures of every game by its title."""
    played = [tantra_envs.game(name) for name in SHIPPED]
    return {game.title: content("speed")["games"][game.name] for game in played}


def starts() -> str:
    """Return the table of CPU seconds of new processes in the games that were measured, and how."""
    games = {title: game["starts"] for title, game in _games().items() if "seconds" in game["starts"]}
    if not games:
        return "Not measured since a table plays at once."
    first = next(iter(games.values()))
    rows = [[row, *(f"{game['seconds'][row]:.1f}" for game in games.values())] for row in first["seconds"]]
    processors = " and ".join(sorted({game["processor"] for game in games.values()}))
    head = f"Measured with {label([first])}, by CPU time, on {processors}."
    return f"{head}\n\n{table(['CPU seconds', *games], rows, right=range(1, 1 + len(games)))}"
