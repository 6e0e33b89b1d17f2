"""Action features of Tantra: the hand and the table after each legal action.

The features of an action describe its card: its points, and the cards of the hand that go with it. They count the cards
that the hand lacks for the Display Card after the action, and the unseen cards that would reduce that number. The
features of laying down count the cards that remain in the hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.state import Record, record
from .actions import DISCARD, HAND_OVER, KEEP, KIND, LAY_DOWN, LAY_OFF, PLACE
from .hands import fits_table, friends, laid_down, left_after, naturals_in, points, top_discard
from .material import IDENTICAL, KINDS, NATURALS, NO_BUYING, NO_JOKERS, NO_WILD_CARDS, RANKS, SETS, SUITS, TOTAL
from .needs import NEEDS, lacking, lacking_with, note_hand
from .sets import buys_left, hand_points, has_flag, usable_wilds
from .state import FIELDS, STATE, Phase

PHASES = int(Phase.OVER)

# One-hot kind of action: the first eight actions, a discard, a step of building, a lay-off. Then its card:
KINDS_OF_ACTIONS = LAY_DOWN + 4
THROW, BUILD, ADD = LAY_DOWN + 1, LAY_DOWN + 2, LAY_DOWN + 3
# The change of the cards lacking (fewer by a gain, more by a discard), the cards lacking after it, points, whether it
# is wild, friends, whether it fits the table, copies held and unseen, cards near it that the next seat and other seats
# hold, discards of its rank, points at risk; outs, only for the discards after which fewest cards are lacking.
CHANGE, AFTER, WORTH, WILD, FRIENDS, FITS, HELD, UNSEEN, NEAR_NEXT, NEAR_OTHERS, DISCARDED, RISK, OUTS = range(
    KINDS_OF_ACTIONS, KINDS_OF_ACTIONS + 13
)
FEATURES = OUTS + 1
# Actions without a card use the same places.
LEFT = CHANGE  # laying down: the cards left, then one-hot whether they are 1, 2 or 3
NATURALS_USED = CHANGE  # a step of building: its natural cards

# A table: the phase, one-hot; the own seat: cards lacking, whether it has laid down, cards, points, wild cards, buys;
# the round: turns, and turns to the limit; stock, discards, seats.
LACKS, HAS_LAID, CARDS, POINTS, WILDS, BOUGHT, BUYS = range(PHASES, PHASES + 7)
TURNS, TO_LIMIT, STOCK, DISCARDS, SEATS = range(BUYS + 1, BUYS + 6)
# The Display Card: kinds, runs, cards, its four restrictions.
KINDS_ASKED, RUNS_ASKED, CARDS_ASKED, ALIKE, WITHOUT_JOKERS, WITHOUT_WILDS, WITHOUT_BUYS = range(SEATS + 1, SEATS + 8)
# Others: seats that have laid down, the fewest cards of all and of those; the next seat's cards and whether it has laid
# down; the lead. Then whether the own seat may lay down now, and the cards left if it does.
OTHERS_LAID, FEWEST, FEWEST_LAID, NEXT_CARDS, NEXT_LAID, LEAD = range(WITHOUT_BUYS + 1, WITHOUT_BUYS + 7)
MAY_LAY_DOWN, WOULD_LEAVE = LEAD + 1, LEAD + 2
TABLE = WOULD_LEAVE + 1
FAR, BEHIND = 30.0, -1e9  # a larger hand and a lower score than any seat has
WORK = record(
    [
        ("table", STATE),  # a copy of the concealed record, to try cards on
        ("needs", NEEDS),
        ("helps", np.int8, (NATURALS,)),  # 1 = with one more copy of this card the hand lacks one card fewer
    ]
)
conceal = FIELDS.conceal


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that `describe_legal` works in, shape (1,). Each thread needs its own."""
    return np.zeros(1, WORK)


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    work, n = room[0], 0
    s = work.table
    conceal(known, 0, 0, s)
    lacks = lacking(work.needs, s)
    _describe_table(s, lacks, table)
    for action in range(len(mask)):
        if mask[action] == 1:
            _describe_action(s, work, action, lacks, features[n])
            n += 1
    if n > 0 and s.phase == Phase.MAIN and s.laid_turn[0] < 0:
        _find_help(s, work, lacks)
        _describe_outs(s, work, lacks, mask, features)
    if n > 0 and mask[LAY_DOWN] == 1:  # this step changes the table
        _describe_lay_down(int(left_after(s)), features[0], table)
    return n


@kernel
def _describe_table(s: Record, lacks: int, row: Any) -> None:
    """Fill in the features that all actions of a table share."""
    if s.phase < PHASES:
        row[s.phase] = 1.0
    row[LACKS] = lacks / 5.0
    row[HAS_LAID] = s.laid_turn[0] >= 0
    row[CARDS] = s.hand_n[0] / 10.0
    row[POINTS] = hand_points(s, 0) / 100.0
    row[WILDS] = usable_wilds(s, 0) / 4.0
    row[BOUGHT] = s.buys_used[0] / 3.0
    row[BUYS] = buys_left(s, 0) / 3.0
    row[TURNS] = s.turns / (10.0 * s.seats)
    row[TO_LIMIT] = min(s.opt.turn_limit - s.turns, 100) / 100.0
    row[STOCK] = s.stock_n / 50.0
    row[DISCARDS] = s.discard_n / 50.0
    row[SEATS] = s.seats / 6.0
    _describe_contract(s, row)
    _describe_others(s, row)


@kernel
def _describe_contract(s: Record, row: Any) -> None:
    display = int(s.display)
    row[KINDS_ASKED] = KINDS[display] / 5.0
    row[RUNS_ASKED] = (SETS[display] - KINDS[display]) / 5.0
    row[CARDS_ASKED] = TOTAL[display] / 15.0
    row[ALIKE] = has_flag(s, IDENTICAL)
    row[WITHOUT_JOKERS] = has_flag(s, NO_JOKERS)
    row[WITHOUT_WILDS] = has_flag(s, NO_WILD_CARDS)
    row[WITHOUT_BUYS] = has_flag(s, NO_BUYING)


@kernel
def _describe_others(s: Record, row: Any) -> None:
    """Fill in the number of seats that have laid down, the smallest hands, the next seat's hand, and the lead."""
    least, least_laid, most = FAR, FAR, BEHIND
    for seat in range(1, s.seats):
        least = min(least, float(s.hand_n[seat]))
        if s.laid_turn[seat] >= 0:
            least_laid = min(least_laid, float(s.hand_n[seat]))
        most = max(most, float(s.scores[seat]))
    row[OTHERS_LAID] = laid_down(s) / 3.0
    row[FEWEST] = least / 10.0
    row[FEWEST_LAID] = least_laid / 10.0
    row[NEXT_CARDS] = s.hand_n[1] / 10.0
    row[NEXT_LAID] = s.laid_turn[1] >= 0
    row[LEAD] = max(-3.0, min(3.0, (s.scores[0] - most) / 100.0))


@kernel
def _describe_action(s: Record, work: Any, action: int, lacks: int, row: Any) -> None:
    if action <= LAY_DOWN:
        row[action] = 1.0
        card = int(s.peeked) if KEEP <= action <= HAND_OVER else top_discard(s)
        if action < LAY_DOWN and card >= 0:
            _describe_gain(s, work, card, lacks, row)
    elif action < KIND:
        row[THROW] = 1.0
        after = lacking_with(work.needs, s, action - DISCARD, -1)
        _describe_card(s, action - DISCARD, after - lacks, after, row)
    elif action < LAY_OFF:
        row[BUILD] = 1.0
        natural = 2.0 if action - PLACE < NATURALS else 1.0
        row[NATURALS_USED] = naturals_in(s, action) / 5.0 if action < PLACE else natural / 2.0
    else:
        row[ADD] = 1.0


@kernel
def _describe_gain(s: Record, work: Any, card: int, lacks: int, row: Any) -> None:
    """Fill in the features of a card that the action adds to the hand."""
    after = lacking_with(work.needs, s, card, 1)
    s.hands[0, card] += 1
    s.hand_n[0] += 1
    _describe_card(s, card, lacks - after, after, row)
    s.hands[0, card] -= 1
    s.hand_n[0] -= 1


@kernel
def _describe_card(s: Record, card: int, change: int, after: int, row: Any) -> None:
    """Fill in the features of a card; `change` is that of the cards lacking, `after` the cards then lacking."""
    risk = points(s, card) / 20.0
    row[CHANGE] = change
    row[AFTER] = after / 5.0
    row[WORTH] = risk
    row[WILD] = card >= NATURALS
    row[FRIENDS] = friends(s, card) / 3.0
    may_ask = s.phase == Phase.MAIN or s.laid_turn[0] >= 0  # the networks were trained with this condition
    row[FITS] = may_ask and laid_down(s) > 0 and fits_table(s, card)
    row[HELD] = s.hands[0, card] / 2.0
    row[RISK] = risk * laid_down(s) / 3.0
    if card < NATURALS:
        row[UNSEEN] = _unseen(s, card) / 3.0
        row[NEAR_NEXT] = _near(s, 1, card) / 2.0
        for seat in range(2, s.seats):
            row[NEAR_OTHERS] += _near(s, seat, card) / 4.0
        for suit in range(SUITS):
            row[DISCARDED] += s.discarded[suit * RANKS + card % RANKS] / 4.0


@kernel
def _describe_outs(s: Record, work: Any, lacks: int, mask: Any, features: Any) -> None:
    """Fill in the outs of the discards after which fewest cards are lacking; other discards are rarely played."""
    fewest, n = np.float32(FAR), 0
    for action in range(len(mask)):
        if mask[action] == 1:
            if features[n, THROW] == 1:
                fewest = min(fewest, features[n, AFTER])
            n += 1
    n = 0
    for action in range(len(mask)):
        if mask[action] == 1:
            if features[n, THROW] == 1 and features[n, AFTER] == fewest:
                card, after = action - DISCARD, int(5 * fewest + 0.5)
                s.hands[0, card] -= 1
                features[n, OUTS] = _outs(s, work, after, after == lacks) / 10.0
                s.hands[0, card] += 1
            n += 1


@kernel
def _find_help(s: Record, work: Any, lacks: int) -> None:
    """Note the unseen natural cards that would reduce the number of cards lacking."""
    for card in range(NATURALS if lacks > 0 else 0):
        # A hand has no more copies than there are packs, and `needs` has no number for more.
        work.helps[card] = _unseen(s, card) > 0 and lacking_with(work.needs, s, card, 1) < lacks


@kernel
def _outs(s: Record, work: Any, lacks: int, as_before: bool) -> int:
    """Return the number of unseen natural cards with which the hand would lack one card fewer.

    A smaller hand never lacks fewer cards. So if the hand lacks as many cards `as_before`, only cards in `work.helps`
    can reduce that number.
    """
    found = 0
    note_hand(work.needs, s)
    for card in range(NATURALS if lacks > 0 else 0):
        unseen = _unseen(s, card) if work.helps[card] == 1 or not as_before else 0
        if unseen > 0 and lacking_with(work.needs, s, card, 1) < lacks:
            found += unseen
    return found


@kernel
def _unseen(s: Record, card: int) -> int:
    """Return the number of copies of a natural card that are not in the hand, on the table or in the discard pile."""
    return max(0, int(s.opt.n_packs - s.hands[0, card] - s.discarded[card] - s.tabled[card]))


@kernel
def _near(s: Record, seat: int, card: int) -> int:
    """Return the number of known cards in a seat's hand that can be in a set with this card."""
    if s.opt.track_known == 0:
        return 0
    display, found = int(s.display), 0
    rank, suit = card % RANKS, card // RANKS
    if KINDS[display] > 0:
        for other in range(SUITS):
            found += s.known[0, seat, other * RANKS + rank]
    if KINDS[display] < SETS[display]:
        for away in (-2, -1, 1, 2):
            found += s.known[0, seat, suit * RANKS + (rank + away) % RANKS]
    return int(found)


@kernel
def _describe_lay_down(left: int, row: Any, table: Any) -> None:
    """Fill in the number of cards left after laying down, one of which is discarded: the distance to a Grand Slam."""
    row[LEFT] = left / 5.0
    for more in range(3):
        row[LEFT + 1 + more] = left == 1 + more
    table[MAY_LAY_DOWN] = 1.0
    table[WOULD_LEAVE] = left / 5.0
