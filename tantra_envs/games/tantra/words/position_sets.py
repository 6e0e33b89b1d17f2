"""The sets on the table as dicts: written, and read. The rules for their cards are checked in consistency.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.notation import named
from ..material import (
    CARD_NAMES,
    JOKER,
    MAX_JOKERS,
    MAX_OF_RANK,
    MAX_PACKS,
    MAX_SETS,
    NATURALS,
    PLACES,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    TYPES,
    WILD,
    SetType,
)
from ..state import KIND_CLASS, Mode, Phase, Role, read_list

KEYS = ("seat", "slot", "kind", "run", "start", "cards")
LARGEST_SET = MAX_OF_RANK + MAX_OF_RANK + MAX_PACKS * MAX_JOKERS  # a kind of all naturals, wild cards and jokers


def count(cards: list[int]) -> Any:
    """Return the number of cards of each type, shape (TYPES,)."""
    return np.bincount(np.array(cards, np.int64), minlength=TYPES)


# Writing


def write_sets(s: Any) -> list[dict[str, Any]]:
    """Return all finished sets on the table."""
    places = [(seat, slot) for seat in range(s["seats"]) for slot in range(MAX_SETS)]
    return [_written_set(s, seat, slot) for seat, slot in places if _is_done(s, seat, slot)]


def _is_done(s: Any, seat: int, slot: int) -> bool:
    building = s["mode"] == Mode.LAYING_DOWN and s["target"] == seat and s["slot"] == slot
    return bool(s["sets"][seat * MAX_SETS + slot]["kind"] != SetType.NONE and not building)


def _written_set(s: Any, seat: int, slot: int) -> dict[str, Any]:
    """Return a set without the cards of an unfinished lay-off."""
    lies = s["sets"][seat * MAX_SETS + slot]
    cards, start = named(cards_of(lies), CARD_NAMES), int(lies["lo"])
    if s["mode"] == Mode.LAYING_OFF and (s["target"], s["slot"]) == (seat, slot):
        placed = len(placed_off(s))
        low = placed if s["direction"] < 0 else 0
        cards, start = cards[low : len(cards) - placed + low], start + low
    head: dict[str, Any] = {"seat": seat, "slot": slot}
    if lies["kind"] == SetType.KIND:
        return {**head, "kind": RANK_NAMES[lies["rank"]], "cards": cards}
    return {**head, "run": SUIT_NAMES[lies["suit"]], "start": start, "cards": cards}


def cards_of(lies: Any) -> list[int]:
    """Return the cards of a set, in their order."""
    if lies["kind"] == SetType.KIND:
        classes = [*(suit * RANKS + int(lies["rank"]) for suit in range(SUITS)), WILD, JOKER]
        return [card for card, count in zip(classes, lies["fill"].tolist(), strict=False) for _ in range(count)]
    return [_card_in(lies, place) for place in range(int(lies["lo"]), int(lies["hi"]) + 1)]


def _card_in(lies: Any, place: int) -> int:
    role, suit = Role(int(lies["fill"][place - 1])), int(lies["suit"])
    if role in (Role.JOKER, Role.WILD):
        return JOKER if role == Role.JOKER else WILD
    return suit * RANKS + (place + {Role.LOWER_MATE: -1, Role.UPPER_MATE: 1}.get(role, 0) - 1) % RANKS


def placed_off(s: Any) -> list[str]:
    """Return the placed cards of an unfinished lay-off: the duplicates at the end, where no finished run has one."""
    lies, way = s["sets"][s["target"] * MAX_SETS + s["slot"]], int(s["direction"])
    placed: list[str] = []
    place = int(s["place"]) - way
    while way and lies["fill"][place - 1] in (Role.LOWER_MATE, Role.UPPER_MATE):
        placed.insert(0, CARD_NAMES[_card_in(lies, place)])
        place -= way
    return placed


# Reading


def read_sets(sets: Any, s: Any) -> None:
    """Read all sets on the table."""
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
        _read_run(lies, field, entry, cards)
    s["tabled"] = np.minimum(s["tabled"] + count(cards), np.iinfo(np.int8).max)  # far more than the packs have


def _read_cards_of_set(s: Any, field: str, value: Any) -> list[int]:
    cards = read_list(field, value, s)
    if not (1 if s["phase"] != Phase.OVER else 0) <= len(cards) <= LARGEST_SET:
        raise read.refuse(field, f"{len(cards)} cards", f"1..{LARGEST_SET} cards")
    return cards


def _read_kind(lies: Any, field: str, rank: Any, cards: list[int]) -> None:
    lies["kind"], lies["rank"] = SetType.KIND, read.read_card(f"{field} kind", rank, RANK_NAMES)
    for card in cards:
        if card < NATURALS and card % RANKS != lies["rank"]:
            raise read.refuse(f"{field} cards", CARD_NAMES[card], f"cards of rank {rank}, WILD, JK")
        lies["fill"][KIND_CLASS[card]] += 1


def _read_run(lies: Any, field: str, entry: Mapping[str, Any], cards: list[int]) -> None:
    suit, start = entry[f"{field} run"], read.read_int(entry, f"{field} start", 0, range(1, PLACES + 1))
    if not isinstance(suit, str) or suit.upper() not in SUIT_NAMES:
        raise read.refuse(f"{field} run", suit, ", ".join(SUIT_NAMES))
    if len(cards) > PLACES + 1 - start:
        raise read.refuse(
            f"{field} cards", named(cards, CARD_NAMES), f"at most {PLACES + 1 - start} from place {start}"
        )
    lies["kind"], lies["suit"] = SetType.RUN, SUIT_NAMES.index(suit.upper())
    lies["lo"], lies["hi"] = start, start + len(cards) - 1
    for place, card in enumerate(cards, start=start):
        lies["fill"][place - 1] = _role(int(lies["suit"]), place, card, field)


def _role(suit: int, place: int, card: int, field: str) -> Role:
    if card >= NATURALS:
        return Role.JOKER if card == JOKER else Role.WILD
    for role, away in ((Role.NATURAL, 0), (Role.LOWER_MATE, -1), (Role.UPPER_MATE, 1)):
        if 1 <= place + away <= PLACES and card == suit * RANKS + (place + away - 1) % RANKS:
            return role
    raise read.refuse(f"{field} cards", CARD_NAMES[card], f"a card that fits place {place} of this run (R-23)")
