"""The calls that draw one table."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..core.game import Game
from ..core.state import States
from . import colours
from .sheet import Move, Sheet
from .table import footer


class Drawing:
    """An SVG that notebooks display."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it to a file: .svg, or .png with the extra `render`; ValueError for another ending."""
        path = Path(path)
        if path.suffix == ".png":
            from .raster import png

            path.write_bytes(png(self.svg))
        elif path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        else:
            raise ValueError(f"path={str(path)!r} is not allowed; allowed: a file name that ends in .svg or .png")


def move(game: Game, state: States, action: int) -> Move:
    """What is about to be played at this table, to be given as `last` to the drawing after it."""
    s = state[0]
    return Move(int(s["seat"]), game.phases[s["phase"]], int(action), game.action_name(state, action))


def draw(
    game: Game,
    state: States,
    seat: int | None = None,
    *,
    last: Move | None = None,
    legal: bool = True,
    names: Sequence[str] | None = None,
    theme: str = "auto",
    palette: str = "plain",
    root: str | None = None,
) -> str:
    """The table as an SVG, as `seat` sees it; None shows all cards.

    `last` is marked, `legal` actions of the seat to decide carry `data-action`, `theme` is auto, light or dark,
    `palette` plain or colour-blind, and `root` begins all ids (by default they follow from the content).
    ValueError names a field that is wrong.
    """
    colours.check_look(theme, palette)
    return sheet_of(game, state, seat, last=last, legal=legal, names=names).svg(theme, palette, root)


def show(game: Game, state: States, seat: int | None = None, *, legal: bool = False) -> Drawing:
    """The same as an object for notebooks; `legal` actions are not marked unless asked for."""
    return Drawing(draw(game, state, seat, legal=legal))


def sheet_of(
    game: Game,
    state: States,
    seat: int | None = None,
    *,
    last: Move | None = None,
    legal: bool = True,
    names: Sequence[str] | None = None,
) -> Sheet:
    """The drawing before it becomes text: for pages that keep the symbols of many drawings in one place.

    ValueError for a seat there is not, and unless there is a name for every seat.
    """
    seat = None if seat is None else game.check_seat(seat)
    names = names_of(game, names)
    own = seat is None or seat == state["seat"][0]
    sheet = Sheet(seat, names, last, game.legal(state) if legal and own else ())
    made, seen = module(game), game.as_seen(state, seat)
    made.paint(sheet, game, seen)
    result = made.result(game, seen, names) if seen["over"][0] else ""
    footer(sheet, made.SECRET, result, lambda action: game.action_name(seen, action))
    return sheet


def names_of(game: Game, names: Sequence[str] | None) -> list[str]:
    """What to call the seats, by default their numbers; ValueError unless there is a name for every seat."""
    named = [f"Seat {i}" for i in range(game.players)] if names is None else list(names)
    if len(named) != game.players:
        raise ValueError(f"{game.name}: {len(named)} names are given; allowed: {game.players}, one for each seat")
    return named


def is_drawn(game: Game) -> bool:
    """Has the game a drawing?"""
    try:
        return importlib.util.find_spec(f"{game.build.__module__}.drawing") is not None
    except ModuleNotFoundError:  # a game in a file of its own
        return False


def module(game: Game) -> ModuleType:
    """The module `drawing` beside a game's `build`: so the kit knows no game. ValueError if there is none."""
    if not is_drawn(game):
        raise ValueError(f"{game.name}: there is no drawing of it yet")
    return importlib.import_module(f"{game.build.__module__}.drawing")
