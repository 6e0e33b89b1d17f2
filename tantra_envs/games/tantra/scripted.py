"""The scripted agent of Tantra, from the concealed record and the mask.

It asks how many cards the hand lacks, and what would be left of it after laying down now. So it buys and takes what
brings the contract nearer, weighing the penalty card and the points at risk; sells what it has no use for; keeps cards
with friends in the hand and throws the others, dear ones first, but not to a neighbour who can lay them off. It lays
down when it can go out at once, or when waiting for the Grand Slam has become too dangerous, and then lays off all it
can, natural cards first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game, Mask
from ...core.playouts import Actions, chosen
from ...core.state import Record, States, record
from .actions import ALLOW, BUY, DISCARD, DRAW_STOCK, HAND_OVER, KEEP, LAY_DOWN, LAY_OFF, PASS, TAKE_DISCARD
from .hands import fits_table, friends, laid_down, left_after, next_step, points, top_discard
from .material import IDENTICAL, TOTAL, TYPES
from .needs import NEEDS, lacking, lacking_with
from .sets import hand_points, has_flag
from .state import FIELDS, STATE, Phase

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
        ("w", WEIGHTS),
        ("needs", NEEDS),
        ("cards", np.int8, (TYPES,)),  # of the hand, ascending
        ("relief", np.float64, (TYPES,)),  # of each: the worth of being rid of it, or at most,
        ("dead", np.float64, (TYPES,)),  # from what it costs
        ("ties", np.float64, (TYPES,)),  # and what it goes with
        ("sure", np.int8, (TYPES,)),  # 1 = the relief is exact
        ("table", STATE),  # a copy of the concealed record, to lay cards down and off
    ]
)

conceal = FIELDS.conceal
SEARCH = {"samples": 64, "candidates": 8, "margin": 1.5, "horizon": 1}  # how search plays best, by a small sweep


def choose(game: Game, known: States, masks: Mask) -> Actions:
    """Return the scripted agent's actions, shape (k,), for concealed tables (k,)."""
    return weighed(game, known, masks, STANDARD)


def weighed(game: Game, known: States, masks: Mask, weights: Any) -> Actions:
    """Return the actions of the agent with other weights, shape (1,) of dtype WEIGHTS."""
    return chosen(game, known, masks, prepare(game, weights))


def prepare(game: Game, weights: Any = None) -> npt.NDArray[np.void]:
    """Return what `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["w"] = STANDARD if weights is None else weights
    return work


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """For greedy: the own score, less points in hand and cards lacking; they are known when a round is over."""
    values = np.empty(len(known), np.float64)
    _worth_rows(prepare(game), known, values)
    return values


@entry_point
def _worth_rows(works: Any, known: Any, values: Any) -> None:
    work = works[0]
    for k in range(len(values)):
        s = known[k]
        score = float(s.scores[0])
        values[k] = -score if s.opt.low_score_wins else score
        if s.phase < Phase.OVER:
            values[k] -= hand_points(s, 0)
            values[k] += LAID if s.laid_turn[0] >= 0 else -LACKING * lacking(work.needs, s)


# Decisions


@kernel
def clock(s: Any) -> int:
    """Return what horizons are counted in: rounds."""
    return int(s.round)


@kernel
def standing(s: Any, seat: int) -> float:
    """Return how a seat stands where a playout stops, like a reward: its score."""
    return float(-s.scores[seat] if s.opt.low_score_wins else s.scores[seat])


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action of seat 0."""
    phase, w = int(known.phase), work.w
    if phase == Phase.ASK:
        return BUY if _is_worth(known, work, top_discard(known), _price(known, w)) else PASS
    if phase == Phase.DRAW:
        top = mask[TAKE_DISCARD] == 1 and _is_worth(known, work, top_discard(known), w.unseen)
        return TAKE_DISCARD if top or mask[DRAW_STOCK] == 0 else DRAW_STOCK
    if phase == Phase.REPLY:
        return TAKE_DISCARD if _is_worth(known, work, top_discard(known), w.unseen) else ALLOW
    if phase == Phase.PEEK:
        return KEEP if _is_worth(known, work, int(known.peeked), w.unseen) else HAND_OVER
    if phase == Phase.MAIN:
        return _turn(known, work, mask)
    return next_step(known, mask)


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the worth of every legal action, -inf for others: most for what `decide` takes, discards by relief."""
    chosen = decide(known, mask, work)
    lacks, others = lacking(work.needs, known), laid_down(known)
    for action in range(len(mask)):
        values[action] = 0.0 if mask[action] == 1 else -np.inf
        if mask[action] == 1 and DISCARD <= action < DISCARD + TYPES:
            card = action - DISCARD
            dead, ties = _dead_weight(known, card, others, work.w), _ties(known, card, work.w)
            values[action] = dead - _lost_with(known, work, card, lacks) - ties
    values[chosen] = FIRST


@kernel
def _is_worth(s: Record, work: Any, card: int, price: float) -> bool:
    """Return whether a card is worth more than its price: it brings the contract nearer, or can be laid off."""
    w = work.w
    if s.laid_turn[0] >= 0:
        return (1.0 if fits_table(s, card) else 0.0) > price
    s.hands[0, card] += 1
    near = w.friend * friends(s, card)
    s.hands[0, card] -= 1
    costs = (w.point + w.danger * laid_down(s)) * points(s, card)
    if near - costs > price or (_one_for_one(s) and 1 + near - costs <= price):  # whatever it brings
        return bool(near - costs > price)
    return bool(_nearer_with(s, work, card) + near - costs > price)


@kernel
def _nearer_with(s: Record, work: Any, card: int) -> int:
    """Return how many cards fewer the hand lacks with this one."""
    before = lacking(work.needs, s)
    return before - lacking_with(work.needs, s, card, 1) if before > 0 else 0


@kernel
def _price(s: Record, w: Any) -> float:
    """Return what a buy costs: a card more to be held, unless the hand is too small to lay down."""
    in_turn = s.opt.hand_size + 1 + 2 * s.buys_used[0]
    small = in_turn < int(TOTAL[s.display]) + 1
    return float(w.buy - (w.short if small else 0.0))


@kernel
def _turn(s: Record, work: Any, mask: Any) -> int:
    """Lay down, lay off, discard."""
    if mask[LAY_DOWN] == 1:
        return DISCARD + _best_to_throw(work.table, work) if _waits(s, work) else LAY_DOWN
    for action in range(LAY_OFF, len(mask) if s.laid_turn[0] >= 0 else 0):
        if mask[action] == 1:
            return action
    return DISCARD + _best_to_throw(s, work)


@kernel
def _best_to_throw(s: Record, work: Any) -> int:
    """Return the card it is best to be rid of; asked about are those first that it may be best to be rid of."""
    lacks, held = lacking(work.needs, s), _note_reliefs(s, work)
    while True:
        best = 0
        for i in range(1, held):
            if work.relief[i] > work.relief[best]:
                best = i
        card = int(work.cards[best])
        if work.sure[best] == 1:
            return card
        work.relief[best] = work.dead[best] - _lost_with(s, work, card, lacks) - work.ties[best]
        work.sure[best] = 1


@kernel
def _note_reliefs(s: Record, work: Any) -> int:
    """Note what it is worth to be rid of each card of the hand, or at most; return how many there are."""
    held, others, down = 0, laid_down(s), s.laid_turn[0] >= 0
    for card in range(TYPES):
        if s.hands[0, card] > 0:
            work.cards[held] = card
            work.dead[held] = _dead_weight(s, card, others, work.w)
            work.ties[held] = _ties(s, card, work.w)
            work.relief[held] = work.dead[held] - work.ties[held]
            work.sure[held] = down
            held += 1
    return held


@kernel
def _lost_with(s: Record, work: Any, card: int, lacks: int) -> int:
    """Return how many cards more the hand lacks without this one: never fewer."""
    return lacking_with(work.needs, s, card, -1) - lacks


@kernel
def _one_for_one(s: Record) -> bool:
    """Return whether a card more makes at most one fewer lacking: a natural may be the mate of another [R-23]."""
    return bool(s.opt.min_naturals_per_set == 0 and not has_flag(s, IDENTICAL))


@kernel
def _dead_weight(s: Record, card: int, others: int, w: Any) -> float:
    """Return what a card costs that stands in no set, less what it gives to the `others` who have laid down."""
    value = (w.point + w.danger * others) * points(s, card)
    if others > 0 and fits_table(s, card):
        value -= w.feed
    return float(value)


@kernel
def _ties(s: Record, card: int, w: Any) -> float:
    """Return what the friends of a card are worth; nothing once the sets lie on the table."""
    return float(w.friend * friends(s, card)) if s.laid_turn[0] < 0 else 0.0


@kernel
def _waits(s: Record, work: Any) -> bool:
    """Return whether it is too early to lay down: for 50 points, with a card or two in the way of 300.

    Then `work.table` holds the hand that laying down would leave, of which a card is thrown.
    """
    w, table = work.w, work.table
    if laid_down(s) > 0 or s.turns >= w.early * s.seats:
        return False
    conceal(s, 0, 0, table)
    left = left_after(table)
    return bool(1 < left <= 1 + w.wait)


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
