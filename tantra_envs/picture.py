"""A picture of a table after some moves: `python -m tantra_envs.picture karma --seed 3 --moves 20 --out table.svg`.

The ending of the file says what it becomes: .svg is one table, .png its pixels, .gif the whole way there.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import drawing
from .configuration import game as configured
from .core.game import Game
from .core.state import States
from .drawing import colours
from .games import GAMES

KINDS = (".svg", ".png", ".gif")
WIDTH = 600


def main(words: Sequence[str] | None = None) -> int:
    """Draw what the command line asks for; 2, and a line that says why, for what it cannot mean."""
    asked = _arguments().parse_args(words)
    try:
        _write(asked)
    except ModuleNotFoundError as missing:
        return _fail(f"{missing.name} is not installed; pip install 'tantra_envs[render]'")
    except (ValueError, OSError) as error:
        return _fail(str(error))
    return 0


def _fail(why: str) -> int:
    print(f"error: {' '.join(why.split())}", file=sys.stderr)
    return 2


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tantra_envs.picture", description="Draw a table of a game.")
    parser.add_argument("game", help=f"a game, or a variant as in karma:sixty; games: {', '.join(GAMES)}")
    parser.add_argument("fields", nargs="*", metavar="FIELD=VALUE", help="its configuration, as players=4")
    parser.add_argument("--seed", type=int, default=0, help="of the deal and of random moves (0)")
    parser.add_argument("--moves", type=int, default=0, help="actions played before the picture; fewer if it ends (0)")
    parser.add_argument("--scripted", action="store_true", help="played by the game's own player, not at random")
    parser.add_argument("--seat", type=int, help="who looks; without it all cards are open")
    theme = parser.add_mutually_exclusive_group()
    theme.add_argument("--dark", dest="theme", action="store_const", const="dark", help="the dark colours")
    theme.add_argument(
        "--light",
        dest="theme",
        action="store_const",
        const="light",
        help="the light ones; without either those the reader prefers",
    )
    parser.add_argument("--palette", default="plain", help=f"colours: {', '.join(colours.PALETTES)}")
    parser.add_argument("--names", nargs="+", help="one for each seat")
    parser.add_argument("--width", type=int, default=WIDTH, help=f"pixels of .png and .gif ({WIDTH})")
    parser.add_argument("--frames", type=int, help="of a .gif: how many tables, the last ones (all)")
    parser.add_argument("--legal", action="store_true", help="mark what may be done")
    parser.add_argument("--out", type=Path, required=True, help="a file that ends in .svg, .png or .gif")
    return parser


def _write(asked: argparse.Namespace) -> None:
    if asked.out.suffix not in KINDS:
        raise ValueError(f"--out {asked.out} is not allowed; allowed: a file name that ends in {', '.join(KINDS)}")
    if asked.moves < 0:
        raise ValueError(f"--moves {asked.moves} is not allowed; allowed: 0 and more")
    if asked.frames is not None and asked.frames < 1:
        raise ValueError(f"--frames {asked.frames} is not allowed; allowed: 1 and more")
    game = configured(asked.game, **dict(field(word) for word in asked.fields))

    def draw(state: States, last: drawing.Move | None) -> str:
        look = {"theme": asked.theme or "auto", "palette": asked.palette}
        shown = {"legal": asked.legal, "names": asked.names, **look}
        return drawing.draw(game, state, asked.seat, last=last, **shown)

    tables = _tables(game, asked.seed, asked.moves, asked.scripted)
    if asked.out.suffix == ".gif":
        from .drawing.raster import gif

        drawings = deque((draw(state, last) for state, last in tables), asked.frames)
        asked.out.write_bytes(gif(list(drawings), asked.width))
        return
    for state, last in tables:
        table = state, last
    svg = draw(*table)
    if asked.out.suffix == ".png":
        from .drawing.raster import png

        asked.out.write_bytes(png(svg, asked.width))
    else:
        asked.out.write_text(svg, encoding="utf-8")


def field(word: str) -> tuple[str, Any]:
    """`players=4` as name and value; what is no Python literal is a word."""
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"{word!r} is not allowed; allowed: FIELD=VALUE, as players=4")
    with contextlib.suppress(ValueError, SyntaxError):
        return name, ast.literal_eval(value)
    return name, value


def _tables(game: Game, seed: int, moves: int, scripted: bool) -> Iterator[tuple[States, drawing.Move | None]]:
    """The table, moved on in place, and what was played last."""
    state, rng = game.new(seed), np.random.default_rng(seed)
    yield state, None
    for _ in range(moves):
        if state["over"][0]:
            return
        action = _scripted(game, state) if scripted else int(rng.choice(game.legal(state)))
        last = drawing.move(game, state, action)
        game.apply_action(state, action)
        yield state, last


def _scripted(game: Game, state: States) -> int:
    view = game.observation(state, int(state["seat"][0]))
    return int(game.scripted.choose(game, view[None], game.mask(state)[None])[0])


if __name__ == "__main__":
    sys.exit(main())
