"""Action features of Tarot for learned agents: the card that an action moves, and what the trick becomes with it.

They mean the same in every suit and for every number of seats, so that one network can play at all tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.blocks import Block, Blocks, repeated
from ....core.compiled.jit import kernel
from ....core.state import Record
from ..actions import NO, YES
from ..cards import led_suit, run_through, winning_place
from ..hand_scores import class_points, tarots_held
from ..material import (
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    HAND,
    IS_TAROT,
    KING,
    MAX_SEATS,
    MOST_POINTS,
    NO_SUIT,
    RANK_OF,
    SUIT_CARDS,
    SUIT_OF,
    SUITS,
    TAROTS,
    TRICK_WORTH,
    TRUMPS,
)
from ..state import CLASSES, Phase, Place
from ..tricks import trick_points
from .odds import look_up, odds_of, odds_without, prepare  # noqa: F401 (`prepare` is a part of the features)

TAROT_CARDS = np.array(TAROTS, np.int64)

SAYS_NO = int(Phase.OVER)  # the kind of an action that answers no; other kinds are the phases
POINTS_WHOLE, SUIT_WHOLE = 10.0, 6.0  # scales of points in a trick, and of cards of a suit
ALL_WORTH = int(TRICK_WORTH.sum())  # points of all cards in tricks
SUIT_NAMES = ("trumps", "wands", "cups", "swords", "pentacles")

OF_ACTION = Blocks(
    Block("kind", SAYS_NO + 1, "one-hot: 0 lay a card away, 1 show a class, 2 call, 3 give up an honour, 4 give a card "
          "back, 5 play a card, 6 answer no to a question"),
    Block("is_fool", 1, "1 = the card is the Fool"),
    Block("is_trump", 1, "1 = the card is a trump; the Fool is none"),
    Block("is_king", 1, "1 = the card is a King"),
    Block("is_honour", 1, "1 = the card is one of the seven honours"),
    Block("number", 1, "number of the trump / 22; zero for other cards"),
    Block("rank", 1, "rank of the card in its suit, from 0 for the Ace to 13 for the King / 14; zero for trumps"),
    Block("worth", 1, "points of the card in a trick / 10"),
    Block("held", 1, "other own cards of the suit / 6", high=TRUMPS / SUIT_WHOLE),
    Block("out", 1, "cards of the suit that may be in other hands / 6", high=TRUMPS / SUIT_WHOLE),
    Block("higher_held", 1, "own cards of the suit above the card / 6", high=TRUMPS / SUIT_WHOLE),
    Block("higher_out", 1, "cards of the suit above the card that may be in other hands / 6", high=TRUMPS / SUIT_WHOLE),
    Block("higher_points", 1, "points of the cards counted by `higher_out` / 10", high=ALL_WORTH / POINTS_WHOLE),
    Block("lower_points", 1, "points of the cards of the suit below the card that may be in other hands / 10",
          high=ALL_WORTH / POINTS_WHOLE),
    Block("run", 1, "own cards in an unbroken row with the card, itself included / 6", high=TRUMPS / SUIT_WHOLE),
    Block("class_loss", 1, "points that the classes of the own hand lose without the card / 10; zero unless it is laid "
          "away or given up", low=-MOST_POINTS / POINTS_WHOLE, high=MOST_POINTS / POINTS_WHOLE),
    Block("leads", 1, "1 = no suit has been led yet"),
    Block("follows", 1, "1 = the card is of the suit that was led"),
    Block("ruffs", 1, "1 = the card is a trump, and another suit was led"),
    Block("last", 1, "1 = the card is the last one of the trick"),
    Block("winning", 1, "1 = the card wins the trick so far"),
    Block("odds", 1, "probability that the card takes the trick; zero if it does not win so far"),
    Block("trick_points", 1, "points of the trick with the card / 10", high=MOST_POINTS / POINTS_WHOLE),
    Block("cut", 1, "points for cutting a King, if the card is a trump and the King of the suit that was led is in the "
          "trick / 10; else zero", high=MOST_POINTS / POINTS_WHOLE),
    Block("loss", 1, "points for others if they take the trick: `trick_points`, and the points for cutting the card if "
          "it is the King of the suit / 10", high=MOST_POINTS / POINTS_WHOLE),
    Block("swing", 1, "expected points: `odds` x (`trick_points` + `cut`) - (1 - `odds`) x `loss`; for the Fool also "
          "its points / 10", low=-MOST_POINTS / POINTS_WHOLE, high=MOST_POINTS / POINTS_WHOLE),
    Block("next_void", 1, "probability that a seat yet to play has no card of the suit; zero without such a seat"),
    Block("no_trumps", 1, "probability that no seat yet to play has a trump; 1 without such a seat"),
    Block("class_points", 1, "points of the class that the action shows / 10; zero for other actions",
          high=MOST_POINTS / POINTS_WHOLE),
    Block("honours_out", 1, "honours that may be in other hands / 3; zero for other actions than to call",
          high=len(TAROTS) / 3),
)  # fmt: skip

OF_SUIT = Blocks(
    Block("held", 1, "own cards / 6", high=TRUMPS / SUIT_WHOLE),
    Block("held_points", 1, "points of the own cards in tricks / 10", high=ALL_WORTH / POINTS_WHOLE),
    Block("top_held", 1, "own cards above all that may be in other hands / 6", high=TRUMPS / SUIT_WHOLE),
    Block("out", 1, "cards that may be in other hands / 6", high=TRUMPS / SUIT_WHOLE),
    Block("out_points", 1, "points in tricks of the cards that may be in other hands / 10",
          high=ALL_WORTH / POINTS_WHOLE),
    Block("known", 1, "cards in other hands whose seat is known / 6", high=TRUMPS / SUIT_WHOLE),
    Block("void", MAX_SEATS - 1, "1 = seat me + 1 + i did not follow the suit, so it has none"),
)  # fmt: skip

OF_SEAT = Blocks(
    Block("exists", 1, "1 = there is such a seat; if not, its other numbers are zero too"),
    Block("deals", 1, "1 = it is the dealer"),
    Block("leads", 1, "1 = it leads to the trick"),
    Block("cards", 1, "cards in hand / 25", high=CARDS / HAND),
    Block("tricks", 1, "tricks taken / 25"),
    Block("points", 1, "points in this hand / 50", high=MOST_POINTS / 50),
    Block("total", 1, "total score / target of the game", high=1 + MOST_POINTS),
    Block("no_honours", 1, "1 = it was asked in a call and had no honour"),
    Block("declared", 1, "1 = it has declared"),
)

OF_TABLE = Blocks(
    Block("phase", int(Phase.OVER), "one-hot: DISCARD, DECLARE, CALL, ANSWER, RETURN, PLAY; zero when the game is "
          "over"),
    *repeated(OF_SUIT, SUIT_NAMES, "{}", "{}"),
    Block("own_trumps", TRUMPS, "1 = card c is in the own hand: the Fool and the trumps"),
    Block("unseen_trumps", TRUMPS, "1 = the own seat does not know where card c is: the Fool and the trumps"),
    Block("honours", 2 * len(TAROTS), "2 i: honour i is in the own hand; 2 i + 1: it may be in another hand; the Fool, "
          "T1, T21, WK, CK, SK, PK"),
    *repeated(OF_SEAT, range(MAX_SEATS), "seat_{}", "seat me + {}"),
    Block("lead", 1, "own points in this hand, less those of the best other seat / 30",
          low=-MOST_POINTS / 30, high=MOST_POINTS / 30),
    Block("lead_curve", 1, "hyperbolic tangent of the points of `lead` / 10", low=-1),
    Block("second", 1, "points of the best other seat, less those of the next best / 30; zero with two seats",
          high=MOST_POINTS / 30),
    Block("total_lead", 1, "own total score, less that of the best other seat / target of the game",
          low=-1 - MOST_POINTS, high=1 + MOST_POINTS),
    Block("trick_no", 1, "finished tricks / 25"),
    Block("three_seats", 1, "1 = three seats, 0 = two"),
    Block("trick_cards", 1, "cards in the trick on the table / 2"),
    Block("laid_away", 1, "cards that the dealer has laid away / 3"),
    Block("honours_held", 1, "honours in the own hand / 3", high=len(TAROTS) / 3),
    Block("honours_shown", 1, "1 = the seat that declares has shown its honours"),
    Block("held_points", 1, "points of the own cards in tricks / 50", high=ALL_WORTH / 50),
    Block("out_points", 1, "points in tricks of the cards that may be in other hands / 50", high=ALL_WORTH / 50),
    Block("trumps_led", 1, "1 = a trump was led"),
    Block("trick_points", 1, "points of the trick on the table / 10; zero before its first card",
          high=MOST_POINTS / POINTS_WHOLE),
    Block("class_points", len(CLASSES), f"points of the own hand in class i / 10: {', '.join(CLASSES)}; zero in PLAY, "
          "and in DECLARE for classes before the one in question", high=MOST_POINTS / POINTS_WHOLE),
)  # fmt: skip

A, U, S, T = OF_ACTION.starts, OF_SUIT.starts, OF_SEAT.starts, OF_TABLE.starts
SUIT_SIZE, SEAT_SIZE = OF_SUIT.size, OF_SEAT.size


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number.

    Cards are moved on `known` for a moment, and moved back.
    """
    work, n = room[0], 0
    if known.phase == Phase.PLAY:
        look_up(known, work)
    _describe_table(known, table)
    for action in range(len(mask)):
        if mask[action] == 1:
            _describe_action(known, action, work, features[n])
            n += 1
    return n


# Tables


@kernel
def _describe_table(known: Record, row: Any) -> None:
    if known.phase < Phase.OVER:
        row[T.phase + known.phase] = 1
    for suit in range(SUITS):
        _describe_suit(known, suit, row, T.trumps_held + SUIT_SIZE * suit)
    for card in range(TRUMPS):
        row[T.own_trumps + card] = known.loc[card] == 0
        row[T.unseen_trumps + card] = known.loc[card] == Place.UNKNOWN
    for i in range(len(TAROT_CARDS)):
        place = known.loc[TAROT_CARDS[i]]
        row[T.honours + 2 * i] = place == 0
        row[T.honours + 2 * i + 1] = 0 < place < known.seats or place == Place.UNKNOWN
    for seat in range(known.seats):
        _describe_seat(known, seat, row, T.seat_0_exists + SEAT_SIZE * seat)
    _describe_standing(known, row)
    _describe_question(known, row)


@kernel
def _describe_suit(known: Record, suit: int, row: Any, to: int) -> None:
    """Write the suit: held and unseen cards, their points, highest cards held, known elsewhere, and voids."""
    highest = True
    for card in range(FIRST_OF_SUIT[suit + 1] - 1, FIRST_OF_SUIT[suit] - 1, -1):
        place, worth = int(known.loc[card]), TRICK_WORTH[card] / POINTS_WHOLE
        if place == 0:
            row[to + U.held] += 1.0 / SUIT_WHOLE
            row[to + U.held_points] += worth
            row[to + U.top_held] += highest / SUIT_WHOLE
        elif place == Place.UNKNOWN or place < known.seats:
            highest = False
            row[to + U.out] += 1.0 / SUIT_WHOLE
            row[to + U.out_points] += worth
            row[to + U.known] += (place < known.seats) / SUIT_WHOLE
    for seat in range(1, known.seats):
        row[to + U.void + seat - 1] = known.void[seat, suit]


@kernel
def _describe_seat(known: Record, seat: int, row: Any, to: int) -> None:
    """Write a seat: it exists, deals, leads; its cards, tricks and points, its total, and whether it has no Tarots."""
    row[to + S.exists], row[to + S.deals], row[to + S.leads] = 1, known.dealer == seat, known.leader == seat
    row[to + S.cards] = known.hand_n[seat] / float(HAND)
    row[to + S.tricks] = known.taken[seat] / float(HAND)
    row[to + S.points] = known.points[seat] / 50.0
    row[to + S.total] = known.totals[seat] / float(known.opt.target)
    row[to + S.no_honours] = known.no_tarot[seat]
    row[to + S.declared] = (seat - known.dealer - 1 + known.seats) % known.seats < known.declarer_no


@kernel
def _describe_standing(known: Record, row: Any) -> None:
    """Write how the points compare, and what is left to play for."""
    best, second, total = -1, -1, -1
    for seat in range(1, known.seats):
        points = int(known.points[seat])
        best, second = max(best, points), max(second, min(best, points))
        total = max(total, int(known.totals[seat]))
    lead = known.points[0] - best
    row[T.lead] = lead / 30.0
    row[T.lead_curve] = np.tanh(lead / 10.0)
    row[T.second] = (best - second) / 30.0 if second >= 0 else 0.0
    row[T.total_lead] = (known.totals[0] - total) / float(known.opt.target)
    row[T.trick_no] = known.trick_no / float(HAND)
    row[T.three_seats] = known.seats - 2
    row[T.trick_cards] = known.trick_n / 2.0
    row[T.laid_away] = known.discards_n / 3.0
    row[T.honours_held] = tarots_held(known, 0) / 3.0
    row[T.honours_shown] = known.tarots_shown
    for card in range(CARDS):
        if known.loc[card] == 0:
            row[T.held_points] += TRICK_WORTH[card] / 50.0
        elif known.loc[card] == Place.UNKNOWN or known.loc[card] < known.seats:
            row[T.out_points] += TRICK_WORTH[card] / 50.0
    suit = led_suit(known)
    row[T.trumps_led] = suit == 0
    row[T.trick_points] = trick_points(known) / POINTS_WHOLE if known.trick_n > 0 else 0.0


@kernel
def _describe_question(known: Record, row: Any) -> None:
    """Write the points of the own hand in every class, until they are counted."""
    if known.phase != Phase.PLAY:
        for cls in range(len(CLASSES)):
            if known.phase != Phase.DECLARE or cls >= known.cls:
                row[T.class_points + cls] = class_points(known, 0, cls) / POINTS_WHOLE


# Actions


@kernel
def _describe_action(known: Record, action: int, work: Any, row: Any) -> None:
    if action == NO:
        row[A.kind + SAYS_NO] = 1
        return
    row[A.kind + known.phase] = 1
    if action != YES:
        _describe_card(known, action, row)
        if known.phase == Phase.PLAY:
            _describe_play(known, action, work, row)
        elif known.phase != Phase.RETURN:
            row[A.class_loss] = _points_lost(known, action) / POINTS_WHOLE
    elif known.phase == Phase.DECLARE:
        row[A.class_points] = class_points(known, 0, int(known.cls)) / POINTS_WHOLE
    else:
        for i in range(len(TAROT_CARDS)):
            place = known.loc[TAROT_CARDS[i]]
            row[A.honours_out] += (place == Place.UNKNOWN or 0 < place < known.seats) / 3.0


@kernel
def _describe_card(known: Record, card: int, row: Any) -> None:
    """Describe a card and the rest of its suit."""
    row[A.is_fool], row[A.is_trump], row[A.is_king] = card == FOOL, 0 < card < TRUMPS, RANK_OF[card] == KING
    row[A.is_honour], row[A.worth] = IS_TAROT[card], TRICK_WORTH[card] / POINTS_WHOLE
    if card == FOOL:
        return
    row[A.number] = card / float(TRUMPS) if card < TRUMPS else 0.0
    row[A.rank] = RANK_OF[card] / float(SUIT_CARDS) if card >= TRUMPS else 0.0
    row[A.run] = run_through(known, card) / SUIT_WHOLE
    suit = int(SUIT_OF[card])
    for other in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
        place = int(known.loc[other])
        if place == 0:
            row[A.held] += (other != card) / SUIT_WHOLE
            row[A.higher_held] += (other > card) / SUIT_WHOLE
        elif place == Place.UNKNOWN or place < known.seats:
            row[A.out] += 1.0 / SUIT_WHOLE
            if other > card:
                row[A.higher_out] += 1.0 / SUIT_WHOLE
                row[A.higher_points] += TRICK_WORTH[other] / POINTS_WHOLE
            else:
                row[A.lower_points] += TRICK_WORTH[other] / POINTS_WHOLE


@kernel
def _points_lost(known: Record, card: int) -> int:
    """Return the points that the classes of the own hand lose without a card."""
    lost = 0
    for cls in range(len(CLASSES)):
        points = class_points(known, 0, cls)
        if points > 0:
            known.loc[card] = Place.DISCARDED
            lost += points - class_points(known, 0, cls)
            known.loc[card] = 0
    return lost


@kernel
def _describe_play(known: Record, card: int, work: Any, row: Any) -> None:
    """Describe a card that is played: the trick with it, and the odds of taking it."""
    led = led_suit(known)
    suit = led if led != NO_SUIT else int(SUIT_OF[card])
    row[A.leads], row[A.last] = led == NO_SUIT, known.trick_n == known.seats - 1
    row[A.follows] = led != NO_SUIT and SUIT_OF[card] == led
    row[A.ruffs] = led not in (NO_SUIT, 0) and 0 < card < TRUMPS
    known.trick[known.trick_n] = card
    known.trick_n += 1
    place, points = winning_place(known), trick_points(known)
    wins = place == known.trick_n - 1
    king = _king_in(known, suit)
    known.trick_n -= 1
    known.trick[known.trick_n] = 0
    odds = odds_of(known, card, suit, work) if wins else 0.0
    worth = int(known.opt.king_points)
    cut = worth if king and 0 < card < TRUMPS and 0 < suit < SUITS else 0
    loss = points + (worth if RANK_OF[card] == KING and SUIT_OF[card] == suit else 0)
    row[A.winning], row[A.odds] = wins, odds
    row[A.trick_points], row[A.cut], row[A.loss] = points / POINTS_WHOLE, cut / POINTS_WHOLE, loss / POINTS_WHOLE
    row[A.swing] = (odds * (points + cut) - (1.0 - odds) * loss) / POINTS_WHOLE
    if card == FOOL:
        row[A.swing] += int(known.opt.fool_points) / POINTS_WHOLE
    _describe_answers(known, suit, work, row)


@kernel
def _king_in(known: Record, suit: int) -> bool:
    """Return whether the King of a suit is in the trick."""
    kings = 0
    for i in range(known.trick_n):
        kings += RANK_OF[known.trick[i]] == KING and SUIT_OF[known.trick[i]] == suit
    return kings > 0


@kernel
def _describe_answers(known: Record, suit: int, work: Any, row: Any) -> None:
    """Write the odds that a seat yet to play cannot follow, and that none of them has a trump."""
    follow, without = 1.0, 1.0
    for other in range(1, known.seats):
        if work.on_table[other] == CARDS and suit < SUITS:
            follow *= 1.0 - odds_without(known, other, suit, 0, work)
            without *= odds_without(known, other, 0, 0, work)
    row[A.next_void], row[A.no_trumps] = 1.0 - follow, without
