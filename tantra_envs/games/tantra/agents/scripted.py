"""The scripted agent of Tantra, which decides from the concealed record and the mask.

It computes how many cards the hand lacks and what laying down now would leave. It buys and takes cards that bring the
contract nearer, if they outweigh the penalty card and the points at risk. It sells the other discards. It discards
cards with few friends in the hand, those with most points first, but avoids cards that other seats can lay off. It lays
down when it can go out at once, or when waiting for the Grand Slam has become too dangerous. Then it lays off all it
can, natural cards first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import entry_point, kernel
from ....core.game import Game
from ....core.state import Record, States, record
from ..actions import ALLOW, BUY, DISCARD, DRAW_STOCK, HAND_OVER, KEEP, LAY_DOWN, LAY_OFF, PASS, TAKE_DISCARD
from ..material import IDENTICAL, TOTAL, TYPES
from ..sets.hands import choices_in, fits_table, friends, laid_down, left_after, next_step, points, top_discard
from ..sets.needs.lacking import NEEDS, lacking, lacking_with
from ..sets.tabled import hand_points, has_flag
from ..state import FIELDS, STATE, Phase
from .standing import standing  # noqa: F401 (a part of the agent, see `core.game.Player`)

# Values in units of one lacking card, tuned in games between variants of this agent.
WORTH: dict[str, float] = {
    "friend": 0.15,  # each card of the hand that can be in a set with a card
    "unseen": 0.2,  # an unseen card: a discard must be worth more to be taken
    "buy": 0.7,  # two more cards: a discard must be worth more to be bought
    "short": 0.5,  # reduction of `buy` if the hand is too small to lay down
    "point": 0.002,  # a point in hand
    "danger": 0.012,  # addition to `point` for each other seat that has laid down
    "feed": 0.15,  # penalty of a discard that seats that have laid down can lay off
    "wait": 1.0,  # most surplus cards with which the agent waits for the Grand Slam
    "early": 8.0,  # turns per seat until the agent stops waiting
}
WEIGHTS = record([(name, np.float64) for name in WORTH])
LACKING, LAID = 20.0, 60.0  # for greedy, in points: a lacking card, and having laid down

FIRST = 1e6  # value of the chosen action, above all others
WORK = record(
    [
        ("w", WEIGHTS),
        ("needs", NEEDS),
        ("cards", np.int8, (TYPES,)),  # of the hand, ascending
        ("relief", np.float64, (TYPES,)),  # of each card: the value of discarding it, or an upper bound,
        ("dead", np.float64, (TYPES,)),  # which comes from its points
        ("ties", np.float64, (TYPES,)),  # and its friends
        ("sure", np.int8, (TYPES,)),  # 1 = the relief is exact
        ("table", STATE),  # a copy of the concealed record, to lay cards down and off
    ]
)

conceal = FIELDS.conceal
SEARCH = {"samples": 64, "candidates": 8, "margin": 1.5, "horizon": 1}  # how search plays best, by a small sweep


def prepare(game: Game, weights: Any = None) -> npt.NDArray[np.void]:
    """Return the work record of `decide`, shape (1,)."""
    work = np.zeros(1, WORK)
    work["w"] = STANDARD if weights is None else weights
    return work


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the values of tables for greedy, shape (k,): the own score less points in hand and lacking cards."""
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
    """Return the clock of search horizons: the round."""
    return int(s.round)


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
    return next_step(known, choices_in(known, mask))


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the values of legal actions, -inf for others: highest for the action of `decide`, discards by relief."""
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
    if near - costs > price or (_one_for_one(s) and 1 + near - costs <= price):  # true or false in any case
        return bool(near - costs > price)
    return bool(_nearer_with(s, work, card) + near - costs > price)


@kernel
def _nearer_with(s: Record, work: Any, card: int) -> int:
    """Return by how many the card would reduce the number of cards lacking."""
    before = lacking(work.needs, s)
    return before - lacking_with(work.needs, s, card, 1) if before > 0 else 0


@kernel
def _price(s: Record, w: Any) -> float:
    """Return the price of a buy: less if the hand is too small to lay down."""
    in_turn = s.opt.hand_size + 1 + 2 * s.buys_used[0]
    small = in_turn < int(TOTAL[s.display]) + 1
    return float(w.buy - (w.short if small else 0.0))


@kernel
def _turn(s: Record, work: Any, mask: Any) -> int:
    """Return the action in MAIN: lay down, lay off or discard."""
    if mask[LAY_DOWN] == 1:
        return DISCARD + _best_to_throw(work.table, work) if _waits(s, work) else LAY_DOWN
    for action in range(LAY_OFF, len(mask) if s.laid_turn[0] >= 0 else 0):
        if mask[action] == 1:
            return action
    return DISCARD + _best_to_throw(s, work)


@kernel
def _best_to_throw(s: Record, work: Any) -> int:
    """Return the best card to discard; compute exact reliefs only for cards whose upper bound is the largest."""
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
    """Fill in the relief of each card of the hand, or its upper bound; return the number of card types held."""
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
    """Return by how many the number of cards lacking grows without this card, at least 0."""
    return lacking_with(work.needs, s, card, -1) - lacks


@kernel
def _one_for_one(s: Record) -> bool:
    """Return whether one more card reduces the lack by at most one; a mate can reduce it by two [R-23]."""
    return bool(s.opt.min_naturals_per_set == 0 and not has_flag(s, IDENTICAL))


@kernel
def _dead_weight(s: Record, card: int, others: int, w: Any) -> float:
    """Return the cost of holding a card, less the penalty of discarding it if `others` have laid down."""
    value = (w.point + w.danger * others) * points(s, card)
    if others > 0 and fits_table(s, card):
        value -= w.feed
    return float(value)


@kernel
def _ties(s: Record, card: int, w: Any) -> float:
    """Return the value of the friends of a card, 0 once the seat has laid down."""
    return float(w.friend * friends(s, card)) if s.laid_turn[0] < 0 else 0.0


@kernel
def _waits(s: Record, work: Any) -> bool:
    """Return whether it is too early to lay down: it earns 50 points, and a card or two prevent 300.

    If True, `work.table` holds the hand that would be left after laying down, before the discard.
    """
    w, table = work.w, work.table
    if laid_down(s) > 0 or s.turns >= w.early * s.seats:
        return False
    conceal(s, 0, 0, table)
    left = left_after(table)
    return bool(1 < left <= 1 + w.wait)


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
