"""The drawing of Karma: three zones for each seat, the draw pile, the pile with its run, and the cards gone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.game import Game
from ...core.state import States
from ...drawing.cards import back, backs, badge, empty, face, index, stack
from ...drawing.chart import Standing
from ...drawing.glyphs import glyphs
from ...drawing.layout import BACKS, CARD_H, CARD_W, Box, Spot, bounds, fan
from ...drawing.shapes import shape
from ...drawing.sheet import Sheet, num
from ...drawing.table import headline, others, panel, to_decide
from ...english import clause, counted
from .material import CARD_NAMES, FIRST_KARMA, TABLE_CARDS, TYPES
from .sentences import CARDS, CLEARS, KARMA
from .standing import points
from .state import Phase

SHAPES = {"GIVE": "gift", "TABLE": "table", "BOTTOMS": "flip", "FIVE": "down"}
MARKS = [KARMA[name][1] if name in KARMA else name for name in CARD_NAMES]  # in the corner of each card
SHOWN = 8  # cards of the pile that are drawn
GONE = 112.0  # width of the cards that left the game


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the table: other seats on top, the piles in the middle, the observer below."""
    s, n = state[0], game.players
    sheet.width = 400 if n <= 4 else 520 if n <= 7 else 640
    rest = headline(sheet, f"Karma · move {s['plies']}", to_decide(sheet, game, state))
    columns = n - 1 if n <= 4 else 3 if n <= 7 else 4
    rows = -(-(n - 1) // columns)
    above, rest = rest.top(rows * 96 - 4, 4)
    middle, rest = rest.top(76, 4)
    for seat, box in zip(others(sheet), above.grid(n - 1, columns), strict=True):
        _seat(sheet, game, state, seat, box)
    _piles(sheet, game, s, middle)
    below, rest = rest.top(94)
    _seat(sheet, game, state, sheet.front, below)
    sheet.height = rest.y


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Return who lost."""
    s = state[0]
    return "Cut off: nobody wins" if s["truncated"] else clause(names, int(s["loser"]), "lose")


def standing(game: Game, state: States) -> Standing:
    """Return the cards left at every seat."""
    return Standing("cards left", (-points(game, state)[0]).tolist(), low=True)


# The piles


def _piles(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    draw, rest = box.left(64)
    gone = Box(rest.x + rest.w - GONE, rest.y, GONE, rest.h)
    spot = Spot(draw.x + 14, draw.y + 14, 0.76)
    sheet.text(draw.x + 32, draw.y + 8, "draw pile", 8.2, "soft m")
    stack(sheet, spot, int(s["draw_n"]), sheet.symbol("back", back), f"draw pile of {s['draw_n']}")
    _gone(sheet, s, gone)
    _pile(sheet, game, s, Box(rest.x + 6, rest.y, rest.w - GONE - 12, rest.h))


def _gone(sheet: Sheet, s: Any, box: Box) -> None:
    """Draw the cards that left the game: a small card for each type, with its number if there are several."""
    gone = [(card, count) for card, count in enumerate(s["gone"].tolist()) if count]
    total = sum(count for _, count in gone)
    sheet.text(box.x + box.w / 2, box.y + 8, f"gone: {total}" if gone else "gone", 8.2, "soft m")
    cells = Box(box.x, box.y + 13, box.w, box.h - 14).grid(TYPES, 5, 2)
    for (card, count), cell in zip(gone, cells, strict=False):
        high = cell.h - 1
        symbol = sheet.symbol(f"g{card}", partial(_print_gone, card, high))
        sheet.use(symbol, (cell.x, cell.y, 1), f"{CARDS[card]}: {counted(count, 'card')} left the game")
        if count > 1:
            sheet.text(cell.x + cell.w - 1, cell.y + high - 3, f"x{count}", 7, "soft e")


def _pile(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    """Draw the top of the pile, with the identical cards on top marked."""
    pile, run, wanted = s["pile"][: s["pile_n"]].tolist(), int(s["run"]), int(s["opt"]["clear_set"])
    alike = f" · {run} of {wanted} alike" if 1 < run < wanted else ""
    sheet.text(box.x + box.w / 2, box.y + 8, f"pile of {len(pile)}{alike}" if pile else "no pile", 8.2, "soft m")
    zone = Box(box.x, box.y + 12, box.w, box.h - 12)
    if not pile:
        empty(sheet, fan(zone, 1, 38)[0])
        return
    shown = pile[-SHOWN:]
    spots = fan(zone, len(shown), 38)
    for k, (card, spot) in enumerate(zip(shown, spots, strict=True)):
        last = len(shown) - k <= run
        sheet.use(_face(sheet, card), spot, CARDS[card], mark="last" if last else "")
    if len(pile) > SHOWN:
        badge(sheet, spots[0].x, spots[0].y + 4, f"+{len(pile) - SHOWN}")
    sheet.spot(bounds(spots, 2), action=game.actions["pickup"].start)


# Seats


def _seat(sheet: Sheet, game: Game, state: States, seat: int, box: Box) -> None:
    """Draw a hand and the table cards: face-up cards lie on face-down ones."""
    s = state[0]
    out = s["out"][: s["out_n"]].tolist()
    facts = f"out, place {out.index(seat) + 1}" if seat in out else _in_hand(sheet, s, seat)
    turn = seat == s["seat"] and not s["over"]
    room = panel(sheet, box, sheet.names[seat], facts, turn=turn, dim=seat in out, seat=seat)
    wide = room.w > 300
    hand, table = room.left(room.w - 146, 6) if wide else room.top(room.h * 0.47, 3)
    _hand(sheet, game, s, seat, hand, 48 if wide else 24)
    _table(sheet, game, s, seat, table, 42 if wide else 24)
    give = game.actions["give"].start + (seat - int(s["seat"]) - 1) % game.players
    if seat != s["seat"] and game.phases[s["phase"]] == "TARGET":
        sheet.spot(box, action=give)


def _in_hand(sheet: Sheet, s: Any, seat: int) -> str:
    """Return the size of a hand, and for other readers how many of its cards all have seen."""
    seen = int(s["known"][seat].sum()) if sheet.seat not in (None, seat) else 0
    return f"{s['hand_n'][seat]} in hand{f', {seen} of them seen' if seen else ''}"


def _hand(sheet: Sheet, game: Game, s: Any, seat: int, box: Box, widest: float) -> None:
    """Draw the cards of a hand. The k-th card of a type plays k of them. Of other hands only known cards are open."""
    counts = np.maximum(s["hands"][seat], s["known"][seat]).tolist()
    hidden = int(s["hand_n"][seat]) - sum(counts)
    spots = fan(box, sum(counts) + hidden, widest, 0.46 if any(counts) else BACKS)
    playable = game.phases[s["phase"]] != "FOLLOW"
    more = ", seen by all when it came into this hand" if sheet.seat not in (None, seat) else ""
    _cards(sheet, s, seat, counts, spots[hidden:], playable, more)
    backs(sheet, spots[:hidden], "a card in hand")


def _cards(
    sheet: Sheet, s: Any, seat: int, counts: list[int], spots: Sequence[Spot], playable: bool, more: str = ""
) -> None:
    """Draw cards by type. The k-th card of a type plays k of them; before the play each of them plays one."""
    at = iter(spots)
    several = s["phase"] != Phase.SETUP
    for card, count in enumerate(counts):
        for k in range(count):
            action, spot = card + TYPES * k * several, next(at)
            fits = k < s["opt"]["clear_set"] or not several
            play = fits and playable and seat == s["seat"] and action in sheet.legal
            phrase = sheet.phrase(action) if play else ""
            title = f"{CARDS[card]}: {phrase}" if (count > 1 and play) or CLEARS in phrase else f"{CARDS[card]}{more}"
            sheet.use(_face(sheet, card), spot, title, action=action if play else None)
            if k and play and several:
                badge(sheet, spot.x + 8, spot.y + CARD_H * spot.scale - 5, f"x{k + 1}", "go")


def _table(sheet: Sheet, game: Game, s: Any, seat: int, box: Box, widest: float) -> None:
    up = s["up"][seat].tolist()
    n_up, n_down = int(s["up_n"][seat]), int(s["down_n"][seat])
    scale = min(widest / CARD_W, (box.h - 6) / 70, (box.w - 12) / (3.2 * CARD_W))
    step = min(CARD_W * scale * 1.1, (box.w - CARD_W * scale) / TABLE_CARDS)
    x = box.x + (box.w - step * 2 - CARD_W * scale) / 2
    spots = [Spot(x + i * step, box.y, scale) for i in range(TABLE_CARDS)]
    _face_down(sheet, game, s, seat, spots[:n_down])
    above = [Spot(spot.x + 3, spot.y + 6, scale) for spot in spots[:n_up]]
    if any(up):
        _cards(sheet, s, seat, up, above, game.phases[s["phase"]] == "FOLLOW" or s["hand_n"][seat] == 0)
    else:
        backs(sheet, above, "a card chosen to lie face up")


def _face_down(sheet: Sheet, game: Game, s: Any, seat: int, spots: Sequence[Spot]) -> None:
    """Draw the face-down cards, the next one to flip last. Faces are shown only if all cards are open."""
    own = seat == s["seat"]
    for i, spot in enumerate(spots):
        if sheet.is_open and s["up_n"][seat] == 0:
            symbol, title = _face(sheet, int(s["down"][seat][i])), f"face down: {CARDS[s['down'][seat][i]]}"
        else:
            symbol, title = sheet.symbol("back", back), "a card face down"
        flip = game.actions["flip"].start if own and i == len(spots) - 1 else None
        sheet.use(symbol, spot, title, action=flip)


# Faces


def _face(sheet: Sheet, card: int) -> str:
    return sheet.symbol(f"k{card}", lambda: _print(card))


def _print(card: int) -> str:
    """Return the face of a card: numbers go from green through blue to red, karma cards are violet."""
    name = CARD_NAMES[card]
    if name in KARMA:
        return face(index(MARKS[card], "violet") + shape(SHAPES[name], 27, 45, 34, "violet"))
    colour = _colour(card)
    inside = index(name, colour) + glyphs(name, 26, 31, 26, colour, 34)
    return face(inside + shape("lotus", 38, 14, 13, colour) + shape("lotus", 25, 64, 9, colour))


def _print_gone(card: int, high: float) -> str:
    """Return a small card with the mark of its type."""
    w = 0.72 * high + 2
    plate = f'<rect x=".5" y=".5" width="{num(w)}" height="{num(high - 1)}" rx="2" fill="var(--card)"/>'
    return f'{plate}<g class="in">{glyphs(MARKS[card], w / 2, 3, high - 6, _colour(card), w - 2)}</g>'


def _colour(card: int) -> str:
    """Return the colour of a type: numbers go from green through blue to red, karma cards are violet."""
    return "green" if card < 5 else "blue" if card < 10 else "red" if card < FIRST_KARMA else "violet"
