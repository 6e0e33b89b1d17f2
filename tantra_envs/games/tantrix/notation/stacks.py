"""Read and write the hands, penalty stacks and piles in positions of Gobble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.compiled.jit import entry_point
from ....core.game import Game, Position
from ....core.state import States
from ..material import COLOURS, TILES
from ..modes import gobble
from ..state import ENDLESS, MOST_ACTS, PHASES, Phase
from .boards import read_tiles

START = "PLACE"
ALONE_FIELDS = ("hand", "penalty", "moves")
RACE_FIELDS = (*ALONE_FIELDS, "piles", "known", "first", "acts", "passes", "out")


def fields(s: Any) -> tuple[str, ...]:
    """Return the names of the fields that Gobble adds to a position."""
    return ALONE_FIELDS if s["seats"] == 1 else RACE_FIELDS


def written(s: Any) -> Position:
    """Return the fields that Gobble adds to a position, with their values."""
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


def read_held(position: Mapping[str, Any], s: Any) -> list[int]:
    """Fill in the hands, penalty stacks and piles; return all their tiles."""
    n = int(s["seats"])
    s["plies"] = read.read_int(position, "moves", int(s["placed"]), range(ENDLESS + 1))
    hands = _by_seat(position, "hand", n, None)
    stacks = _by_seat(position, "penalty", n, [])
    piles = _by_seat(position, "piles", n, []) if n > 1 else [[]]
    found = []
    for seat in range(n):
        hand = [] if hands[seat] is None else read_tiles("hand", [hands[seat]])
        s["hands"][seat, : len(hand)] = hand
        found += [*hand, *_fill(s, "penalty", seat, stacks[seat]), *_fill(s, "piles", seat, piles[seat])]
    return found


def _by_seat(position: Mapping[str, Any], field: str, n: int, empty: Any) -> list[Any]:
    """Return the entries of a field, one for each seat; for one player a list with the field itself."""
    if n == 1:
        return [position.get(field, empty)]
    entries = position.get(field)
    if entries is None:
        return [empty] * n
    if not isinstance(entries, (list, tuple)) or len(entries) != n:
        what = "entries" if empty is None else "lists of tiles"
        raise read.refuse(field, entries, f"a list of {n} {what}, one for each seat")
    return list(entries)


def _fill(s: Any, field: str, seat: int, given: Any) -> list[int]:
    """Fill in a penalty stack, given with its top last, or a pile, given with the next tile first."""
    tiles = read_tiles(field, given)
    if len(tiles) > TILES:
        raise read.refuse(field, given, f"at most {TILES} tiles")
    s[field][seat, : len(tiles)] = tiles if field == "penalty" else tiles[::-1]
    s[f"{field}_n"][seat] = len(tiles)
    return tiles


def read_rest(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """Fill in the state of the round, the seats that are out, and the known tiles."""
    s["colours"] = range(1, len(COLOURS) + 1)
    n = game.players
    if n == 1:
        return
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
    known = read_tiles("known", position.get("known", []))
    if not set(known) <= set(in_piles):
        raise read.refuse("known", known, "tiles in the piles that all seats have seen")
    s["known"][known] = 1


def settle(position: Mapping[str, Any], state: States) -> None:
    """Raise ValueError if the seat to decide has no decision in this phase."""
    s = state[0]
    if s["seats"] == 1:
        _check_alone(state)
    else:
        _check_race(s)


def _check_alone(state: States) -> None:
    s = state[0]
    held = int(s["hands"][0, 0])
    _check_phase(s, Phase.PLACE, Phase.BONUS)
    if s["phase"] == Phase.BONUS and (held or not s["penalty_n"][0]):
        raise read.refuse("phase", "BONUS", "a phase that fits; BONUS only with an empty hand and a penalty stack")
    if s["phase"] == Phase.PLACE and not _joins(state, held):
        raise read.refuse("hand", held or None, "a tile that can be joined")


def _check_race(s: Any) -> None:
    seat = int(s["seat"])
    _check_phase(s, Phase.PLACE, Phase.OFFLOAD)
    if not _owned(s, seat) or s["gone"] >= s["seats"] - 1:
        raise read.refuse("cur", seat, "a seat that owns a tile, with an opponent who does")
    if s["phase"] == Phase.PLACE and not s["hands"][seat, 0] and s["piles_n"][seat]:
        raise read.refuse("hand", None, "a tile for the seat to decide, which still has a pile")


def _check_phase(s: Any, *allowed: int) -> None:
    if s["phase"] not in allowed:
        raise read.refuse("phase", PHASES[s["phase"]], ", ".join(PHASES[phase] for phase in allowed))


def _owned(s: Any, seat: int) -> int:
    return int(s["piles_n"][seat]) + int(s["penalty_n"][seat]) + int(s["hands"][seat, 0] > 0)


@entry_point
def _joins(states: Any, tile: int) -> bool:
    return gobble.joins(states[0], tile, gobble.JOINED)
