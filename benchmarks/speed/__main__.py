"""How fast are the environments, by themselves and beside other suites?

    python -m benchmarks.speed --game karma --peers

Every engine plays uniformly random legal actions on one core and is timed in many slices; the engines take turns, so
a ratio compares slices of the same moment. Shown are medians of moves a second with half the range of the slices, and
for ratios the median with the whole range. A move is a decision of one seat, in rollouts of OpenSpiel a chance event
as well; for searches it is a decision with all that is tried out for it, or a simulation where the name says so. The
Markdown is for the README; the JSON under runs/ holds every slice. `peers.py` says how the others are driven.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tantra_envs import cli
from tantra_envs.files import open_folder, write_json

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
    players: int | None = field(default=None, kw_only=True)
    """Seats at a table; None = as the game or variant has it."""
    peers: bool = field(default=False, kw_only=True)
    """Time PettingZoo, RLCard and OpenSpiel as well."""
    startup: bool = field(default=True, kw_only=True)
    """Time the start of a new process, cold and warm."""
    seconds: float = field(default=2.0, kw_only=True)
    """For each engine."""
    runs: Path = field(default=Path("runs"), kw_only=True)
    """Folder of the results."""


def main(argv: Sequence[str] | None = None) -> None:
    """Read the options, measure, print and keep."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, argv)
        cli.check_ranges(args, seconds=(0.001, 600))
        game = cli.game(args.game, args.players)
        folder = args.runs / f"speed-{args.game.replace(':', '-')}"
        open_folder(folder)
        from rich.console import Console
    screen = Console(markup=False)
    with cli.work():
        competitors = [*engines.engines(game), *(peers.engines(screen.print) if args.peers else ())]
        measured = _measure(competitors, args.seconds)
        starts = startup(args.game) if args.startup else {}
        found = tables(measured, starts)
        for title, rows in found.items():
            screen.print(_table(title, rows))
        screen.print("\n\n".join(_markdown(rows) for rows in found.values()), highlight=False, soft_wrap=True)
        facts = {"command": cli.command(PROGRAM, argv), "game": game.name, "config": game.config}
        write_json(folder / "results.json", {**facts, **_report(measured, starts)})
        screen.print(f"kept in {folder / 'results.json'}")


def tables(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> dict[str, list[list[str]]]:
    """What is printed: by title, rows of words under a first row of headings."""
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
    """Our environments against PettingZoo's fastest card game; our random playouts and trees against OpenSpiel's."""
    classic = [m for name, m in measured.items() if name.startswith("PettingZoo ")]
    spiel = [m for name, m in measured.items() if name.startswith("OpenSpiel ")]
    trees = [m for name, m in measured.items() if name.startswith(peers.SEARCHES)]
    pairs = [(measured[engines.PLAYOUTS], peer) for peer in spiel]
    pairs += [(measured[engines.RANDOM_TREE], peer) for peer in trees if engines.RANDOM_TREE in measured]
    if classic:
        fastest = max(classic, key=lambda m: m.rate)
        pairs += [(measured[name], fastest) for name in (engines.SINGLE, engines.batch_name(1024))]
    return [timing.ratio(ours, theirs) for ours, theirs in pairs]


def _measure(competitors: Sequence[Engine], seconds: float) -> dict[str, Measured]:
    from rich.progress import Progress

    with Progress(transient=True) as bar:
        task = bar.add_task("timing", total=len(competitors) * timing.ROUNDS)
        return timing.measure(competitors, seconds, lambda: bar.advance(task))


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


def _report(measured: Mapping[str, Measured], starts: Mapping[str, float]) -> dict[str, Any]:
    """Every slice, as JSON wants it."""
    return {
        "machine": {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()},
        "engines": {name: list(m.rates) for name, m in measured.items()},
        "ratios": [asdict(ratio) for ratio in ratios(measured)],
        "starts": dict(starts),
    }


if __name__ == "__main__":
    main()
