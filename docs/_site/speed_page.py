"""The tables of the page on speed, from docs/results/speed.csv. `python -m docs._site.page_parts` writes them."""

from __future__ import annotations

import polars as pl

import tantra_envs
from benchmarks.harness.pages import table
from benchmarks.speed import engines
from benchmarks.speed.command import CORES, HALF_RANGE, MACHINE, PROCESSOR, PYTHON, RATE, SECONDS
from tantra_envs.games import SHIPPED

from .results import label, lines

MEANINGS = {
    engines.SINGLE: "one PettingZoo table",
    engines.WRAPPED: "one PettingZoo table in the usual wrappers",
    engines.batch_name(1024): "1,024 tables as arrays, random actions from a recording",
    engines.batch_name(1024, 2): "the same",
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
    """Return the table of moves per second of some engines in every game, and how it was measured."""
    found = lines("speed")
    spread = found.filter(pl.col("part").is_in(list(MEANINGS)), measure=HALF_RANGE)["value"].median()
    about = (
        f"Measured with {label(found.filter(measure=RATE))}, {_machine(found, 'one of ')}. "
        f"Each figure is the median of many short slices. Slices differ from it by {100 * spread:.0f} % in the median."
    )
    parts = {name: f"`{name}`: {words}" for name, words in MEANINGS.items()}
    return _by_game(about, "moves a second", RATE, parts, "0f")


def peers() -> str:
    """Return the moves per second of this package and of other libraries, measured in one run."""
    found = lines("peers")
    rates, spreads = (dict(found.filter(measure=own).select("part", "value").iter_rows()) for own in (RATE, HALF_RANGE))
    rows = []
    for task, (ours, theirs) in TASKS.items():
        names = {ours: f"tantra_envs, Karma: `{ours}`", **{name: name for name in rates if name.startswith(theirs)}}
        for name, words in names.items():
            rows.append([task if name == ours else "", words, f"{rates[name]:,.0f} ± {100 * spreads[name]:.0f} %"])
    about = f"Measured with {label(found)}, {_machine(found)} that other programs used as well."
    whole = table(["task", "engine", "moves a second"], rows, right=(2,))
    return f"{about} ± is half of the range of all slices.\n\n{whole}"


def starts() -> str:
    """Return the table of CPU seconds of new processes in the games that were measured, and how."""
    found = lines("speed", measure=SECONDS)
    processors = " and ".join(sorted(set(lines("speed", measure=PROCESSOR)["part"])))
    about = f"Measured with {label(found)}, by CPU time, on {processors}."
    return _by_game(about, "CPU seconds", SECONDS, {part: part for part in dict.fromkeys(found["part"])}, "1f")


def _by_game(about: str, title: str, measure: str, parts: dict[str, str], digits: str) -> str:
    """Return a table of a measure: a row for each part by its words, a column for each game that has some figures."""
    games = {}
    for game in map(tantra_envs.game, SHIPPED):
        if figures := dict(lines("speed", game=game.name, measure=measure).select("part", "value").iter_rows()):
            games[game.title] = figures
    rows = [[words, *(f"{own[part]:,.{digits}}" for own in games.values())] for part, words in parts.items()]
    return f"{about}\n\n{table([title, *games], rows, right=range(1, 1 + len(games)))}"


def _machine(found: pl.DataFrame, used: str = "") -> str:
    """Return the version of Python, and the cores of the machine that were used."""
    python, machine = (found.filter(measure=fact)["part"][0] for fact in (PYTHON, MACHINE))
    return f"Python {python}, on {used}{found.filter(measure=CORES)['value'][0]:.0f} cores ({machine})"
