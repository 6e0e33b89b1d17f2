"""The scripted agent of Kanastic, from the concealed record and the mask.

It opens as soon as it can, with few wild cards, and lays cards that score. Wild cards complete canastas. It takes the
stack whenever that is legal, and keeps pairs for it. It blocks a large stack that others may take. It discards cards
that no team can use. It goes out when it is ahead, after asking.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel, leaf
from ...core.game import Game
from ...core.state import Record, States, record
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    ASK,
    DISCARD,
    DRAW,
    NEW,
    NEW_SUIT,
    SUIT_GOLD,
    SUIT_LOW,
    TEMPLATES,
    TRIPLE,
    WITH_GOLD,
    YES,
)
from .material import (
    ARTIFACT,
    CANASTA,
    CARDS,
    COMPLETE_SUIT,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    MAX_TEAMS,
    MOST_WILDS,
    RANK_POINTS,
    RANKS,
    SHIELD,
    SWORD,
    VARIANTS,
    deck,
)
from .melds import (
    bits,
    finishable,
    golds_held,
    hand_points,
    of_rank,
    size_of,
    suit_length,
    table_points,
    table_points_rows,
)
from .opening import completes
from .standing import standing  # noqa: F401 (a part of the agent, see `core.game.Player`)
from .view import MOST, POINTS_WHOLE

FEW_CARDS = 4  # a hand of this size cannot take the stack again, so smaller ones wait until the end is near
THICK = 6  # size of a stack that is worth blocking
CHEAP_HAND = 60  # points in the hand up to which the partner may go out
WORK = record([("held", np.int64, (RANKS,))])  # naturals in the own hand by rank


SEARCH = {"samples": 32, "candidates": 8, "margin": 1.5, "horizon": 1}  # the best options of search in a small sweep


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that `decide` works in, shape (1,)."""
    return np.zeros(1, WORK)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return for greedy: points on the own table, less the best other table and the points in the own hand."""
    points = np.zeros((len(known), MAX_TEAMS), np.int64)
    table_points_rows(known, points)
    tables = _rounded(np.minimum(points, MOST * POINTS_WHOLE), POINTS_WHOLE)
    options = game.blank[0]["opt"]
    costs = [*HAND_POINTS[:SHIELD], int(options["shield_penalty"])]
    copies = deck(int(options["suit_rule"]), int(options["shields"]), int(options["deck_cards"]))
    hand = _rounded(known["hand"][:, 0], copies[:HAND_KINDS])
    return np.asarray(tables[:, 0] - tables[:, 1:].max(axis=1) - hand @ costs, np.float64)


def _rounded(counts: npt.NDArray[Any], whole: Any) -> npt.NDArray[np.float64]:
    """Return counts rounded as shares in observations are; the last digit matters to greedy."""
    shares = counts.astype(np.float32) / np.maximum(1, whole).astype(np.float32)
    return np.asarray(shares.astype(np.float64) * whole)


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action with the highest value for seat 0, the first of equal ones."""
    _count_held(known, work.held)
    best, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(known, work.held, action)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the value of every legal action for seat 0, -inf for others."""
    _count_held(known, work.held)
    for action in range(len(mask)):
        values[action] = _value(known, work.held, action) if mask[action] == 1 else -np.inf


@kernel
def clock(s: Any) -> int:
    """Return the number of finished rounds: horizons are counted in them."""
    return int(s.round_no)


@kernel
def _count_held(known: Record, held: Any) -> None:
    for r in range(RANKS):
        held[r] = of_rank(known.hand[0], r)


@kernel
def _value(known: Record, held: Any, action: int) -> float:
    """Return the value of an action. Discards have values near 0, so better placements come before them."""
    if action < NEW:
        return float(action - DRAW)  # take the stack or the top card wherever that is legal
    if action < DISCARD:
        return _placement(known, held, action)
    if action < ASK:
        return _discard(known, held, action - DISCARD)
    if action == ASK:
        return 1.0 if known.hand_n[0] <= 2 and _ahead(known) else -1000.0
    cheap = _hand_points(known) <= CHEAP_HAND
    return 1.0 if cheap == (action == YES) else 0.0


# Placements: those with a value well below 0 are not played


@kernel
def _placement(known: Record, held: Any, action: int) -> float:
    if known.opened[0] and known.hand_n[0] <= FEW_CARDS and not (finishable(known, 0) and _ahead(known)):
        return 500.0 if completes(known, 0, action) else -500.0  # taking the stack needs the other cards
    if action < NEW_SUIT:
        r = (action - NEW) // len(TEMPLATES)
        return float(300.0 + RANK_POINTS[r] + 5.0 * held[r] - (3.0 if _uses_gold(action) else 0.0))
    if action < ADD:
        return _begin_suit(known, action - NEW_SUIT)
    if action < ADD_SWORD:
        spared = 50.0 if (action - ADD) % VARIANTS == GOLD else 0.0
        return float(200.0 + RANK_POINTS[(action - ADD) // VARIANTS] - spared)
    if action < SUIT_GOLD:
        return _wild(known, held, (action - ADD_SWORD) % RANKS, action >= ADD_ARTIFACT)
    if action < SUIT_LOW:
        return 400.0
    laid = suit_length(known, 0)
    most = laid + bits(golds_held(known, 0)) + known.hand[0, ARTIFACT]
    return 250.0 if laid < COMPLETE_SUIT <= most else -500.0


@kernel
def _wild(known: Record, held: Any, r: int, artifact: bool) -> float:
    """Return the value of laying a wild card: it completes a canasta or helps to open; Swords come first."""
    cards = size_of(known, 0, r)
    free = min(MOST_WILDS - int(known.w[0, r]), int(known.hand[0, SWORD]) + int(known.hand[0, ARTIFACT]))
    dear = 10.0 if artifact else 0.0
    if known.opened[0] == 0:
        return 100.0 + cards - dear
    if cards < CANASTA <= cards + held[r] + free:
        return 150.0 + 10.0 * cards - dear
    return -500.0


@kernel
def _begin_suit(known: Record, choice: int) -> float:
    """Return the value of beginning a suit: high if it can be completed, positive if the team can open with it."""
    low, high, golds = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 2]), golds_held(known, 0)
    most = 0
    for first in range(RANKS - COMPLETE_SUIT + 1):
        if first <= low and high < first + COMPLETE_SUIT:
            most = max(most, bits((golds >> first) & ((1 << COMPLETE_SUIT) - 1)))
    if most + min(MOST_WILDS, int(known.hand[0, ARTIFACT])) >= COMPLETE_SUIT:
        return 600.0 - (high - low)
    return 50.0 - (high - low) if known.opened[0] == 0 else -500.0


# Discards: the least useful card, and one that does not help others to take the stack


@kernel
def _discard(known: Record, held: Any, kind: int) -> float:
    thick = int(known.pile_n) if _may_be_taken(known) else 0
    if kind == SHIELD:
        return 30.0 if thick >= THICK else 5.0
    if kind in (SWORD, ARTIFACT):
        if known.hand_n[0] == 1:
            return 100.0
        return -20.0 - (20.0 if kind == ARTIFACT else 0.0) + (15.0 if thick >= 2 * THICK else 0.0)
    r = kind // VARIANTS
    value: float = -2.0 * held[r] - RANK_POINTS[r] * 0.1
    if kind % VARIANTS == GOLD:
        value -= 6.0
    if 0 < size_of(known, 0, r) < FULL:
        value -= 6.0  # the own formation can take it, now or later
    if thick > 0:
        value += _safety(known, r) * (1.0 + 100.0 * thick / CARDS)
    if held[r] == 1:
        value += 1.0
    return value


@kernel
def _safety(known: Record, r: int) -> float:
    """Return the share of the other teams that cannot begin a formation of this rank."""
    safe = 0
    for team in range(1, known.opt.teams):
        safe += known.n[team, r] > 0
    return float(safe / (known.opt.teams - 1))


@leaf
def _may_be_taken(known: Record) -> bool:
    """Return whether another team has opened and so may take the stack."""
    return bool(known.opened[1] + known.opened[2] > 0)


# The own hand and table


@leaf
def _uses_gold(action: int) -> bool:
    """Return whether a NEW action uses the gold card."""
    return (action - NEW) % len(TEMPLATES) in WITH_GOLD


@kernel
def _hand_points(known: Record) -> int:
    points = 0
    for kind in range(HAND_KINDS):
        points += int(known.hand[0, kind]) * hand_points(known, kind)
    return points


@kernel
def _ahead(known: Record) -> bool:
    """Return whether no other table has more points than the own one, up to the limit of observations."""
    own, ahead = table_points(known, 0), True
    for team in range(1, known.opt.teams):
        ahead &= own >= min(MOST * POINTS_WHOLE, table_points(known, team))
    return ahead
