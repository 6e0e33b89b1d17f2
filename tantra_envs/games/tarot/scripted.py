"""Tarot as a sensible person plays it, from the view and the mask alone.

Everything that pays is shown, and a call is always made. What is laid away or given back is what is least worth
keeping: low cards of short suits, so that the suit can soon be trumped, and never a card of a run. In the play every
legal card gets a value in points: what the trick will hold, for me if my card is likely to take it and against me if
not, less what the card is worth in later tricks. The odds come from the cards not yet seen, the suits others failed
to follow and the cards they have shown. So Kings are led while nobody can trump, Queens are kept from higher cards,
Kings of others are cut, points are thrown to own tricks, and the Fool stands in for a card that would be lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.playouts import Actions, chosen
from ...core.state import record
from .actions import YES
from .material import (
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    IS_TAROT,
    KING,
    KING_CUT,
    KNAVE,
    MAX_SEATS,
    RANK_OF,
    SUIT_OF,
    SUITS,
    TRICK_WORTH,
    TRUMPS,
)
from .state import Phase
from .view import (
    DISCARDS,
    FINISHED,
    HAND_CARDS,
    LARGEST_HAND,
    PHASE,
    POINTS_SCALE,
    SEAT,
    SUIT_LED,
    TRICK_CARDS,
    after_cards,
    at_seats,
)
from .view_fields import HAND_SIZE, POINTS, TOTAL, VOID

FOOL_LATER = 2.0  # what the Fool may still save
FOOL_KEPT = 10.0  # it scores for who plays it, so it is the last to be given up
RUN = 4  # cards in sequence that score (T-36)
TRICK_TO_COME = 1.5  # points a player yet to play adds to a trick, on average

WORK = record(  # what is looked up once for all cards that may be played; others by how many seats they sit ahead
    [
        ("n", np.int64),  # seats: what `prepare` fills in
        ("led", np.int64),  # suit, SUITS = none
        ("out", np.float64, (MAX_SEATS, TRUMPS)),  # how likely k unseen cards are all not in the hand of a seat
        ("on_table", np.int64, (MAX_SEATS,)),  # the card that a seat has played to the trick, CARDS = none
        ("unseen", np.int8, (CARDS,)),  # unseen cards of a card's suit from it upwards
        ("known", np.int8, (MAX_SEATS, CARDS)),  # the same of those known to be in the hand of a seat
    ]
)


# How search plays best, by a small sweep.
SEARCH = {"samples": 64, "candidates": 8, "margin": 1.0, "horizon": 1, "belief": "moves"}


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return chosen(game, views, masks, prepare(game))


def prepare(game: Game) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["n"] = game.players
    return work


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the points of finished hands and of this one, over those of the best other player."""
    first = at_seats(game.players)
    seats = [
        views[:, at + TOTAL] * game.config["target"] + views[:, at + POINTS] * POINTS_SCALE
        for at in range(first, first + SEAT * game.players, SEAT)
    ]
    return np.asarray(seats[0] - np.max(seats[1:], axis=0), np.float64)


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: hands."""
    return int(s.hand_no)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: the points of all hands."""
    return float(s.totals[seat])


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one seat by its view and mask: that of most value."""
    best, most = -1, 0.0
    phase = _lit(view, after_cards(work.n) + PHASE, Phase.PLAY + 1)
    if phase == Phase.PLAY:
        _note(work, view)
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(work, view, action, phase)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: `decide` takes the first of the highest."""
    phase = _lit(view, after_cards(work.n) + PHASE, Phase.PLAY + 1)
    if phase == Phase.PLAY:
        _note(work, view)
    for action in range(len(mask)):
        values[action] = _value(work, view, action, phase) if mask[action] == 1 else -np.inf


@kernel
def _value(work: Any, view: Any, action: int, phase: int) -> float:
    """What an action is worth, in points."""
    if phase == Phase.PLAY:
        return _play(work, view, action)
    if phase in (Phase.DECLARE, Phase.CALL):
        return 1.0 if action == YES else 0.0
    if phase == Phase.ANSWER:
        return -_later(action) if action != FOOL else -FOOL_KEPT
    return -_keep(view, action)


# Before the play


@kernel
def _keep(view: Any, card: int) -> float:
    """What a card is worth before the play: by itself, as part of a run, and as one card more of its suit."""
    if IS_TAROT[card] == 1:
        return 20.0
    value = _later(card) + (KING_CUT if _run_through(view, card) >= RUN else 0)
    if card >= TRUMPS:
        suit = int(SUIT_OF[card])
        for other in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
            value += 0.4 * view[HAND_CARDS + other]
    return value


@kernel
def _run_through(view: Any, card: int) -> int:
    """Cards in the own hand in an unbroken line through this one."""
    suit = int(SUIT_OF[card])
    length, low = 1, card - 1
    while low >= FIRST_OF_SUIT[suit] and view[HAND_CARDS + low] > 0:
        length += 1
        low -= 1
    high = card + 1
    while high < FIRST_OF_SUIT[suit + 1] and view[HAND_CARDS + high] > 0:
        length += 1
        high += 1
    return length


@kernel
def _later(card: int) -> float:
    """What a card may still bring in later tricks."""
    if card == FOOL:
        return FOOL_LATER
    if card < TRUMPS:
        return 1.0 + 0.15 * card
    rank = int(RANK_OF[card])
    return 1.0 + 0.5 * (rank - KNAVE) if rank >= KNAVE else 0.05 * rank


# The play


@kernel
def _note(work: Any, view: Any) -> None:
    """Look up what the value of every card depends on."""
    n = int(work.n)
    work.led = _lit(view, after_cards(n) + SUIT_LED, SUITS)
    unseen = _note_unseen(n, work.unseen, view)
    for other in range(1, n):
        work.on_table[other] = _lit(view, TRICK_CARDS + CARDS * (other - 1), CARDS)
        share = _share(n, work.known[other], view, other, unseen)
        odds = 1.0
        for k in range(TRUMPS):
            work.out[other, k] = odds
            odds *= 1.0 - share


@kernel
def _note_unseen(n: int, upwards: Any, view: Any) -> int:
    """Nobody knows who holds so many cards."""
    unseen = 0
    for card in range(CARDS):
        seen = view[HAND_CARDS + card] + view[DISCARDS + card] + view[FINISHED + card]
        for other in range(1, n):
            seen += view[TRICK_CARDS + CARDS * (other - 1) + card] + view[_known(n, other) + card]
        upwards[card] = seen == 0
        unseen += seen == 0
    _count_upwards(upwards)
    return unseen


@kernel
def _count_upwards(cards: Any) -> None:
    """Make of every mark how many there are in its suit from there on."""
    for suit in range(SUITS):
        for card in range(FIRST_OF_SUIT[suit + 1] - 2, FIRST_OF_SUIT[suit] - 1, -1):
            cards[card] += cards[card + 1]


@kernel
def _share(n: int, known: Any, view: Any, other: int, unseen: int) -> float:
    """How likely any unseen card is in the hand of a seat; its known cards are noted."""
    hidden = float(view[at_seats(n) + SEAT * other + HAND_SIZE] * LARGEST_HAND)
    shown = 0
    for card in range(CARDS):
        known[card] = view[_known(n, other) + card] > 0
        shown += view[_known(n, other) + card] > 0
    _count_upwards(known)
    hidden -= shown
    return min(1.0, hidden / unseen) if unseen > 0 else 0.0


@kernel
def _play(work: Any, view: Any, card: int) -> float:
    """Points of the trick for or against me, by the odds that the card takes it, less its later worth."""
    n = int(work.n)
    suit = int(work.led) if work.led < SUITS else int(SUIT_OF[card])
    points, best, king = float(TRICK_WORTH[card]), -1, False
    for other in range(1, n):
        on_table = int(work.on_table[other])
        if on_table < CARDS:
            points += float(TRICK_WORTH[on_table])
            best = max(best, _strength(on_table, suit))
            king = king or (RANK_OF[on_table] == KING and SUIT_OF[on_table] == suit)
        else:
            points += TRICK_TO_COME
    odds = _odds(work, view, card, suit) if _strength(card, suit) > best else 0.0
    points = max(1.0, points)
    loss = points + (KING_CUT if RANK_OF[card] == KING and suit == SUIT_OF[card] else 0)
    if card < TRUMPS and 0 < suit < SUITS and king:
        points += KING_CUT
    return odds * points - (1.0 - odds) * loss / (n - 1) - _later(card)


@kernel
def _strength(card: int, suit: int) -> int:
    """What decides who takes a trick of this suit; -1 = never."""
    if card == FOOL:
        return -1
    if card < TRUMPS:
        return card + CARDS
    return card if SUIT_OF[card] == suit else -1


@kernel
def _odds(work: Any, view: Any, card: int, suit: int) -> float:
    """How likely nobody yet to play beats a card that wins the trick so far."""
    odds = 1.0
    for other in range(1, work.n):
        if work.on_table[other] == CARDS:
            odds *= _odds_against(work, view, other, card, suit)
    return odds


@kernel
def _odds_against(work: Any, view: Any, other: int, card: int, suit: int) -> float:
    """How likely one seat cannot beat a card in a trick of this suit."""
    if suit == 0:
        return _odds_without(work, view, other, 0, card)
    none = _odds_without(work, view, other, suit, 0)
    trumps = _odds_without(work, view, other, 0, card if card < TRUMPS else 0)
    if card < TRUMPS:
        return 1.0 - none * (1.0 - trumps)
    return _odds_without(work, view, other, suit, card) - none * (1.0 - trumps)


@kernel
def _odds_without(work: Any, view: Any, other: int, suit: int, above: int) -> float:
    """How likely a seat holds no card of a suit above this one."""
    lowest = max(above + 1, int(FIRST_OF_SUIT[suit]))
    if view[at_seats(work.n) + SEAT * other + VOID + suit] > 0 or lowest >= FIRST_OF_SUIT[suit + 1]:
        return 1.0
    return 0.0 if work.known[other, lowest] > 0 else float(work.out[other, work.unseen[lowest]])


@kernel
def _known(n: int, other: int) -> int:
    """Where the view shows the cards known to be in the hand of a seat."""
    return TRICK_CARDS + CARDS * (n - 1 + other - 1)


@kernel
def _lit(view: Any, first: int, size: int) -> int:
    """Which of `size` numbers from `first` is not zero, `size` = none."""
    i = 0
    while i < size and view[first + i] == 0:
        i += 1
    return i
