"""The drawing of Tarot: Roman numbers on the trumps, four suits with four court cards, the trick in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing.cards import back, backs, face, index, stack
from ....drawing.chart import Standing
from ....drawing.glyphs import glyphs
from ....drawing.layout import BACKS, CARD_H, CARD_W, GAP, Box, Spot, fan
from ....drawing.shapes import shape
from ....drawing.sheet import Sheet, card_box
from ....drawing.table import bottom, headline, hidden_card, others, panel, to_decide
from ....words.english import YOU, clause, in_digits, mentioned
from ..agents.standing import points
from ..material import CARDS, HAND, RANK_NAMES, SUIT_CARDS, TALON_SIZE, TRUMPS
from ..state import Episode, Phase, Place
from .events import came, events
from .sentences import CLASS_NAMES, roman, title, to_show

SUITS = (("wand", "green"), ("cup", "red"), ("sword", "blue"), ("pentacle", "amber"))
LEGEND = "Kn knight · Kv knave"  # of the letters on cards that other games do not have
COURTS = {"Kv": "hat", "Kn": "helm", "Q": "tiara", "K": "crown"}
TRUMP_SHAPES = (
    *("jester", "wand", "tiara", "rays", "crown", "mitre", "heart", "shield", "sword", "lamp", "wheel"),
    *("column", "hanged", "skull", "cup", "horns", "tower", "star", "moon", "sun", "trumpet", "wreath"),
)
WIDEST, ASIDE = 46.0, 6.0  # width of a card in a hand, and the gap before the cards that a hand shows
UNEVEN = 4  # most cards by which a row of whole suits may exceed half of a hand
EXPLAINED = (0, 1, TRUMPS - 1)  # trumps in the glossary: the Fool, the lowest and the highest
NUMERAL = 29.0  # right edge of the Roman number on a card
THIRD_HAND = 62.0  # height of the panel of the third hand
APART = 32.0  # gap between the cards of a trick, for the names above them
SEEN = NUMERAL / CARD_W  # part of a card under others that shows its number


def paint(sheet: Sheet, game: Game, state: States) -> None:
    """Draw the table: other seats on top, the trick in the middle, the observer below."""
    s, n = state[0], game.players
    hand = int(s["hand_no"]) + (not s["over"])
    rest = headline(
        sheet, f"Tarot · hand {hand} · trick {min(s['trick_no'] + 1, HAND)}", _now(sheet, game, state), LEGEND
    )
    for seat in others(sheet):
        above, rest = rest.top(104 if sheet.is_open else 58, 4)
        _seat(sheet, s, seat, above)
    middle, rest = rest.top(94, 4)
    _middle(sheet, s, n, middle)
    if sheet.is_open and n == 2:
        third, rest = rest.top(THIRD_HAND, 4)
        _third_hand(sheet, s, third)
    _seat(sheet, s, sheet.front, bottom(sheet, rest, 126))


def result(game: Game, state: States, names: Sequence[str]) -> str:
    """Return who won, in a game of one hand with the points of the hand."""
    s = state[0]
    if s["truncated"]:
        return "Stopped at the limit"
    won = clause(names, int(s["winner"]), "win") if s["winner"] >= 0 else "Nobody wins"
    if s["opt"]["episode"] == Episode.GAME:
        return won
    points_of = ", ".join(f"{mentioned(names, seat)} {s['points'][seat]}" for seat in range(game.players))
    return f"{won}: points of the hand: {points_of}"


def standing(game: Game, state: States) -> Standing:
    """Return the totals; the seat ahead in the hand also has what it would win if the hand ended now (T-70)."""
    return Standing("points", points(game, state)[0].tolist())


def _now(sheet: Sheet, game: Game, state: States) -> str:
    """Return the seat to decide and what it is doing; before the play, what it may show."""
    s = state[0]
    if game.phases[s["phase"]] == "DECLARE":
        return f"{sheet.names[s['seat']]} may show {CLASS_NAMES[s['cls']]}"
    return to_decide(sheet, game, state)


# The middle


class Trick(NamedTuple):
    """A finished trick: its cards in order of play, the seat that led, and the one that won."""

    cards: tuple[int, ...]
    leader: int
    winner: int


def stays(game: Game, before: States, action: int, after: States, previous: Trick | None) -> Trick | None:
    """Return the last trick of the hand after an action, None before the first one is finished."""
    was, event = before[0], events(before, action, after)[0]
    if event["winner"] >= 0:
        return Trick(tuple(event["trick"][: game.players].tolist()), int(was["leader"]), int(event["winner"]))
    return previous if was["phase"] == Phase.PLAY and was["trick_no"] else None


def _middle(sheet: Sheet, s: Any, n: int, box: Box) -> None:
    """Draw the trick with its seats, the last trick, and the cards set aside."""
    trick, last = s["trick"][: s["trick_n"]].tolist(), sheet.last.stays if sheet.last else None
    if sheet.last and not s["over"] and sheet.last.after["hand_no"][0] > sheet.last.before["hand_no"][0]:
        last = None  # it belongs to the hand before
    if last and not trick:
        _trick(sheet, n, last.leader, last.cards, box, last.winner)
    else:
        _trick(sheet, n, int(s["leader"]), trick, box)
        if last:
            place = Box(box.x, box.y, 82, box.h) if n > 2 else Box(box.x + 66, box.y, 60, box.h)  # where the talon was
            _last_trick(sheet, n, last, place)
    if n == 2 and not sheet.is_open:
        _aside(sheet, s, Place.THIRD, "third hand", Box(box.x, box.y, 64, box.h))
    _aside(sheet, s, Place.TALON, "talon", Box(box.x + (0 if n > 2 else 66), box.y, 66, box.h))
    _aside(sheet, s, Place.DISCARDED, "laid away", Box(box.x + box.w - 76, box.y, 76, box.h))


def _trick(sheet: Sheet, n: int, leader: int, cards: Sequence[int], box: Box, winner: int = -1) -> None:
    """Draw a trick with the names of its seats. A finished trick has its winner marked until the next card is led."""
    w, h = 46.0, 64.4
    start = box.x + (box.w - n * (w + APART)) / 2 + APART / 2
    for i in range(n):
        seat = (leader + i) % n
        spot = Spot(start + i * (w + APART), box.y + 14, w / CARD_W)
        won = seat == winner
        sheet.text(spot.x + w / 2, box.y + 10, sheet.names[seat], 8.2, "m" if won else "soft m", w + APART - 2)
        if won:
            words = "win" if sheet.names[seat] == YOU else "wins"
            sheet.text(spot.x + w / 2, box.y + 14 + h + 9, words, 8.2, "b m", w + APART - 2)
        if i < len(cards):
            mark = ("" if won else "dim") if winner >= 0 else "last" if i == len(cards) - 1 else ""
            sheet.use(_face(sheet, cards[i]), spot, _told(cards[i]), mark=mark)
        else:
            sheet.add(
                f'<rect x="{spot.x:.1f}" y="{spot.y:.1f}" width="{w}" height="{h}" rx="5" fill="none" '
                'stroke="var(--line)" stroke-dasharray="3 2.5"/>'
            )


def _last_trick(sheet: Sheet, n: int, last: Trick, box: Box) -> None:
    """Draw the trick before the one on the table, small, with the other cards than the one that won it pale."""
    sheet.text(box.x + box.w / 2, box.y + 10, "last trick", 8.2, "soft m", box.w)
    won = (last.winner - last.leader) % n
    for i, (card, spot) in enumerate(zip(last.cards, fan(Box(box.x, box.y + 14, box.w, 52), n, 28), strict=True)):
        name = sheet.names[(last.leader + i) % n]
        told = f"last trick, {name}: {title(card)}{', which won' if i == won else ''}"
        sheet.use(_face(sheet, card), spot, told, mark="" if i == won else "dim")


def _third_hand(sheet: Sheet, s: Any, box: Box) -> None:
    """Draw the cards that no seat plays with, for a reader who sees all cards."""
    cards = np.flatnonzero(s["loc"] == Place.THIRD).tolist()
    room = panel(sheet, box, "third hand", f"{in_digits(len(cards), 'card')}, out of play", turn=False, dim=True)
    for card, spot in zip(cards, fan(room, len(cards), WIDEST, SEEN), strict=True):
        sheet.use(_face(sheet, card), spot, f"third hand: {title(card)}")


def _aside(sheet: Sheet, s: Any, place: int, name: str, box: Box) -> None:
    """Draw a few face-down cards. The dealer sees the cards it laid away."""
    number = _cards_aside(s, place)
    if not number:
        return
    sheet.text(box.x + box.w / 2, box.y + 10, name, 8.2, "soft m")
    cards = np.flatnonzero(s["loc"] == place).tolist()
    if number > TALON_SIZE and not cards:
        stack(
            sheet,
            Spot(box.x + 14, box.y + 18, 0.7),
            number,
            sheet.symbol("back", back),
            f"{name} of {number} cards, face down",
        )
        return
    spots = fan(Box(box.x, box.y + 14, box.w, box.h - 16), number, 30, 0.6)
    for card, spot in zip(cards, spots, strict=False):
        sheet.use(_face(sheet, card), spot, f"{name}: {title(card)}")
    backs(sheet, spots[len(cards) :], f"{name}, face down")


def _cards_aside(s: Any, place: int) -> int:
    """Return the number of cards in a place that is hidden from some seats."""
    third, laid_away = HAND if s["seats"] == 2 else 0, int(s["discards_n"])
    if place == Place.THIRD:
        return third
    if place == Place.DISCARDED:
        return laid_away
    on_table = int((s["loc"] == Place.TRICK).sum() + (s["loc"] == Place.PLAYED).sum())
    return CARDS - third - laid_away - on_table - int(s["hand_n"].sum())


# Seats


def _seat(sheet: Sheet, s: Any, seat: int, box: Box) -> None:
    turn = seat == s["seat"] and not s["over"]
    dealer = "dealer · " if seat == s["dealer"] else ""
    tricks = in_digits(int(s["taken"][seat]), "trick")
    total = f" · total {s['totals'][seat]}" if s["opt"]["episode"] == Episode.GAME else ""
    facts = f"{dealer}{tricks} · {in_digits(int(s['points'][seat]), 'point')}{total}"
    room = panel(sheet, box, sheet.names[seat], facts, turn=turn, seat=seat)
    cards = np.flatnonzero(s["loc"] == seat).tolist()
    hidden, marked = int(s["hand_n"][seat]) - len(cards), _marked(sheet, s, seat)
    spots = _spots(room, hidden, cards)
    backs(sheet, spots[:hidden], hidden_card(sheet, seat))
    for card, spot in zip(cards, spots[hidden:], strict=True):
        shown = bool(s["exposed"][card])
        told = _told(card, ", shown to all" if shown else "")
        action = card if seat == s["seat"] else None
        if shown and action in sheet.legal:  # the gold edge lies around the edge of a card that may be played
            sheet.box(card_box(spot).inset(-2.2), "gold", "", round_=5)
        mark = "last" if card in marked else "shown" if shown and action not in sheet.legal else ""
        sheet.use(_face(sheet, card), spot, told, action=action, mark=mark)


def _spots(room: Box, hidden: int, cards: Sequence[int]) -> list[Spot]:
    """Return the spots of cards face down, close together, and then those of cards face up, with their numbers free."""
    if not hidden or not cards:
        return fan(room, hidden, WIDEST, BACKS) if hidden else _by_suit(room, cards)
    shown = len(cards)
    w = min(WIDEST, room.h * CARD_W / CARD_H)
    wanted = w * (1 + GAP) * shown
    covered, free = room.left(max(room.w - wanted, 2 * w) - ASIDE, ASIDE)
    return fan(covered, hidden, WIDEST, BACKS) + fan(free, shown, WIDEST, SEEN)


def _by_suit(room: Box, cards: Sequence[int]) -> list[Spot]:
    """Return the spots of cards face up. Two rows keep each suit together, unless one row would be far longer."""
    spots, n = fan(room, len(cards), WIDEST, SEEN), len(cards)
    ends = [i for i in range(1, n) if _suit(cards[i - 1]) != _suit(cards[i])]
    if not ends or spots[0].y == spots[-1].y:
        return spots
    first = min(ends, key=lambda end: max(end, n - end))
    longer = max(first, n - first)
    wider = fan(room, 2 * longer, WIDEST, SEEN)
    in_two_rows = wider[0].y == wider[longer - 1].y != wider[longer].y == wider[-1].y
    if longer > n / 2 + UNEVEN or not in_two_rows:
        return spots
    return wider[:first] + wider[longer : longer + n - first]


def _suit(card: int) -> int:
    return -1 if card < TRUMPS else (card - TRUMPS) // SUIT_CARDS


def _marked(sheet: Sheet, s: Any, seat: int) -> set[int]:
    """Return the cards of a hand to mark: those that a call shows, and those that came with the last action."""
    if s["phase"] == Phase.CALL and seat == s["seat"] and sheet.seat in (None, seat):
        return set(to_show(s))
    if not sheet.last or seat != sheet.seat:
        return set()
    was = sheet.last.before[0]
    if was["hand_no"] != s["hand_no"] or was["phase"] not in (Phase.CALL, Phase.ANSWER, Phase.RETURN):
        return set()
    return set(came(was, s, seat))


def _told(card: int, more: str = "") -> str:
    """Return the name of a card. A trump that the glossary does not explain says what it beats."""
    plain = card >= TRUMPS or card in EXPLAINED
    return f"{title(card)}{more}{'' if plain else ', a trump: it beats all plain cards and lower trumps'}"


# Faces


def _face(sheet: Sheet, card: int) -> str:
    return sheet.symbol(f"c{card}", lambda: _print_trump(card) if card < TRUMPS else _print(card))


def _print_trump(card: int) -> str:
    """Return the face of a trump: a frame, and the Roman number in the corner that other cards leave visible."""
    w, h = CARD_W - 8, CARD_H - 8
    frame = f'<rect x="4" y="4" width="{w}" height="{h}" rx="3" class="frame" stroke="var(--violet)"/>'
    number = glyphs(roman(card) or "0", NUMERAL - 11.5, 8, 15, "violet", 22)
    return face(frame + number + shape(TRUMP_SHAPES[card], 25, 46, 32, "violet"), "vellum")


def _print(card: int) -> str:
    suit, rank = divmod(card - TRUMPS, SUIT_CARDS)
    art, colour = SUITS[suit]
    name = RANK_NAMES[rank]
    inside = index(name, colour) + shape(art, 13, 34, 17, colour)
    if name in COURTS:
        return face(inside + shape(COURTS[name], 34, 20, 22, colour) + shape(art, 33, 50, 25, colour))
    return face(inside + shape(art, 32, 46, 33, colour))
