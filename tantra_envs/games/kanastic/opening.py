"""Tests whether a placement leads to a legal end of the turn: a discard, and for a new team the initial meld.

`feasible` is exact: it returns whether further placements of this turn can make the initial meld with a legal finish.
Two quick tests decide nearly all cases. A dynamic programme over the ranks decides the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import kernel, leaf
from ...core.compiled.stack import local_zeros
from ...core.state import Record
from .actions import ADD, ADD_SWORD, NEEDS, NEW, NEW_SUIT, SUIT_GOLD, TEMPLATES, TRIPLE, TRIPLES
from .material import (
    ARTIFACT,
    ARTIFACT_POINTS,
    CANASTA,
    CANASTA_STAGE,
    COMPLETE_SUIT,
    FULL,
    GOLD,
    MOST_WILDS,
    NEW_SIZE,
    RANK_POINTS,
    RANKS,
    REQUIRED_POINTS,
    SMALLEST_POINTS,
    SWORD,
    SWORD_POINTS,
    VARIANTS,
    WILD_CAPS,
)
from .melds import (
    aside,
    bits,
    can_begin,
    finishable,
    golds_held,
    has_canasta,
    has_laid,
    of_rank,
    size_of,
    suit_length,
    team_of,
    turn_seat,
)
from .placements import cards_of, lay, placeable, wild_barred
from .state import SUIT, Phase

REACH_CARDS, REACH_WILDS = 32, 13  # upper bounds, exclusive, of the cards and wild cards that `_reaches` counts
REACH = REACH_CARDS * REACH_WILDS * 2

# [Legal finish]


@kernel
def legal_placement(s: Record, seat: int, action: int) -> bool:
    """Return whether a placeable action still allows a legal end of the turn [KN-43]."""
    if s.opened[team_of(s, seat)]:
        return _leaves_discard(s, seat, action)
    lay(s, seat, action, 1)
    fine = good(s, seat)
    lay(s, seat, action, -1)
    return fine


@kernel
def _leaves_discard(s: Record, seat: int, action: int) -> bool:
    team = team_of(s, seat)
    left = int(s.hand_n[seat]) - cards_of(action)
    if left != 1:
        return left > 1
    return aside(s) or completes(s, team, action) or finishable(s, team)


@kernel
def completes(s: Record, team: int, action: int) -> bool:
    """Return whether the placement completes a canasta or a suit."""
    if action < ADD:
        return False
    if action >= SUIT_GOLD:
        return suit_length(s, team) == COMPLETE_SUIT - 1
    r = (action - ADD) // VARIANTS if action < ADD_SWORD else (action - ADD_SWORD) % RANKS
    return size_of(s, team, r) == CANASTA - 1


@kernel
def good(s: Record, seat: int) -> bool:
    """Return whether the team has opened with a legal finish, or still can in this turn."""
    team = team_of(s, seat)
    if requirement_met(s, team):
        return s.hand_n[seat] > 1 or (s.hand_n[seat] == 1 and finishable(s, team))
    return feasible(s, seat)


# Formations begun with a card from the discard stack [KN-52 to KN-55]


@kernel
def next_pickup(s: Record, seat: int, after: int) -> int:
    """Return the first legal NEW or NEWSUIT action after `after` that uses the taken card, or -1.

    The taken card is already in the hand.
    """
    card = int(s.top_taken)
    r, j = card // VARIANTS, card % VARIANTS
    for t in range(len(TEMPLATES)):
        action = NEW + len(TEMPLATES) * r + t
        if action > after and NEEDS[s.opt.suit_rule, t, j] > 0 and _pickup_legal(s, seat, action, r):
            return action
    if j == GOLD:
        for i in range(len(TRIPLES)):
            low, middle, high = int(TRIPLE[i, 0]), int(TRIPLE[i, 1]), int(TRIPLE[i, 2])
            fits = r in (low, middle, high) and (s.opt.pickup_wilds == 1 or high - low + 1 == NEW_SIZE)
            if fits and NEW_SUIT + i > after and _pickup_legal(s, seat, NEW_SUIT + i, SUIT):
                return NEW_SUIT + i
    return -1


@kernel
def _pickup_legal(s: Record, seat: int, action: int, formation: int) -> bool:
    if not placeable(s, seat, action):
        return False
    s.pick = formation
    fine = legal_placement(s, seat, action)
    s.pick = -1
    return fine


@kernel
def possible(s: Record) -> bool:
    """Return whether the seat in turn, with this hand, can finish what it began in this turn."""
    seat = turn_seat(s)
    team = team_of(s, seat)
    if s.phase == Phase.OVER:
        return True
    if s.phase == Phase.PICKUP:
        return next_pickup(s, seat, -1) >= 0
    return s.opened[team] == 1 or not has_laid(s, team) or feasible(s, seat)


@kernel
def requirement_met(s: Record, team: int) -> bool:
    """Return whether the formations laid in this turn make the initial meld [KN-34, KN-41]."""
    if suit_length(s, team) >= (1 if s.opt.partial_suit_opens else COMPLETE_SUIT):
        return True
    stage = int(s.stage[team])
    if stage == CANASTA_STAGE:
        return has_canasta(s, team)
    return bool(s.open_pts >= REQUIRED_POINTS[stage] and s.open_wild <= WILD_CAPS[stage])


# Whether the team can still open in this turn [KN-41, KN-42]


@kernel
def feasible(s: Record, seat: int) -> bool:
    """Return whether some placements lead from here to the initial meld with a legal finish.

    The requirement is not met yet.
    """
    team = team_of(s, seat)
    golds = golds_held(s, seat)
    if s.suit_lo[team] >= 0 or bits(golds) >= NEW_SIZE:
        if _suit_route(s, seat, team, golds) or _begun_suit_route(s, seat, team):
            return True
    if s.stage[team] == CANASTA_STAGE:
        return _canasta_route(s, seat, team)
    return _points_route(s, seat, team, golds)


@kernel
def _suit_route(s: Record, seat: int, team: int, golds: int) -> bool:
    """Return whether the hand can complete a golden suit of seven around the cards laid."""
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    artifacts = _suit_artifacts(s, seat, team)
    for first in range(RANKS - COMPLETE_SUIT + 1):
        last = first + COMPLETE_SUIT - 1
        if lo >= 0 and (first > lo or last < hi):
            continue
        missing, needed = 0, 0
        for r in range(first, last + 1):
            if lo < 0 or r < lo or r > hi:
                needed += 1
                missing += 1 - ((golds >> r) & 1)
        if missing <= artifacts and s.hand_n[seat] > needed:
            return True
    return False


@leaf
def _suit_artifacts(s: Record, seat: int, team: int) -> int:
    """Return the number of Artifacts of the hand that may still enter the suit."""
    room = MOST_WILDS - bits(int(s.suit_art[team]))
    return 0 if wild_barred(s, SUIT) else min(int(s.hand[seat, ARTIFACT]), room)


@kernel
def _begun_suit_route(s: Record, seat: int, team: int) -> bool:
    """Return whether the seat can open by beginning a suit, with `partial_suit_opens` [KN-34].

    A card less may be left after a canasta [KN-61].
    """
    if s.opt.partial_suit_opens == 0:
        return False
    fewest = 1 if has_canasta(s, team) else 2
    for action in range(NEW_SUIT, ADD):
        if placeable(s, seat, action) and s.hand_n[seat] - cards_of(action) >= fewest:
            return True
    return False


@kernel
def _canasta_route(s: Record, seat: int, team: int) -> bool:
    """Return whether the hand can complete a canasta, for stage IV."""
    wilds = int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT])
    for r in range(RANKS):
        size = size_of(s, team, r)
        if size > 0 or can_begin(s, seat, r, 0):
            usable = 0 if wild_barred(s, r) else min(MOST_WILDS - int(s.w[team, r]), wilds)
            need = CANASTA - size
            if of_rank(s.hand[seat], r) + usable >= need and s.hand_n[seat] > need:
                return True
    return False


@kernel
def _points_route(s: Record, seat: int, team: int, golds: int) -> bool:
    """Return whether the hand can lay the points of stages I to III; quick tests come before the search."""
    stage = int(s.stage[team])
    need, cap = int(REQUIRED_POINTS[stage]) - int(s.open_pts), int(WILD_CAPS[stage]) - int(s.open_wild)
    if cap < 0:
        return False
    suit = s.suit_lo[team] >= 0 or bits(golds) >= NEW_SIZE
    most, cards, points, room = 0, 0, 0, 0
    for r in range(RANKS):
        held, value = of_rank(s.hand[seat], r), int(RANK_POINTS[r])
        size = size_of(s, team, r)
        if held > 0 and (size > 0 or (held >= NEW_SIZE and can_begin(s, seat, r, 0))):
            laid = min(held, FULL - size)
            most += held * value
            points += laid * value
            cards += laid
            size += laid
        elif suit:
            most += ((golds >> r) & 1) * value
        if size > 0 and not wild_barred(s, r):
            room += min(MOST_WILDS - int(s.w[team, r]), FULL - size)
    if most + _wild_points(s, seat, 0, cap) < need:
        return False
    wilds = min(cap, room, int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT]))
    if cards + wilds + 2 <= s.hand_n[seat] and points + _wild_points(s, seat, 0, wilds) >= need:
        return True
    return _search(s, seat, team, golds, need, cap)


@leaf
def _wild_points(s: Record, seat: int, spent: int, count: int) -> int:
    """Return the points of the best `count` wild cards of the hand after `spent` Artifacts are used."""
    artifacts = min(count, int(s.hand[seat, ARTIFACT]) - spent)
    return ARTIFACT_POINTS * artifacts + SWORD_POINTS * min(count - artifacts, int(s.hand[seat, SWORD]))


@kernel
def _search(s: Record, seat: int, team: int, golds: int, need: int, cap: int) -> bool:
    """Return whether some extension of the golden suit, or none, and rank formations bring the points."""
    if _reaches(s, seat, team, 0, 0, need, cap):
        return True
    lo, hi = int(s.suit_lo[team]), int(s.suit_hi[team])
    if lo < 0 and bits(golds) < NEW_SIZE:
        return False
    for low in range(RANKS if lo < 0 else lo + 1):
        for high in range(low if lo < 0 else hi, RANKS):
            span = (1 << (high + 1)) - (1 << low)
            if lo >= 0:
                span &= ~((1 << (hi + 1)) - (1 << lo))
            if span and _reaches_with_suit(s, seat, team, golds, span, need, cap):
                return True
    return False


@kernel
def _reaches_with_suit(s: Record, seat: int, team: int, golds: int, span: int, need: int, cap: int) -> bool:
    """Return whether the points can be reached when the suit takes the ranks of `span`.

    Artifacts fill the ranks without a gold card in the hand, and may replace gold cards.
    """
    most = min(cap, _suit_artifacts(s, seat, team))
    missing = bits(span & ~golds)
    if missing > most:
        return False
    held = span & golds
    spared = held  # golds replaced by Artifacts because their rank may need them: every subset, the empty one last
    while True:
        artifacts = missing + bits(spared)
        begins = s.suit_lo[team] >= 0 or bits(held & ~spared) >= NEW_SIZE
        if artifacts <= most and begins and _reaches(s, seat, team, held & ~spared, artifacts, need, cap):
            return True
        if spared == 0:
            return False
        spared = (spared - 1) & held


@kernel
def _reaches(s: Record, seat: int, team: int, golds: int, artifacts: int, need: int, cap: int) -> bool:
    """Return whether rank formations bring the missing points, given the golds and Artifacts in the suit.

    `reach[cards, wilds, canasta]` is 1 + the most points of naturals in units of five, at most the need. It is 0 where
    no placements lead there.
    """
    cards = bits(golds) + artifacts
    limit = min(int(s.hand_n[seat]) - 1, REACH_CARDS - 1)
    if cards > limit:
        return False
    reach = local_zeros(REACH, np.int8)
    points = ARTIFACT_POINTS * artifacts
    for r in range(RANKS):
        points += ((golds >> r) & 1) * int(RANK_POINTS[r])
    enough = 1 + need // SMALLEST_POINTS
    wilds = min(cap, int(s.hand[seat, SWORD] + s.hand[seat, ARTIFACT])) - artifacts
    wilds = min(wilds, REACH_WILDS - 1)
    reach[_at(cards, 0, int(has_canasta(s, team)))] = min(1 + points // SMALLEST_POINTS, enough)
    for r in range(RANKS):
        spent = (golds >> r) & 1
        held = of_rank(s.hand[seat], r) - spent
        size = size_of(s, team, r)
        if size > 0:
            _extend(s, reach, team, r, 0, min(held, FULL - size), limit, wilds, enough)
        elif held >= NEW_SIZE and can_begin(s, seat, r, spent):
            _extend(s, reach, team, r, NEW_SIZE, held, limit, wilds, enough)
    return _reached(s, reach, seat, artifacts, limit, wilds, need)


@leaf
def _at(cards: int, wilds: int, canasta: int) -> int:
    return (cards * REACH_WILDS + wilds) * 2 + canasta


@kernel
def _extend(
    s: Record, reach: Any, team: int, r: int, fewest: int, most: int, limit: int, wilds: int, enough: int
) -> None:
    """Let a rank take `fewest` to `most` naturals and some wild cards, or nothing.

    The loop runs from many cards to few, so that the rank counts only once.
    """
    for cards in range(limit, 0, -1):
        for used in range(wilds + 1):
            for canasta in range(2):
                at = _at(cards, used, canasta)
                best = int(reach[at])
                for m in range(fewest, most + 1):
                    best = max(best, _best_before(s, reach, team, r, m, cards, used, canasta, enough))
                reach[at] = best


@kernel
def _best_before(
    s: Record, reach: Any, team: int, r: int, m: int, cards: int, used: int, canasta: int, enough: int
) -> int:
    """Return the most points if the rank takes m naturals and any wild cards as the last step; 0 if impossible."""
    size = size_of(s, team, r) + m
    room = 0 if wild_barred(s, r) else min(MOST_WILDS - int(s.w[team, r]), FULL - size)
    best = 0
    for y in range(min(room, used, cards - m) + 1):
        full = size + y >= CANASTA
        if m + y == 0 or m + y > cards or (full and canasta == 0):
            continue
        before = int(reach[_at(cards - m - y, used - y, canasta)])
        if full:
            before = max(before, int(reach[_at(cards - m - y, used - y, 0)]))
        if before > 0:
            best = max(best, min(before + m * int(RANK_POINTS[r]) // SMALLEST_POINTS, enough))
    return best


@kernel
def _reached(s: Record, reach: Any, seat: int, artifacts: int, limit: int, wilds: int, need: int) -> bool:
    """Return whether the need is met with a legal finish: two cards left, or one and a canasta."""
    for cards in range(limit + 1):
        for used in range(wilds + 1):
            for canasta in range(2):
                at = _at(cards, used, canasta)
                if reach[at] > 0 and cards + 2 - canasta <= s.hand_n[seat]:
                    points = SMALLEST_POINTS * (int(reach[at]) - 1) + _wild_points(s, seat, artifacts, used)
                    if points >= need:
                        return True
    return False
