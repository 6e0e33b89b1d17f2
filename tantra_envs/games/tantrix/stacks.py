"""What positions of Gobble say beside the board: hands, penalty stacks and piles, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from . import gobble
from .material import TILES
from .state import BONUS, ENDLESS, MOST_ACTS, OFFLOAD, PHASES, PLACE

ALONE_FIELDS = ("hand", "penalty", "moves")
RACE_FIELDS = (*ALONE_FIELDS, "piles", "known", "first", "acts", "passes", "out")
TILE_NAMES = tuple(str(tile) for tile in range(TILES + 1))


def stacks(s: Any) -> dict[str, Any]:
    """The fields that Gobble adds to a position."""
    seats = range(s["seats"])
    hands = [int(s["hands"][seat, 0]) or None for seat in seats]
    penalty = [s["penalty"][seat][: s["penalty_n"][seat]].tolist() for seat in seats]
    if len(hands) == 1:
        return {"hand": hands[0], "penalty": penalty[0], "moves": int(s["plies"])}
    out = sorted((int(s["out"][seat]), seat) for seat in seats if s["out"][seat])
    return {
        "hand": hands,
        "penalty": penalty,
        "piles": [s["piles"][seat][: s["piles_n"][seat]][::-1].tolist() for seat in seats],
        "known": np.flatnonzero(s["known"]).tolist(),
        "first": int(s["first"]),
        "acts": int(s["acts"]),
        "passes": int(s["passes"]),
        "out": [seat for _, seat in out],
        "moves": int(s["plies"]),
    }


def read_stacks(position: Mapping[str, Any], s: Any) -> list[int]:
    """Fill in what `stacks` writes; every tile found."""
    n = int(s["seats"])
    s["plies"] = read.read_int(position, "moves", int(s["placed"]), range(ENDLESS + 1))
    hands, penalty, piles = position.get("hand"), position.get("penalty", []), []
    if n == 1:
        hands, penalty = [hands], [penalty]
    else:
        hands = [None] * n if hands is None else hands
        piles = read.read_cards_by_seat(position, "piles", n, TILE_NAMES)
        penalty = penalty or [[]] * n
    for field, lists in (("hand", hands), ("penalty", penalty)):
        if not isinstance(lists, (list, tuple)) or len(lists) != n:
            raise read.refuse(field, lists, f"a list of {n} entries, one for each seat")
    found: list[int] = []
    for seat in range(n):
        hand = [] if hands[seat] is None else read.read_cards("hand", [hands[seat]], TILE_NAMES)
        stack = read.read_cards("penalty", penalty[seat], TILE_NAMES)
        s["hands"][seat, 0] = sum(hand)
        _fill(s, "penalty", seat, stack)
        _fill(s, "piles", seat, piles[seat][::-1] if piles else [])
        found += hand + stack + (piles[seat] if piles else [])
    if 0 in found:
        raise read.refuse("hand, penalty, piles", 0, f"tiles 1..{TILES}")
    if n > 1:
        _read_round(position, s, n)
    return found


def _fill(s: Any, field: str, seat: int, tiles: list[int]) -> None:
    if len(tiles) > TILES:
        raise read.refuse(field, tiles, f"at most {TILES} tiles")
    s[field][seat, : len(tiles)] = tiles
    s[f"{field}_n"][seat] = len(tiles)


def _read_round(position: Mapping[str, Any], s: Any, n: int) -> None:
    """Where the round stands, and who is out."""
    s["first"] = read.read_int(position, "first", 0, range(n))
    s["acts"] = read.read_int(position, "acts", int(s["opt"]["speeds"][s["seat"]]), range(-1, MOST_ACTS + 1))
    s["passes"] = read.read_int(position, "passes", 0, range(n + 1))
    empty = [seat for seat in range(n) if _owned(s, seat) == 0]
    out = read.read_seats(position, "out", empty, n)
    if sorted(out) != empty:
        raise read.refuse("out", out, f"the seats without tiles: {empty}")
    for place, seat in enumerate(out, start=1):
        s["out"][seat] = place
    s["gone"] = len(out)
    in_piles = [tile for seat in range(n) for tile in s["piles"][seat][: s["piles_n"][seat]].tolist()]
    known = read.read_cards("known", position.get("known", []), TILE_NAMES)
    if not set(known) <= set(in_piles):
        raise read.refuse("known", known, "tiles in the piles that have lain open")
    s["known"][known] = 1


def check_stacks(state: Any) -> None:
    """ValueError if the seat to decide has nothing to decide in this phase."""
    s = state[0]
    seat, n, phase = int(s["seat"]), int(s["seats"]), int(s["phase"])
    allowed = (PLACE, BONUS) if n == 1 else (PLACE, OFFLOAD)
    if phase not in allowed:
        raise read.refuse("phase", PHASES[phase], ", ".join(PHASES[phase] for phase in allowed))
    held = int(s["hands"][seat, 0])
    if phase == BONUS and (held or not s["penalty_n"][0]):
        raise read.refuse("phase", "BONUS", "with an empty hand and a penalty stack")
    if phase == PLACE and n == 1 and not _joins(state, held):
        raise read.refuse("hand", held or None, "a tile that can be joined")
    if n > 1 and (not _owned(s, seat) or s["gone"] >= n - 1):
        raise read.refuse("cur", seat, "a seat that owns a tile, with an opponent who does")
    if n > 1 and phase == PLACE and not held and s["piles_n"][seat]:
        raise read.refuse("hand", None, "a tile for the seat to decide, which still has a pile")


def _owned(s: Any, seat: int) -> int:
    return int(s["piles_n"][seat]) + int(s["penalty_n"][seat]) + int(s["hands"][seat, 0] > 0)


@entry_point
def _joins(states: Any, tile: int) -> bool:
    return gobble.joins(states[0], tile, gobble.JOINED)
