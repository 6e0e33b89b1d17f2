"""Reading the cards and tabled sets of a position, within the Display Card and the options (R-14, R-22, R-23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.notation import named
from .material import (
    CARD_NAMES,
    FLAGS,
    IDENTICAL,
    JOKER,
    MAX_JOKERS,
    MAX_OF_RANK,
    MAX_PACKS,
    MAX_SETS,
    NATURALS,
    NO_JOKERS,
    PLACES,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    TYPES,
    WILD,
)
from .state import KIND_CLASS, Phase, Role, SetType

KEYS = ("seat", "slot", "kind", "run", "start", "cards")
LARGEST_SET = MAX_OF_RANK + MAX_OF_RANK + MAX_PACKS * MAX_JOKERS  # a kind of all naturals, wild cards and jokers


def read_list(s: Any, field: str, value: Any) -> list[int]:
    """Return the cards of a list; cards of the wild rank become WILD (R-20)."""
    cards = read.read_cards(field, value, CARD_NAMES)
    cards = [WILD if card < NATURALS and card % RANKS == s["wild"] else card for card in cards]
    if WILD in cards and s["wild"] < 0:
        raise read.refuse(field, "WILD", "cards without WILD, because this round has no wild rank")
    return cards


def count(cards: list[int]) -> Any:
    """Return the number of cards of each type, shape (TYPES,)."""
    return np.bincount(np.array(cards, np.int64), minlength=TYPES)


def read_rank(field: str, value: Any) -> int:
    """Return the index of a rank, given by name (any case) or index."""
    if isinstance(value, str) and value.upper() in RANK_NAMES:
        return RANK_NAMES.index(value.upper())
    if type(value) is int and value in range(RANKS):
        return value
    raise read.refuse(field, value, f"a rank: {', '.join(RANK_NAMES)}")


def read_sets(position: Mapping[str, Any], s: Any) -> None:
    """Read all sets on the table."""
    sets = position.get("sets", [])
    if not isinstance(sets, (list, tuple)) or not all(isinstance(given, Mapping) for given in sets):
        raise read.refuse("sets", sets, "a list of dicts, one for each set")
    for number, given in enumerate(sets):
        _read_set(given, f"sets[{number}]", s)


def _read_set(given: Mapping[str, Any], field: str, s: Any) -> None:
    """Read a set; after the end of the game it may be unfinished, because truncation can interrupt a lay-down."""
    if unknown := [key for key in given if key not in KEYS]:
        raise read.refuse(field, unknown[0], ", ".join(KEYS))
    if ("kind" in given) == ("run" in given):
        raise read.refuse(field, dict(given), "exactly one of kind and run")
    entry = {f"{field} {key}": value for key, value in given.items()}
    seat = read.read_int(entry, f"{field} seat", 0, range(int(s["seats"])))
    slot = read.read_int(entry, f"{field} slot", 0, range(MAX_SETS))
    lies = s["sets"][seat * MAX_SETS + slot]
    if lies["kind"] != SetType.NONE:
        raise read.refuse(field, f"seat {seat}, slot {slot}", "one set for each slot")
    cards = _read_cards_of_set(s, f"{field} cards", given.get("cards", []))
    lies["size"] = len(cards)
    if "kind" in given:
        _read_kind(lies, field, given["kind"], cards)
    else:
        _read_run(s, lies, field, entry, cards)
    s["tabled"] = np.minimum(s["tabled"] + count(cards), np.iinfo(np.int8).max)  # far more than the packs have


def _read_cards_of_set(s: Any, field: str, value: Any) -> list[int]:
    cards = read_list(s, field, value)
    if not (1 if s["phase"] != Phase.OVER else 0) <= len(cards) <= LARGEST_SET:
        raise read.refuse(field, f"{len(cards)} cards", f"1..{LARGEST_SET} cards")
    if JOKER in cards and FLAGS[s["display"]] & NO_JOKERS:
        raise read.refuse(
            field, CARD_NAMES[JOKER], f"no jokers: Display Card {s['display']} has the rule No Jokers (R-22)"
        )
    return cards


def _read_kind(lies: Any, field: str, rank: Any, cards: list[int]) -> None:
    lies["kind"], lies["rank"] = SetType.KIND, read_rank(f"{field} kind", rank)
    for card in cards:
        if card < NATURALS and card % RANKS != lies["rank"]:
            raise read.refuse(f"{field} cards", CARD_NAMES[card], f"cards of rank {rank}, WILD, JK")
        lies["fill"][KIND_CLASS[card]] += 1


def _read_run(s: Any, lies: Any, field: str, entry: Mapping[str, Any], cards: list[int]) -> None:
    suit, start = entry[f"{field} run"], read.read_int(entry, f"{field} start", 0, range(1, PLACES + 1))
    if not isinstance(suit, str) or suit.upper() not in SUIT_NAMES:
        raise read.refuse(f"{field} run", suit, ", ".join(SUIT_NAMES))
    if len(cards) > PLACES + 1 - start:
        raise read.refuse(
            f"{field} cards", named(cards, CARD_NAMES), f"at most {PLACES + 1 - start} from place {start}"
        )
    if len(cards) == PLACES and not s["opt"]["two_aces_in_run"]:
        raise read.refuse(f"{field} cards", named(cards, CARD_NAMES), "an ace at one end only (R-14)")
    lies["kind"], lies["suit"] = SetType.RUN, SUIT_NAMES.index(suit.upper())
    lies["lo"], lies["hi"] = start, start + len(cards) - 1
    for place, card in enumerate(cards, start=start):
        lies["fill"][place - 1] = _role(int(lies["suit"]), place, card, field)
    if problem := _wrong_pair(s, lies):
        raise read.refuse(f"{field} cards", named(cards, CARD_NAMES), problem)


def _role(suit: int, place: int, card: int, field: str) -> Role:
    if card >= NATURALS:
        return Role.JOKER if card == JOKER else Role.WILD
    for role, away in ((Role.NATURAL, 0), (Role.LOWER_MATE, -1), (Role.UPPER_MATE, 1)):
        if 1 <= place + away <= PLACES and card == suit * RANKS + (place + away - 1) % RANKS:
            return role
    raise read.refuse(f"{field} cards", CARD_NAMES[card], f"a card that fits place {place} of this run (R-23)")


def _wrong_pair(s: Any, lies: Any) -> str:
    """Return the broken rule about the pairs of a run as text, or "" if all pairs are legal (R-23)."""
    fill, lo, hi = lies["fill"].tolist(), int(lies["lo"]), int(lies["hi"])
    mates: list[int] = []
    for place in range(lo, hi + 1):
        role = fill[place - 1]
        if role in (Role.LOWER_MATE, Role.UPPER_MATE):
            if not FLAGS[s["display"]] & IDENTICAL:
                return f"no pairs of identical cards: Display Card {s['display']} does not allow them (R-23)"
            mate = place + (1 if role == Role.UPPER_MATE else -1)
            unfinished = s["phase"] == Phase.OVER and place == hi
            if not unfinished and (not lo < place < hi or fill[mate - 1] != Role.NATURAL or mate in mates):
                return "pairs of two natural neighbours, the duplicate inside the run (R-23)"
            mates.append(mate)
    return ""
