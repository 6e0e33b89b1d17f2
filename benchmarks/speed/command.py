"""Measure the speed of the environments, alone and in comparison with other suites.

    python -m benchmarks speed karma --peers

Every engine plays uniformly random legal actions on one core unless its name says otherwise. Each engine is timed in
many short slices. The engines take turns, so that a slow minute affects all of them. The table contains the median of
moves per second with half the range of the slices.

A move is a decision of one seat. There are four exceptions. In rollouts of OpenSpiel, a chance event counts too.
Vector environments count only the learner's decisions. A search counts a decision with all its playouts, or a
simulation if its name says so. `peers.py` describes how the other suites are driven.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tantra_envs.core.compiled.starting import wait_for_code
from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file, write_json
from tantra_envs.programs.progress import progress

from ..harness.pages import provenance
from . import engines, peers, timing
from .startup import processor, startup
from .timing import Engine, Measured

PROGRAM = "benchmarks speed"
START = "start"  # the word of `--only` for the start of a process


@dataclass(frozen=True)
class Args(cli.GameOptions):
    """Time the environments.

    Example: python -m benchmarks speed karma --peers
    """

    peers: bool = field(default=False, kw_only=True)
    """Time PettingZoo, RLCard, OpenSpiel and pgx as well."""
    only: tuple[str, ...] = field(default=(), kw_only=True)
    """Time only the engines whose names contain one of these words; `start` = the start of a process alone."""
    no_startup: bool = field(default=False, kw_only=True)
    """Do not time the start of a new process, cold and warm."""
    seconds: float = field(default=2.0, kw_only=True)
    """Seconds for each engine."""
    results: Path | None = field(default=None, kw_only=True)
    """JSON file that also gets the medians of this game, next to those of other games."""


def main(argv: Sequence[str]) -> None:
    """Read the options, measure, print the tables and write the results."""
    with cli.user_errors("bench"):
        options = cli.read(Args, PROGRAM, argv)
        cli.check_ranges(options, seconds=(0.001, 600))
        game = cli.game(options.game, options.players)
        if options.results:
            allowed = "the default table of a game, because the file has one entry for each game"
            game.check("results", str(options.results), not game.options.changed(game.config), allowed)
            check_file("results", options.results)
        competitors = [*engines.engines(game, options.only)]
        if options.peers:
            competitors += peers.engines(print, options.only)
        allowed = "parts of the names of engines, which a run without --only prints"
        game.check("only", " ".join(options.only), bool(competitors) or options.only == (START,), allowed)
    with cli.work():
        wait_for_code()
        starts = {} if options.no_startup else startup(options.game, options.players)
        measured = _measure(competitors, options.seconds)
        print("\n\n".join(map(_markdown, tables(measured, starts))))
        if options.results:
            _keep(options.results, game.name, _medians(measured, starts))


def tables(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> list[list[list[str]]]:
    """Return the printed tables that have rows. The first row of a table has the headings."""
    rates = [[m.name, f"{m.rate:,.0f}", f"{100 * m.spread:.0f} %"] for m in measured.values()]
    pages = [
        [["engine", "moves / s", "+-"], *rates],
        [["process", "CPU seconds"], *([name, f"{seconds:.2f}"] for name, seconds in starts.items())],
    ]
    return [rows for rows in pages if len(rows) > 1]


def _measure(competitors: Sequence[Engine], seconds: float) -> dict[str, Measured]:
    with progress("timing", len(competitors) * timing.ROUNDS) as advance:
        return timing.measure(competitors, seconds, lambda: advance(1))


def _markdown(rows: list[list[str]]) -> str:
    lines = [rows[0], ["---"] + ["---:"] * (len(rows[0]) - 1), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _medians(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> dict[str, Any]:
    """Return the median and the spread of every engine, and the starts with their processor."""
    figures = {name: {"rate": round(m.rate), "spread": round(m.spread, 2)} for name, m in measured.items()}
    of_starts = {"seconds": {name: round(seconds, 2) for name, seconds in starts.items()}, "processor": processor()}
    dated = {name: value for name, value in provenance("", 0).items() if name in ("version", "date")}
    return {"engines": figures, "starts": {**dated, **of_starts} if starts else {}}


def _keep(file: Path, name: str, figures: dict[str, Any]) -> None:
    """Write what was measured of one game into a file of several games."""
    content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"games": {}}
    games, new = content["games"], {part: values for part, values in figures.items() if values}
    facts = {**provenance("python -m benchmarks speed GAME", 0), "machine": _machine()}
    games[name] = {**games.get(name, {}), **new}
    write_json(file, {**content, **(facts if figures["engines"] else {}), "games": games})


def _machine() -> dict[str, Any]:
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
