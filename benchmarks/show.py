"""Show what was played: `python -m benchmarks show VIEW FOLDER ..`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import polars as pl
from rich.console import Console

from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file

from .harness import results as files
from .views import VIEWS

PROGRAM = "benchmarks show"
WIDTH = 160  # columns of the output if it is not a terminal


def main(argv: Sequence[str]) -> int:
    """Show the view that the first word names, of the folders that follow."""
    name, *words = argv or [""]
    if name in ("--help", "-h", ""):
        return cli.run_program(PROGRAM, {view: ("", about) for view, about in VIEWS.items()}, [])
    with cli.user_errors("bench,train"):
        if name not in VIEWS:
            raise ValueError(f"view={name!r} is not allowed; allowed: {', '.join(VIEWS)}")
        view = importlib.import_module(f"benchmarks.views.{name}")
        args = cli.read(view.Args, f"{PROGRAM} {name}", words)
        if args.results:
            check_file("results", args.results)
        results = pl.concat([view.results(view.load(folder), args) for folder in args.folders])
    with cli.work():
        folder, command = args.folders[0], cli.command("benchmarks", ["show", *argv])
        written = [folder / f"{name}.csv", *([args.results] if args.results else [])]
        for file in written:
            files.write(file, results, command)
        written += view.write_pages(folder, results, command)
        screen = Console()
        view.show(results, screen if screen.is_terminal else Console(width=WIDTH))
        print(f"saved in {folder}: {', '.join(file.name for file in written)}")
    return 0
