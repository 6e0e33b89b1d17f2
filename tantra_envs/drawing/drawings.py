"""Functions that draw one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..core.game import Game
from ..core.options import require_in
from ..core.state import States
from ..extras import module_of
from ..programs.files import ending, write_content
from ..words import sentences
from . import colours
from .sheet import WIDTH, Move, Sheet
from .table import footer

WIDEST = 1.75  # how many times wider than usual a drawing gets


class Drawing:
    """An SVG that notebooks display."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, whole or not at all.

        Args:
            path: A file name that ends in .svg, or in .png with the extra `render`.

        Raises:
            ValueError: The name has another suffix.
        """
        path = Path(path)
        require_in("path", path, ending(".svg", ".png"))
        if path.suffix == ".png":
            from .raster import png

            write_content(path, png(self.svg))
        else:
            write_content(path, self.svg)


def move(game: Game, state: States, action: int, previous: Move | None = None) -> Move:
    """Return a record of a legal action that is about to be played, for `last` of the drawing after it.

    Args:
        game: The game.
        state: The table before the action, shape (1,). It is not changed.
        action: The action.
        previous: The record of the action before it, so that drawings can show what that one left on the table.
    """
    before = state.repeat(1)
    after = before.repeat(1)
    game.drivers.apply_row(after, 0, int(action))
    stays = getattr(module_of(game, "words.drawing"), "stays", None)
    left = stays(game, before, int(action), after, previous.stays if previous else None) if stays else None
    name = game.action_name(state, action)
    return Move(int(state["seat"][0]), int(action), name, before, after, left)


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
    bare: bool = False,
    wide: float = 0,
    order: str = "",
) -> str:
    """Return the table as an SVG, as a seat sees it.

    Args:
        game: The game.
        state: One table, shape (1,).
        seat: The observer, or None to show all cards.
        last: The last action, which is marked.
        legal: Give the legal actions of the seat to decide an attribute `data-action`.
        names: Names of all seats.
        theme: auto, light or dark.
        palette: plain, colour-blind, or felt for the plain one on the green of the browser.
        root: Prefix of all ids; by default it depends on the content.
        bare: Leave out the phase, the last action and the buttons below the table, for pages that show them.
        wide: Width of the room for the drawing, divided by its height. A drawing that is too tall becomes wider.
        order: What hands are sorted by: one of `orders(game)`, or "" for the usual order of the game.

    Raises:
        ValueError: An argument is not allowed.
    """
    colours.check_look(theme, palette)
    game.check("order", order, order in ("", *orders(game)), ", ".join(orders(game)) or "''")
    sheet = sheet_of(game, state, seat, last=last, legal=legal, names=names, bare=bare, order=order)
    width = min(wide * sheet.height, WIDEST * sheet.width)
    if width > sheet.width:
        sheet = sheet_of(game, state, seat, last=last, legal=legal, names=names, bare=bare, order=order, width=width)
    return sheet.svg(theme, palette, root)


def show(game: Game, state: States, seat: int | None = None, *, legal: bool = False) -> Drawing:
    """Return the table, as a seat sees it, as an object that notebooks display.

    Args:
        game: The game.
        state: One table, shape (1,).
        seat: The observer, or None to show all cards.
        legal: Mark the legal actions of the seat to decide.
    """
    return Drawing(draw(game, state, seat, legal=legal))


def sheet_of(
    game: Game,
    state: States,
    seat: int | None = None,
    *,
    last: Move | None = None,
    legal: bool = True,
    names: Sequence[str] | None = None,
    bare: bool = False,
    order: str = "",
    only: int | None = None,
    width: float = WIDTH,
) -> Sheet:
    """Return the drawing before it becomes text, for pages that share the symbols of many drawings.

    Args:
        game: The game.
        state: One table, shape (1,).
        seat: The observer, or None to show all cards.
        last: The last action, which is marked.
        legal: Give the legal actions of the seat to decide an attribute `data-action`.
        names: Names of all seats.
        bare: Leave out what a page shows beside the drawing.
        order: What hands are sorted by, or "".
        only: The one action that the drawing offers, where a part of the table stands for it.
        width: Least width of the drawing.

    Raises:
        ValueError: The seat does not exist, or the number of names is not the number of seats.
    """
    seat, names = check_reader(game, seat, names)
    decides = seat is None or seat == state["seat"][0]

    def phrase(action: int) -> str:
        return sentences.action_words(game, state, action, seat, names)

    offered = game.legal(state) if legal and decides else () if only is None else (only,)
    sheet = Sheet(seat, names, last, offered, phrase, bare, order)
    sheet.width = width
    painter, seen = module(game), game.as_seen(state, seat)
    painter.paint(sheet, game, seen)
    result = painter.result(game, seen, names) if seen["over"][0] else ""
    line = result or (log_line(game, last, seat, names) if last else "")

    if only is not None:
        sheet.offered.add(only)  # no button: the page names it
    footer(sheet, line, lambda action: game.action_name(seen, action))
    return sheet


def log_line(game: Game, last: Move, seat: int | None, names: Sequence[str]) -> str:
    """Return an action and its effect as a line, as far as the reader may know them."""
    return sentences.log_line(game, last.before, last.action, last.after, seat, names)


def check_reader(game: Game, seat: int | None, names: Sequence[str] | None) -> tuple[int | None, list[str]]:
    """Return the seat of a reader and the names of all seats, by default their numbers.

    Raises:
        ValueError: The seat does not exist, or the number of names is not the number of seats.
    """
    named = sentences.seat_names(game, None) if names is None else list(names)
    if len(named) != game.players:
        raise ValueError(f"{game.name}: {len(named)} names are given; allowed: {game.players}, one for each seat")
    return None if seat is None else game.check_seat(seat), named


def orders(game: Game) -> tuple[str, ...]:
    """Return what the hands of a game can be sorted by, the usual order first; () = there is one order."""
    return getattr(module(game), "ORDERS", ())


def is_drawn(game: Game) -> bool:
    """Return whether the game has a drawing."""
    return module_of(game, "words.drawing") is not None


def module(game: Game) -> ModuleType:
    """Return the module `drawing` in the package of the game. Raise ValueError if it does not exist."""
    own = module_of(game, "words.drawing")
    if own is None:
        raise ValueError(f"{game.id} has no drawing; allowed: games with a module words/drawing.py in their package")
    return own
