"""Tantra as a careful person plays it, from the view and the mask alone.

What the seat sees is set up on a table that only it plays with, where questions can be asked: how many cards do I lack,
and what would be left of my hand if I laid down now? So it buys and takes what brings the contract nearer, weighing the
penalty card and the points at risk; sells what it has no use for; keeps cards with friends in the hand and throws the
others, dear ones first, but not to a neighbour who can lay them off. It lays down when it can go out at once, or when
waiting for the Grand Slam has become too dangerous, and then lays off all it can, natural cards first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from ...core.playouts import Actions, chosen
from ...core.state import record
from .actions import (
    ALLOW,
    BUY,
    DISCARD,
    DRAW_STOCK,
    HAND_OVER,
    KEEP,
    KIND,
    LAY_DOWN,
    LAY_OFF,
    PASS,
    PLACE,
    RUN,
    TAKE_DISCARD,
)
from .building import begin_lay_down, begin_lay_off, build, look_at_build
from .material import (
    DISPLAYS,
    IDENTICAL,
    JOKER,
    KINDS,
    MAX_SETS,
    NATURALS,
    PLACES,
    POINTS,
    RANKS,
    SETS,
    SIZES,
    SUITS,
    TOTAL,
    TYPES,
    WILD,
)
from .needs import NEEDS, lacking
from .sets import card_at, end_takes_any, fits_end, fits_kind, hand_points, has_flag, sets_on_card
from .state import STATE, Phase, Role, SetType
from .view import PLAYER, SET_SIZE
from .view_fields import (
    BUYS_USED,
    CARDS,
    CONTRACT_SET,
    FIRST_PLACE,
    HIGH_FREE,
    IS_KIND,
    IS_RUN,
    LAID_DOWN,
    LAST_PLACE,
    LOW_FREE,
    RANK,
    SCORE,
    SIZE,
    SUIT,
    TURNS_DONE,
)

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

# Blocks of the view, by their place in the table of starts.
BLOCKS = ("hand", "top", "next", "players", "sets", "contract", "phase", "counters")
HAND, TOP, NEXT, SEATS, TABLED, CONTRACT, PHASE, COUNTERS = range(len(BLOCKS))

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


SEARCH = {"worlds": 64, "candidates": 8, "beyond": 1.5, "horizon": 1}  # how search plays best, by a small sweep


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
    work["at"] = [game.view[name].start for name in BLOCKS]
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
        _set_up(s, at, views[k])
        score = float(views[k, at[SEATS] + SCORE])
        values[k] = -score if s.opt.low_score_wins else score
        if s.phase < Phase.OVER:
            values[k] -= hand_points(s, 0)
            values[k] += LAID if s.laid_turn[0] >= 0 else -LACKING * lacking(work.needs, s)


# The table for questions


@kernel
def _set_up(s: Any, at: Any, view: Any) -> None:
    """The own hand, the sets on the table, and who has laid down."""
    s.turn = 0
    s.phase = _lit(view, at[PHASE], Phase.OVER)
    s.turns = int(view[at[COUNTERS] + TURNS_DONE])
    if not _asks_for(view, at[CONTRACT], int(s.display)):
        s.display = _display(view, at[CONTRACT])
    s.hand_n[0] = 0
    for card in range(TYPES):
        s.hands[0, card] = int(view[at[HAND] + card])
        s.hand_n[0] += s.hands[0, card]
    s.buys_used[0] = int(view[at[SEATS] + BUYS_USED])
    for seat in range(s.seats):
        s.laid_turn[seat] = 0 if view[at[SEATS] + PLAYER * seat + LAID_DOWN] > 0 else -1
    if s.phase == Phase.MAIN or s.laid_turn[0] >= 0:  # else nobody asks what can be laid off
        _set_up_sets(s, view, at[TABLED])


@kernel
def _set_up_sets(s: Any, view: Any, first: int) -> None:
    """What lies on the table, and nothing where nothing lies any more."""
    for seat in range(s.seats):
        for i in range(seat * MAX_SETS, (seat + 1) * MAX_SETS):
            if s.laid_turn[seat] >= 0 or s.sets[i].kind != SetType.NONE:
                _set_up_set(s.sets[i], view, first + SET_SIZE * i)


@kernel
def _display(view: Any, contract: int) -> int:
    """The number of the Display Card: no two ask for the same sets."""
    for display in range(1, DISPLAYS):
        if _asks_for(view, contract, display):
            return display
    return DISPLAYS


@kernel
def _asks_for(view: Any, contract: int, display: int) -> bool:
    """Does the Display Card ask for the sets that are seen?"""
    kinds, same = int(KINDS[display]), True
    for slot in range(MAX_SETS):
        same = same and view[contract + CONTRACT_SET * slot + CARDS] == SIZES[display, slot]
        same = same and (view[contract + CONTRACT_SET * slot + IS_KIND] > 0) == (slot < kinds)
    return same


@kernel
def _set_up_set(lies: Any, view: Any, at: int) -> None:
    """A set as far as it is seen: of a run, where it ends and whether the end cards may be paired."""
    lies.kind = SetType.KIND if view[at + IS_KIND] > 0 else SetType.RUN if view[at + IS_RUN] > 0 else SetType.NONE
    lies.rank = int(view[at + RANK]) - 1
    lies.suit = _lit(view, at + SUIT, SUITS) % SUITS
    lies.lo = int(view[at + FIRST_PLACE])
    lies.hi = int(view[at + LAST_PLACE])
    lies.size = int(view[at + SIZE])
    for i in range(PLACES):
        lies.fill[i] = Role.JOKER
    if lies.kind == SetType.RUN and lies.size > 0:
        lies.fill[lies.lo - 1] = Role.NATURAL if view[at + LOW_FREE] > 0 else Role.JOKER
        lies.fill[lies.hi - 1] = Role.NATURAL if view[at + HIGH_FREE] > 0 else Role.JOKER


@kernel
def _lit(view: Any, first: int, size: int) -> int:
    """The index a one-hot block shows, its size if it shows none."""
    index = 0
    while index < size and view[first + index] == 0:
        index += 1
    return index


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
    _set_up(s, at, view)
    phase = int(s.phase)
    if phase == Phase.ASK:
        return BUY if _is_worth(work, _lit(view, at[TOP], TYPES), _price(s, w)) else PASS
    if phase == Phase.DRAW:
        top = mask[TAKE_DISCARD] == 1 and _is_worth(work, _lit(view, at[TOP], TYPES), w.unseen)
        return TAKE_DISCARD if top or mask[DRAW_STOCK] == 0 else DRAW_STOCK
    if phase == Phase.REPLY:
        return TAKE_DISCARD if _is_worth(work, _lit(view, at[TOP], TYPES), w.unseen) else ALLOW
    if phase == Phase.PEEK:
        return KEEP if _is_worth(work, _lit(view, at[NEXT], TYPES), w.unseen) else HAND_OVER
    if phase == Phase.MAIN:
        return _turn(work, mask)
    return _next_step(s, mask)


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: most what `decide` takes, discards by relief."""
    chosen = decide(view, mask, work)
    _set_up(work.table, work.at, view)
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
        return (1.0 if _fits_table(s, card) else 0.0) > price
    s.hands[0, card] += 1
    friends = w.friend * _friends(s, card)
    s.hands[0, card] -= 1
    costs = (w.point + w.danger * _laid_down(s)) * _points(s, card)
    if friends - costs > price or (_one_for_one(s) and 1 + friends - costs <= price):  # whatever it brings
        return bool(friends - costs > price)
    return bool(_nearer_with(work, card) + friends - costs > price)


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
    laid_down = _laid_down(s)
    value = (w.point + w.danger * laid_down) * _points(s, card)
    if laid_down > 0 and _fits_table(s, card):
        value -= w.feed
    if s.laid_turn[0] < 0:
        value -= lost
        value -= w.friend * _friends(s, card)
    return float(value)


@kernel
def _friends(s: Any, card: int) -> float:
    """Cards of the hand with which a card of it may stand in a set."""
    if card >= NATURALS:
        return 0.0
    display, friends = int(s.display), 0.0
    rank, suit = card % RANKS, card // RANKS
    if KINDS[display] > 0:
        for other in range(SUITS):
            friends += s.hands[0, other * RANKS + rank]
        friends -= 1.0
    if KINDS[display] < SETS[display]:
        for away in (-2, -1, 1, 2):
            place = rank + 1 + away
            if place == 0:
                place = RANKS  # beside an ace lies the king too
            if 1 <= place <= PLACES and s.hands[0, card_at(suit, place)] > 0:
                friends += 1.0
    return friends


@kernel
def _laid_down(s: Any) -> int:
    """How many others have laid down."""
    count = 0
    for seat in range(1, s.seats):
        count += s.laid_turn[seat] >= 0
    return count


@kernel
def _points(s: Any, card: int) -> int:
    return int(POINTS[s.opt.card_points, card % RANKS if card < NATURALS else RANKS + card - JOKER])


@kernel
def _fits_table(s: Any, card: int) -> bool:
    """Could a card be laid off by itself?"""
    s.hands[0, card] += 1
    s.hand_n[0] += 2
    fits = False
    for seat in range(s.seats):
        if s.laid_turn[seat] >= 0:
            for slot in range(sets_on_card(s)):
                fits = fits or _fits_set(s, s.sets[seat * MAX_SETS + slot], card)
    s.hands[0, card] -= 1
    s.hand_n[0] -= 2
    return fits


@kernel
def _fits_set(s: Any, lies: Any, card: int) -> bool:
    if lies.kind == SetType.KIND:
        return fits_kind(s, lies, card)
    if lies.kind == SetType.NONE or lies.size == 0:
        return False
    up = fits_end(s, lies, card, lies.hi + 1, 1, False, False)
    return up or fits_end(s, lies, card, lies.lo - 1, -1, False, False)


# Laying down and off


@kernel
def _waits(s: Any, w: Any) -> bool:
    """With nobody laid down it is early to do so for 50 points, if a card or two are in the way of 300."""
    if _laid_down(s) > 0 or s.turns >= w.early * s.seats:
        return False
    left = _left_after(s)
    return bool(1 < left <= 1 + w.wait)


@kernel
def _left_after(s: Any) -> int:
    """Cards left of the hand after laying down and off all one can; the table is used up by it."""
    for card in range(TYPES):
        s.tabled[card] = 0  # read by nobody here, but it would grow from hand to hand
    begin_lay_down(s)
    while s.phase in (Phase.TEMPLATE, Phase.PLACE):
        look_at_build(s)
        build(s, _next_step(s, s.build_mask))
        while s.phase == Phase.MAIN and s.hand_n[0] > 1 and _begin_any_lay_off(s):
            pass
    return int(s.hand_n[0])


@kernel
def _begin_any_lay_off(s: Any) -> bool:
    for i in range(s.seats * MAX_SETS):
        for way in (-1, 1):
            lies = s.sets[i]
            if s.phase == Phase.MAIN and lies.kind != SetType.NONE and end_takes_any(s, lies, way):
                begin_lay_off(s, i // MAX_SETS, i % MAX_SETS, way)
    return bool(s.phase == Phase.PLACE)


@kernel
def _next_step(s: Any, mask: Any) -> int:
    """The template with the most natural cards; natural cards first, then WILD, then JOKER."""
    chosen, most = -1, -1
    for action in range(KIND, LAY_OFF):
        if mask[action] == 1:
            value = _naturals_in(s, action) if action < PLACE else NATURALS + WILD - action + PLACE
            if action >= PLACE:
                card = action - PLACE
                value = 2 if card < NATURALS else 1 if card == WILD else 0
            if value > most:
                chosen, most = action, value
    return chosen


@kernel
def _naturals_in(s: Any, template: int) -> int:
    """Natural cards of the hand in a template."""
    found = 0
    if template < RUN:
        for suit in range(SUITS):
            found += s.hands[0, suit * RANKS + template - KIND]
        return found
    suit, first = (template - RUN) // RANKS, (template - RUN) % RANKS + 1
    for place in range(first, min(PLACES, first + 4) + 1):
        found += s.hands[0, card_at(suit, place)] > 0
    return found


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
