"""Action features of Karma for learned agents: what an action does, and what it leaves to the next seat.

They are the same for every number of seats, so that one network can play at all tables.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .actions import DECLINE, FLIP, GIVE_TO, PICKUP
from .material import BOTTOMS, FIRST_KARMA, FIVE, GIVE, HAND_MINIMUM, TABLE_CARDS, TYPES
from .material import TABLE as TABLE_EFFECT
from .odds import count_unseen, odds_stuck, odds_without, prepare  # noqa: F401 (`prepare` is a part of the features)
from .queries import cards_of, completes_set, holds_cards, next_seat, run_with, top
from .state import Phase

# An action: its kind, one-hot; the card type, one-hot; then single numbers.
PLACE, PLAY, FLIPPING, PICKING_UP, DECLINING, GIVING = range(6)
CARD = GIVING + 1
COUNT, LEFT, SET, OWN, OWN_HAND, FINISHES, PILE, CLEARED, TOP, NO_TOP, TOP_TABLE, TOP_FIVE, RUN = range(
    CARD + TYPES, CARD + TYPES + 13
)
STUCK, NEXT_SET, NEXT_CARDS, TO_CARDS, TO_OUT, GIVEN = range(RUN + 1, RUN + 7)
DRAWN, FITTING, PAIRS, LOWEST, BURDEN = range(GIVEN + 1, GIVEN + 6)
AFTER = BURDEN + 1  # own cards in hand and face up that are left, by type
FEATURES = AFTER + TYPES

# A table: the phase, one-hot; four counts by card type; then single numbers, and some of the next seats.
PHASES = int(Phase.OVER)
HAND, UP, PILED, UNSEEN = (PHASES + TYPES * i for i in range(4))
DOWN_SIZE, DRAW_SIZE, PILE_SIZE, HAND_SIZE, RUN_SIZE = range(UNSEEN + TYPES, UNSEEN + TYPES + 5)
NUMBER_ON_TOP, KARMA_ON_TOP, FIVE_ON_TOP, NONE_ON_TOP = range(RUN_SIZE + 1, RUN_SIZE + 5)
# Seats, those with cards, those that still choose; the fewest and most cards of others; the share with fewer cards.
SEATS, PLAYING, CHOOSING, FEWEST, MOST, AHEAD = range(NONE_ON_TOP + 1, NONE_ON_TOP + 7)
NEXT = AHEAD + 1
IN_HAND, FACE_UP, FACE_DOWN, PLAYS = range(4)  # of a next seat: its cards, and whether it has any
SHOWN_SEATS, OF_SEAT = 3, PLAYS + 1  # next seats that are described, and numbers of each
# By type: known hand cards and face-up cards of the next seat with cards, and of the other seats together.
NEXT_KNOWN = NEXT + SHOWN_SEATS * OF_SEAT
NEXT_UP, OTHERS_KNOWN, OTHERS_UP = (NEXT_KNOWN + TYPES * i for i in (1, 2, 3))
TABLE = OTHERS_UP + TYPES

MANY, FEW = 20.0, 10.0  # scales of cards


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    work, n = room[0], 0
    count_unseen(known, work.unseen)
    _describe_table(known, work.unseen, table)
    for action in range(len(mask)):
        if mask[action] == 1:
            _describe_step(known, action, work, features[n])
            _describe_cards_left(known, action, features[n])
            n += 1
    return n


# Tables


@kernel
def _describe_table(known: Record, unseen: Any, row: Any) -> None:
    if known.phase < PHASES:
        row[known.phase] = 1
    copies = float(known.opt.copies)
    for card in range(TYPES):
        row[HAND + card] = known.hands[0, card] / copies
        row[UP + card] = known.up[0, card] / copies
        row[PILED + card] = known.piled[card] / copies
        row[UNSEEN + card] = unseen[card] / copies
    row[DOWN_SIZE] = known.down_n[0] / TABLE_CARDS
    row[DRAW_SIZE] = known.draw_n / float(known.opt.deck_size)
    row[PILE_SIZE] = known.pile_n / MANY
    row[HAND_SIZE] = known.hand_n[0] / FEW
    row[RUN_SIZE] = known.run / float(known.opt.clear_set)
    _describe_top(top(known) if known.pile_n > 0 else TYPES, row)
    _describe_seats(known, row)
    _describe_shown_cards(known, row)


@kernel
def _describe_top(top: int, row: Any) -> None:
    """Fill in the card on top of the pile: its number, a karma card, FIVE, none."""
    row[NUMBER_ON_TOP] = top / float(FIRST_KARMA) if top < FIRST_KARMA else 0.0
    row[KARMA_ON_TOP] = FIRST_KARMA <= top < TYPES
    row[FIVE_ON_TOP] = top == FIVE
    row[NONE_ON_TOP] = top == TYPES


@kernel
def _describe_seats(known: Record, row: Any) -> None:
    """Fill in how many seats there are, how their cards compare, and the sizes of the next seats."""
    own, fewest, most, playing, ahead = cards_of(known, 0), 999, 0, 0, 0
    for seat in range(1, known.seats):
        cards = cards_of(known, seat)
        if cards > 0:
            playing += 1
            fewest, most = min(fewest, cards), max(most, cards)
        ahead += cards < own
        if seat <= SHOWN_SEATS:
            at = NEXT + OF_SEAT * (seat - 1)
            row[at + IN_HAND] = known.hand_n[seat] / FEW
            row[at + FACE_UP] = known.up_n[seat] / TABLE_CARDS
            row[at + FACE_DOWN] = known.down_n[seat] / TABLE_CARDS
            row[at + PLAYS] = cards > 0
    row[SEATS] = known.seats / FEW
    row[PLAYING] = playing / FEW
    row[CHOOSING] = known.setup_left / FEW
    row[FEWEST] = (fewest if playing > 0 else 0) / MANY
    row[MOST] = most / MANY
    row[AHEAD] = ahead / float(known.seats - 1)


@kernel
def _describe_shown_cards(known: Record, row: Any) -> None:
    """Fill in the cards of other seats that everybody has seen: those of the next seat, and of the others together."""
    copies, following = float(known.opt.copies), next_seat(known, 0)
    for seat in range(1, known.seats):
        hand, up = (NEXT_KNOWN, NEXT_UP) if seat == following else (OTHERS_KNOWN, OTHERS_UP)
        for card in range(TYPES):
            row[hand + card] += known.known[seat, card] / copies
            row[up + card] += known.up[seat, card] / copies


# Actions


@kernel
def _describe_cards_left(known: Record, action: int, row: Any) -> None:
    """Fill in the own cards that an action leaves, by type, and how they fit on the pile that it leaves."""
    choice, pairs, fitting, lowest, cards = action - TYPES * known.opt.clear_set, 0, 0, TYPES, 0
    count = action // TYPES + 1 if choice < 0 and known.phase != Phase.SETUP else 0
    taken = choice == PICKUP
    for card in range(TYPES):
        left = int(known.hands[0, card]) + int(known.up[0, card]) + taken * int(known.piled[card])
        left -= count * (card == action % TYPES)
        row[AFTER + card] = left / float(known.opt.copies)
        if left > 0:
            cards += left
            pairs += left > 1
            lowest = min(lowest, card)
            fitting += left * _fits_then(known, row, card)
    hand = int(known.hand_n[0]) - (count if known.hand_n[0] > 0 else 0) + taken * int(known.pile_n)
    row[DRAWN] = max(0, min(int(known.opt.refill) - hand, int(known.draw_n))) / float(HAND_MINIMUM)
    row[FITTING], row[PAIRS], row[LOWEST] = fitting / float(max(1, cards)), pairs / 3.0, lowest / float(TYPES)
    row[BURDEN] = row[STUCK] * row[PILE]


@kernel
def _fits_then(known: Record, row: Any, card: int) -> bool:
    """Return whether a card fits on the pile that an action leaves, by the action's features."""
    if card >= FIRST_KARMA:
        return True
    return bool(card < known.opt.five_limit if row[TOP_FIVE] == 1 else card > row[TOP] * FIRST_KARMA - 0.5)


@kernel
def _describe_step(known: Record, action: int, work: Any, row: Any) -> None:
    """Fill in what an action does, and the pile that it leaves."""
    choice = action - TYPES * known.opt.clear_set
    if choice < 0:
        card, count = action % TYPES, action // TYPES + 1
        if known.phase == Phase.SETUP:
            row[PLACE] = 1
            row[CARD + card] = 1
            row[LEFT] = (known.hands[0, card] - 1) / float(known.opt.copies)
        else:
            _describe_play(known, card, count, work, row)
    elif choice >= GIVE_TO:
        _describe_gift(known, choice - GIVE_TO + 1, row)
    else:
        row[FLIPPING] = choice == FLIP
        row[PICKING_UP] = choice == PICKUP
        row[DECLINING] = choice == DECLINE
        row[OWN] = (cards_of(known, 0) + (known.pile_n if choice == PICKUP else 0)) / MANY
        row[OWN_HAND] = (known.hand_n[0] + (known.pile_n if choice == PICKUP else 0)) / FEW


@kernel
def _describe_play(known: Record, card: int, count: int, work: Any, row: Any) -> None:
    """Describe cards that are played: what leaves, what the pile becomes, and what the next seat can do with it."""
    row[PLAY] = 1
    row[CARD + card] = 1
    row[COUNT] = count / float(known.opt.clear_set)
    row[LEFT] = (known.hands[0, card] + known.up[0, card] - count) / float(known.opt.copies)
    row[OWN] = (cards_of(known, 0) - count) / MANY
    row[OWN_HAND] = max(0, known.hand_n[0] - count) / FEW
    row[FINISHES] = cards_of(known, 0) == count and known.draw_n == 0
    run = run_with(known, card, count)
    pile = known.pile_n + count
    if completes_set(known, card, run):
        row[SET] = 1
        row[CLEARED] = pile / MANY
        row[NO_TOP] = 1
    elif card == GIVE:
        row[GIVEN] = known.pile_n / MANY
        row[NO_TOP] = 1
    else:
        if card == BOTTOMS and known.pile_n > 0:
            card, run = int(known.pile[0]), int(known.opt.surfaced_counts)
        _describe_pile(known, card, run, pile, work, row)


@kernel
def _describe_pile(known: Record, top: int, run: int, pile: int, work: Any, row: Any) -> None:
    """Describe the pile after a play, and the answers of the next seat."""
    seat = next_seat(known, 0)
    row[PILE] = pile / MANY
    row[TOP] = top / float(FIRST_KARMA) if top < FIRST_KARMA else 0.0
    row[TOP_TABLE] = top == TABLE_EFFECT
    row[TOP_FIVE] = top == FIVE
    row[RUN] = run / float(known.opt.clear_set)
    row[NEXT_CARDS] = cards_of(known, seat) / FEW
    if top != TABLE_EFFECT:
        row[STUCK] = odds_stuck(known, seat, top, work)
        if completes_set(known, top, run + 1):
            row[NEXT_SET] = 1.0 - odds_without(known, seat, top, top, False, work)


@kernel
def _describe_gift(known: Record, seat: int, row: Any) -> None:
    """Describe a seat that the pile may be given to."""
    row[GIVING] = 1
    row[GIVEN] = known.pile_n / MANY
    row[TO_CARDS] = cards_of(known, seat) / FEW
    row[TO_OUT] = not holds_cards(known, seat)
    row[NEXT_CARDS] = seat == next_seat(known, 0)
