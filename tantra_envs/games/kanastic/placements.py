"""Placements: tests whether the cards can be laid, and laying them. What is left in the hand is tested in `opening.py`.

A placement is tried by laying it and taking it back. So `lay` works in both directions.
"""

from __future__ import annotations

from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    NEEDS,
    NEW,
    NEW_SUIT,
    SUIT_GOLD,
    SUIT_HIGH,
    SUIT_LOW,
    TEMPLATES,
    TRIPLE,
)
from .material import (
    ARTIFACT,
    ARTIFACT_POINTS,
    FULL,
    GOLD,
    HAND_POINTS,
    MOST_WILDS,
    NEW_SIZE,
    RANK_POINTS,
    RANKS,
    SWORD,
    VARIANTS,
)
from .melds import bits, size_of, team_of
from .state import SUIT

# Placements


@kernel
def placeable(s: Record, seat: int, action: int) -> bool:
    """Return whether hand and formations allow a placement [KN-20 to KN-23, KN-30 to KN-35].

    The number of cards left in the hand is not tested here.
    """
    team = team_of(s, seat)
    if action < NEW_SUIT:
        return _new_placeable(s, seat, team, action - NEW)
    if action < ADD:
        return _suit_placeable(s, seat, team, action - NEW_SUIT)
    if action < SUIT_GOLD:
        return _addable(s, seat, team, action)
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    if action < SUIT_LOW:
        r = action - SUIT_GOLD
        return lo >= 0 and (r in (lo - 1, hi + 1)) and s.hand[seat, VARIANTS * r + GOLD] > 0
    if s.hand[seat, ARTIFACT] == 0 or bits(int(s.suit_art[team])) >= MOST_WILDS or wild_barred(s, SUIT):
        return False
    return lo > 0 if action == SUIT_LOW else 0 <= hi < RANKS - 1


@leaf
def wild_barred(s: Record, formation: int) -> bool:
    """Return whether wild cards may not join because the formation began with a card taken in this turn [KN-55]."""
    return bool(s.pick == formation and s.opt.pickup_wilds == 0)


@kernel
def _new_placeable(s: Record, seat: int, team: int, choice: int) -> bool:
    r, t = choice // len(TEMPLATES), choice % len(TEMPLATES)
    if size_of(s, team, r) > 0:  # KN-21
        return False
    enough = True
    for j in range(VARIANTS):
        enough &= s.hand[seat, VARIANTS * r + j] >= NEEDS[s.opt.suit_rule, t, j]
    return bool(enough)


@kernel
def _suit_placeable(s: Record, seat: int, team: int, choice: int) -> bool:
    if s.suit_lo[team] >= 0:  # KN-32
        return False
    low, middle, high = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 1]), int(TRIPLE[choice, 2])
    hand = s.hand[seat]
    held = hand[VARIANTS * low + GOLD] > 0 and hand[VARIANTS * middle + GOLD] > 0 and hand[VARIANTS * high + GOLD] > 0
    return bool(held and hand[ARTIFACT] >= high - low + 1 - NEW_SIZE)


@kernel
def _addable(s: Record, seat: int, team: int, action: int) -> bool:
    natural = action < ADD_SWORD
    r = (action - ADD) // VARIANTS if natural else (action - ADD_SWORD) % RANKS
    if not 1 <= size_of(s, team, r) < FULL:
        return False
    if natural:
        return bool(s.hand[seat, action - ADD] > 0)
    wild = SWORD if action < ADD_ARTIFACT else ARTIFACT
    return bool(s.hand[seat, wild] > 0 and s.w[team, r] < MOST_WILDS and not wild_barred(s, r))


@leaf
def cards_of(action: int) -> int:
    """Return the number of cards that a placement takes from the hand."""
    if action < NEW_SUIT:
        return NEW_SIZE
    if action < ADD:
        return int(TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0] + 1)
    return 1


@kernel
def lay(s: Record, seat: int, action: int, sign: int) -> None:
    """Move the cards of a placement from the hand to the table (sign 1), or back (sign -1).

    Update `open_pts` and `open_wild`, but not `known` and `opened`.
    """
    team = team_of(s, seat)
    if action < NEW_SUIT:
        r, t = (action - NEW) // len(TEMPLATES), (action - NEW) % len(TEMPLATES)
        for j in range(VARIANTS):
            count = int(NEEDS[s.opt.suit_rule, t, j])
            if count > 0:
                _lay_natural(s, seat, team, VARIANTS * r + j, sign * count)
    elif action < ADD:
        _lay_suit(s, seat, team, action - NEW_SUIT, sign)
    elif action < ADD_SWORD:
        _lay_natural(s, seat, team, action - ADD, sign)
    elif action < SUIT_GOLD:
        _lay_wild(s, seat, team, action, sign)
    else:
        _lay_at_end(s, seat, team, action, sign)


@kernel
def _lay_natural(s: Record, seat: int, team: int, kind: int, count: int) -> None:
    r = kind // VARIANTS
    s.hand[seat, kind] -= count
    s.hand_n[seat] -= count
    s.nat[team, kind] += count
    s.n[team, r] += count
    s.open_pts += count * int(RANK_POINTS[r])


@kernel
def _lay_wild(s: Record, seat: int, team: int, action: int, sign: int) -> None:
    r = (action - ADD_SWORD) % RANKS
    wild, laid = (SWORD, s.sw) if action < ADD_ARTIFACT else (ARTIFACT, s.ar)
    s.hand[seat, wild] -= sign
    s.hand_n[seat] -= sign
    laid[team, r] += sign
    s.w[team, r] += sign
    s.open_pts += sign * int(HAND_POINTS[wild])
    s.open_wild += sign


@kernel
def _lay_suit(s: Record, seat: int, team: int, choice: int, sign: int) -> None:
    low, middle, high = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 1]), int(TRIPLE[choice, 2])
    s.suit_lo[team] = low if sign > 0 else -1
    s.suit_hi[team] = high if sign > 0 else -1
    for r in range(low, high + 1):
        if r in (low, middle, high):
            _lay_gold(s, seat, r, sign)
        else:
            _lay_artifact(s, seat, team, r, sign)


@kernel
def _lay_at_end(s: Record, seat: int, team: int, action: int, sign: int) -> None:
    """Lay one card at an end of the suit (sign 1), or take the end card back into the hand (sign -1)."""
    low = action == SUIT_LOW or action - SUIT_GOLD == (s.suit_lo[team] - 1 if sign > 0 else s.suit_lo[team])
    if low:
        r = int(s.suit_lo[team]) - (1 if sign > 0 else 0)
        s.suit_lo[team] -= sign
    else:
        r = int(s.suit_hi[team]) + (1 if sign > 0 else 0)
        s.suit_hi[team] += sign
    if action in (SUIT_LOW, SUIT_HIGH):
        _lay_artifact(s, seat, team, r, sign)
    else:
        _lay_gold(s, seat, r, sign)


@kernel
def _lay_gold(s: Record, seat: int, r: int, sign: int) -> None:
    s.hand[seat, VARIANTS * r + GOLD] -= sign
    s.hand_n[seat] -= sign
    s.open_pts += sign * int(RANK_POINTS[r])


@kernel
def _lay_artifact(s: Record, seat: int, team: int, r: int, sign: int) -> None:
    s.hand[seat, ARTIFACT] -= sign
    s.hand_n[seat] -= sign
    s.suit_art[team] ^= 1 << r
    s.open_pts += sign * ARTIFACT_POINTS
    s.open_wild += sign
