"""`python -m tantra_envs picture`: draw a table after some actions.

The suffix of the file selects the format: .svg is one table, .png its pixels, .gif the tables after every action.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import drawing
from ..core.game import Game
from ..core.state import States
from ..drawing.drawings import check_reader
from ..opponents.scripted import Scripted
from ..programs import cli
from ..programs.files import check_file, ending, write_content
from ..table.history import History


@dataclass(frozen=True)
class Args:
    """Draw a table after some actions.

    Example: python -m tantra_envs picture karma players=4 --seed 3 --moves 20 --out table.svg
    """

    game: str
    """Game, or GAME:VARIANT."""
    fields: tuple[str, ...] = ()
    """Options of the game, each OPTION=VALUE, such as players=4."""
    out: Annotated[Path, ending(".svg", ".png", ".gif")] = field(kw_only=True)
    """File of the picture: .svg, .png, or .gif for all tables."""
    seed: cli.Natural = field(default=0, kw_only=True)
    """Seed of the deal and of random actions."""
    moves: cli.Natural = field(default=0, kw_only=True)
    """Number of actions before the picture."""
    scripted: bool = field(default=False, kw_only=True)
    """Let the scripted agent play; without it, actions are random."""
    seat: int | None = field(default=None, kw_only=True)
    """Seat whose view is drawn. [default: all cards are open]"""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """Names of all seats."""
    legal: bool = field(default=False, kw_only=True)
    """Mark the legal actions."""
    theme: Literal["auto", "light", "dark"] = field(default="auto", kw_only=True)
    """Colours; auto = those that the reader prefers, light in .png and .gif."""
    palette: Literal["plain", "colour-blind", "felt"] = field(default="plain", kw_only=True)
    """Palette of the cards and tiles; felt = the plain one on green felt, as in the browser."""
    width: int = field(default=600, kw_only=True)
    """Width of .png and .gif in pixels."""
    frames: cli.Count | None = field(default=None, kw_only=True)
    """Draw only the last N tables of a .gif."""


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture that the command line describes."""
    with cli.user_errors("render"):
        _write(cli.read(Args, "tantra_envs picture", argv))
    return 0


def _write(options: Args) -> None:
    """Draw the tables and write the file, whole or not at all.

    Raises:
        ValueError: The game refuses its options.
        OSError: The file cannot be written.
    """
    _check(options)
    game = cli.game(options.game, fields=options.fields)
    check_reader(game, options.seat, options.names or None)
    is_film = options.out.suffix == ".gif"
    drawings = [
        drawing.draw(
            game,
            state,
            options.seat,
            last=last,
            legal=options.legal,
            names=options.names or None,
            theme=options.theme,
            palette=options.palette,
        )
        for state, last in _tables(game, options)[-(options.frames or 0) if is_film else -1 :]
    ]
    content: str | bytes = drawings[-1]
    if options.out.suffix != ".svg":
        from ..drawing.raster import gif, png

        content = gif(drawings, options.width) if is_film else png(drawings[-1], options.width)
    write_content(options.out, content)


def _check(options: Args) -> None:
    """Check the file of the picture before the game is compiled.

    Raises:
        OSError: The folder cannot be written.
        ModuleNotFoundError: A library that draws pixels is not installed.
    """
    if options.out.suffix != ".svg":
        importlib.import_module("resvg_py")
    check_file("out", options.out)


def _tables(game: Game, options: Args) -> list[tuple[States, drawing.Move | None]]:
    """Return the table before and after every action, with the last action."""
    history, rng = History(game, game.new(options.seed)), np.random.default_rng(options.seed)
    scripted = Scripted(game) if options.scripted else None
    while len(history.moves) < options.moves and not history.state["over"][0]:
        if scripted:
            history.ask(scripted, rng)
        else:
            history.play(int(rng.choice(game.legal(history.state))))
    return [(history.start, None), *((last.after, last) for last in history.moves)]
