"""Draw cards of 50 x 70 units: faces with an index and a large shape, backs, piles and badges."""

from __future__ import annotations

from collections.abc import Sequence

from .glyphs import glyphs
from .layout import CARD_H, CARD_W, Spot
from .shapes import shape
from .sheet import Sheet, num

SUITS = {"C": ("club", "green"), "D": ("diamond", "blue"), "H": ("heart", "red"), "S": ("spade", "black")}
COURTS = {"J": "hat", "Q": "tiara", "K": "crown"}


def face(inside: str, paper: str = "card") -> str:
    """Return a card face with `inside` printed on it."""
    return (
        f'<rect x=".5" y=".5" width="{CARD_W - 1}" height="{CARD_H - 1}" rx="5" fill="var(--{paper})"/>'
        f'<g class="in">{inside}</g>'
    )


def index(words: str, colour: str) -> str:
    """Return the rank in the upper left corner, the visible part of a card under others."""
    return glyphs(words, 13.5, 6.5, 16.5, colour, 19)


def suited(rank: str, suit: str, *, paper: str = "card") -> str:
    """Return a card of a French pack."""
    name, colour = SUITS[suit]
    inside = index(rank, colour) + shape(name, 12.5, 31.5, 15, colour)
    if rank in COURTS:
        inside += shape(COURTS[rank], 33, 29, 22, colour) + shape(name, 33, 53, 22, colour)
    else:
        inside += shape(name, 31, 47, 32, colour)
    return face(inside, paper)


def back() -> str:
    """Return the back of a card."""
    weave = "M25 5 44 35 25 65 6 35ZM25 13 39 35 25 57 11 35ZM25 18 35.8 35 25 52 14.2 35Z"
    return face(
        f'<rect x="4" y="4" width="42" height="62" rx="3" fill="var(--back)"/>'
        f'<path d="{weave}" fill="var(--weave)"/>' + shape("lotus", 25, 36, 16, "card")
    )


def backs(sheet: Sheet, spots: Sequence[Spot], title: str = "") -> None:
    """Draw cards face down at the spots."""
    symbol = sheet.symbol("back", back)
    for spot in spots:
        sheet.use(symbol, spot, title)


def empty(sheet: Sheet, spot: Spot) -> None:
    """Draw the dashed outline of an empty place for cards."""
    w, h = CARD_W * spot.scale, CARD_H * spot.scale
    sheet.add(
        f'<rect x="{num(spot.x)}" y="{num(spot.y)}" width="{num(w)}" height="{num(h)}" rx="{num(5 * spot.scale)}" '
        'fill="none" stroke="var(--line)" stroke-width="1.2" stroke-dasharray="3 2.5"/>'
    )


def stack(sheet: Sheet, spot: Spot, count: int, symbol: str, title: str) -> None:
    """Draw a pile with its number of cards: the top card over the edges of some below, or an empty place."""
    if count == 0:
        empty(sheet, spot)
        return
    under = sheet.symbol("back", back) if symbol == "back" else sheet.symbol("blank", lambda: face(""))
    for i in range(min(3, count - 1), 0, -1):
        sheet.use(under, Spot(spot.x + 1.5 * i, spot.y + 1.5 * i, spot.scale))
    sheet.use(symbol, spot, title)
    badge(sheet, spot.x + CARD_W * spot.scale, spot.y + 2, str(count))


def badge(sheet: Sheet, x: float, y: float, words: str, colour: str = "soft") -> None:
    """Draw a small number on a corner."""
    w = 5 + 5.2 * len(words)
    plate = f'<rect class="in" x="{num(-w / 2)}" y="-5" width="{num(w)}" height="10" rx="5" fill="var(--{colour})"/>'
    sheet.use(sheet.symbol(f"badge{len(words)}{colour}", lambda: plate), (x, y, 1))
    sheet.text(x, y + 2.9, words, 8, "b m paper")


def lock(sheet: Sheet, x: float, y: float, size: float, colour: str) -> None:
    """Draw a lock on something that must not be taken or moved."""
    sheet.use(
        sheet.symbol(f"lock{colour}", lambda: f'<g class="in">{shape("lock", 0, 0, 20, colour)}</g>'), (x, y, size / 20)
    )
