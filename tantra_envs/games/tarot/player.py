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

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from ...core.observation import Actions
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

NOTES = record(  # what is looked up once for all cards that may be played; others by how many seats they sit ahead
    [
        ("share", np.float64, (MAX_SEATS,)),  # how likely any unseen card is in the hand of a seat
        ("led", np.int64),  # suit, SUITS = none
        ("on_table", np.int64, (MAX_SEATS,)),  # the card that a seat has played to the trick, CARDS = none
        ("unseen", np.int8, (CARDS,)),  # 1 = nobody knows who holds it
    ]
)


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    actions = np.empty(len(views), np.int64)
    _choose_rows(game.players, np.zeros(1, NOTES), views, masks, actions)
    return actions


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the points of finished hands and of this one, over those of the best other player."""
    first = at_seats(game.players)
    seats = [
        views[:, at + TOTAL] * game.config["target"] + views[:, at + POINTS] * POINTS_SCALE
        for at in range(first, first + SEAT * game.players, SEAT)
    ]
    return np.asarray(seats[0] - np.max(seats[1:], axis=0), np.float64)


@entry_point
def _choose_rows(seats: int, notes: Any, views: Any, masks: Any, actions: Any) -> None:
    for k in range(len(actions)):
        actions[k] = decide(seats, notes[0], views[k], masks[k])


@kernel
def decide(n: int, notes: Any, view: Any, mask: Any) -> int:
    """The action at one table of `n` seats, of which its seat has this view and mask: that of most value.

    `notes` is a record for the player's own use.
    """
    chosen, most = -1, 0.0
    phase = _lit(view, after_cards(n) + PHASE, Phase.PLAY + 1)
    if phase == Phase.PLAY:
        _note(n, notes, view)
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(n, notes, view, action, phase)
            if chosen < 0 or value > most:
                chosen, most = action, value
    return chosen


@kernel
def _value(n: int, notes: Any, view: Any, action: int, phase: int) -> float:
    """What an action is worth, in points."""
    if phase == Phase.PLAY:
        return _play(n, notes, view, action)
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
def _note(n: int, notes: Any, view: Any) -> None:
    """Look up what the value of every card depends on."""
    notes.led = _lit(view, after_cards(n) + SUIT_LED, SUITS)
    for card in range(CARDS):
        seen = view[HAND_CARDS + card] + view[DISCARDS + card] + view[FINISHED + card]
        for other in range(1, n):
            seen += view[TRICK_CARDS + CARDS * (other - 1) + card] + view[_known(n, other) + card]
        notes.unseen[card] = seen == 0
    for other in range(1, n):
        notes.on_table[other] = _lit(view, TRICK_CARDS + CARDS * (other - 1), CARDS)
        notes.share[other] = _share(n, notes, view, other)


@kernel
def _share(n: int, notes: Any, view: Any, other: int) -> float:
    """How likely any unseen card is in the hand of a seat."""
    unseen, hidden = 0, float(view[at_seats(n) + SEAT * other + HAND_SIZE] * LARGEST_HAND)
    for card in range(CARDS):
        hidden -= view[_known(n, other) + card]
        unseen += notes.unseen[card]
    return min(1.0, hidden / unseen) if unseen > 0 else 0.0


@kernel
def _play(n: int, notes: Any, view: Any, card: int) -> float:
    """Points of the trick for or against me, by the odds that the card takes it, less its later worth."""
    suit = int(notes.led) if notes.led < SUITS else int(SUIT_OF[card])
    points, best, king = float(TRICK_WORTH[card]), -1, False
    for other in range(1, n):
        on_table = int(notes.on_table[other])
        if on_table < CARDS:
            points += float(TRICK_WORTH[on_table])
            best = max(best, _strength(on_table, suit))
            king = king or (RANK_OF[on_table] == KING and SUIT_OF[on_table] == suit)
        else:
            points += TRICK_TO_COME
    odds = _odds(n, notes, view, card, suit) if _strength(card, suit) > best else 0.0
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
def _odds(n: int, notes: Any, view: Any, card: int, suit: int) -> float:
    """How likely nobody yet to play beats a card that wins the trick so far."""
    odds = 1.0
    for other in range(1, n):
        if notes.on_table[other] == CARDS:
            odds *= _odds_against(n, notes, view, other, card, suit)
    return odds


@kernel
def _odds_against(n: int, notes: Any, view: Any, other: int, card: int, suit: int) -> float:
    """How likely one seat cannot beat a card in a trick of this suit."""
    if suit == 0:
        return _odds_without(n, notes, view, other, 0, card)
    none = _odds_without(n, notes, view, other, suit, 0)
    trumps = _odds_without(n, notes, view, other, 0, card if card < TRUMPS else 0)
    if card < TRUMPS:
        return 1.0 - none * (1.0 - trumps)
    return _odds_without(n, notes, view, other, suit, card) - none * (1.0 - trumps)


@kernel
def _odds_without(n: int, notes: Any, view: Any, other: int, suit: int, above: int) -> float:
    """How likely a seat holds no card of a suit above this one."""
    if view[at_seats(n) + SEAT * other + VOID + suit] > 0:
        return 1.0
    odds = 1.0
    for card in range(max(above + 1, FIRST_OF_SUIT[suit]), FIRST_OF_SUIT[suit + 1]):
        if view[_known(n, other) + card] > 0:
            return 0.0
        if notes.unseen[card]:
            odds *= 1.0 - notes.share[other]
    return odds


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
