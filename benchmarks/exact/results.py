"""The file of `benchmarks exact --results`: the figures of games and of agents in them, as lines of the one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

import tantra_envs
from tantra_envs.programs import results as files
from tantra_envs.programs.files import only_writer

from .report import Row
from .tree import Tree

SOURCE = "python -m benchmarks exact GAME:mini --agents AGENT --results FILE"
VIEW = "exact"
SIZES = ("deals", "positions", "ends of games", "longest game", "information sets")
VALUE, ITERATIONS, REWARD, RESPONSE = "value of the game", "iterations", "reward", "best response"
EXPLOITABILITY, COMMAND = "exploitability", "command"  # with the form of an agent as part; with its text as part


def lines(command: str, table: str, tree: Tree, iterations: int, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield the figures of a game, and of agents in it. The value follows from the row of CFR+, if there is one."""
    facts = {"game": tree.game.name, "table": table, "version": tantra_envs.__version__}
    for measure, size in zip(SIZES[:-1], (len(tree.deals), tree.histories, tree.plays, tree.longest), strict=True):
        yield files.line(facts, measure, {"value": float(size)})
    for seat in range(tree.game.players):
        yield files.line(facts, SIZES[-1], {"value": float(tree.sets_of(seat))}, f"seat {seat}")
    for row in rows:
        own = {**facts, "agent": row.agent}
        if row.form == "solved":
            yield files.line(facts, VALUE, dict(zip(("value", "low", "high"), row.value, strict=True)))
            yield files.line(facts, ITERATIONS, {"value": float(iterations)})
        yield files.line(own, EXPLOITABILITY, {"value": row.exploitability}, row.form)
        for measure, values in ((REWARD, row.rewards), (RESPONSE, row.responses)):
            yield from (files.line(own, measure, {"value": value}, f"seat {i}") for i, value in enumerate(values))
        yield files.line(own, COMMAND, {}, command)


def read(file: Path) -> pl.DataFrame:
    """Return the lines of a file of results; raise ValueError if it is no such file."""
    found = files.read(file)
    if set(found["view"]) != {VIEW}:
        raise ValueError(f"{file} is not written by {SOURCE}")
    return found


def write(file: Path, new: pl.DataFrame) -> None:
    """Write the figures of a game into a file of results.

    Those of other games in it stay, and those of other agents unless the game has changed. Another process that writes
    the file waits.
    """
    columns = ["measure", "part", "value"]
    with only_writer(file):
        known = read(file).filter(table=new["table"][0]) if file.is_file() else new
        old, now = (own.filter(pl.col("measure").is_in(SIZES)).select(columns).sort(columns) for own in (known, new))
        files.merge(file, new, ["table", "agent", "measure"] if old.equals(now) else ["table"], SOURCE)
