"""Tarot tables as dicts: the notation of places, givers and finished hands, and what follows from other fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.decks import Decks
from ....core.game import Game
from ....core.notation import named, read_card, read_cards, read_cards_by_seat, read_integers, refuse
from ....core.positions import Entry, Positions, fill_in
from ....core.state import States
from ..material import CARD_NAMES, CARDS, FOOL, MOST_POINTS, SMALL_DECKS, TRICKS
from ..state import FIELDS, Phase, Place

CALLING = (Phase.ANSWER, Phase.RETURN)
RECKONING = (Phase.DECLARE, Phase.CALL, *CALLING)
PILES = {"discards": Place.DISCARDED, "talon": Place.TALON, "dead": Place.THIRD}
POINTS = range(MOST_POINTS + 1)  # of a seat in one hand


def _copies(s: Any) -> list[int]:
    """Return how many of each card the deck has: one, or none in a smaller deck (T-13)."""
    small = int(s["opt"]["deck_cards"])
    return SMALL_DECKS[small].tolist() if small else [1] * CARDS


DECKS = Decks(CARD_NAMES, _copies)


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    state = game.blank.copy()
    s, n = state[0], game.players
    s["phase"], s["loc"], s["dealer"] = Phase.PLAY, Place.PLAYED, n - 1
    NOTATION.read(game, position, state)
    _put(s, "trick", s["trick"][: s["trick_n"]].tolist(), Place.TRICK)
    s["hand_n"][:n] = [(s["loc"] == seat).sum() for seat in range(n)]
    s["discards_n"] = (s["loc"] == Place.DISCARDED).sum()
    if position.get("rng") is None:
        s["rewards"] = 0.0
    fill_in(position, s, leader=(s["dealer"] + 1) % n, trick_no=max(0, TRICKS - int(s["hand_n"].max())))
    if position.get("points") is None and s["loc"][FOOL] == Place.TRICK:  # it has scored (T-62)
        s["points"][(s["leader"] + s["trick"].tolist().index(FOOL)) % n] = s["opt"]["fool_points"]
    _find_turn(position, s)
    NOTATION.compare(position, state)
    return state


def _find_turn(position: Mapping[str, Any], s: Any) -> None:
    """Find out who declares, who is called upon and who is to decide, where the position does not say it."""
    n, phase = int(s["seats"]), int(s["phase"])
    cur = int(s["seat"]) if "cur" in position else -1
    asker = position.get("asker", -1)
    declares = asker if phase in CALLING and asker in range(n) else -1 if phase == Phase.ANSWER else cur
    if phase in RECKONING and declares >= 0:
        fill_in(position, s, declarer_no=(declares - int(s["dealer"]) - 1) % n)
    if phase in CALLING and s["replier"] < 0:
        s["replier"] = cur if phase == Phase.ANSWER and cur >= 0 else (declarer_of(s) + 1) % n
    if cur < 0:
        s["seat"] = seat_to_decide(s, n)


def declarer_of(s: Any) -> Any:
    """Return the seat that declares, and in a call asks; `s` is a table, or many of them."""
    return (s["dealer"].astype(int) + 1 + s["declarer_no"]) % s["seats"]


def seat_to_decide(s: Any, n: int) -> Any:
    """Return the seat to decide by the phase; `s` is a table, or many of them."""
    seat = np.where(np.isin(s["phase"], RECKONING), declarer_of(s), (s["leader"].astype(int) + s["trick_n"]) % n)
    seat = np.where(s["phase"] == Phase.DISCARD, s["dealer"], seat)
    return np.where(s["phase"] == Phase.ANSWER, s["replier"], seat)


# Cards


def cards_at(s: Any, place: int) -> list[str]:
    """Return the names of the cards in a place, ascending."""
    return named(np.flatnonzero(s["loc"] == place), CARD_NAMES)


def trick_names(s: Any) -> list[str]:
    """Return the names of the cards of the trick, in order of play."""
    return named(s["trick"][: s["trick_n"]], CARD_NAMES)


def _put(s: Any, field: str, cards: list[int], place: int) -> None:
    """Put cards into a place. Cards that are not named are in finished tricks."""
    for card in cards:
        if s["loc"][card] != Place.PLAYED:
            raise refuse(field, named(cards, CARD_NAMES), f"every card once; {CARD_NAMES[card]} is used twice")
        s["loc"][card] = place


def _read_hands(value: Any, s: Any) -> None:
    for seat, cards in enumerate(read_cards_by_seat({"hands": value}, "hands", int(s["seats"]), CARD_NAMES)):
        _put(s, f"hands[{seat}]", cards, seat)


def _pile(field: str, place: int) -> Entry:
    """Return the entry of the cards in a place that is no hand."""
    return Entry(
        field,
        lambda s: cards_at(s, place),
        lambda value, s: _put(s, field, read_cards(field, value, CARD_NAMES), place),
    )


def _read_givers(value: Any, s: Any) -> None:
    if not isinstance(value, Mapping):
        raise refuse("giver", value, "a dict of card: seat that gave it away")
    for name, seat in value.items():
        card = read_card("giver", name, CARD_NAMES)
        if type(seat) is not int or seat not in range(int(s["seats"])) or s["giver"][card] >= 0:
            raise refuse("giver", {name: seat}, f"a seat 0..{s['seats'] - 1}, and each card once")
        s["giver"][card] = seat


# Finished hands


def _history(s: Any) -> list[list[int]]:
    """Return the net scores of the finished hands, by seat."""
    return [
        [int(s["scored"][hand]) if seat == s["scorer"][hand] else 0 for seat in range(s["seats"])]
        for hand in range(s["hand_no"])
    ]


def _read_history(value: Any, s: Any) -> None:
    n, hands = int(s["seats"]), int(s["hand_no"])
    allowed = f"{hands} lists of {n} net scores, of which one may be above zero"
    if not isinstance(value, (list, tuple)) or len(value) not in (0, hands):
        raise refuse("history", value, allowed)
    for hand, given in enumerate(value):
        net = read_integers({f"history[{hand}]": given}, f"history[{hand}]", n, POINTS)
        if net is None or sum(map(bool, net)) > 1:
            raise refuse("history", value, allowed)
        s["scored"][hand], s["scorer"][hand] = max(net), net.index(max(net))


NOTATION = Positions(
    FIELDS,
    "config phase cur dealer leader hands trick trick_no discards talon dead exposed giver void no_tarot points totals "
    "taken hand_no history declarer_no class asker replier tarots_shown moves winner rewards truncated",
    Entry("hands", lambda s: [cards_at(s, seat) for seat in range(s["seats"])], _read_hands),
    *(_pile(field, place) for field, place in PILES.items()),
    Entry(
        "giver",
        lambda s: {CARD_NAMES[card]: int(seat) for card, seat in enumerate(s["giver"]) if seat >= 0},
        _read_givers,
    ),
    Entry("history", _history, _read_history),
    Entry("asker", lambda s: int(declarer_of(s)) if s["phase"] in CALLING else -1),
    DECKS.entry,
    full="rng decks",
)
position = NOTATION.write
