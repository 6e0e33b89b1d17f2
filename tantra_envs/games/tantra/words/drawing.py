"""Pictures of Tantra tables: the Display Card and the Wild Card, the piles, and the sets of each seat.

To discard, the reader first chooses a card of the hand (`data-choose`, its name). The discard pile then carries the
action (`data-for` that name). Sets carry the lay-offs that are legal on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing.cards import SUITS, back, backs, badge, empty, face, index, suited
from ....drawing.chart import Standing
from ....drawing.glyphs import glyphs
from ....drawing.layout import BACKS, CARD_H, CARD_W, Box, Spot, bounds, fan, spread
from ....drawing.shapes import shape
from ....drawing.sheet import Sheet
from ....drawing.table import NARROW, bottom, headline, hidden_card, others, panel, to_decide
from ....drawing.text import escape, wrap
from ....words.english import PLURALS, clause, counted, in_digits, number
from ..agents.standing import lacking
from ..material import (
    CARD_NAMES,
    DISPLAY_CARDS,
    DISPLAYS,
    JOKER,
    MAX_SETS,
    NATURALS,
    NINETEEN,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    TYPES,
    WILD,
    SetType,
)
from ..state import Mode
from .position_sets import cards_of
from .sentences import fitting
from .sentences import title as card_title

FLAGS = ("no buying", "no jokers", "no wilds", "identical in runs", "19 cards")  # worded as on the Display Cards
LETTERS, SHORT = 11.0, 80.0  # size of letters for which words are wrapped, width of a set with a label of two lines
LABEL = 11.0  # height of a line of such a label
ORDERS = ("suit", "rank")
HANDS = 0.27  # largest part of the panel of another seat for its hand, when it has sets
CORNERS = ((0.28, 0.3), (0.72, 0.3), (0.28, 0.7), (0.72, 0.7))  # of a card, for the signs of all suits
WORDS = 13.0  # height of a line of words on the Display Card
FEW = 5  # cards of such a hand that get all of this part
ROW_SHOWN = 0.62  # part of a card of a set that the next row of sets leaves visible: the rank and the suit
APART = 8.0  # gap between the hand and the sets of another seat


class Laid(NamedTuple):
    """A card in a set, with the rank that it stands for if that is another rank."""

    card: int
    stands_for: str = ""


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the Display Card and the piles at the top, then the other seats, then the reader's seat."""
    s, n = state[0], game.players
    sheet.width = max(sheet.width, 400 if n <= 4 else 520 if n <= 6 else 640)
    rest = headline(
        sheet, f"Tantra · round {s['round'] + (not s['over'])} · turn {s['turns']}", _now(sheet, game, state)
    )
    top, rest = rest.top(92, 4)
    _centre(sheet, game, s, top)
    columns = 1 if n <= 4 else 2
    rows = -(-(n - 1) // columns)
    high = 62 if columns == 1 else 72
    above, rest = rest.top(rows * high - 4, 4)
    for seat, box in zip(others(sheet), above.grid(n - 1, columns), strict=True):
        _seat(sheet, game, state, seat, box)
    _seat(sheet, game, state, sheet.front, bottom(sheet, rest, 124))


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Return the final scores as text."""
    s = state[0]
    scores = ", ".join(f"{name} {s['scores'][seat]}" for seat, name in enumerate(names))
    out = int(s["last"]["out"])
    return f"{'Stopped at the limit' if s['truncated'] or out < 0 else clause(names, out, 'go out')}: {scores}"


def standing(game: Game, state: States) -> Standing:
    """Return the scores, or the cards in hand in a game of one round."""
    s = state[0]
    if game.config["n_rounds"] == 1:
        return Standing("cards in hand", s["hand_n"][: game.players].tolist(), low=True)
    return Standing("points", s["scores"][: game.players].tolist(), low=bool(s["opt"]["low_score_wins"]))


def _now(sheet: Sheet, game: Game, state: States) -> str:
    """Return the headline: the seat that wants to buy, or the seat to decide."""
    s = state[0]
    if game.phases[s["phase"]] == "REPLY":
        asks, answers = clause(sheet.names, s["requester"], "ask"), clause(sheet.names, s["seat"], "answer")
        return f"{asks} to buy · {answers}"
    return to_decide(sheet, game, state)


# The middle


def _centre(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    display, rest = box.left(box.w - 166, 6)
    _display(sheet, s, display)
    wild, discard, stock = (Box(rest.x + i * 54, rest.y, 52, rest.h) for i in range(3))
    _wild(sheet, s, wild)
    _discard(sheet, game, s, discard)
    _stock(sheet, game, s, stock)


def _display(sheet: Sheet, s: Any, box: Box) -> None:
    """Draw the contract as cards: kinds side by side, runs as steps."""
    kinds, runs, flags = DISPLAY_CARDS[s["display"] - 1]
    words = [word for bit, word in enumerate(FLAGS) if flags >> bit & 1]
    if flags & NINETEEN:
        words[-1] = f"up to {words[-1]}: {counted(int(s['opt']['max_buys_19']), 'buy')}"
    sheet.add(f"<g><title>{escape(_contract(int(s['display']), words))}</title>")
    sheet.box(box, "vellum", "amber", 1.5)
    sheet.add("</g>")
    _printed(sheet, box.x + 6, box.y + 12, f"Display Card {s['display']}", box.w * 0.52, "b")
    if runs:
        _printed(sheet, box.x + box.w - 6, box.y + 12, "runs: any one suit", box.w * 0.4, "e")
    unbroken = " ".join(word.replace(" ", "_") for word in words)  # lines end between rules, not inside one
    for i, line in enumerate(lines := wrap(unbroken, LETTERS, box.w - 12, 2) if words else []):
        spaced = line.replace(" ", " · ").replace("_", " ")
        _printed(sheet, box.x + 6, box.y + 12 + WORDS * (i + 1), spaced, box.w - 12, "")
    above = 16 + WORDS * len(lines)
    sets = [(size, False) for size in kinds] + [(size, True) for size in runs]
    cells = Box(box.x + 4, box.y + above, box.w - 8, box.h - above - 4).grid(len(sets), min(5, len(sets)), 2)
    for (size, run), cell in zip(sets, cells, strict=True):
        _wanted(sheet, size, run, cell)


def _contract(display: int, words: Sequence[str]) -> str:
    """Return the words for a Display Card: "Display Card 12 of 44, two kinds of four, a run of three"."""
    kinds, runs, _ = DISPLAY_CARDS[display - 1]
    sets = [
        f"{counted(sizes.count(size), name) if sizes.count(size) > 1 else f'a {name}'} of {number(size)}"
        for name, sizes in (("kind", kinds), ("run", runs))
        for size in sorted(set(sizes))
    ]
    return f"Display Card {display} of {DISPLAYS}, {', '.join([*sets, *words])}"


def _wanted(sheet: Sheet, size: int, run: bool, box: Box) -> None:
    """Draw the shape of a set of the Display Card without ranks: cards of all suits, or a rising row of any suit."""
    w, rise = 21.0, 1.4 if run else 0.0
    step = min(w * 0.62, (box.w - w) / max(1, size - 1))
    high = w * CARD_H / CARD_W
    x = box.x + (box.w - w - step * (size - 1)) / 2
    words, used = number(size), high + rise * (size - 1)
    name = "run" if run else "kind"
    lines = ["run", f"of {size}"] if run else [f"{size} of", "a kind"]
    if box.w > SHORT or used + LABEL * len(lines) > box.h:
        lines = [f"{name} of {words}"]
    y = box.y + max(0, (box.h - LABEL * len(lines) - used) / 2) + rise * (size - 1)
    shape_of = "in a row, all of one suit, whichever it is" if run else "of one rank"
    told = f"a {name} of {words}: any {words} cards {shape_of}"
    for i in range(size):
        suit = SUIT_NAMES[i % len(SUIT_NAMES)]
        symbol = sheet.symbol("any", _print_any_suit) if run else sheet.symbol(f"any{suit}", partial(_print_any, suit))
        sheet.use(symbol, Spot(x + i * step, y - i * rise, w / CARD_W), told)
    for i, line in enumerate(reversed(lines)):
        _printed(sheet, box.x + box.w / 2, box.y + box.h - 1 - LABEL * i, line, box.w, "m")


def _printed(sheet: Sheet, x: float, y: float, words: str, room: float, style: str) -> None:
    """Print words on the Display Card, which is light in dark mode too."""
    sheet.text(x, y, words, 8.2, f"{style} p".strip(), room)


def _wild(sheet: Sheet, s: Any, box: Box) -> None:
    x = box.x + box.w / 2
    if s["wild"] < 0:
        sheet.text(x, box.y + 9, "no wild", 8.2, "soft m", box.w)
        return
    sheet.text(x, box.y + 9, "wild", 8.2, "soft m")
    told = f"wild cards, in this round the {PLURALS[RANK_NAMES[s['wild']]]}"
    sheet.use(_face(sheet, s, WILD), Spot(x - 19, box.y + 16, 0.76), told)


def _discard(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    """Draw the discard pile, or the peeked card while the seat in turn decides who gets it."""
    n, x = int(s["discard_n"]), box.x + box.w / 2
    phase = game.phases[s["phase"]]
    sheet.text(x, box.y + 9, "discard", 8.2, "soft m")
    spot = Spot(x - 19, box.y + 16, 0.76)
    if n:
        card = int(s["discard"][n - 1])
        action = game.actions["buy" if phase == "ASK" else "take"].start
        offered = action if phase in ("ASK", "DRAW") and action in sheet.legal else None
        mark = "last" if phase in ("ASK", "REPLY", "DRAW") and offered is None else ""
        sheet.use(_face(sheet, s, card), spot, f"discard: {card_title(s, card)}", action=offered, mark=mark)
        if phase == "ASK":
            sheet.offered.discard(action)  # a button beside "do not buy" offers it too
        badge(sheet, spot.x + 38, spot.y + 2, str(n))
    else:
        empty(sheet, spot)
    for card in range(TYPES):
        action = game.actions["discard"].start + card
        sheet.spot(bounds([spot], 2), action=action, choose=CARD_NAMES[card])


def _stock(sheet: Sheet, game: Game, s: Any, box: Box) -> None:
    """Draw the pick-up pile, face up if it was turned over because everybody has seen its cards."""
    n, x = int(s["stock_n"]), box.x + box.w / 2
    spot = Spot(x - 19, box.y + 16, 0.76)
    sheet.text(x, box.y + 9, "pick-up", 8.2, "soft m")
    peek = game.phases[s["phase"]] == "PEEK"
    if n == 0 and not peek:
        empty(sheet, spot)
        return
    if n:
        backs(sheet, [Spot(spot.x + 2, spot.y + 2, spot.scale)])
        known = sheet.is_open or bool(s["recycles"])
        title = f"pick-up pile of {counted(n, 'card')}" + (
            f", next {card_title(s, int(s['stock'][n - 1]))}" if known else ""
        )
        sheet.use(sheet.symbol("back", back), spot, title, action=game.actions["draw"].start)
    if peek:
        seen = s["peeked"] >= 0  # otherwise the reader does not see it
        symbol = _face(sheet, s, int(s["peeked"])) if seen else sheet.symbol("back", back)
        title = card_title(s, int(s["peeked"])) if seen else "a card only the seat in turn sees"
        sheet.use(symbol, Spot(spot.x - 4, spot.y + 4, spot.scale), f"looked at: {title}", mark="last")
    badge(sheet, spot.x + 38, spot.y + 2, str(n))


# Seats


def _seat(sheet: Sheet, game: Game, state: States, seat: int, box: Box) -> None:
    """Draw the hand and sets of a seat: side by side for other seats, one above the other for the reader."""
    s = state[0]
    buys = int(s["buys_used"][seat])
    facts = [in_digits(int(s["hand_n"][seat]), "card"), f"{buys} bought", f"score {s['scores'][seat]}"]
    phase = game.phases[s["phase"]]
    buying = {"REPLY": "asks to buy", "PEEK": "buys"}.get(phase)
    asks = [buying] if buying and seat == s["requester"] else []
    down = ["laid down"] if s["laid_turn"][seat] >= 0 else _distance(sheet, state, seat)
    turn = seat == s["seat"] and not s["over"]
    room = panel(
        sheet,
        box,
        sheet.names[seat],
        " · ".join([*asks, *down, *facts[: 3 if box.w > NARROW else 2]]),
        turn=turn,
        seat=seat,
    )
    laid = bool(s["sets"][seat * MAX_SETS : (seat + 1) * MAX_SETS]["kind"].any())
    if box.h > 100:
        sets, hand = room.top(40 if laid else 0, 3)
    else:
        few = min(1, int(s["hand_n"][seat]) / FEW)
        hand, sets = room.left(room.w * HANDS * few if laid else room.w, APART if few else 0)
    if laid:
        _sets(sheet, game, s, seat, sets)
    _hand(sheet, game, s, seat, hand)


def _distance(sheet: Sheet, state: States, seat: int) -> list[str]:
    """Return how many cards the reader's hand lacks for all sets, as a fact for the page of a table."""
    s = state[0]
    if not sheet.bare or seat != sheet.seat or s["mode"] != Mode.NOT_BUILDING or s["over"]:
        return []
    missing = lacking(state, seat)
    return [f"needs {in_digits(missing, 'card')}" if missing else "has all sets"]


def _hand(sheet: Sheet, game: Game, s: Any, seat: int, box: Box) -> None:
    counts = np.maximum(s["hands"][seat], s["known"][:, seat].max(axis=0))  # of other hands, cards known to the reader
    cards = [card for card, count in enumerate(counts.tolist()) for _ in range(count)]
    if sheet.order == "rank":  # cards of one rank stand together, and wild cards at the end
        cards.sort(key=lambda card: (card >= NATURALS, card % RANKS, card))
    hidden = int(s["hand_n"][seat]) - len(cards)
    spots = fan(box, hidden + len(cards), 42, 0.5 if cards else BACKS)
    backs(sheet, spots[:hidden], hidden_card(sheet, seat))
    place = game.actions["place"].start if game.phases[s["phase"]] == "PLACE" else game.actions["discard"].start
    direct = game.phases[s["phase"]] == "PLACE"
    for card, spot in zip(cards, spots[hidden:], strict=True):
        may = seat == s["seat"] and place + card in sheet.legal
        sheet.use(
            _face(sheet, s, card), spot, card_title(s, card), action=place + card if may and direct else None,
            choose=CARD_NAMES[card] if may and not direct else "",
        )  # fmt: skip


def _sets(sheet: Sheet, game: Game, s: Any, seat: int, box: Box) -> None:
    """Draw the sets of a seat and mark the legal lay-offs."""
    slots = [slot for slot in range(MAX_SETS) if s["sets"][seat * MAX_SETS + slot]["kind"]]
    sets = [_laid(s["sets"][seat * MAX_SETS + slot]) for slot in slots]
    shown = 1.0 if game.players <= 4 else ROW_SHOWN
    for slot, cards, spots in zip(slots, sets, spread(box, [len(cards) for cards in sets], 36, shown), strict=True):
        for (card, stands_for), spot in zip(cards, spots, strict=True):
            told = card_title(s, card) + (f" as {stands_for}" if stands_for else "")
            sheet.use(_face(sheet, s, card), spot, told)
            if stands_for:
                _stands_for(sheet, spot, stands_for, 55 if shown == 1 else 31)
        if spots:
            _lay_off(sheet, game, s, seat, slot, bounds(spots, 1))


def _laid(lies: Any) -> list[Laid]:
    """Return the cards of a set in their order."""
    if lies["kind"] == SetType.KIND:
        return [Laid(card) for card in cards_of(lies)]
    return [
        Laid(card, "" if card < NATURALS and card % RANKS == place % RANKS else RANK_NAMES[place % RANKS])
        for place, card in enumerate(cards_of(lies), start=int(lies["lo"]) - 1)
    ]


def _stands_for(sheet: Sheet, spot: Spot, rank: str, high: float) -> None:
    """Draw the rank that a wild card or a duplicate stands for in a run, `high` units below the top of the card."""
    plate = f'<circle r="11" fill="var(--soft)"/>{glyphs(rank, 0, -6, 12, "panel", 15)}'
    symbol = sheet.symbol(f"as{rank}", lambda: f'<g class="in">{plate}</g>')
    sheet.use(symbol, (spot.x + 13 * spot.scale, spot.y + high * spot.scale, spot.scale))


def _lay_off(sheet: Sheet, game: Game, s: Any, seat: int, slot: int, area: Box) -> None:
    ahead = (seat - int(s["turn"])) % game.players
    first = game.actions["lay_off"].start + 2 * (MAX_SETS * ahead + slot)
    if s["sets"][seat * MAX_SETS + slot]["kind"] == SetType.RUN:
        low, high = area.left(area.w / 2)
        halves = [low, high]
    else:
        halves = [area]
    for end, half in enumerate(halves):
        sheet.spot(half, action=first + end)
        _add_chosen(sheet, game, half, first + end, fitting(s, seat, slot, end))


def _add_chosen(sheet: Sheet, game: Game, area: Box, action: int, cards: Sequence[int]) -> None:
    """Offer a lay-off also for each card of the hand that fits, once it has been picked up."""
    if action in sheet.legal:
        for card in cards:
            if game.actions["discard"].start + card in sheet.legal:
                sheet.spot(area, action=action, choose=CARD_NAMES[card])


# Faces


def _face(sheet: Sheet, s: Any, card: int) -> str:
    return sheet.symbol(f"c{card}", lambda: _print(card, RANK_NAMES[s["wild"]] if s["wild"] >= 0 else ""))


def _print_any(suit: str) -> str:
    """Draw a card of any rank."""
    name, colour = SUITS[suit]
    return face(shape(name, CARD_W / 2, CARD_H / 2, 32, colour))


def _print_any_suit() -> str:
    """Draw a card of any suit and rank, by a small sign of every suit."""
    signs = [(*SUITS[suit], *place) for suit, place in zip(SUIT_NAMES, CORNERS, strict=True)]
    return face("".join(shape(name, x * CARD_W, y * CARD_H, 17, colour) for name, colour, x, y in signs))


def _print(card: int, wild: str) -> str:
    """Draw a card; wild cards show their rank on gold."""
    if card == JOKER:
        return face(shape("jester", 13.5, 15, 19, "violet") + shape("jester", 29, 44, 36, "violet"), "card")
    if card == WILD:
        return face(
            index(wild, "violet") + shape("rays", 13, 32, 14, "violet") + shape("rays", 30, 47, 34, "violet"), "gold"
        )
    return suited(RANK_NAMES[card % RANKS], SUIT_NAMES[card // RANKS])
