"""Tarot tables as dicts, written and read: to set up any position, and to keep one exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game, Position
from ...core.state import States
from . import rules
from .material import CARD_NAMES, CARDS, HAND, MAX_DECKS, NO_SUIT, SUIT_OF, SUITS, TALON_SIZE, TAROTS, TRICKS
from .state import (
    ANSWER,
    CALL,
    CLASSES,
    DECLARE,
    DISCARD,
    DISCARDED,
    OVER,
    PHASES,
    PLAY,
    PLAYED,
    RETURN,
    TALON,
    THIRD,
    TRICK,
)

FIELDS = (
    *("config", "phase", "cur", "dealer", "leader", "hands", "trick", "trick_no", "discards", "talon", "dead"),
    *("exposed", "giver", "void", "no_tarot", "points", "totals", "taken", "hand_no", "history", "declarer_no"),
    *("class", "asker", "replier", "tarots_shown", "moves", "winner", "rewards", "truncated", "rng", "decks"),
)
RECKONING = (DECLARE, CALL, ANSWER, RETURN)
MOST = 30000  # points or totals a field can hold


def position(game: Game, state: States, full: bool) -> Position:
    """The table as a dict; `full` adds the random stream and the decks to come, which the rest does not say."""
    s, n = state[0], game.players
    calling = s["phase"] in (ANSWER, RETURN)
    written: Position = {
        "config": game.options.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "dealer": int(s["dealer"]),
        "leader": int(s["leader"]),
        "hands": [cards_at(s, seat) for seat in range(n)],
        "trick": named(s["trick"][: s["trick_n"]]),
        "trick_no": int(s["trick_no"]),
        "discards": cards_at(s, DISCARDED),
        "talon": cards_at(s, TALON),
        "dead": cards_at(s, THIRD),
        "exposed": named(np.flatnonzero(s["exposed"])),
        "giver": {CARD_NAMES[card]: int(s["giver"][card]) for card in range(CARDS) if s["giver"][card] >= 0},
        "void": [[int(failed) for failed in s["void"][seat]] for seat in range(n)],
        "no_tarot": [int(none) for none in s["no_tarot"][:n]],
        "points": [int(points) for points in s["points"][:n]],
        "totals": [int(total) for total in s["totals"][:n]],
        "taken": [int(tricks) for tricks in s["taken"][:n]],
        "hand_no": int(s["hand_no"]),
        "history": [_net_scores(s, hand) for hand in range(s["hand_no"])],
        "declarer_no": int(s["declarer_no"]),
        "class": CLASSES[s["cls"]] if s["cls"] >= 0 else None,
        "asker": _declarer(s) if calling else -1,
        "replier": int(s["replier"]),
        "tarots_shown": bool(s["tarots_shown"]),
        "moves": int(s["plies"]),
        "winner": int(s["winner"]),
        "rewards": [float(paid) for paid in s["rewards"][:n]],
        "truncated": bool(s["truncated"]),
    }
    if full:
        written["rng"] = [int(word) for word in s["rng"]]
        written["decks"] = [named(deck) for deck in s["decks"][: s["decks_n"]]]
    return written


def cards_at(s: Any, place: int) -> list[str]:
    """Names of the cards in a place, ascending."""
    return named(np.flatnonzero(s["loc"] == place))


def named(cards: Any) -> list[str]:
    """Names of cards in their order."""
    return [CARD_NAMES[card] for card in cards]


def _net_scores(s: Any, hand: int) -> list[int]:
    gain, scorer = int(s["scored"][hand]), int(s["scorer"][hand])
    return [gain if seat == scorer else 0 for seat in range(int(s["seats"]))]


def _declarer(s: Any) -> int:
    return (int(s["dealer"]) + 1 + int(s["declarer_no"])) % int(s["seats"])


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """The table a position describes, settled; ValueError naming the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    state = game.blank.copy()
    s, n = state[0], game.players
    s["phase"] = read.read_choice(position, "phase", "PLAY", PHASES)
    s["dealer"] = read.read_int(position, "dealer", n - 1, range(n))
    s["leader"] = read.read_int(position, "leader", (int(s["dealer"]) + 1) % n, range(n))
    s["hand_no"] = read.read_int(position, "hand_no", 0, range(int(s["opt"]["max_hands"]) + 1))
    s["plies"] = read.read_int(position, "moves", 0, range(2**31))
    _read_places(position, s)
    _read_trick(position, s)
    _read_scores(position, s)
    _read_knowledge(position, s)
    _read_reckoning(position, s)
    _read_turn(position, s)
    _read_end(position, s)
    read.read_stream(position, s)
    _read_decks(position, s)
    if not s["over"]:
        _check_playable(position, s)
        _settle(state)
    return state


# Cards


def _read_places(position: Mapping[str, Any], s: Any) -> None:
    """Hands, discards, talon, third hand and trick; all other cards lie in finished tricks."""
    n = int(s["seats"])
    s["loc"], s["giver"] = PLAYED, -1
    hands = read.read_cards_by_seat(position, "hands", n, CARD_NAMES)
    for seat, cards in enumerate(hands):
        _put(s, f"hands[{seat}]", cards, seat)
        s["hand_n"][seat] = len(cards)
    limits = {"discards": TALON_SIZE, "talon": TALON_SIZE, "dead": CARDS, "trick": n}
    places = {"discards": DISCARDED, "talon": TALON, "dead": THIRD, "trick": TRICK}
    for field, place in places.items():
        cards = read.read_cards(field, position.get(field, []), CARD_NAMES)
        if len(cards) > limits[field]:
            raise read.refuse(field, named(cards), f"at most {limits[field]} cards")
        _put(s, field, cards, place)
        if field == "discards":
            s["discards_n"] = len(cards)
        if field == "trick":
            s["trick"][: len(cards)] = cards
            s["trick_n"] = len(cards)


def _put(s: Any, field: str, cards: list[int], place: int) -> None:
    for card in cards:
        if s["loc"][card] != PLAYED:
            raise read.refuse(field, named(cards), f"every card once; {CARD_NAMES[card]} is used twice")
        s["loc"][card] = place


def _read_trick(position: Mapping[str, Any], s: Any) -> None:
    n, tricks = int(s["seats"]), range(TRICKS + 1)
    if s["trick_n"] and s["phase"] not in (PLAY, OVER):
        raise read.refuse("trick", position["trick"], "no cards before PLAY")
    if s["trick_n"] == n:
        raise read.refuse("trick", position["trick"], f"at most {n - 1} cards: a full trick is taken at once")
    s["trick_no"] = read.read_int(position, "trick_no", max(0, TRICKS - int(s["hand_n"][:n].max())), tricks)
    s["taken"][:n] = _counts(position, "taken", n, int(s["trick_no"]))
    if s["taken"].sum() > s["trick_no"]:
        raise read.refuse("taken", position["taken"], f"at most the {s['trick_no']} finished tricks in all")


# Numbers


def _counts(position: Mapping[str, Any], field: str, n: int, most: int) -> list[int]:
    """A list of n integers 0..most, zeros where it is left out."""
    values = position.get(field, [0] * n)
    if not _are_counts(values, n, most):
        raise read.refuse(field, values, f"a list of {n} integers 0..{most}")
    return [int(value) for value in values]


def _are_counts(values: Any, n: int, most: int) -> bool:
    if not isinstance(values, (list, tuple)) or len(values) != n:
        return False
    return all(isinstance(value, int) and 0 <= value <= most for value in values)


def _read_scores(position: Mapping[str, Any], s: Any) -> None:
    """Points, totals and the net scores behind them; hands that `history` leaves out are unknown, and zero."""
    n, hands = int(s["seats"]), int(s["hand_no"])
    s["points"][:n] = _counts(position, "points", n, MOST)
    s["totals"][:n] = _counts(position, "totals", n, MOST)
    history = position.get("history", [])
    shape = isinstance(history, (list, tuple)) and len(history) in (0, hands)
    if not shape or not all(_are_counts(net, n, MOST) and sum(map(bool, net)) <= 1 for net in history):
        raise read.refuse("history", history, f"{hands} lists of {n} net scores, of which one may be above zero")
    for hand, net in enumerate(history):
        s["scored"][hand], s["scorer"][hand] = max(net), net.index(max(net))
    if any(sum(net[seat] for net in history) > s["totals"][seat] for seat in range(n)):
        raise read.refuse("history", history, "no more for a seat than its total")


# Knowledge


def _read_knowledge(position: Mapping[str, Any], s: Any) -> None:
    n = int(s["seats"])
    for card in read.read_cards("exposed", position.get("exposed", []), CARD_NAMES):
        if s["loc"][card] >= n:
            raise read.refuse("exposed", CARD_NAMES[card], "cards in a hand")
        s["exposed"][card] = 1
    _read_givers(position, s)
    voids = position.get("void", [[0] * SUITS] * n)
    if not isinstance(voids, (list, tuple)) or len(voids) != n:
        raise read.refuse("void", voids, f"{n} lists of {SUITS} numbers 0 or 1")
    for seat, void in enumerate(voids):
        s["void"][seat] = _counts({f"void[{seat}]": void}, f"void[{seat}]", SUITS, 1)
    s["no_tarot"][:n] = _counts(position, "no_tarot", n, 1)
    for card in np.flatnonzero(s["loc"] < n).tolist():
        seat, suit = int(s["loc"][card]), int(SUIT_OF[card])
        if suit != NO_SUIT and s["void"][seat][suit]:
            raise read.refuse(f"void[{seat}]", voids[seat], f"no suit of which it holds a card: {CARD_NAMES[card]}")
    for seat in range(n):
        if s["no_tarot"][seat] and _holds_tarot(s, seat):
            raise read.refuse("no_tarot", position["no_tarot"], f"0 for seat {seat}, which holds a Tarot Trump")


def _holds_tarot(s: Any, seat: int) -> bool:
    return bool((s["loc"][list(TAROTS)] == seat).any())


def _read_givers(position: Mapping[str, Any], s: Any) -> None:
    n, givers = int(s["seats"]), position.get("giver", {})
    if not isinstance(givers, Mapping):
        raise read.refuse("giver", givers, "a dict of card: seat that gave it away")
    for name, seat in givers.items():
        card = read.read_card("giver", name, CARD_NAMES)
        holder = int(s["loc"][card])
        if holder >= n:
            raise read.refuse("giver", name, "cards in a hand")
        if isinstance(seat, bool) or not isinstance(seat, int) or seat not in range(n) or seat == holder:
            raise read.refuse("giver", {name: seat}, f"a seat 0..{n - 1} other than its holder {holder}")
        s["giver"][card] = seat


# Whose turn


def _read_reckoning(position: Mapping[str, Any], s: Any) -> None:
    """Who reckons, and what about. In a call the declarer is the asker."""
    n, phase, cls = int(s["seats"]), int(s["phase"]), position.get("class")
    if cls is not None and (cls not in CLASSES or phase != DECLARE):
        raise read.refuse("class", cls, f"null; in DECLARE one of {', '.join(CLASSES)}")
    s["cls"] = CLASSES.index(cls) if cls is not None else -1
    s["tarots_shown"] = read.read_flag(position, "tarots_shown", False)
    if s["tarots_shown"] and phase not in RECKONING:
        raise read.refuse("tarots_shown", True, "false but while the hands are reckoned")
    seats = range(n if phase in RECKONING else 1)
    s["declarer_no"] = read.read_int(position, "declarer_no", _default_declarer_no(position, s), seats)
    s["replier"] = -1
    if phase in (ANSWER, RETURN):
        _read_call(position, s)


def _default_declarer_no(position: Mapping[str, Any], s: Any) -> int:
    """By the asker or the seat to decide, where they are given; else the dealer's left."""
    fields = {DECLARE: ("cur",), CALL: ("cur",), ANSWER: ("asker",), RETURN: ("asker", "cur")}
    for field in fields.get(int(s["phase"]), ()):
        seat = _given_seat(position, field, int(s["seats"]))
        if seat is not None:
            return (seat - int(s["dealer"]) - 1) % int(s["seats"])
    return 0


def _given_seat(position: Mapping[str, Any], field: str, n: int) -> int | None:
    """A seat, or None where the field is left out or says nobody."""
    seat = read.read_int(position, field, -1, range(-1, n))
    return seat if seat >= 0 else None


def _read_call(position: Mapping[str, Any], s: Any) -> None:
    n, asker = int(s["seats"]), _declarer(s)
    if _given_seat(position, "asker", n) not in (None, asker):
        raise read.refuse("asker", position["asker"], f"the declarer, seat {asker}")
    replier = _given_seat(position, "replier", n)
    if replier is None and s["phase"] == ANSWER:
        replier = _given_seat(position, "cur", n)
    s["replier"] = replier if replier is not None else (asker + 1) % n
    if s["replier"] == asker:
        raise read.refuse("replier", asker, "a seat other than the asker")


def _read_turn(position: Mapping[str, Any], s: Any) -> None:
    """`cur` follows from the phase; given, it must agree."""
    n, phase = int(s["seats"]), int(s["phase"])
    if phase == DISCARD:
        seat = int(s["dealer"])
    elif phase == ANSWER:
        seat = int(s["replier"])
    elif phase in RECKONING:
        seat = _declarer(s)
    else:
        seat = (int(s["leader"]) + int(s["trick_n"])) % n
    allowed = range(n) if phase == OVER else range(seat, seat + 1)
    s["seat"] = read.read_int(position, "cur", seat, allowed)


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """How a finished game ended, and what was paid last. Only a full position can say either."""
    n = int(s["seats"])
    read.read_end(position, s, OVER)
    s["winner"] = read.read_int(position, "winner", -1, range(-1, n) if s["over"] else range(-1, 0))
    if s["truncated"] and s["winner"] >= 0:
        raise read.refuse("truncated", True, "false when somebody won")
    rewards = read.read_numbers(position, "rewards", n)
    if "rng" in position:
        s["rewards"][:n] = rewards or 0.0


def _read_decks(position: Mapping[str, Any], s: Any) -> None:
    decks = read_decks(position.get("decks", []))
    s["decks"][: len(decks)] = decks
    s["decks_n"] = len(decks)


def read_decks(given: Any) -> np.ndarray[Any, Any]:
    """Whole decks, front first, shape (k, 78): one deck, or a list of decks for one hand after the other."""
    if not isinstance(given, (str, list, tuple)):
        raise ValueError(f"tarot: deck={given!r} is not allowed; allowed: one deck, or a list of up to {MAX_DECKS}")
    if not _are_decks(given):
        given = [given]
    if len(given) > MAX_DECKS:
        raise ValueError(f"tarot: deck has {len(given)} decks; allowed: one deck, or a list of up to {MAX_DECKS}")
    decks = np.zeros((len(given), CARDS), np.int8)
    for i, deck in enumerate(given):
        cards = read.read_cards("deck", deck, CARD_NAMES)
        if sorted(cards) != list(range(CARDS)):
            found = f"{len(cards)} cards, {len(set(cards))} different"
            raise ValueError(f"tarot: deck has {found}; allowed: all {CARDS} once")
        decks[i] = cards
    return decks


def _are_decks(given: Any) -> bool:
    """Is this a list of lists, or of strings with blanks, rather than of cards?"""
    if isinstance(given, str):
        return False
    return all(isinstance(deck, (list, tuple)) or (isinstance(deck, str) and " " in deck.strip()) for deck in given)


# Settling


def _check_playable(position: Mapping[str, Any], s: Any) -> None:
    """Refuse games that are finished and seats that can do nothing."""
    n, opt, phase = int(s["seats"]), s["opt"], int(s["phase"])
    if s["totals"][:n].max() >= opt["target"]:
        raise read.refuse("totals", position["totals"], f"less than the target {opt['target']}")
    if s["hand_no"] >= opt["max_hands"]:
        raise read.refuse("hand_no", int(s["hand_no"]), f"less than max_hands {opt['max_hands']}")
    if 0 < opt["max_moves"] <= s["plies"]:
        raise read.refuse("moves", int(s["plies"]), f"less than the cut-off {opt['max_moves']}")
    if phase == DISCARD and s["discards_n"] == TALON_SIZE:
        raise read.refuse("discards", position["discards"], f"less than {TALON_SIZE} cards in DISCARD")
    for seat in range(n):
        played = (seat - int(s["leader"])) % n < s["trick_n"]
        laid_away = TALON_SIZE - int(s["discards_n"]) if phase == DISCARD and seat == s["dealer"] else 0
        fewest = 0 if played else 1 + laid_away
        if not fewest <= s["hand_n"][seat] <= HAND + TALON_SIZE:
            raise read.refuse(f"hands[{seat}]", cards_at(s, seat), f"{fewest}..{HAND + TALON_SIZE} cards")
    if phase == ANSWER and not _holds_tarot(s, int(s["replier"])):
        raise read.refuse("replier", int(s["replier"]), "a seat that holds a Tarot Trump")


@entry_point
def _settle(states: Any) -> None:
    rules.settle(states[0])
