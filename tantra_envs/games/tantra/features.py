"""What a network may know of each action in Tantra: how the hand and the table stand after it.

The own hand and the sets are laid out from the view (sight.py), and every action that the view allows is described: the
card it is about, what that costs and what it goes with, how many cards are lacking for the Display Card after it, and
how many unseen cards would then be one fewer. Of laying down it is told how many cards would be left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from ...core.state import record
from .actions import (
    ALLOW,
    DISCARD,
    DRAW_STOCK,
    ENDS,
    HAND_OVER,
    KEEP,
    KIND,
    LAY_DOWN,
    LAY_OFF,
    PASS,
    PLACE,
    TAKE_DISCARD,
)
from .hands import fits_table, friends, laid_down, left_after, naturals_in, points
from .material import (
    IDENTICAL,
    KINDS,
    MAX_SETS,
    NATURALS,
    NO_BUYING,
    NO_JOKERS,
    NO_WILD_CARDS,
    RANKS,
    SETS,
    SUITS,
    TOTAL,
    TYPES,
)
from .needs import NEEDS, lacking
from .sets import hand_points, has_flag, usable_wilds
from .sight import BLOCKS as SEEN_BLOCKS
from .sight import NEXT, PHASE, SEATS, TOP, lit, set_up, starts
from .state import STATE, Phase, SetType
from .view import PLAYER
from .view_fields import (
    BUYS_LEFT,
    BUYS_USED,
    DISCARD_PILE,
    HAND_SIZE,
    LAID_DOWN,
    PACKS,
    SCORE,
    STOCK,
    TURNS_DONE,
    TURNS_LEFT,
)

# Blocks of the view beside those that sight.py reads, by their place in the table of starts.
BLOCKS = ("counters", "known", "discard", "tabled", "aux")
COUNTERS, KNOWN, THROWN, LYING, AUX = range(len(BLOCKS))
PHASES = int(Phase.OVER)

# One-hot what is done: the first eight actions, a discard, a step of building, laying off; then the card it is about:
KINDS_OF_ACTIONS = LAY_DOWN + 4
THROW, BUILD, ADD = LAY_DOWN + 1, LAY_DOWN + 2, LAY_DOWN + 3
# cards fewer (of a discard more) lacking with it, lacking then, points, wild, friends, fits the table, copies held,
# copies unseen, known to be near it at the next seat's and at others', thrown of its rank, points at risk; of the
# discards after which fewest are lacking, the outs
ABOUT = 13
FEATURES = KINDS_OF_ACTIONS + ABOUT
AFTER, OUTS = KINDS_OF_ACTIONS + 1, KINDS_OF_ACTIONS + 12
TABLE = 27 + PHASES  # see _describe_table
FAR, BEHIND = 30.0, -1e9  # hand sizes and scores that nobody has
WORK = record([("table", STATE), ("at", np.int64, (len(SEEN_BLOCKS),)), ("needs", NEEDS)])
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def describe(game: Game, views: Floats) -> tuple[Rows, Rows, Floats, Floats]:
    """All actions that may be legal: their tables and ids (n,), their features (n, FEATURES); of tables (k, TABLE)."""
    work = np.zeros(1, WORK)
    work["table"], work["at"] = game.blank, starts(game)
    at = np.array([game.view[name].start for name in BLOCKS], np.int64)
    possible = np.zeros((len(views), game.actions.size), np.int8)
    _find_possible(views, at, work, possible)
    rows, actions = np.nonzero(possible)
    features, table = np.zeros((len(rows), FEATURES), np.float32), np.zeros((len(views), TABLE), np.float32)
    _describe(views, at, work, rows, actions, np.zeros(NATURALS, np.int8), features, table)
    return rows, actions, features, table


@entry_point
def _find_possible(views: Any, at: Any, works: Any, possible: Any) -> None:
    for k in range(len(views)):
        set_up(works[0].table, works[0].at, views[k])
        _possible(works[0].table, at, views[k], possible[k])


@kernel
def _possible(s: Any, at: Any, view: Any, possible: Any) -> None:
    """What the phase, the hand and the sets allow; more than the rules where a step of building would lead nowhere."""
    if s.phase == Phase.MAIN:
        _possible_in_turn(s, at, view, possible)
    elif s.phase == Phase.TEMPLATE:
        for action in range(KIND, PLACE):
            possible[action] = 1
    elif s.phase == Phase.PLACE:
        for card in range(TYPES):
            possible[PLACE + card] = s.hands[0, card] > 0
    elif s.phase == Phase.REPLY:
        possible[TAKE_DISCARD] = possible[ALLOW] = 1
    elif s.phase < Phase.OVER:
        first = PASS if s.phase == Phase.ASK else DRAW_STOCK if s.phase == Phase.DRAW else KEEP
        possible[first] = possible[first + 1] = 1


@kernel
def _possible_in_turn(s: Any, at: Any, view: Any, possible: Any) -> None:
    possible[LAY_DOWN] = view[at[AUX]] > 0
    for card in range(TYPES):
        possible[DISCARD + card] = s.hands[0, card] > 0
    for seat in range(s.seats):
        for slot in range(MAX_SETS if s.laid_turn[seat] >= 0 else 0):
            for end in range(ENDS if s.sets[seat * MAX_SETS + slot].kind != SetType.NONE else 0):
                possible[LAY_OFF + ENDS * (MAX_SETS * seat + slot) + end] = 1


@entry_point
def _describe(views: Any, at: Any, works: Any, rows: Any, actions: Any, helps: Any, features: Any, table: Any) -> None:
    """The actions come table by table. helps (NATURALS,): room for what is found out about the own hand."""
    work, n = works[0], 0
    for k in range(len(views)):
        set_up(work.table, work.at, views[k])
        lacks = _lacking(work)
        _describe_table(work, at, views[k], lacks, table[k])
        first = n
        while n < len(rows) and rows[n] == k:
            _describe_action(work, at, views[k], int(actions[n]), lacks, features[n])
            n += 1
        if work.table.phase == Phase.MAIN and work.table.laid_turn[0] < 0:
            _find_help(work, lacks, helps)
            _describe_outs(work, at, views[k], lacks, helps, actions[first:n], features[first:n])
        if first < n and actions[first] == LAY_DOWN:  # the first in its phase; the table is used up by it
            _describe_lay_down(int(left_after(work.table)), features[first], table[k])


@kernel
def _lacking(work: Any) -> int:
    """Cards; nothing once the own sets lie on the table."""
    return int(lacking(work.needs, work.table)) if work.table.laid_turn[0] < 0 else 0


@kernel
def _describe_table(work: Any, at: Any, view: Any, lacks: int, told: Any) -> None:
    """What is the same for all actions."""
    s, seats, counters = work.table, work.at[SEATS], at[COUNTERS]
    for phase in range(PHASES):
        told[phase] = view[work.at[PHASE] + phase]
    told[PHASES] = lacks / 5.0
    told[PHASES + 1] = view[seats + LAID_DOWN]
    told[PHASES + 2] = s.hand_n[0] / 10.0
    told[PHASES + 3] = hand_points(s, 0) / 100.0
    told[PHASES + 4] = usable_wilds(s, 0) / 4.0
    told[PHASES + 5] = view[seats + BUYS_USED] / 3.0
    told[PHASES + 6] = view[seats + BUYS_LEFT] / 3.0
    told[PHASES + 7] = view[counters + TURNS_DONE] / (10.0 * s.seats)
    told[PHASES + 8] = min(view[counters + TURNS_LEFT], 100.0) / 100.0
    told[PHASES + 9] = view[counters + STOCK] / 50.0
    told[PHASES + 10] = view[counters + DISCARD_PILE] / 50.0
    told[PHASES + 11] = s.seats / 6.0
    _describe_contract(s, told, PHASES + 12)
    _describe_others(s, view, seats, told, PHASES + 19)


@kernel
def _describe_contract(s: Any, told: Any, to: int) -> None:
    display = int(s.display)
    told[to] = KINDS[display] / 5.0
    told[to + 1] = (SETS[display] - KINDS[display]) / 5.0
    told[to + 2] = TOTAL[display] / 15.0
    told[to + 3] = has_flag(s, IDENTICAL)
    told[to + 4] = has_flag(s, NO_JOKERS)
    told[to + 5] = has_flag(s, NO_WILD_CARDS)
    told[to + 6] = has_flag(s, NO_BUYING)


@kernel
def _describe_others(s: Any, view: Any, seats: int, told: Any, to: int) -> None:
    """How many have laid down, the smallest hand of all and of those, the next seat's, and the lead."""
    least, least_laid, most = FAR, FAR, BEHIND
    for j in range(1, s.seats):
        at = seats + PLAYER * j
        least = min(least, view[at + HAND_SIZE])
        if view[at + LAID_DOWN] > 0:
            least_laid = min(least_laid, view[at + HAND_SIZE])
        most = max(most, view[at + SCORE])
    told[to] = laid_down(s) / 3.0
    told[to + 1] = least / 10.0
    told[to + 2] = least_laid / 10.0
    told[to + 3] = view[seats + PLAYER + HAND_SIZE] / 10.0
    told[to + 4] = view[seats + PLAYER + LAID_DOWN]
    told[to + 5] = max(-3.0, min(3.0, (view[seats + SCORE] - most) / 100.0))


@kernel
def _describe_action(work: Any, at: Any, view: Any, action: int, lacks: int, told: Any) -> None:
    s = work.table
    if action <= LAY_DOWN:
        told[action] = 1.0
        if action < LAY_DOWN:
            shown = NEXT if KEEP <= action <= HAND_OVER else TOP
            _describe_gain(work, at, view, lit(view, work.at[shown], TYPES), lacks, told)
    elif action < KIND:
        told[THROW] = 1.0
        _describe_loss(work, at, view, action - DISCARD, lacks, told)
    elif action < LAY_OFF:
        told[BUILD] = 1.0
        natural = 2.0 if action - PLACE < NATURALS else 1.0
        told[KINDS_OF_ACTIONS] = naturals_in(s, action) / 5.0 if action < PLACE else natural / 2.0
    else:
        told[ADD] = 1.0


@kernel
def _describe_gain(work: Any, at: Any, view: Any, card: int, lacks: int, told: Any) -> None:
    """A card that may be had."""
    s = work.table
    if card < TYPES:
        s.hands[0, card] += 1
        s.hand_n[0] += 1
        after = _lacking(work)
        _describe_card(s, work.at, at, view, card, lacks - after, after, told)
        s.hands[0, card] -= 1
        s.hand_n[0] -= 1


@kernel
def _describe_loss(work: Any, at: Any, view: Any, card: int, lacks: int, told: Any) -> None:
    """A card that may be thrown."""
    s = work.table
    s.hands[0, card] -= 1
    s.hand_n[0] -= 1
    after = _lacking(work)
    s.hands[0, card] += 1
    s.hand_n[0] += 1
    _describe_card(s, work.at, at, view, card, after - lacks, after, told)


@kernel
def _describe_card(s: Any, seen: Any, at: Any, view: Any, card: int, change: int, after: int, told: Any) -> None:
    """A card of the hand, by which so many cards more or fewer are lacking."""
    to, risk = KINDS_OF_ACTIONS, points(s, card) / 20.0
    told[to] = change
    told[to + 1] = after / 5.0
    told[to + 2] = risk
    told[to + 3] = card >= NATURALS
    told[to + 4] = friends(s, card) / 3.0
    told[to + 5] = laid_down(s) > 0 and fits_table(s, card)
    told[to + 6] = s.hands[0, card] / 2.0
    told[to + 11] = risk * laid_down(s) / 3.0
    if card < NATURALS:
        told[to + 7] = _unseen(s, at, view, card) / 3.0
        told[to + 8] = _near(s, view, at[KNOWN], card) / 2.0
        for j in range(1, s.seats - 1):
            told[to + 9] += _near(s, view, at[KNOWN] + TYPES * j, card) / 4.0
        for suit in range(SUITS):
            told[to + 10] += view[at[THROWN] + suit * RANKS + card % RANKS] / 4.0


@kernel
def _describe_outs(work: Any, at: Any, view: Any, lacks: int, helps: Any, actions: Any, features: Any) -> None:
    """What the rest of the hand is open to, of the discards after which it lacks fewest: others are hardly thrown."""
    s, fewest = work.table, np.float32(FAR)
    for n in range(len(actions)):
        if features[n, THROW] == 1:
            fewest = min(fewest, features[n, AFTER])
    for n in range(len(actions)):
        if features[n, THROW] == 1 and features[n, AFTER] == fewest:
            card, after = actions[n] - DISCARD, int(5 * fewest + 0.5)
            s.hands[0, card] -= 1
            features[n, OUTS] = _outs(work, at, view, after, after == lacks, helps) / 10.0
            s.hands[0, card] += 1


@kernel
def _find_help(work: Any, lacks: int, helps: Any) -> None:
    """With which natural cards more does the hand lack one fewer?"""
    s = work.table
    for card in range(NATURALS if lacks > 0 else 0):
        s.hands[0, card] += 1
        helps[card] = lacking(work.needs, s) < lacks
        s.hands[0, card] -= 1


@kernel
def _outs(work: Any, at: Any, view: Any, lacks: int, as_before: bool, helps: Any) -> float:
    """Unseen natural cards with which the hand would lack one fewer; if it lacks as many `as_before` only what helped.

    A hand with a card fewer never lacks fewer: what does not help the whole hand does not help the rest of it.
    """
    s, found = work.table, 0.0
    for card in range(NATURALS if lacks > 0 else 0):
        unseen = _unseen(s, at, view, card) if helps[card] == 1 or not as_before else 0.0
        if unseen > 0:
            s.hands[0, card] += 1
            if lacking(work.needs, s) < lacks:
                found += unseen
            s.hands[0, card] -= 1
    return found


@kernel
def _unseen(s: Any, at: Any, view: Any, card: int) -> float:
    """Copies of a natural card that are neither in the hand nor on the table nor in the discard pile."""
    seen = s.hands[0, card] + view[at[THROWN] + card] + view[at[LYING] + card]
    return max(0.0, float(view[at[COUNTERS] + PACKS] - seen))


@kernel
def _near(s: Any, view: Any, known: int, card: int) -> float:
    """Cards of those known from `known` on that may stand in a set with this one."""
    display, found = int(s.display), 0.0
    rank, suit = card % RANKS, card // RANKS
    if KINDS[display] > 0:
        for other in range(SUITS):
            found += view[known + other * RANKS + rank]
    if KINDS[display] < SETS[display]:
        for away in (-2, -1, 1, 2):
            found += view[known + suit * RANKS + (rank + away) % RANKS]
    return found


@kernel
def _describe_lay_down(left: int, told: Any, table: Any) -> None:
    """Cards left of the hand after it, of which one is thrown: a Grand Slam, or how near to it."""
    told[KINDS_OF_ACTIONS] = left / 5.0
    for more in range(3):
        told[KINDS_OF_ACTIONS + 1 + more] = left == 1 + more
    table[TABLE - 2] = 1.0
    table[TABLE - 1] = left / 5.0
