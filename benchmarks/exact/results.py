"""The figures of games and of agents in them: printed, and as lines of the file of `benchmarks exact --results`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import tantra_envs
from tantra_envs.programs import results as files
from tantra_envs.programs.files import only_writer

from ..harness import pages
from . import solve
from .tree import Tree
from .walk import Floats

SOURCE = "python -m benchmarks exact GAME:mini --agents AGENT --results FILE"
VIEW = "exact"
SIZES = ("deals", "positions", "ends of games", "longest game", "information sets")
VALUE, ITERATIONS, REWARD, RESPONSE = "value of the game", "iterations", "reward", "best response"
EXPLOITABILITY, COMMAND = "exploitability", "command"  # with the form of an agent as part; with its text as part


@dataclass(frozen=True)
class Row:
    """The figures of an agent."""

    agent: str
    form: str  # how its probabilities are known: "fixed", "probabilities", "drawn" or "solved"
    rewards: list[float]  # of each seat if the agent plays all seats
    responses: list[float]  # highest expected reward of each seat if the agent plays all other seats
    exploitability: float  # mean of `responses`, for two seats less the value of the game

    @property
    def value(self) -> tuple[float, float, float]:
        """The value of a game of two seats for seat 0 by its solution, and its lowest and highest value."""
        low, high = -self.responses[1], self.responses[0]
        return (low + high) / 2, low, high


def row_of(tree: Tree, agent: str, form: str, strategy: Floats) -> Row:
    """Return the figures of an agent with this strategy."""
    weights = solve.weights_of(tree.part, strategy)
    rewards = [solve.expected(tree.part, weights, seat) for seat in range(tree.game.players)]
    responses, exploitability = solve.exploitability(tree.part, strategy)
    return Row(agent, form, rewards, responses.tolist(), exploitability)


def table(rows: Sequence[Row]) -> str:
    """Return the figures of agents as a table in Markdown."""
    cells = []
    for row in rows:
        rewards, responses = (" ".join(f"{value:+.4f}" for value in values) for values in (row.rewards, row.responses))
        cells.append([row.agent, row.form, rewards, responses, f"{row.exploitability:.4f}"])
    heads = ["agent", "plays", "rewards by seat", "best response by seat", "exploitability"]
    return pages.table(heads, cells, right=(4,))


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


def write(file: Path, new: pl.DataFrame) -> None:
    """Write the figures of a game into a file of results.

    Those of other games in it stay, and those of other agents unless the game has changed. Another process that writes
    the file waits.
    """
    columns = ["measure", "part", "value"]
    with only_writer(file):
        known = files.read(file, VIEW).filter(table=new["table"][0]) if file.is_file() else new
        old, now = (own.filter(pl.col("measure").is_in(SIZES)).select(columns).sort(columns) for own in (known, new))
        files.merge(file, new, ["table", "agent", "measure"] if old.equals(now) else ["table"], SOURCE)
