"""Play the rows of a plan: `python -m benchmarks play PLAN.toml`, and presets such as `python -m benchmarks ladder`.

A preset is a module with options `Args` and a function `rows(args)`, which returns what to play. This is the only code
that plays agents against agents for results.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from tantra_envs.core.options import require
from tantra_envs.matches.match import SIDE_BY_SIDE, Seed
from tantra_envs.programs import cli, workers
from tantra_envs.programs.cli import FolderOptions, WorkerOptions
from tantra_envs.programs.files import check_file, locked
from tantra_envs.programs.workers import Run

from . import show
from .harness import played
from .harness.command import Count, ResultOptions
from .harness.played import Played
from .harness.rows import Request, from_toml
from .views import OF_PLANS

Shown = tuple[Any, Played, pl.DataFrame]  # a view, what was played, and its results
Play = Callable[[Run], Shown]
Args = TypeVar("Args", bound=WorkerOptions)


@dataclass(frozen=True)
class FileOptions:
    """The option that selects a plan."""

    plan: Path
    """TOML file of the rows."""


@dataclass(frozen=True)
class PlanOptions(ResultOptions, FolderOptions, WorkerOptions, FileOptions):
    """Play the rows of a plan, and show them. Finished deals are kept: run the same command again to continue.

    Example: python -m benchmarks play sixty.toml --deals 200 --workers 2
    """

    deals: Count | None = field(default=None, kw_only=True)
    """Deals of every row, in place of those of the plan."""
    seed: Seed | None = field(default=None, kw_only=True)
    """Seed of the deals and agents, in place of that of the plan."""
    shard: Count = field(default=SIDE_BY_SIDE, kw_only=True)
    """Deals saved together; another number draws other random numbers."""


def main(argv: Sequence[str]) -> int:
    """Play the plan that the options name."""
    return run(PlanOptions, "play", argv, rows)


def rows(args: PlanOptions) -> Request:
    """Return the rows of a plan."""
    request = from_toml(args.plan, args.deals, args.seed)
    require("view", request.view, request.view in OF_PLANS, ", ".join(OF_PLANS))
    return replace(request, folder=[args.plan.stem, *([f"seed {args.seed}"] if args.seed else [])])


def run(options: type[Args], name: str, argv: Sequence[str], rows: Callable[[Args], Request]) -> int:
    """Read the options of a command, play the rows that follow from them, and show them; return the exit code."""

    def prepare(args: Args) -> tuple[Path, Play]:
        request = rows(args)
        view = show.view_of(request.view)
        plan = played.prepare(args, request)

        def play(jobs: Run) -> Shown:
            games = played.play(plan, request, jobs)
            return view, games, view.results(games)

        return plan.folder.parent, play

    return run_prepared(options, name, argv, prepare)


def run_prepared(
    options: type[Args], name: str, argv: Sequence[str], prepare: Callable[[Args], tuple[Path, Play]]
) -> int:
    """Play what a command describes in a locked folder, and show it; `prepare` returns the folder and the player."""
    with cli.user_errors("bench,train"):
        args = cli.read(options, f"benchmarks {name}", argv)
        second = getattr(args, "results", None)
        if second:
            check_file("results", second)
        folder, play = prepare(args)
    with cli.work("finished shards are kept; run the same command again to continue"):
        try:
            with locked(folder):
                print(f"folder: {folder}", flush=True)
                with workers.executor(args.workers) as jobs:
                    view, games, results = play(jobs)
                show.report(view, folder, [games], results, cli.command("benchmarks", [name, *argv]), second)
        except ValueError as wrong:  # an agent's illegal action, or a record of older rules
            print(f"error: {wrong}", file=sys.stderr)
            return 1
    return 0
