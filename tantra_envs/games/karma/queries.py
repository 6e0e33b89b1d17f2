"""Queries about cards and seats: what fits on the pile, which zone a seat plays from, who still holds cards."""

from __future__ import annotations

from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .actions import GIVE_TO
from .material import FIRST_KARMA, FIVE, TABLE, TYPES
from .state import Phase

HAND, UP, DOWN, NOTHING = range(4)  # the zones a seat plays from


@leaf
def around(seat: int, seats: int) -> int:
    """Return `seat % seats` for 0 <= seat < 2 seats; a division would cost as much as the rest of a play."""
    return int(seat - seats if seat >= seats else seat)


@leaf
def action_base(s: Record) -> int:
    """Return the first action id after the cards."""
    return TYPES * int(s.opt.clear_set)


@leaf
def top(s: Record) -> int:
    """Return the type on top of the pile, which must not be empty."""
    return int(s.pile[s.pile_n - 1])


@kernel
def fits(s: Record, card: int) -> bool:
    """Return whether a card may be played on the pile."""
    return card >= FIRST_KARMA or lowest_fitting(s) <= card <= highest_fitting(s)


@leaf
def lowest_fitting(s: Record) -> int:
    """Return the lowest number that may be played: the top card; 0 on TABLE, BOTTOMS and FIVE [K-20 to K-23]."""
    if s.phase == Phase.FOLLOW or s.pile_n == 0 or top(s) >= FIRST_KARMA:
        return 0
    return top(s)


@leaf
def highest_fitting(s: Record) -> int:
    """Return the highest number that may be played: `five_limit` on FIVE [K-21], else any; any after TABLE [K-53]."""
    if s.phase != Phase.FOLLOW and s.pile_n > 0 and top(s) == FIVE:
        return int(s.opt.five_limit) - 1
    return FIRST_KARMA - 1


@leaf
def run_with(s: Record, card: int, count: int) -> int:
    """Return the number of identical cards on top of the pile after a play of `count` cards [K-40, K-56]."""
    chained = s.phase == Phase.FOLLOW and card == TABLE and s.opt.chain_clears == 0
    joins = s.pile_n > 0 and top(s) == card and not chained
    return int(count + (s.run if joins else 0))


@leaf
def completes_set(s: Record, card: int, run: int) -> bool:
    """Return whether a run of identical cards on top of the pile clears it [K-40, K-41]."""
    return bool(run >= s.opt.clear_set and (card < FIRST_KARMA or s.opt.karma_sets == 1))


@leaf
def source(s: Record, seat: int) -> int:
    """Return the zone that a play comes from: hand, face up, face down [K-30]; after TABLE the hand is last [K-52]."""
    if s.hand_n[seat] > 0 and s.phase != Phase.FOLLOW:
        return HAND
    if s.up_n[seat] > 0:
        return UP
    if s.down_n[seat] > 0:
        return DOWN
    return HAND if s.hand_n[seat] > 0 else NOTHING


@leaf
def cards_of(s: Record, seat: int) -> int:
    """Return the number of cards of a seat."""
    return int(s.hand_n[seat]) + int(s.up_n[seat]) + int(s.down_n[seat])


@leaf
def holds_cards(s: Record, seat: int) -> bool:
    """Return whether the seat has cards."""
    return cards_of(s, seat) > 0


@leaf
def may_receive(s: Record, seat: int) -> bool:
    """Return whether the pile can be given to this seat [K-60, K-63, K-64]."""
    return seat != s.seat and (s.opt.give_to_out == 1 or holds_cards(s, seat))


@kernel
def receivers(s: Record) -> int:
    """Return the number of seats that the pile can be given to."""
    count = 0
    for seat in range(s.seats):
        if may_receive(s, seat):
            count += 1
    return count


@leaf
def seat_of_give(s: Record, action: int) -> int:
    """Return the absolute seat that a give action names."""
    return around(s.seat + 1 + action - action_base(s) - GIVE_TO, int(s.seats))


@leaf
def next_seat(s: Record, seat: int) -> int:
    """Return the next seat to the left that has cards [K-34]."""
    following = around(seat + 1, s.seats)
    while not holds_cards(s, following):
        following = around(following + 1, s.seats)
    return int(following)
