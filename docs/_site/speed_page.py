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
    python, machine, cores = _machine(found)
    games = _games(RATE)
    rows = [
        [f"`{name}`: {words}", *(f"{own[name]:,.0f}" for own in games.values())] for name, words in MEANINGS.items()
    ]
    return (
        f"Measured with {label(found.filter(measure=RATE))}, Python {python}, on one of {cores} cores ({machine}). "
        f"Each figure is the median of many short slices. Slices differ from it by {100 * spread:.0f} % in the median."
        f"\n\n{table(['moves a second', *games], rows, right=range(1, 1 + len(games)))}"
    )


def peers() -> str:
    """Return the moves per second of this package and of other libraries, measured in one run."""
    found = lines("peers")
    rates, spreads = (dict(found.filter(measure=own).select("part", "value").iter_rows()) for own in (RATE, HALF_RANGE))
    rows = []
    for task, (ours, theirs) in TASKS.items():
        names = {ours: f"tantra_envs, Karma: `{ours}`", **{name: name for name in rates if name.startswith(theirs)}}
        for name, words in names.items():
            rows.append([task if name == ours else "", words, f"{rates[name]:,.0f} ± {100 * spreads[name]:.0f} %"])
    python, machine, cores = _machine(found)
    return (
        f"Measured with {label(found)}, Python {python}, on {cores} cores ({machine}) that other programs used as "
        f"well. ± is half of the range of all slices.\n\n"
        f"{table(['task', 'engine', 'moves a second'], rows, right=(2,))}"
    )


def starts() -> str:
    """Return the table of CPU seconds of new processes in the games that were measured, and how."""
    games, found = _games(SECONDS), lines("speed", measure=SECONDS)
    processors = " and ".join(sorted(set(lines("speed", measure=PROCESSOR)["part"])))
    rows = [[row, *(f"{own[row]:.1f}" for own in games.values())] for row in next(iter(games.values()))]
    head = f"Measured with {label(found)}, by CPU time, on {processors}."
    return f"{head}\n\n{table(['CPU seconds', *games], rows, right=range(1, 1 + len(games)))}"


def _games(measure: str) -> dict[str, dict[str, float]]:
    """Return the figures of a measure by the titles of the games that have some."""
    played = [tantra_envs.game(name) for name in SHIPPED]
    found = {game.title: lines("speed", game=game.name, measure=measure) for game in played}
    return {title: dict(own.select("part", "value").iter_rows()) for title, own in found.items() if len(own)}


def _machine(found: pl.DataFrame) -> tuple[str, str, int]:
    """Return the version of Python, the machine and its cores."""
    python, machine = (found.filter(measure=fact)["part"][0] for fact in (PYTHON, MACHINE))
    return python, machine, int(found.filter(measure=CORES)["value"][0])
