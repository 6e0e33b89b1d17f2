"""Measure the speed of the environments, alone and in comparison with other suites.

Every engine plays uniformly random legal actions on one core unless its name says otherwise. A move is a decision of
one seat. There are four exceptions. In rollouts of OpenSpiel, a chance event counts too. Vector environments count only
the learner's decisions. A search counts a decision with all its playouts, or a simulation if its name says so.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tantra_envs
from tantra_envs.core.compiled.starting import wait_for_code
from tantra_envs.core.options import Within
from tantra_envs.programs import cli
from tantra_envs.programs import results as files
from tantra_envs.programs.files import check_file
from tantra_envs.programs.progress import progress

from ..harness import pages
from . import engines, peers, timing
from .timing import Measured, processor, startup

PROGRAM = "benchmarks speed"
RATE, HALF_RANGE, SECONDS = "moves a second", "half range", "CPU seconds"  # measures of engines and of starts
PYTHON, MACHINE, CORES, PROCESSOR = "python", "machine", "cores", "processor"
START = "start"  # the word of `--only` for the start of a process


@dataclass(frozen=True)
class Args(cli.GameOptions):
    """Time the environments.

    Example: python -m benchmarks speed karma --peers
    """

    peers: bool = field(default=False, kw_only=True)
    """Time PettingZoo, RLCard, OpenSpiel and pgx as well."""
    only: tuple[str, ...] = field(default=(), kw_only=True)
    """Time only the engines whose names contain one of these words; `start` = the start of a process."""
    seconds: Annotated[float, Within(0.001, 600)] = field(default=2.0, kw_only=True)
    """Seconds for each engine."""
    results: Path | None = field(default=None, kw_only=True)
    """CSV file that also gets the medians of this game, next to those of other games."""


def main(argv: Sequence[str]) -> None:
    """Read the options, measure, print the tables and write the results."""
    with cli.user_errors("bench"):
        options = cli.read(Args, PROGRAM, argv)
        game = cli.game(options.game, options.players)
        if options.results:
            allowed = "the default table of a game, because the file has one entry for each game"
            game.check("results", str(options.results), not game.options.changed(game.config), allowed)
            check_file("results", options.results)
        builders = engines.builders(game) | (peers.builders(print) if options.peers else {})
        competitors = timing.engines(builders, options.only, print)
        times_start = not options.only or START in options.only
        allowed = "parts of the names of engines, which a run without --only prints"
        game.check("only", " ".join(options.only), bool(competitors) or times_start, allowed)
    with cli.work():
        wait_for_code()
        starts = startup(options.game, options.players) if times_start else {}
        with progress("timing", len(competitors) * timing.ROUNDS) as advance:
            measured = timing.measure(competitors, options.seconds, lambda: advance(1))
        print("\n".join(tables(measured, starts)))
        if options.results:
            lines = files.table(_lines(game.name, measured, starts), "speed")
            files.merge(options.results, lines, ("game", "measure"), "python -m benchmarks speed GAME")


def tables(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> Iterator[str]:
    """Yield the printed tables that have rows."""
    rates = [[name, f"{own.rate:,.0f}", f"{100 * own.spread:.0f} %"] for name, own in measured.items()]
    seconds = [[name, f"{value:.2f}"] for name, value in starts.items()]
    for head, rows in ((["engine", "moves / s", "+-"], rates), (["process", "CPU seconds"], seconds)):
        if rows:
            yield pages.table(head, rows, right=range(1, len(head)))


def _lines(game: str, measured: Mapping[str, Measured], starts: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    """Yield the median and the spread of every engine with the machine, and the starts with their processor."""
    facts = {"game": game, "seed": 0, "version": tantra_envs.__version__}
    for name, own in measured.items():
        yield files.line(facts, RATE, {"value": float(round(own.rate))}, name)
        yield files.line(facts, HALF_RANGE, {"value": round(own.spread, 2)}, name)
    if measured:
        yield files.line(facts, PYTHON, {}, platform.python_version())
        yield files.line(facts, MACHINE, {}, platform.machine())
        yield files.line(facts, CORES, {"value": float(os.cpu_count() or 1)})
    for name, seconds in starts.items():
        yield files.line(facts, SECONDS, {"value": round(seconds, 2)}, name)
    if starts:
        yield files.line(facts, PROCESSOR, {}, processor())
