"""The drawing of Karma: three zones for each seat, the draw pile, the pile with its run, and the cards gone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing.cards import back, backs, badge, empty, face, index, stack
from ....drawing.chart import Standing
from ....drawing.glyphs import glyphs
from ....drawing.layout import BACKS, CARD_H, CARD_W, Box, Spot, bounds, fan
from ....drawing.shapes import shape
from ....drawing.sheet import Sheet, num
from ....drawing.table import bottom, headline, hidden_card, others, panel, to_decide
from ....words.english import clause, counted, inner_clause, owner
from ..agents.standing import points
from ..material import CARD_NAMES, FIRST_KARMA, TABLE_CARDS, TYPES
from ..state import Phase, Reward
from .sentences import CARDS, KARMA

SHAPES = {"GIVE": "gift", "TABLE": "table", "BOTTOMS": "flip", "FIVE": "down"}
TITLES = [name if CARD_NAMES[card] in KARMA else f"number {name}" for card, name in enumerate(CARDS)]
MARKS = [KARMA[name][1] if name in KARMA else name for name in CARD_NAMES]  # in the corner of each card
SHOWN = 8  # cards of the pile that are drawn
GONE = 112.0  # width of the cards that left the game
LABEL = 12.0  # height of the words above the table cards
GONE_SHOWN = 4  # most of them that are drawn of a type


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the table: other seats on top, the piles in the middle, the observer below."""
    s, n = state[0], game.players
    sheet.width = max(sheet.width, 400 if n <= 4 else 520 if n <= 7 else 640)
    rest = headline(sheet, f"Karma · move {s['plies']}", to_decide(sheet, game, state))
    columns = n - 1 if n <= 4 else 3 if n <= 7 else 4
    rows = -(-(n - 1) // columns)
    above, rest = rest.top(rows * 124 - 4, 4)
    middle, rest = rest.top(76, 4)
    for seat, box in zip(others(sheet), above.grid(n - 1, columns), strict=True):
        _seat(sheet, game, state, seat, box)
    _piles(sheet, game, s, middle)
    _seat(sheet, game, state, sheet.front, bottom(sheet, rest, 102))


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Return who lost."""
    s = state[0]
    return "Stopped at the limit: nobody wins" if s["truncated"] else clause(names, int(s["loser"]), "lose")


def standing(game: Game, state: States) -> Standing:
    """Return the cards left at every seat."""
    return Standing("cards left", (-points(game, state)[0]).tolist(), low=True)


# The piles


def _piles(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    draw, rest = box.left(64)
    gone = Box(rest.x + rest.w - GONE, rest.y, GONE, rest.h)
    spot = Spot(draw.x + 14, draw.y + 14, 0.76)
    sheet.text(draw.x + 32, draw.y + 8, "draw pile", 8.2, "soft m")
    stack(
        sheet, spot, int(s["draw_n"]), sheet.symbol("back", back), f"draw pile of {counted(int(s['draw_n']), 'card')}"
    )
    _gone(sheet, s, gone)
    _pile(sheet, game, s, Box(rest.x + 6, rest.y, rest.w - GONE - 12, rest.h))


def _gone(sheet: Sheet, s: Any, box: Box) -> None:
    """Draw the cards that left the game: a small pile for each type."""
    gone = [(card, count) for card, count in enumerate(s["gone"].tolist()) if count]
    total = sum(count for _, count in gone)
    sheet.text(box.x + box.w / 2, box.y + 8, f"gone: {total}" if gone else "gone", 8.2, "soft m")
    cells = Box(box.x, box.y + 13, box.w, box.h - 14).grid(TYPES, 5, 2)
    for (card, count), cell in zip(gone, cells, strict=False):
        high = cell.h - 1
        symbol = sheet.symbol(f"g{card}", partial(_print_gone, card, high))
        title = f"{TITLES[card]}: {counted(count, 'card')} left the game"
        for k in reversed(range(min(count, GONE_SHOWN))):
            sheet.use(symbol, (cell.x + 3 * k, cell.y, 1), title)


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
        sheet.use(_face(sheet, card), spot, f"{TITLES[card]}, on the pile", mark="last" if last else "")
    if len(pile) > SHOWN:
        badge(sheet, spots[0].x, spots[0].y + 4, f"+{len(pile) - SHOWN}")
    sheet.spot(bounds(spots, 2), action=game.actions["pickup"].start)


# Seats


def _seat(sheet: Sheet, game: Game, state: States, seat: int, box: Box) -> None:
    """Draw a hand and the table cards: face-up cards lie on face-down ones."""
    s = state[0]
    out = s["out"][: s["out_n"]].tolist()
    place = f", place {out.index(seat) + 1}" if seat in out and s["opt"]["reward"] == Reward.PLACEMENT else ""
    seen = int(s["known"][seat].sum()) if sheet.seat not in (None, seat) else 0  # by all, for other readers
    in_hand = f"{s['hand_n'][seat]} in hand{f', {seen} seen' if seen else ''}"
    facts = f"out{place}" if seat in out else in_hand
    turn = seat == s["seat"] and not s["over"]
    room = panel(sheet, box, sheet.names[seat], facts, turn=turn, dim=seat in out, seat=seat)
    wide = room.w > 300
    hand, table = room.left(room.w - 146, 6) if wide else room.top(room.h * 0.4, 3)
    _hand(sheet, game, s, seat, hand, 48 if wide else 24)
    _table(sheet, game, s, seat, table, 42 if wide else 24)
    give = game.actions["give"].start + (seat - int(s["seat"]) - 1) % game.players
    if seat != s["seat"] and game.phases[s["phase"]] == "TARGET":
        sheet.spot(box, action=give)


def _hand(sheet: Sheet, game: Game, s: Any, seat: int, box: Box, widest: float) -> None:
    """Draw the cards of a hand. The k-th card of a type plays k of them. Of other hands only known cards are open."""
    counts = np.maximum(s["hands"][seat], s["known"][seat]).tolist()
    hidden = int(s["hand_n"][seat]) - sum(counts)
    spots = fan(box, sum(counts) + hidden, widest, 0.46 if any(counts) else BACKS)
    playable = game.phases[s["phase"]] != "FOLLOW"
    more = ", seen by all when it came into this hand" if sheet.seat not in (None, seat) else ""
    _cards(sheet, s, seat, counts, spots[hidden:], playable, more)
    backs(sheet, spots[:hidden], hidden_card(sheet, seat))


def _cards(
    sheet: Sheet, s: Any, seat: int, counts: list[int], spots: Sequence[Spot], playable: bool, more: str = ""
) -> None:
    """Draw cards by type, and below each that plays several how many it plays."""
    at = iter(spots)
    for card, count in enumerate(counts):
        for k in range(count):
            action, spot = _click(sheet, s, card, k) if playable and seat == s["seat"] else None, next(at)
            does = more if action is None else f": {sheet.phrase(action)}"
            sheet.use(_face(sheet, card), spot, f"{TITLES[card]}{does}", action=action)
            if k and action is not None and s["phase"] != Phase.SETUP:
                badge(sheet, spot.x + 8, spot.y + CARD_H * spot.scale - 5, f"x{k + 1}", "go")


def _click(sheet: Sheet, s: Any, card: int, k: int) -> int | None:
    """Return the legal action of the k-th card of a type, from 0: it plays k + 1 of them, in SETUP only itself."""
    if s["phase"] != Phase.SETUP:
        if k >= s["opt"]["clear_set"]:
            return None
        card += TYPES * k
    return card if card in sheet.legal else None


def _table(sheet: Sheet, game: Game, s: Any, seat: int, box: Box, widest: float) -> None:
    up = s["up"][seat].tolist()
    n_up, n_down = int(s["up_n"][seat]), int(s["down_n"][seat])
    if n_down:
        label = f"{f'{n_up} up, ' if n_up else ''}{n_down} face down"
        sheet.text(box.x + box.w / 2, box.y + 9, label, 8.2, "soft m", box.w)
    box = box.top(LABEL)[1]
    scale = min(widest / CARD_W, (box.h - 6) / 70, (box.w - 12) / (3.2 * CARD_W))
    step = min(CARD_W * scale * 1.1, (box.w - CARD_W * scale) / TABLE_CARDS)
    n, ahead = max(n_up, n_down), 3 if n_up else 0  # face-up cards lie a little to the right
    x = box.x + (box.w - step * (n - 1) - CARD_W * scale - ahead) / 2
    spots = [Spot(x + i * step, box.y, scale) for i in range(n)]
    _face_down(sheet, game, s, seat, spots[:n_down])
    above = [Spot(spot.x + ahead, spot.y + 6, scale) for spot in spots[:n_up]]
    if any(up):
        _cards(sheet, s, seat, up, above, game.phases[s["phase"]] == "FOLLOW" or s["hand_n"][seat] == 0)
    else:
        backs(sheet, above, f"a card that {inner_clause(sheet.names, seat, 'have')} chosen, hidden")


def _face_down(sheet: Sheet, game: Game, s: Any, seat: int, spots: Sequence[Spot]) -> None:
    """Draw the face-down cards, the next one to flip last. Faces are shown only if all cards are open."""
    own = seat == s["seat"]
    for i, spot in enumerate(spots):
        if sheet.is_open and s["up_n"][seat] == 0:
            symbol, title = _face(sheet, int(s["down"][seat][i])), f"{TITLES[s['down'][seat][i]]}, lying face down"
        else:
            symbol, title = sheet.symbol("back", back), f"{owner(sheet.names, seat)} face-down card"
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
