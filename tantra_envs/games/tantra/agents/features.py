"""Action features of Tantra: the hand and the table after each legal action.

The features of an action describe its card: its points, and the cards of the hand that go with it. They count the cards
that the hand lacks for the Display Card after the action, and the unseen cards that would reduce that number. The
features of laying down count the cards that remain in the hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.blocks import Block, Blocks
from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, record
from ..actions import DISCARD, HAND_OVER, KEEP, KIND, LAY_DOWN, LAY_OFF, PLACE
from ..material import (
    IDENTICAL,
    KINDS,
    MAX_CARDS,
    MAX_SEATS,
    NATURALS,
    NO_BUYING,
    NO_JOKERS,
    NO_WILD_CARDS,
    POINTS,
    RANKS,
    SETS,
    SUITS,
    TOTAL,
)
from ..options import ENDLESS
from ..sets.hands import fits_table, friends, laid_down, left_after, naturals_in, points, top_discard
from ..sets.needs.lacking import NEEDS, lacking, lacking_with, note_hand
from ..sets.tabled import buys_left, hand_points, has_flag, usable_wilds
from ..state import FIELDS, STATE, Phase

PHASES = int(Phase.OVER)
MOST_POINTS, MOST_BUYS = int(POINTS.max()), 8  # of a card, and of a seat in a round
THROW, BUILD, ADD = LAY_DOWN + 1, LAY_DOWN + 2, LAY_DOWN + 3  # kinds of actions after the first eight

# Actions without a card use the places of its first numbers: laying down the first four, a step of building one.
OF_ACTION = Blocks(
    Block("kind", ADD + 1, "one-hot: 0 pass, 1 buy, 2 draw, 3 take, 4 allow, 5 keep, 6 hand over, 7 lay down, 8 "
          "discard, 9 a step of building a set, 10 lay off"),
    Block("change", 1, "with the card: cards that the hand lacks fewer; a discard: cards that it lacks more; laying "
          "down: cards that are left / 5; choosing a rank or a place for a set: its natural cards in hand / 5; placing "
          "a card: 1 for a natural card, 0.5 for another", low=-MAX_CARDS / 5, high=MAX_CARDS / 5),
    Block("lacking", 1, "cards that the hand then lacks for the Display Card / 5; laying down: 1 = one card is left",
          high=MAX_CARDS / 5),
    Block("worth", 1, "points of the card / 20; laying down: 1 = two cards are left", high=MOST_POINTS / 20),
    Block("is_wild", 1, "1 = the card is a Joker or a wild card; laying down: 1 = three cards are left"),
    Block("friends", 1, "cards of the hand that can be in a set with the card / 3", high=MAX_CARDS / 3),
    Block("fits", 1, "1 = the card fits a set on the table; zero until another seat has laid down, and outside MAIN "
          "until the own seat has"),
    Block("held", 1, "copies of the card in hand, itself included / 2", high=MAX_CARDS / 2),
    Block("unseen", 1, "copies of the card that are not in the hand, on the table or in the discard pile / 3; zero for "
          "Jokers and wild cards", high=MAX_CARDS / 3),
    Block("near_next", 1, "cards known to be in the next seat's hand that can be in a set with the card / 2; zero for "
          "Jokers and wild cards", high=MAX_CARDS / 2),
    Block("near_others", 1, "cards known to be in the hands of the seats after it that can be in a set with the card / "
          "4; zero for Jokers and wild cards", high=MAX_CARDS / 4),
    Block("discarded", 1, "cards of its rank in the discard pile / 4; zero for Jokers and wild cards",
          high=MAX_CARDS / 4),
    Block("risk", 1, "`worth` times the other seats that have laid down / 3", high=MOST_POINTS * MAX_SEATS / 60),
    Block("outs", 1, "unseen natural cards with which the hand would lack one card fewer / 10; only for the discards "
          "after which it lacks fewest, until the own seat has laid down", high=MAX_CARDS / 10),
)  # fmt: skip

OF_TABLE = Blocks(
    Block("phase", PHASES, "one-hot: ASK, DRAW, REPLY, PEEK, MAIN, TEMPLATE, PLACE; zero when the game is over"),
    Block("lacking", 1, "cards that the own hand lacks for the Display Card / 5; zero once it has laid down",
          high=MAX_CARDS / 5),
    Block("laid_down", 1, "1 = the own seat has laid down"),
    Block("cards", 1, "own cards / 10", high=MAX_CARDS / 10),
    Block("points", 1, "points of the own hand / 100", high=MAX_CARDS * MOST_POINTS / 100),
    Block("wilds", 1, "own Jokers and wild cards that may be used in this round / 4", high=MAX_CARDS / 4),
    Block("buys_used", 1, "own buys in this round / 3", high=MOST_BUYS / 3),
    Block("buys_left", 1, "own buys that are left / 3", high=MOST_BUYS / 3),
    Block("turns", 1, "turns done in this round / (10 x seats)", high=ENDLESS / 10),
    Block("turns_left", 1, "turns to the limit, 100 at most / 100"),
    Block("stock", 1, "cards in the pick-up pile / 50", high=MAX_CARDS / 50),
    Block("discards", 1, "cards in the discard pile / 50", high=MAX_CARDS / 50),
    Block("seats", 1, "seats / 6", high=MAX_SEATS / 6),
    Block("kinds", 1, "Display Card: sets of one rank / 5"),
    Block("runs", 1, "Display Card: runs / 5"),
    Block("cards_asked", 1, "Display Card: cards of all its sets / 15", high=2),
    Block("identical", 1, "1 = the Display Card asks for identical cards"),
    Block("no_jokers", 1, "1 = the Display Card forbids Jokers"),
    Block("no_wilds", 1, "1 = the Display Card forbids wild cards"),
    Block("no_buying", 1, "1 = the Display Card forbids buying"),
    Block("others_laid_down", 1, "other seats that have laid down / 3", high=MAX_SEATS / 3),
    Block("fewest", 1, "cards of the other seat with fewest cards / 10", high=MAX_CARDS / 10),
    Block("fewest_laid_down", 1, "cards of the other seat with fewest cards, of those that have laid down / 10; 3 = "
          "none has", high=MAX_CARDS / 10),
    Block("next_cards", 1, "cards of the next seat / 10", high=MAX_CARDS / 10),
    Block("next_laid_down", 1, "1 = the next seat has laid down"),
    Block("lead", 1, "own total score, less the highest of the other seats / 100; -3 at least and 3 at most",
          low=-3, high=3),
    Block("may_lay_down", 1, "1 = the own seat may lay down now"),
    Block("would_leave", 1, "cards that are left if it lays down and lays off what it can / 5; zero if it may not",
          high=MAX_CARDS / 5),
)  # fmt: skip

A, T = OF_ACTION.starts, OF_TABLE.starts

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
        row[T.phase + s.phase] = 1.0
    row[T.lacking] = lacks / 5.0
    row[T.laid_down] = s.laid_turn[0] >= 0
    row[T.cards] = s.hand_n[0] / 10.0
    row[T.points] = hand_points(s, 0) / 100.0
    row[T.wilds] = usable_wilds(s, 0) / 4.0
    row[T.buys_used] = s.buys_used[0] / 3.0
    row[T.buys_left] = buys_left(s, 0) / 3.0
    row[T.turns] = s.turns / (10.0 * s.seats)
    row[T.turns_left] = min(s.opt.turn_limit - s.turns, 100) / 100.0
    row[T.stock] = s.stock_n / 50.0
    row[T.discards] = s.discard_n / 50.0
    row[T.seats] = s.seats / 6.0
    _describe_contract(s, row)
    _describe_others(s, row)


@kernel
def _describe_contract(s: Record, row: Any) -> None:
    display = int(s.display)
    row[T.kinds] = KINDS[display] / 5.0
    row[T.runs] = (SETS[display] - KINDS[display]) / 5.0
    row[T.cards_asked] = TOTAL[display] / 15.0
    row[T.identical] = has_flag(s, IDENTICAL)
    row[T.no_jokers] = has_flag(s, NO_JOKERS)
    row[T.no_wilds] = has_flag(s, NO_WILD_CARDS)
    row[T.no_buying] = has_flag(s, NO_BUYING)


@kernel
def _describe_others(s: Record, row: Any) -> None:
    """Fill in the number of seats that have laid down, the smallest hands, the next seat's hand, and the lead."""
    least, least_laid, most = FAR, FAR, BEHIND
    for seat in range(1, s.seats):
        least = min(least, float(s.hand_n[seat]))
        if s.laid_turn[seat] >= 0:
            least_laid = min(least_laid, float(s.hand_n[seat]))
        most = max(most, float(s.scores[seat]))
    row[T.others_laid_down] = laid_down(s) / 3.0
    row[T.fewest] = least / 10.0
    row[T.fewest_laid_down] = least_laid / 10.0
    row[T.next_cards] = s.hand_n[1] / 10.0
    row[T.next_laid_down] = s.laid_turn[1] >= 0
    row[T.lead] = max(-3.0, min(3.0, (s.scores[0] - most) / 100.0))


@kernel
def _describe_action(s: Record, work: Any, action: int, lacks: int, row: Any) -> None:
    if action <= LAY_DOWN:
        row[A.kind + action] = 1.0
        card = int(s.peeked) if KEEP <= action <= HAND_OVER else top_discard(s)
        if action < LAY_DOWN and card >= 0:
            _describe_gain(s, work, card, lacks, row)
    elif action < KIND:
        row[A.kind + THROW] = 1.0
        after = lacking_with(work.needs, s, action - DISCARD, -1)
        _describe_card(s, action - DISCARD, after - lacks, after, row)
    elif action < LAY_OFF:
        row[A.kind + BUILD] = 1.0
        natural = 2.0 if action - PLACE < NATURALS else 1.0
        row[A.change] = naturals_in(s, action) / 5.0 if action < PLACE else natural / 2.0
    else:
        row[A.kind + ADD] = 1.0


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
    row[A.change] = change
    row[A.lacking] = after / 5.0
    row[A.worth] = risk
    row[A.is_wild] = card >= NATURALS
    row[A.friends] = friends(s, card) / 3.0
    may_ask = s.phase == Phase.MAIN or s.laid_turn[0] >= 0  # the networks were trained with this condition
    row[A.fits] = may_ask and laid_down(s) > 0 and fits_table(s, card)
    row[A.held] = s.hands[0, card] / 2.0
    row[A.risk] = risk * laid_down(s) / 3.0
    if card < NATURALS:
        row[A.unseen] = _unseen(s, card) / 3.0
        row[A.near_next] = _near(s, 1, card) / 2.0
        for seat in range(2, s.seats):
            row[A.near_others] += _near(s, seat, card) / 4.0
        for suit in range(SUITS):
            row[A.discarded] += s.discarded[suit * RANKS + card % RANKS] / 4.0


@kernel
def _describe_outs(s: Record, work: Any, lacks: int, mask: Any, features: Any) -> None:
    """Fill in the outs of the discards after which fewest cards are lacking; other discards are rarely played."""
    fewest, n = np.float32(FAR), 0
    for action in range(len(mask)):
        if mask[action] == 1:
            if features[n, A.kind + THROW] == 1:
                fewest = min(fewest, features[n, A.lacking])
            n += 1
    n = 0
    for action in range(len(mask)):
        if mask[action] == 1:
            if features[n, A.kind + THROW] == 1 and features[n, A.lacking] == fewest:
                card, after = action - DISCARD, int(5 * fewest + 0.5)
                s.hands[0, card] -= 1
                features[n, A.outs] = _outs(s, work, after, after == lacks) / 10.0
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
    row[A.change] = left / 5.0
    row[A.lacking], row[A.worth], row[A.is_wild] = left == 1, left == 2, left == 3
    table[T.may_lay_down] = 1.0
    table[T.would_leave] = left / 5.0
