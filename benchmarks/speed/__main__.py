"""How fast are the environments, by themselves and beside other suites?

    python -m benchmarks.speed --game karma --peers

Every engine plays uniformly random legal actions on one core and is timed in many slices; the engines take turns, so
a ratio compares slices of the same moment. Shown are medians of moves a second with half the range of the slices, and
for ratios the median with the whole range. A move is a decision of one seat, in rollouts of OpenSpiel a chance event
as well. The Markdown is for the README; the JSON under runs/ holds every slice. `peers.py` says how the
others are driven.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs import cli
from tantra_envs.files import open_folder

from ..harness.command import command_line
from ..harness.results import write_json
from . import engines, peers, timing
from .startup import startup
from .timing import Engine, Measured, Ratio

PROGRAM = "benchmarks.speed"


@dataclass(frozen=True)
class Args:
    """Time the environments.

    Example: python -m benchmarks.speed --game karma --peers
    """

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    peers: bool = False
    """Time PettingZoo, RLCard and OpenSpiel as well."""
    startup: bool = True
    """Time the start of a new process, cold and warm."""
    seconds: float = 2.0
    """For each engine."""
    runs: Path = Path("runs")
    """Folder of the results."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, measure, print and keep."""
    with cli.mistakes("bench"):
        args = cli.read(Args, PROGRAM, words)
        if not args.seconds > 0:
            raise ValueError(f"seconds={args.seconds} is not allowed; allowed: more than 0")
        game = tantra_envs.game(args.game, **({} if args.players is None else {"players": args.players}))
        folder = args.runs / f"speed-{args.game.replace(':', '-')}"
        open_folder(folder)
        from rich.console import Console
    screen = Console(markup=False)
    field = [*engines.engines(game), *(peers.engines(screen.print) if args.peers else ())]
    measured = _measure(field, args.seconds)
    starts = startup(args.game) if args.startup else {}
    found = tables(measured, starts)
    for title, rows in found.items():
        screen.print(_table(title, rows))
    screen.print("\n\n".join(_markdown(rows) for rows in found.values()), highlight=False, soft_wrap=True)
    _keep(folder / "results.json", game, measured, starts)
    screen.print(f"kept in {folder / 'results.json'}")
    return 0


def tables(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> dict[str, list[list[str]]]:
    """What is shown: by title, rows of words under a first row of headings."""
    found = {
        "moves a second": [
            ["engine", "moves / s", "+-"],
            *([m.name, f"{m.rate:,.0f}", f"{100 * m.spread:.0f} %"] for m in measured.values()),
        ],
        "ratios": [
            ["faster / slower", "times", "range"],
            *([r.name, f"{r.median:.1f}", f"{r.low:.1f} - {r.high:.1f}"] for r in ratios(measured)),
        ],
        "whole processes to the first step": [["start", "seconds"], *([k, f"{v:.2f}"] for k, v in starts.items())],
    }
    return {title: rows for title, rows in found.items() if len(rows) > 1}


def ratios(measured: Mapping[str, Measured]) -> list[Ratio]:
    """Our environments against PettingZoo's fastest card game, our random playouts against OpenSpiel's."""
    classic = [m for name, m in measured.items() if name.startswith("PettingZoo ")]
    spiel = [m for name, m in measured.items() if name.startswith("OpenSpiel ")]
    pairs = [(measured[engines.PLAYOUTS], peer) for peer in spiel]
    if classic:
        fastest = max(classic, key=lambda m: m.rate)
        pairs += [(measured[name], fastest) for name in (engines.SINGLE, engines.batch_name(1024))]
    return [timing.ratio(ours, theirs) for ours, theirs in pairs]


def _measure(field: Sequence[Engine], seconds: float) -> dict[str, Measured]:
    from rich.progress import Progress

    with Progress(transient=True) as bar:
        task = bar.add_task("timing", total=len(field) * timing.ROUNDS)
        return timing.measure(field, seconds, lambda: bar.advance(task))


def _table(title: str, rows: list[list[str]]) -> Any:
    from rich.table import Table

    table = Table(title=title)
    for i, heading in enumerate(rows[0]):
        table.add_column(heading, justify="right" if i else "left")
    for row in rows[1:]:
        table.add_row(*row)
    return table


def _markdown(rows: list[list[str]]) -> str:
    lines = [rows[0], ["---"] + ["---:"] * (len(rows[0]) - 1), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _keep(file: Path, game: tantra_envs.Game, measured: Mapping[str, Measured], starts: Mapping[str, float]) -> None:
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    content = {
        **{"command": command_line(PROGRAM), "game": game.name, "config": game.config, "machine": machine},
        "engines": {name: list(m.rates) for name, m in measured.items()},
        "ratios": [asdict(ratio) for ratio in ratios(measured)],
        "starts": dict(starts),
    }
    write_json(file, content)


if __name__ == "__main__":
    sys.exit(main())
