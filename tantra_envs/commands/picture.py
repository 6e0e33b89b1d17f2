"""`python -m tantra_envs picture`: draw a table after some actions.

The suffix of the file selects the format: .svg is one table, .png its pixels, .gif the tables after every action.
"""

from __future__ import annotations

import argparse
import importlib
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from .. import drawing
from ..cli import user_errors
from ..core.game import Game
from ..core.observation import Observation
from ..core.state import States
from ..drawing import colours
from ..files import write_whole
from ..opponents.scripted import Scripted
from .parsing import Parser, configured_game

KINDS = (".svg", ".png", ".gif")
WIDTH = 600


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture that the command line describes."""
    asked = _parser().parse_args(argv)
    with user_errors("render"):
        _write(asked)
    return 0


def _parser() -> Parser:
    parser = Parser(
        "picture", "Draw a table after some actions.", "karma players=4 --seed 3 --moves 20 --out table.svg"
    )
    parser.add_game()
    add = parser.add_argument
    add(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="File of the picture: .svg, .png, or .gif for all tables.",
    )
    add("--seed", type=int, default=0, help="Seed of the deal and of random actions. [default: %(default)s]")
    add(
        "--moves", type=int, default=0, metavar="N", help="Number of actions before the picture. [default: %(default)s]"
    )
    add("--scripted", action="store_true", help="Let the scripted agent play; without it, actions are random.")
    add("--seat", type=int, help="Seat whose view is drawn. [default: all cards are open]")
    add("--names", nargs="+", metavar="NAME", help="Names of all seats.")
    add("--legal", action="store_true", help="Mark the legal actions.")
    theme = parser.add_mutually_exclusive_group()
    theme.add_argument("--dark", dest="theme", action="store_const", const="dark", help="Draw in dark colours.")
    theme.add_argument("--light", dest="theme", action="store_const", const="light", help="Draw in light colours.")
    add("--palette", default="plain", help=f"Palette: {', '.join(colours.PALETTES)}. [default: %(default)s]")
    add("--width", type=int, default=WIDTH, help="Width of .png and .gif in pixels. [default: %(default)s]")
    add("--frames", type=int, metavar="N", help="Draw only the last N tables of a .gif.")
    return parser


def _write(asked: argparse.Namespace) -> None:
    """Draw the tables and write the file, whole or not at all.

    Raises:
        ValueError: An option is out of its range, or the game refuses its options.
    """
    _check(asked)
    game = configured_game(asked.game, asked.fields)
    tables = _tables(game, asked.seed, asked.moves, asked.scripted)
    drawings = deque((_draw(game, asked, *table) for table in tables), asked.frames if _is_gif(asked) else 1)
    if asked.out.suffix == ".svg":
        write_whole(asked.out, lambda part: part.write_text(drawings[-1], encoding="utf-8"))
        return
    from ..drawing.raster import gif, png

    pixels = gif(list(drawings), asked.width) if _is_gif(asked) else png(drawings[-1], asked.width)
    write_whole(asked.out, lambda part: part.write_bytes(pixels))


def _check(asked: argparse.Namespace) -> None:
    """Raise ValueError for an option that is out of its range, or ModuleNotFoundError if pixels cannot be drawn."""
    if asked.out.suffix not in KINDS:
        raise ValueError(f"--out {asked.out} is not allowed; allowed: a file name that ends in {', '.join(KINDS)}")
    if asked.moves < 0:
        raise ValueError(f"--moves {asked.moves} is not allowed; allowed: 0 and more")
    if asked.frames is not None and asked.frames < 1:
        raise ValueError(f"--frames {asked.frames} is not allowed; allowed: 1 and more")
    if asked.out.suffix != ".svg":
        importlib.import_module("resvg_py")  # fails now if it is missing, not after the game has been compiled


def _is_gif(asked: argparse.Namespace) -> bool:
    return bool(asked.out.suffix == ".gif")


def _draw(game: Game, asked: argparse.Namespace, state: States, last: drawing.Move | None) -> str:
    """Return the drawing of a table, with the theme and palette of the command line."""
    return drawing.draw(
        game,
        state,
        asked.seat,
        last=last,
        legal=asked.legal,
        names=asked.names,
        theme=asked.theme or "auto",
        palette=asked.palette,
    )


def _tables(game: Game, seed: int, moves: int, scripted: bool) -> Iterator[tuple[States, drawing.Move | None]]:
    """Yield the table before and after every action, with the last action. The table is changed in place."""
    state, rng = game.new(seed), np.random.default_rng(seed)
    last = None
    yield state, last
    for _ in range(moves):
        if state["over"][0]:
            return
        action = _scripted(game, state) if scripted else int(rng.choice(game.legal(state)))
        last = drawing.move(game, state, action, last)
        game.apply_action(state, action)
        yield state, last


def _scripted(game: Game, state: States) -> int:
    """Return the action of the scripted agent."""
    return int(Scripted(game).act(Observation(game, state), np.random.default_rng(0))[0])
