"""Queries about teams, formations on the table and cards in a hand."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import entry_point, kernel, leaf
from ...core.state import Record
from .material import (
    ACE,
    ARTIFACT_POINTS,
    CANASTA,
    CLUBS,
    COMPLETE_SUIT,
    COPIES,
    DIAMONDS,
    GOLD,
    HAND_POINTS,
    HEARTS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    NATURAL_ACES,
    NATURAL_CANASTA,
    NATURALS,
    NEW_SIZE,
    POT_POINTS,
    RANK_POINTS,
    RANKS,
    ROYAL_SUIT,
    SHIELD,
    SMALL_DECKS,
    SPADES,
    SWORD_POINTS,
    VARIANTS,
    SuitRule,
)
from .state import Phase, Taken

# Seats and teams


@leaf
def copies(s: Record, kind: int) -> int:
    """Return how many cards of a kind the deck has [KN-02, KN-03, KN-04]."""
    if s.opt.deck_cards:
        return int(SMALL_DECKS[s.opt.deck_cards, kind])
    return int(s.opt.shields) if kind == SHIELD else int(COPIES[s.opt.suit_rule, kind])


@leaf
def hand_points(s: Record, kind: int) -> int:
    """Return the points that a card left in a hand costs [KN-70, KN-71]."""
    return int(s.opt.shield_penalty) if kind == SHIELD else int(HAND_POINTS[kind])


@leaf
def team_of(s: Record, seat: int) -> int:
    """Return the team of a seat [KN-10]."""
    return int(seat % s.opt.teams)


@leaf
def turn_seat(s: Record) -> int:
    """Return the seat in turn; while the partner answers it is the seat that asked [KN-63]."""
    return int(s.asker) if s.phase == Phase.ANSWER else int(s.seat)


@leaf
def aside(s: Record) -> bool:
    """Return whether an old stack waits to be taken into the hand [KN-54]."""
    return bool(s.taken == Taken.STACK and s.pile_n > 0)


# Formations on the table


@leaf
def size_of(s: Record, team: int, r: int) -> int:
    """Return the number of cards in the formation of a rank, 0 if there is none."""
    return int(s.n[team, r] + s.w[team, r])


@leaf
def suit_length(s: Record, team: int) -> int:
    """Return the number of cards in the golden suit, 0 if there is none."""
    return int(s.suit_hi[team] - s.suit_lo[team] + 1) if s.suit_lo[team] >= 0 else 0


@kernel
def bits(number: int) -> int:
    """Return the number of bits that are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@kernel
def has_canasta(s: Record, team: int) -> bool:
    """Return whether the team has a rank formation of seven or eight cards [KN-23]."""
    longest = 0
    for r in range(RANKS):
        longest = max(longest, size_of(s, team, r))
    return longest >= CANASTA


@kernel
def finishable(s: Record, team: int) -> bool:
    """Return whether the team may go out: it has a canasta or a complete suit [KN-61]."""
    return suit_length(s, team) >= COMPLETE_SUIT or has_canasta(s, team)


@kernel
def has_laid(s: Record, team: int) -> bool:
    """Return whether the team has a formation on the table."""
    cards = 0
    for r in range(RANKS):
        cards += s.n[team, r]
    return cards > 0 or s.suit_lo[team] >= 0


@kernel
def table_points(s: Record, team: int) -> int:
    """Return the points of the team's cards, canastas, suit and pots on the table [KN-25, KN-33, KN-70, KN-72]."""
    points = int(POT_POINTS[s.pots[team]])
    for r in range(RANKS):
        points += int(s.n[team, r]) * int(RANK_POINTS[r])
        points += int(s.sw[team, r]) * SWORD_POINTS + int(s.ar[team, r]) * ARTIFACT_POINTS
        if size_of(s, team, r) >= CANASTA:
            points += canasta_bonus(r, s.w[team, r] == 0)
    return points + _suit_points(s, team)


@entry_point
def table_points_rows(states: Any, points: Any) -> None:
    """Fill in the points on the table of every team, shape (n, teams); columns of absent teams do not change."""
    for i in range(len(states)):
        for team in range(states[i].opt.teams):
            points[i, team] = table_points(states[i], team)


@leaf
def canasta_bonus(r: int, natural: bool) -> int:
    """Return the bonus of a canasta [KN-25]."""
    if r == ACE:
        return NATURAL_ACES if natural else MIXED_ACES
    return NATURAL_CANASTA if natural else MIXED_CANASTA


@kernel
def _suit_points(s: Record, team: int) -> int:
    if s.suit_lo[team] < 0:
        return 0
    points = 0
    for r in range(s.suit_lo[team], s.suit_hi[team] + 1):
        points += ARTIFACT_POINTS if (s.suit_art[team] >> r) & 1 else int(RANK_POINTS[r])
    if suit_length(s, team) >= COMPLETE_SUIT:
        points += ROYAL_SUIT if s.suit_art[team] == 0 else MIXED_SUIT
    return points


# Cards in the hand


@leaf
def of_rank(cards: Any, r: int) -> int:
    """Return the number of cards of a rank, the gold one included; `cards` are counts by kind."""
    k = VARIANTS * r
    return int(cards[k]) + int(cards[k + 1]) + int(cards[k + 2]) + int(cards[k + 3]) + int(cards[k + GOLD])


@kernel
def can_begin(s: Record, seat: int, r: int, without_gold: int) -> bool:
    """Return whether the hand, less `without_gold` (0 or 1) gold cards, can begin a formation of the rank [KN-03]."""
    hand, k = s.hand[seat], VARIANTS * r
    gold = int(hand[k + GOLD]) - without_gold
    if s.opt.suit_rule == SuitRule.ANY:
        return bool(hand[k] + gold >= NEW_SIZE and hand[k] >= NEW_SIZE - 1)
    suits = int(hand[k + HEARTS] > 0) + int(hand[k + DIAMONDS] > 0) + int(hand[k + CLUBS] > 0)
    return bool(suits + int(hand[k + SPADES] + gold > 0) >= NEW_SIZE)


@kernel
def golds_held(s: Record, seat: int) -> int:
    """Return the gold cards of the hand as a bit mask: bit r is the gold of rank r."""
    held = 0
    for r in range(RANKS):
        if s.hand[seat, VARIANTS * r + GOLD] > 0:
            held |= 1 << r
    return held


@leaf
def is_natural(kind: int) -> bool:
    """Return whether the kind is one of the rank cards."""
    return 0 <= kind < NATURALS
