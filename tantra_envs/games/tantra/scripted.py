"""Tantra as a careful person plays it, from the view and the mask alone.

What the seat sees is set up on a table that only it plays with, where questions can be asked: how many cards do I lack,
and what would be left of my hand if I laid down now? So it buys and takes what brings the contract nearer, weighing the
penalty card and the points at risk; sells what it has no use for; keeps cards with friends in the hand and throws the
others, dear ones first, but not to a neighbour who can lay them off. It lays down when it can go out at once, or when
waiting for the Grand Slam has become too dangerous, and then lays off all it can, natural cards first.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from ...core.playouts import Actions, chosen
from ...core.state import record
from .actions import ALLOW, BUY, DISCARD, DRAW_STOCK, HAND_OVER, KEEP, LAY_DOWN, LAY_OFF, PASS, TAKE_DISCARD
from .material import IDENTICAL, TOTAL, TYPES
from .needs import NEEDS, lacking
from .sets import hand_points, has_flag
from .sight import (
    BLOCKS,
    NEXT,
    SEATS,
    TOP,
    fits_table,
    friends,
    laid_down,
    left_after,
    lit,
    next_step,
    points,
    set_up,
    starts,
)
from .state import STATE, Phase
from .view_fields import SCORE

# What things are worth, in cards that are lacking. Found by letting variants of the player play each other.
WORTH: dict[str, float] = {
    "friend": 0.15,  # a card of the hand with which a card may stand in a set
    "unseen": 0.2,  # an unseen card: what a discard must be better than to be taken
    "buy": 0.7,  # two cards more: what a discard must be better than to be bought
    "short": 0.5,  # less, if the hand is too small to lay down
    "point": 0.002,  # a point in hand
    "danger": 0.012,  # more of it for each player who has laid down
    "feed": 0.15,  # a discard that can be laid off by those who have
    "wait": 1.0,  # cards too many with which the Grand Slam is waited for
    "early": 8.0,  # turns of each player until then
}
WEIGHTS = record([(name, np.float64) for name in WORTH])
LACKING, LAID = 20.0, 60.0  # for greedy, in points: a card that is lacking, and having laid down

FIRST = 1e6  # what is done before everything else
WORK = record(
    [
        ("table", STATE),  # for the player's own use, under the same rules: it sits on seat 0 there
        ("at", np.int64, (len(BLOCKS),)),
        ("w", WEIGHTS),
        ("needs", NEEDS),
        ("relief", np.float64, (TYPES,)),  # by card: what it is worth to be rid of it, or at most
        ("sure", np.int8, (TYPES,)),  # is it known exactly?
    ]
)


LOOKS_AT: Literal["known", "observation"] = "observation"
SEARCH = {"samples": 64, "candidates": 8, "margin": 1.5, "horizon": 1}  # how search plays best, by a small sweep


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return weighed(game, views, masks, STANDARD)


def weighed(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], weights: Any) -> Actions:
    """The same for other weights, shape (1,) of dtype WEIGHTS."""
    return chosen(game, views, masks, prepare(game, weights))


def prepare(game: Game, weights: Any = None) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["table"] = game.blank
    work["at"] = starts(game)
    work["w"] = STANDARD if weights is None else weights
    return work


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the own score, less points in hand and cards lacking; they are known when a round is over."""
    values = np.empty(len(views), np.float64)
    _worth_rows(prepare(game), views, values)
    return values


@entry_point
def _worth_rows(works: Any, views: Any, values: Any) -> None:
    for k in range(len(values)):
        work = works[0]
        s, at = work.table, work.at
        set_up(s, at, views[k])
        score = float(views[k, at[SEATS] + SCORE])
        values[k] = -score if s.opt.low_score_wins else score
        if s.phase < Phase.OVER:
            values[k] -= hand_points(s, 0)
            values[k] += LAID if s.laid_turn[0] >= 0 else -LACKING * lacking(work.needs, s)


# Decisions


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: rounds."""
    return int(s.round)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: its score."""
    return float(-s.scores[seat] if s.opt.low_score_wins else s.scores[seat])


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one seat by its view and mask."""
    s, at, w = work.table, work.at, work.w
    set_up(s, at, view)
    phase = int(s.phase)
    if phase == Phase.ASK:
        return BUY if _is_worth(work, lit(view, at[TOP], TYPES), _price(s, w)) else PASS
    if phase == Phase.DRAW:
        top = mask[TAKE_DISCARD] == 1 and _is_worth(work, lit(view, at[TOP], TYPES), w.unseen)
        return TAKE_DISCARD if top or mask[DRAW_STOCK] == 0 else DRAW_STOCK
    if phase == Phase.REPLY:
        return TAKE_DISCARD if _is_worth(work, lit(view, at[TOP], TYPES), w.unseen) else ALLOW
    if phase == Phase.PEEK:
        return KEEP if _is_worth(work, lit(view, at[NEXT], TYPES), w.unseen) else HAND_OVER
    if phase == Phase.MAIN:
        return _turn(work, mask)
    return next_step(s, mask)


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: most what `decide` takes, discards by relief."""
    chosen = decide(view, mask, work)
    set_up(work.table, work.at, view)
    own_turn = work.table.laid_turn[0] < 0 and work.table.phase == Phase.MAIN
    lacks = lacking(work.needs, work.table) if own_turn else 0
    for action in range(len(mask)):
        values[action] = 0.0 if mask[action] == 1 else -np.inf
        if mask[action] == 1 and DISCARD <= action < DISCARD + TYPES:
            card = action - DISCARD
            values[action] = _relief(work.table, card, _lost_with(work, card, lacks), work.w)
    values[chosen] = FIRST


@kernel
def _is_worth(work: Any, card: int, price: float) -> bool:
    """Is a card more worth its price? It brings the contract nearer, or can be laid off."""
    s, w = work.table, work.w
    if s.laid_turn[0] >= 0:
        return (1.0 if fits_table(s, card) else 0.0) > price
    s.hands[0, card] += 1
    near = w.friend * friends(s, card)
    s.hands[0, card] -= 1
    costs = (w.point + w.danger * laid_down(s)) * points(s, card)
    if near - costs > price or (_one_for_one(s) and 1 + near - costs <= price):  # whatever it brings
        return bool(near - costs > price)
    return bool(_nearer_with(work, card) + near - costs > price)


@kernel
def _nearer_with(work: Any, card: int) -> int:
    """How many cards fewer the hand lacks with this one."""
    s = work.table
    before = lacking(work.needs, s)
    if before == 0:
        return 0
    s.hands[0, card] += 1
    after = lacking(work.needs, s)
    s.hands[0, card] -= 1
    return before - after


@kernel
def _price(s: Any, w: Any) -> float:
    """What a buy costs: a card more to be held, unless the hand is too small to lay down."""
    in_turn = s.opt.hand_size + 1 + 2 * s.buys_used[0]
    small = in_turn < int(TOTAL[s.display]) + 1
    return float(w.buy - (w.short if small else 0.0))


@kernel
def _turn(work: Any, mask: Any) -> int:
    """Lay down, lay off, discard."""
    s, w = work.table, work.w
    if mask[LAY_DOWN] == 1 and not _waits(s, w):
        return LAY_DOWN
    for action in range(LAY_OFF, len(mask)):
        if mask[action] == 1:
            return action
    return DISCARD + _best_to_throw(work)


@kernel
def _best_to_throw(work: Any) -> int:
    """The card it is best to be rid of; asked about are those first that it may be best to be rid of."""
    s, w = work.table, work.w
    lacks = lacking(work.needs, s) if s.laid_turn[0] < 0 else 0
    for card in range(TYPES):
        work.relief[card] = _relief(s, card, 0, w) if s.hands[0, card] > 0 else -np.inf
        work.sure[card] = s.laid_turn[0] >= 0
    while True:
        best = 0
        for card in range(1, TYPES):
            if work.relief[card] > work.relief[best]:
                best = card
        if work.sure[best] == 1:
            return best
        work.relief[best] = _relief(s, best, _lost_with(work, best, lacks), w)
        work.sure[best] = 1


@kernel
def _lost_with(work: Any, card: int, lacks: int) -> int:
    """How many cards more the hand lacks without this one: never fewer."""
    s = work.table
    if s.laid_turn[0] >= 0:
        return 0
    s.hands[0, card] -= 1
    lost = lacking(work.needs, s) - lacks
    s.hands[0, card] += 1
    return lost


@kernel
def _one_for_one(s: Any) -> bool:
    """Does a hand lack at most one card fewer for a card more? A natural may be the mate of another [R-23]."""
    return bool(s.opt.min_naturals_per_set == 0 and not has_flag(s, IDENTICAL))


@kernel
def _relief(s: Any, card: int, lost: int, w: Any) -> float:
    """What it is worth to be rid of a card without which so many more are lacking."""
    others = laid_down(s)
    value = (w.point + w.danger * others) * points(s, card)
    if others > 0 and fits_table(s, card):
        value -= w.feed
    if s.laid_turn[0] < 0:
        value -= lost
        value -= w.friend * friends(s, card)
    return float(value)


@kernel
def _waits(s: Any, w: Any) -> bool:
    """With nobody laid down it is early to do so for 50 points, if a card or two are in the way of 300."""
    if laid_down(s) > 0 or s.turns >= w.early * s.seats:
        return False
    left = left_after(s)
    return bool(1 < left <= 1 + w.wait)


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
