"""Reads Tarot tables from dicts, to set up any position. Every error is a ValueError that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game
from ...core.notation import named
from ...core.state import States
from .material import (
    CARD_NAMES,
    CARDS,
    FOOL,
    FOOL_WORTH,
    IS_TAROT,
    MAX_DECKS,
    NO_SUIT,
    SUIT_OF,
    SUITS,
    TALON_SIZE,
    TAROTS,
    TRICKS,
)
from .positions import cards_at, declarer_of
from .rules import settle
from .state import CLASSES, PHASES, Phase, Place
from .view import LARGEST_HAND, MOST_POINTS

FIELDS = (
    *("config", "phase", "cur", "dealer", "leader", "hands", "trick", "trick_no", "discards", "talon", "dead"),
    *("exposed", "giver", "void", "no_tarot", "points", "totals", "taken", "hand_no", "history", "declarer_no"),
    *("class", "asker", "replier", "tarots_shown", "moves", "winner", "rewards", "truncated", "rng", "decks"),
)
RECKONING = (Phase.DECLARE, Phase.CALL, Phase.ANSWER, Phase.RETURN)
CALLING = (Phase.ANSWER, Phase.RETURN)
MOVES = range(2**30)
PILES = {  # place, largest number of cards
    "discards": (Place.DISCARDED, TALON_SIZE),
    "talon": (Place.TALON, TALON_SIZE),
    "dead": (Place.THIRD, CARDS),
}
POINTS = range(MOST_POINTS + 1)  # of a seat in one hand


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes, after forced steps; raise ValueError with the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    state = game.blank.copy()
    s, n = state[0], game.players
    s["phase"] = read.read_choice(position, "phase", "PLAY", PHASES)
    s["dealer"] = read.read_int(position, "dealer", n - 1, range(n))
    s["leader"] = read.read_int(position, "leader", (int(s["dealer"]) + 1) % n, range(n))
    s["hand_no"] = read.read_int(position, "hand_no", 0, range(int(s["opt"]["max_hands"]) + 1))
    s["plies"] = read.read_int(position, "moves", 0, MOVES)
    _read_places(position, s)
    _read_trick(position, s)
    _read_points(position, s)
    _read_history(position, s)
    _read_exposed(position, s)
    _read_givers(position, s)
    _read_lacking(position, s)
    _read_reckoning(position, s)
    _read_call(position, s)
    _read_turn(position, s)
    _read_end(position, s)
    read.read_stream(position, s)
    _read_decks(position, s)
    if not s["over"]:
        _check_goes_on(position, s)
        _check_can_act(position, s)
        _settle(state)
    return state


# Cards


def _read_places(position: Mapping[str, Any], s: Any) -> None:
    """Read hands, discards, talon and third hand. Cards that are not named are in finished tricks."""
    s["loc"] = Place.PLAYED
    for seat, cards in enumerate(read.read_cards_by_seat(position, "hands", int(s["seats"]), CARD_NAMES)):
        _put(s, f"hands[{seat}]", cards, seat)
        s["hand_n"][seat] = len(cards)
    for field, (place, most) in PILES.items():
        cards = read.read_cards(field, position.get(field, []), CARD_NAMES)
        if len(cards) > most:
            raise read.refuse(field, named(cards, CARD_NAMES), f"at most {most} cards")
        _put(s, field, cards, place)
    s["discards_n"] = (s["loc"] == Place.DISCARDED).sum()


def _put(s: Any, field: str, cards: list[int], place: int) -> None:
    for card in cards:
        if s["loc"][card] != Place.PLAYED:
            raise read.refuse(field, named(cards, CARD_NAMES), f"every card once; {CARD_NAMES[card]} is used twice")
        s["loc"][card] = place


def _read_trick(position: Mapping[str, Any], s: Any) -> None:
    n, cards = int(s["seats"]), read.read_cards("trick", position.get("trick", []), CARD_NAMES)
    if cards and s["phase"] not in (Phase.PLAY, Phase.OVER):
        raise read.refuse("trick", position["trick"], "no cards before PLAY")
    if len(cards) >= n:
        raise read.refuse("trick", position["trick"], f"at most {n - 1} cards: a full trick is taken at once")
    _put(s, "trick", cards, Place.TRICK)
    s["trick"][: len(cards)], s["trick_n"] = cards, len(cards)
    fewest = max(0, TRICKS - int(s["hand_n"][:n].max()))
    s["trick_no"] = read.read_int(position, "trick_no", fewest, range(TRICKS + 1))
    s["taken"][:n] = read.read_integers(position, "taken", n, range(int(s["trick_no"]) + 1)) or 0
    if s["taken"].sum() > s["trick_no"]:
        raise read.refuse("taken", position["taken"], f"at most the {s['trick_no']} finished tricks in all")


# Scores


def _read_points(position: Mapping[str, Any], s: Any) -> None:
    """Read the points of this hand. By default they are 0, except that a Fool on the table has scored (T-62)."""
    n, most = int(s["seats"]), int(s["opt"]["target"]) + MOST_POINTS
    points = read.read_integers(position, "points", n, POINTS)
    if points is not None:
        s["points"][:n] = points
    elif s["loc"][FOOL] == Place.TRICK:
        s["points"][(s["leader"] + s["trick"].tolist().index(FOOL)) % n] = FOOL_WORTH
    s["totals"][:n] = read.read_integers(position, "totals", n, range(most)) or 0


def _read_history(position: Mapping[str, Any], s: Any) -> None:
    """Read the net scores of finished hands; missing ones are zero."""
    n, hands = int(s["seats"]), int(s["hand_no"])
    history = position.get("history", [])
    allowed = f"{hands} lists of {n} net scores, of which one may be above zero"
    if not isinstance(history, (list, tuple)) or len(history) not in (0, hands):
        raise read.refuse("history", history, allowed)
    for hand, given in enumerate(history):
        net = read.read_integers({f"history[{hand}]": given}, f"history[{hand}]", n, POINTS)
        if net is None or sum(map(bool, net)) > 1:
            raise read.refuse("history", history, allowed)
        s["scored"][hand], s["scorer"][hand] = max(net), net.index(max(net))
    if any(s["scored"][s["scorer"] == seat].sum() > s["totals"][seat] for seat in range(n)):
        raise read.refuse("history", history, "no more for a seat than its total")


# Knowledge


def _read_exposed(position: Mapping[str, Any], s: Any) -> None:
    for card in read.read_cards("exposed", position.get("exposed", []), CARD_NAMES):
        if s["loc"][card] >= s["seats"] or s["exposed"][card]:
            raise read.refuse("exposed", CARD_NAMES[card], "cards in a hand, each once")
        s["exposed"][card] = 1


def _read_givers(position: Mapping[str, Any], s: Any) -> None:
    n, givers = int(s["seats"]), position.get("giver", {})
    s["giver"] = -1
    if not isinstance(givers, Mapping):
        raise read.refuse("giver", givers, "a dict of card: seat that gave it away")
    for name, seat in givers.items():
        card = read.read_card("giver", name, CARD_NAMES)
        holder = int(s["loc"][card])
        if holder >= n or s["giver"][card] >= 0:
            raise read.refuse("giver", name, "cards in a hand, each once")
        if type(seat) is not int or seat not in range(n) or seat == holder:
            raise read.refuse("giver", {name: seat}, f"a seat 0..{n - 1} other than its holder {holder}")
        s["giver"][card] = seat


def _read_lacking(position: Mapping[str, Any], s: Any) -> None:
    """Read `void` and `no_tarot`: the suits and Tarot Trumps that a seat is known to lack."""
    n = int(s["seats"])
    voids = position.get("void", [None] * n)
    if not isinstance(voids, (list, tuple)) or len(voids) != n:
        raise read.refuse("void", voids, f"{n} lists of {SUITS} numbers 0 or 1")
    for seat, void in enumerate(voids):
        s["void"][seat] = read.read_integers({f"void[{seat}]": void}, f"void[{seat}]", SUITS, range(2)) or 0
    s["no_tarot"][:n] = read.read_integers(position, "no_tarot", n, range(2)) or 0
    for card in np.flatnonzero(s["loc"] < n).tolist():
        seat, suit = int(s["loc"][card]), int(SUIT_OF[card])
        if suit != NO_SUIT and s["void"][seat][suit]:
            raise read.refuse(f"void[{seat}]", voids[seat], f"no suit of which it holds a card: {CARD_NAMES[card]}")
        if IS_TAROT[card] and s["no_tarot"][seat]:
            raise read.refuse("no_tarot", position["no_tarot"], f"0 for seat {seat}, which holds a Tarot Trump")


# Whose turn


def _read_reckoning(position: Mapping[str, Any], s: Any) -> None:
    """Read which seat declares, and which class."""
    n, phase, cls = int(s["seats"]), int(s["phase"]), position.get("class")
    if cls is not None and not (isinstance(cls, str) and cls in CLASSES and phase == Phase.DECLARE):
        raise read.refuse("class", cls, f"null; in DECLARE one of {', '.join(CLASSES)}")
    s["cls"] = CLASSES.index(cls) if cls is not None else -1
    s["tarots_shown"] = read.read_flag(position, "tarots_shown", False)
    if s["tarots_shown"] and phase not in RECKONING:
        raise read.refuse("tarots_shown", True, "false but while the hands are reckoned")
    seats = range(n if phase in RECKONING else 1)
    s["declarer_no"] = read.read_int(position, "declarer_no", _default_declarer_no(position, s), seats)


def _default_declarer_no(position: Mapping[str, Any], s: Any) -> int:
    """Return the declarer by the asker or the seat to decide if they are given, else the dealer's left."""
    fields: dict[int, tuple[str, ...]] = {
        Phase.DECLARE: ("cur",),
        Phase.CALL: ("cur",),
        Phase.ANSWER: ("asker",),
        Phase.RETURN: ("asker", "cur"),
    }
    for field in fields.get(int(s["phase"]), ()):
        seat = _given_seat(position, field, s)
        if seat >= 0:
            return (seat - int(s["dealer"]) - 1) % int(s["seats"])
    return 0


def _given_seat(position: Mapping[str, Any], field: str, s: Any) -> int:
    """Return a seat, or -1 if the field is missing or names nobody."""
    return read.read_int(position, field, -1, range(-1, int(s["seats"])))


def _read_call(position: Mapping[str, Any], s: Any) -> None:
    """Read who calls upon whom: the declarer is the asker. Without a call there is neither."""
    n, asker, calling = int(s["seats"]), declarer_of(s), s["phase"] in CALLING
    s["replier"] = -1
    for field in ("asker", "replier"):
        if _given_seat(position, field, s) >= 0 and not calling:
            raise read.refuse(field, position[field], "-1 but in ANSWER and RETURN")
    if not calling:
        return
    if _given_seat(position, "asker", s) not in (-1, asker):
        raise read.refuse("asker", position["asker"], f"the declarer, seat {asker}")
    replier = _given_seat(position, "replier", s)
    if replier < 0 and s["phase"] == Phase.ANSWER:
        replier = _given_seat(position, "cur", s)
    s["replier"] = replier if replier >= 0 else (asker + 1) % n
    if s["replier"] == asker:
        raise read.refuse("replier", asker, "a seat other than the asker")


def _read_turn(position: Mapping[str, Any], s: Any) -> None:
    """Read `cur`. It follows from the phase; a given value must agree."""
    n, phase = int(s["seats"]), int(s["phase"])
    if phase == Phase.DISCARD:
        seat = int(s["dealer"])
    elif phase == Phase.ANSWER:
        seat = int(s["replier"])
    elif phase in RECKONING:
        seat = declarer_of(s)
    else:
        seat = (int(s["leader"]) + int(s["trick_n"])) % n
    allowed = range(n) if phase == Phase.OVER else range(seat, seat + 1)
    s["seat"] = read.read_int(position, "cur", seat, allowed)


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Read how a finished game ended, and the last rewards. Only a full position can have them."""
    n = int(s["seats"])
    read.read_end(position, s, Phase.OVER)
    s["winner"] = read.read_int(position, "winner", -1, range(-1, n) if s["over"] else range(-1, 0))
    if s["truncated"] and s["winner"] >= 0:
        raise read.refuse("truncated", True, "false when somebody won")
    rewards = read.read_numbers(position, "rewards", n)
    if position.get("rng") is not None:
        s["rewards"][:n] = rewards or 0.0


def _read_decks(position: Mapping[str, Any], s: Any) -> None:
    """Read the decks for later hands, next first, each from its front."""
    decks = position.get("decks", [])
    if not isinstance(decks, (list, tuple)) or len(decks) > MAX_DECKS:
        raise read.refuse("decks", decks, f"a list of at most {MAX_DECKS} decks")
    for k, deck in enumerate(decks):
        cards = read.read_cards(f"decks[{k}]", deck, CARD_NAMES)
        if sorted(cards) != list(range(CARDS)):
            raise read.refuse(f"decks[{k}]", f"{len(cards)} cards", f"all {CARDS} cards once")
        s["decks"][k] = cards
    s["decks_n"] = len(decks)


# Settling


def _check_goes_on(position: Mapping[str, Any], s: Any) -> None:
    """Refuse games that are finished."""
    opt = s["opt"]
    if s["totals"].max() >= opt["target"]:
        raise read.refuse("totals", position["totals"], f"less than the target {opt['target']}")
    if s["hand_no"] >= opt["max_hands"]:
        raise read.refuse("hand_no", int(s["hand_no"]), f"less than max_hands {opt['max_hands']}")
    if 0 < opt["max_moves"] <= s["plies"]:
        raise read.refuse("moves", int(s["plies"]), f"less than the cut-off {opt['max_moves']}")


def _check_can_act(position: Mapping[str, Any], s: Any) -> None:
    """Refuse seats that cannot act, now or at their turn in this trick."""
    n, phase = int(s["seats"]), int(s["phase"])
    if phase == Phase.DISCARD and s["discards_n"] == TALON_SIZE:
        raise read.refuse("discards", position["discards"], f"less than {TALON_SIZE} cards in DISCARD")
    for seat in range(n):
        played = (seat - int(s["leader"])) % n < s["trick_n"]
        laid_away = TALON_SIZE - int(s["discards_n"]) if phase == Phase.DISCARD and seat == s["dealer"] else 0
        fewest = 0 if played else 1 + laid_away
        if not fewest <= s["hand_n"][seat] <= LARGEST_HAND:
            raise read.refuse(f"hands[{seat}]", cards_at(s, seat), f"{fewest}..{LARGEST_HAND} cards")
    if phase == Phase.ANSWER and not (s["loc"][list(TAROTS)] == s["replier"]).any():
        raise read.refuse("replier", int(s["replier"]), "a seat that holds a Tarot Trump")


@entry_point
def _settle(states: Any) -> None:
    settle(states[0])
