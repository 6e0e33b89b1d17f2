"""Action features of Tarot for learned agents: the card that an action moves, and what the trick becomes with it.

They mean the same in every suit and for every number of seats, so that one network can play at all tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from ...core.state import Record
from .actions import NO, YES
from .cards import led_suit, run_through, winning_place
from .hand_scores import class_points, tarots_held
from .material import (
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    HAND,
    IS_TAROT,
    KING,
    MAX_SEATS,
    NO_SUIT,
    RANK_OF,
    SUIT_CARDS,
    SUIT_OF,
    SUITS,
    TAROTS,
    TRICK_WORTH,
    TRUMPS,
)
from .odds import look_up, odds_of, odds_without, prepare  # noqa: F401 (`prepare` is a part of the features)
from .state import CLASSES, Phase, Place
from .tricks import trick_points

TAROT_CARDS = np.array(TAROTS, np.int64)

# An action: its kind, one-hot; the card and its suit; the trick; questions.
KINDS = int(Phase.OVER) + 1  # the phase, and NO
IS_FOOL, IS_TRUMP, IS_KING, TAROT, NUMBER, RANK, WORTH = range(KINDS, KINDS + 7)
HELD, UNSEEN, HIGHER_OWN, HIGHER_OUT, HIGHER_WORTH, LOWER_WORTH, RUN, LOST = range(WORTH + 1, WORTH + 9)
LEADS, FOLLOWS, RUFFS, LAST, WINNING, ODDS, POINTS, CUT, LOSS, SWING, NONE_LEFT, NO_TRUMPS = range(LOST + 1, LOST + 13)
SHOWN, TAROTS_OUT = range(NO_TRUMPS + 1, NO_TRUMPS + 3)
FEATURES = TAROTS_OUT + 1

# A table: the phase, one-hot; each suit; the trumps, own and unseen; the honours; then seats and single numbers.
# Of a suit: held cards, their points, the highest cards held; cards elsewhere, their points, those whose seat is known;
# whether the other seats are known to have none.
HELD_CARDS, HELD_POINTS, TOP_CARDS, OUT_CARDS, OUT_POINTS, KNOWN_CARDS, VOIDS = range(7)
OF_SUIT = VOIDS + MAX_SEATS - 1
# Of a seat: it exists, deals, leads; its cards, tricks, points and total; whether it has no Tarots, and has declared.
EXISTS, DEALS, LEADS_NOW, CARDS_LEFT, TRICKS, TRICK_POINTS, TOTAL, NO_TAROTS, DECLARED = range(9)
OF_SEAT = DECLARED + 1
BY_SUIT = int(Phase.OVER)
OWN_TRUMPS = BY_SUIT + OF_SUIT * SUITS
UNSEEN_TRUMPS = OWN_TRUMPS + TRUMPS
BY_TAROT = UNSEEN_TRUMPS + TRUMPS
BY_SEAT = BY_TAROT + 2 * len(TAROTS)
SINGLE = BY_SEAT + OF_SEAT * MAX_SEATS
CLASS = SINGLE + 14
TABLE = CLASS + len(CLASSES)

POINTS_WHOLE, SUIT_WHOLE = 10.0, 6.0  # scales of points in a trick, and of cards of a suit


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
        row[known.phase] = 1
    for suit in range(SUITS):
        _describe_suit(known, suit, row, BY_SUIT + OF_SUIT * suit)
    for card in range(TRUMPS):
        row[OWN_TRUMPS + card] = known.loc[card] == 0
        row[UNSEEN_TRUMPS + card] = known.loc[card] == Place.UNKNOWN
    for i in range(len(TAROT_CARDS)):
        place = known.loc[TAROT_CARDS[i]]
        row[BY_TAROT + 2 * i] = place == 0
        row[BY_TAROT + 2 * i + 1] = 0 < place < known.seats or place == Place.UNKNOWN
    for seat in range(known.seats):
        _describe_seat(known, seat, row, BY_SEAT + OF_SEAT * seat)
    _describe_standing(known, row)
    _describe_question(known, row)


@kernel
def _describe_suit(known: Record, suit: int, row: Any, to: int) -> None:
    """Write the suit: held and unseen cards, their points, highest cards held, known elsewhere, and voids."""
    highest = True
    for card in range(FIRST_OF_SUIT[suit + 1] - 1, FIRST_OF_SUIT[suit] - 1, -1):
        place, worth = int(known.loc[card]), TRICK_WORTH[card] / POINTS_WHOLE
        if place == 0:
            row[to + HELD_CARDS] += 1.0 / SUIT_WHOLE
            row[to + HELD_POINTS] += worth
            row[to + TOP_CARDS] += highest / SUIT_WHOLE
        elif place == Place.UNKNOWN or place < known.seats:
            highest = False
            row[to + OUT_CARDS] += 1.0 / SUIT_WHOLE
            row[to + OUT_POINTS] += worth
            row[to + KNOWN_CARDS] += (place < known.seats) / SUIT_WHOLE
    for seat in range(1, known.seats):
        row[to + VOIDS + seat - 1] = known.void[seat, suit]


@kernel
def _describe_seat(known: Record, seat: int, row: Any, to: int) -> None:
    """Write a seat: it exists, deals, leads; its cards, tricks and points, its total, and whether it has no Tarots."""
    row[to + EXISTS], row[to + DEALS], row[to + LEADS_NOW] = 1, known.dealer == seat, known.leader == seat
    row[to + CARDS_LEFT] = known.hand_n[seat] / float(HAND)
    row[to + TRICKS] = known.taken[seat] / float(HAND)
    row[to + TRICK_POINTS] = known.points[seat] / 50.0
    row[to + TOTAL] = known.totals[seat] / float(known.opt.target)
    row[to + NO_TAROTS] = known.no_tarot[seat]
    row[to + DECLARED] = (seat - known.dealer - 1 + known.seats) % known.seats < known.declarer_no


@kernel
def _describe_standing(known: Record, row: Any) -> None:
    """Write how the points compare, and what is left to play for."""
    best, second, total = -1, -1, -1
    for seat in range(1, known.seats):
        points = int(known.points[seat])
        best, second = max(best, points), max(second, min(best, points))
        total = max(total, int(known.totals[seat]))
    lead = known.points[0] - best
    row[SINGLE] = lead / 30.0
    row[SINGLE + 1] = np.tanh(lead / 10.0)
    row[SINGLE + 2] = (best - second) / 30.0 if second >= 0 else 0.0
    row[SINGLE + 3] = (known.totals[0] - total) / float(known.opt.target)
    row[SINGLE + 4] = known.trick_no / float(HAND)
    row[SINGLE + 5] = known.seats - 2
    row[SINGLE + 6] = known.trick_n / 2.0
    row[SINGLE + 7] = known.discards_n / 3.0
    row[SINGLE + 8] = tarots_held(known, 0) / 3.0
    row[SINGLE + 9] = known.tarots_shown
    for card in range(CARDS):
        if known.loc[card] == 0:
            row[SINGLE + 10] += TRICK_WORTH[card] / 50.0
        elif known.loc[card] == Place.UNKNOWN or known.loc[card] < known.seats:
            row[SINGLE + 11] += TRICK_WORTH[card] / 50.0
    suit = led_suit(known)
    row[SINGLE + 12] = suit == 0
    row[SINGLE + 13] = trick_points(known) / POINTS_WHOLE if known.trick_n > 0 else 0.0


@kernel
def _describe_question(known: Record, row: Any) -> None:
    """Write the points of the own hand in every class, until they are counted."""
    if known.phase != Phase.PLAY:
        for cls in range(len(CLASSES)):
            if known.phase != Phase.DECLARE or cls >= known.cls:
                row[CLASS + cls] = class_points(known, 0, cls) / POINTS_WHOLE


# Actions


@kernel
def _describe_action(known: Record, action: int, work: Any, row: Any) -> None:
    if action == NO:
        row[KINDS - 1] = 1
        return
    row[known.phase] = 1
    if action != YES:
        _describe_card(known, action, row)
        if known.phase == Phase.PLAY:
            _describe_play(known, action, work, row)
        elif known.phase != Phase.RETURN:
            row[LOST] = _points_lost(known, action) / POINTS_WHOLE
    elif known.phase == Phase.DECLARE:
        row[SHOWN] = class_points(known, 0, int(known.cls)) / POINTS_WHOLE
    else:
        for i in range(len(TAROT_CARDS)):
            place = known.loc[TAROT_CARDS[i]]
            row[TAROTS_OUT] += (place == Place.UNKNOWN or 0 < place < known.seats) / 3.0


@kernel
def _describe_card(known: Record, card: int, row: Any) -> None:
    """Describe a card and the rest of its suit."""
    row[IS_FOOL], row[IS_TRUMP], row[IS_KING] = card == FOOL, 0 < card < TRUMPS, RANK_OF[card] == KING
    row[TAROT], row[WORTH] = IS_TAROT[card], TRICK_WORTH[card] / POINTS_WHOLE
    if card == FOOL:
        return
    row[NUMBER] = card / float(TRUMPS) if card < TRUMPS else 0.0
    row[RANK] = RANK_OF[card] / float(SUIT_CARDS) if card >= TRUMPS else 0.0
    row[RUN] = run_through(known, card) / SUIT_WHOLE
    suit = int(SUIT_OF[card])
    for other in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
        place = int(known.loc[other])
        if place == 0:
            row[HELD] += (other != card) / SUIT_WHOLE
            row[HIGHER_OWN] += (other > card) / SUIT_WHOLE
        elif place == Place.UNKNOWN or place < known.seats:
            row[UNSEEN] += 1.0 / SUIT_WHOLE
            if other > card:
                row[HIGHER_OUT] += 1.0 / SUIT_WHOLE
                row[HIGHER_WORTH] += TRICK_WORTH[other] / POINTS_WHOLE
            else:
                row[LOWER_WORTH] += TRICK_WORTH[other] / POINTS_WHOLE


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
    row[LEADS], row[LAST] = led == NO_SUIT, known.trick_n == known.seats - 1
    row[FOLLOWS] = led != NO_SUIT and SUIT_OF[card] == led
    row[RUFFS] = led not in (NO_SUIT, 0) and 0 < card < TRUMPS
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
    row[WINNING], row[ODDS] = wins, odds
    row[POINTS], row[CUT], row[LOSS] = points / POINTS_WHOLE, cut / POINTS_WHOLE, loss / POINTS_WHOLE
    row[SWING] = (odds * (points + cut) - (1.0 - odds) * loss) / POINTS_WHOLE
    if card == FOOL:
        row[SWING] += int(known.opt.fool_points) / POINTS_WHOLE
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
    row[NONE_LEFT], row[NO_TRUMPS] = 1.0 - follow, without
