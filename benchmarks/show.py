"""Show what was played: `python -m benchmarks show VIEW FOLDER ..`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from tantra_envs.core.options import require
from tantra_envs.programs import cli
from tantra_envs.programs import results as files
from tantra_envs.programs.files import check_file

from .harness.command import ShowOptions
from .harness.pages import usage_table
from .harness.played import Played, read_folder
from .views import VIEWS

PROGRAM = "benchmarks show"
COMMANDS = {view: (f"benchmarks.show:{view}", about) for view, about in VIEWS.items()}
WIDTH = 160  # columns of the output if it is not a terminal


def main(argv: Sequence[str]) -> int:
    """Show the view that the first word names, of the folders that follow."""
    name, *words = argv or [""]
    if name in ("--help", "-h", ""):
        return cli.run_program(PROGRAM, COMMANDS, [])
    with cli.user_errors("bench,train"):
        module = view_of(name)
        args = cli.read(getattr(module, "Args", ShowOptions), f"{PROGRAM} {name}", words)
        if args.results:
            check_file("results", args.results)
        load = getattr(module, "load", read_folder)
        every = [load(folder) for folder in args.folders]
        if hasattr(module, "check"):
            module.check(every, args)
    with cli.work():
        every = module.combine(every) if hasattr(module, "combine") else every
        tables = [module.results(own, *([args] if hasattr(module, "Args") else [])) for own in every]
        command = cli.command("benchmarks", ["show", *argv])
        report(module, args.folders[0], every, pl.concat(tables), command, args.results)
    return 0


def __getattr__(name: str) -> Any:
    """Return the command that shows a view: see COMMANDS."""
    if name not in VIEWS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return lambda words: main([name, *words])


def view_of(name: str) -> Any:
    """Return the module of a view; raise ValueError for an unknown name."""
    require("view", name, name in VIEWS, ", ".join(VIEWS))
    return importlib.import_module(f"benchmarks.views.{name}")


def report(
    module: Any, folder: Path, played: Sequence[Any], results: pl.DataFrame, command: str, second: Path | None
) -> None:
    """Write the results and the pages of a view into a folder, and print its tables."""
    written = [folder / getattr(module, "FILE", files.RESULTS), *([second] if second else [])]
    for file in written:
        files.write(file, results, command)
    if hasattr(module, "write_pages"):
        written += module.write_pages(folder, results, command)
    screen = Console()
    screen = screen if screen.is_terminal else Console(width=WIDTH)
    module.show(results, screen)
    if hasattr(module, "add"):
        written += module.add(written, played, screen)
    for own in played:
        if isinstance(own, Played) and own.programs:
            screen.print(usage_table(own.programs))
    screen.print(f"saved in {folder}: {', '.join(file.name for file in written)}, records", soft_wrap=True)
