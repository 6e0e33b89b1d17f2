"""Karma as a sensible person plays it, from the view and the mask alone.

Every legal action gets a value in "cards": what leaves the hand counts for it, what is spent counts against it, and
so does what it leaves to the next player. Low numbers go first and karma cards wait for the moment they are needed;
sets are completed for the turn they give; a high number, FIVE or BOTTOMS is laid where the next player, by what is
known of that seat, can hardly answer; a small pile is picked up rather than waste good cards on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel, leaf
from ...core.game import Game
from ...core.playouts import Actions, chosen
from ...core.state import record
from .actions import FLIP, GIVE_TO, PICKUP
from .material import BOTTOMS, FIRST_KARMA, FIVE, GIVE, HIGHEST_ON_FIVE, TABLE, TABLE_CARDS, TYPES
from .state import OPT, Phase
from .view import (
    BOTTOM,
    DOWN_SIZE,
    DRAW_SIZE,
    HAND,
    HAND_SIZE,
    OPPONENT,
    OPPONENTS,
    OWN_TURN,
    PHASE,
    PILE,
    PILE_SIZE,
    RUN,
    S_DOWN_SIZE,
    S_HAND_SIZE,
    S_OUT,
    S_UP,
    S_UP_SIZE,
    TOP,
    UNSEEN,
    UP,
)

HIGH = 9  # type of the number 10

# What things are worth, in cards got rid of. Found by letting variants of the player play each other.
WORTH: dict[str, float] = {
    "card": 1.0,  # one card less
    "number": 0.95,  # keeping a number, from nothing for the 1 to this for the 16
    "give": 3.9,  # keeping a karma card
    "table": 7.5,
    "bottoms": 1.05,
    "five": 1.9,
    "high": 0.45,  # keeping a number above HIGH, more for each step
    "split": 0.4,  # keeping identical cards of a hand together
    "late": 0.25,  # of that what remains when nothing is left to draw
    "clear": 0.1,  # playing again
    "clear_card": 0.15,  # each card that leaves the game with a set
    "give_card": 0.15,  # each card given to another
    "stuck": 0.15,  # each card the next player picks up for want of an answer
    "short": 0.5,  # that counts so much more when the next player has one card left, half of that with two, ..
    "set": 0.5,  # the next player completes a set
    "pickup": 0.3,  # losing the turn to a pick-up
    "pickup_card": 1.2,  # each card picked up
    "pickup_worth": 0.35,  # of what the picked-up cards are worth keeping
    "pair": 0.2,  # two identical cards face up
    "finish": 8.0,  # the last card leaves
    "decline": -0.1,  # nothing played on TABLE
    "out": 0.1,  # giving the pile to somebody who is out, in cards of the one who holds fewest
}
WEIGHTS = record([(name, np.float64) for name in WORTH])
WORK = record([("opt", OPT), ("w", WEIGHTS)])  # the rules of the table, and what things are worth


SEARCH = {"samples": 64, "candidates": 8, "margin": 0.0}  # how search plays best with this player, by a small sweep


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return weighed(game, views, masks, STANDARD)


def weighed(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], weights: Any) -> Actions:
    """The same for other weights, shape (1,) of dtype WEIGHTS."""
    return chosen(game, views, masks, prepare(game, weights))


def prepare(game: Game, weights: Any = None) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["opt"] = game.blank["opt"]
    work["w"] = STANDARD if weights is None else weights
    return work


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the fewest own cards, then another turn, then the highest cards left, so that low ones go first."""
    own = (views[:, HAND : HAND + TYPES] + views[:, UP : UP + TYPES]) * game.blank["opt"]["copies"]
    cards = own.sum(axis=1) + views[:, DOWN_SIZE] * TABLE_CARDS
    return np.asarray(-cards + 0.5 * views[:, OWN_TURN] + own @ np.arange(TYPES) / 1000, np.float64)


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one seat by its view and mask: that of most worth."""
    best, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(work, view, action, work.w)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: `decide` takes the first of the highest."""
    for action in range(len(mask)):
        values[action] = _value(work, view, action, work.w) if mask[action] == 1 else -np.inf


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: actions."""
    return int(s.plies)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: the fewest cards."""
    return -float(s.hand_n[seat] + s.up_n[seat] + s.down_n[seat])


@kernel
def _value(rules: Any, view: Any, action: int, w: Any) -> float:
    """What an action is worth, in cards."""
    choice = action - TYPES * rules.opt.clear_set
    if view[PHASE + Phase.SETUP] > 0:
        return _face_up(view, action, w)
    if choice < 0:
        return _play(rules, view, action % TYPES, action // TYPES + 1, w)
    if choice >= GIVE_TO:
        return _receiver(rules, view, choice - GIVE_TO, w)
    if choice == PICKUP:
        return _pickup(rules, view, w)
    return float(w.card if choice == FLIP else w.decline)


@leaf
def _face_up(view: Any, card: int, w: Any) -> float:
    """Face up lies what will be strong at the end."""
    return _keep(view, card, w) + (w.pair if view[UP + card] > 0 else 0.0)


# Playing cards


@kernel
def _play(rules: Any, view: Any, card: int, count: int, w: Any) -> float:
    value: float = count * (w.card - _keep(view, card, w))
    held = _number(view[HAND + card], rules.opt.copies)
    if count < held:
        value -= w.split
    if _own_cards(rules, view) == count and view[DRAW_SIZE] == 0:
        value += w.finish
    pile = _pile_size(rules, view)
    top = _lit(view, TOP)
    run = count
    if top == card and not (view[PHASE + Phase.FOLLOW] > 0 and card == TABLE and rules.opt.chain_clears == 0):
        run += _number(view[RUN], rules.opt.clear_set)
    if run >= rules.opt.clear_set and (card < FIRST_KARMA or rules.opt.karma_sets == 1):
        return float(value + w.clear + w.clear_card * pile)
    if card == GIVE:
        return float(value + w.give_card * pile)
    if card == TABLE:
        return float(value + _follow(rules, view, pile, w))
    if card == BOTTOMS and pile > 0:
        card, run = _lit(view, BOTTOM), int(rules.opt.surfaced_counts)
    return float(value + _left_behind(rules, view, card, run, pile + count, w))


@kernel
def _follow(rules: Any, view: Any, pile: int, w: Any) -> float:
    """What may be gained on TABLE, where nothing is compared and a bad face-up card may leave."""
    best: float = w.decline
    if view[DOWN_SIZE] > 0:
        best = max(best, w.card)
    for card in range(TYPES):
        held = _number(view[UP + card], rules.opt.copies)
        if held >= rules.opt.clear_set:
            best = max(best, held * (w.card - _keep(view, card, w)) + w.clear + w.clear_card * pile)
        elif held > 0:
            best = max(best, w.card - _keep(view, card, w))
    return best


@kernel
def _left_behind(rules: Any, view: Any, top: int, run: int, pile: int, w: Any) -> float:
    """What it is worth to leave the next player a pile with this card on top."""
    at = _next_player(rules, view)
    urgency = 1.0 + w.short / max(_cards_of(rules, view, at), 1)
    value: float = _odds_stuck(rules, view, at, top) * w.stuck * pile * urgency
    if run + 1 == rules.opt.clear_set and (top < FIRST_KARMA or rules.opt.karma_sets == 1):
        value -= w.set * (1.0 - _odds_without(rules, view, at, top, top, False))
    return value


@leaf
def _keep(view: Any, card: int, w: Any) -> float:
    """What keeping a card is worth; less when nothing is left to draw."""
    if card < FIRST_KARMA:
        worth = w.number * card / (FIRST_KARMA - 1) + w.high * max(card - HIGH, 0) / (FIRST_KARMA - 1 - HIGH)
    elif card == GIVE:
        worth = w.give
    elif card == TABLE:
        worth = w.table
    else:
        worth = w.bottoms if card == BOTTOMS else w.five
    return float(worth if view[DRAW_SIZE] > 0 else worth * w.late)


# Taking and giving the pile


@kernel
def _pickup(rules: Any, view: Any, w: Any) -> float:
    value: float = -w.pickup - w.pickup_card * _pile_size(rules, view)
    for card in range(TYPES):
        value += w.pickup_worth * _keep(view, card, w) * view[PILE + card] * rules.opt.copies
    return value


@kernel
def _receiver(rules: Any, view: Any, j: int, w: Any) -> float:
    """The leader gets the pile: who has the fewest cards; somebody who is out counts as `w.out` cards."""
    at = OPPONENTS + OPPONENT * j
    if view[at + S_OUT] > 0:
        return float(-w.out)
    return -1.0 * _cards_of(rules, view, at)


# The next player, by what is known of that seat


@kernel
def _next_player(rules: Any, view: Any) -> int:
    """Where the view tells of the next seat that has cards."""
    at = OPPONENTS
    while view[at + S_OUT] > 0:
        at += OPPONENT
    return at


@kernel
def _odds_stuck(rules: Any, view: Any, at: int, top: int) -> float:
    """How likely the seat at `at` has no card to play on `top`."""
    if top == FIVE:
        return _odds_without(rules, view, at, 0, HIGHEST_ON_FIVE, True)
    return _odds_without(rules, view, at, top, FIRST_KARMA - 1, True) if top < FIRST_KARMA else 0.0


@kernel
def _odds_without(rules: Any, view: Any, at: int, lowest: int, highest: int, or_karma: bool) -> float:
    """How likely the seat at `at` plays from cards without the types lowest .. highest, and without karma cards too."""
    hand = _number(view[at + S_HAND_SIZE], rules.opt.deck_size)
    seen = at if hand > 0 else at + S_UP  # known cards of the hand, or the face-up cards
    hidden = hand
    fitting, unseen = 0.0, 0.0
    for card in range(TYPES):
        fits = lowest <= card <= highest or (or_karma and card >= FIRST_KARMA)
        if fits and view[seen + card] > 0:
            return 0.0
        hidden -= _number(view[at + card], rules.opt.copies)
        unseen += view[UNSEEN + card]
        if fits:
            fitting += view[UNSEEN + card]
    if hand == 0 and view[at + S_UP_SIZE] == 0:
        hidden = 1  # the next face-down card
    return (1.0 - fitting / unseen) ** hidden if unseen > 0 else 1.0


# Reading the view


@leaf
def _number(share: float, whole: int) -> int:
    """How many of `whole` a share is."""
    return int(share * whole + 0.5)


@kernel
def _own_cards(rules: Any, view: Any) -> int:
    held = _number(view[HAND_SIZE], rules.opt.deck_size) + _number(view[DOWN_SIZE], TABLE_CARDS)
    for card in range(TYPES):
        held += _number(view[UP + card], rules.opt.copies)
    return held


@leaf
def _cards_of(rules: Any, view: Any, at: int) -> int:
    """How many cards the seat at `at` has."""
    on_table = _number(view[at + S_UP_SIZE], TABLE_CARDS) + _number(view[at + S_DOWN_SIZE], TABLE_CARDS)
    return _number(view[at + S_HAND_SIZE], rules.opt.deck_size) + on_table


@leaf
def _pile_size(rules: Any, view: Any) -> int:
    return _number(view[PILE_SIZE], rules.opt.deck_size)


@kernel
def _lit(view: Any, first: int) -> int:
    """The card a one-hot block at `first` shows, TYPES = none."""
    card = 0
    while card < TYPES and view[first + card] == 0:
        card += 1
    return card


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
