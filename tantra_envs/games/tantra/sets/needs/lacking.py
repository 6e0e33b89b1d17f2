"""The number of wild cards that a hand lacks for its sets, fast enough for agents that examine many hands.

Runs are filled suit by suit (runs.py), kinds rank by rank (kinds.py). Results are cached by hand, because
copies of a table contain the same hands many times.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from .....core.state import Record, record
from ...material import KINDS, MAX_PACKS, NATURALS, RANKS, SETS, SUITS, TOTAL
from ..search.laying import deficit
from ..tabled import usable_wilds
from .kinds import SETS_WORK, most_in_both, most_in_kinds, sort_ranks
from .runs import BITS, most_in_runs

KEPT_HANDS = 4093  # a prime
KNOWN_HAND = record([("suits", np.int64, (SUITS,)), ("lacking", np.int8)])
NEEDS = record(
    [
        ("hands", KNOWN_HAND, (KEPT_HANDS,)),
        ("held", np.int64, (SUITS,)),  # the suits of the noted hand
        ("suits", np.int64, (SUITS,)),  # the suits of the changed hand, with Display Card and wild cards
        ("sets", SETS_WORK),
    ]
)
CARDS = (1 << BITS) - 1
UNARY = np.array([sum(1 << RANKS * k for k in range(n)) for n in range(MAX_PACKS + 1)], np.int64)


@kernel
def lacking(work: Any, s: Record) -> int:
    """Note the hand of seat 0 and return the number of wild cards it lacks for its sets, 0 once it has laid down.

    The result equals that of `deficit`, which finds it by a search.
    """
    note_hand(work, s)
    return lacking_with(work, s, 0, 0)


@kernel
def note_hand(work: Any, s: Record) -> None:
    """Note the hand of seat 0, before `lacking_with` is called."""
    for suit in range(SUITS):
        work.held[suit] = _suit_of(s.hands[0], suit)


@kernel
def lacking_with(work: Any, s: Record, card: int, more: int) -> int:
    """Return the number of wild cards that the noted hand lacks with one more (1) or one fewer (-1) copy of a card."""
    if s.laid_turn[0] >= 0:
        return 0
    asked = work.suits
    for suit in range(SUITS):
        asked[suit] = work.held[suit]
    if card < NATURALS:
        copies = int(s.hands[0, card]) + min(more, 0)
        asked[card // RANKS] ^= abs(more) << RANKS * copies + card % RANKS
    s.hands[0, card] += more
    asked[0] |= s.display << BITS
    asked[1] |= usable_wilds(s, 0) << BITS
    known = work.hands[(asked[0] + 3 * asked[1] + 5 * asked[2] + 7 * asked[3]) % KEPT_HANDS]
    if not _is_about(known.suits, asked):
        for suit in range(SUITS):
            known.suits[suit] = asked[suit]
        known.lacking = _work_out(work, s)
    s.hands[0, card] -= more
    return int(known.lacking)


@kernel
def _suit_of(hand: Any, suit: int) -> int:
    """Return the cards of a suit as a number, in the encoding of runs.py."""
    cards = 0
    for rank in range(RANKS):
        cards |= int(UNARY[hand[suit * RANKS + rank]]) << rank
    return cards


@kernel
def _is_about(suits: Any, asked: Any) -> bool:
    different = 0
    for suit in range(SUITS):
        different |= suits[suit] ^ asked[suit]
    return different == 0


@kernel
def _work_out(work: Any, s: Record) -> int:
    if s.opt.min_naturals_per_set > 0:
        return deficit(s, 0)
    display = int(s.display)
    work.suits[0] &= CARDS
    work.suits[1] &= CARDS
    used = _most_used(work.sets, display, work.suits)
    return max(0, int(TOTAL[display]) - used - usable_wilds(s, 0))


@kernel
def _most_used(work: Any, display: int, suits: Any) -> int:
    """Return the number of natural cards that all sets together can use."""
    if KINDS[display] == 0:
        return most_in_runs(work.runs, display, suits)
    sort_ranks(work, suits)
    if KINDS[display] == SETS[display]:
        return most_in_kinds(work, display)
    return most_in_both(work, display, suits)
