"""Kanastic as a sensible person plays it, from the view and the mask alone.

Open as soon as one can, with as few wild cards as will do; lay what scores; use wild cards where they complete a
canasta; take the stack whenever it may be taken, so keep pairs for it; block it when it is thick and the others
may take it; discard what neither the own team nor the others can use; go out when ahead, after asking.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel, leaf
from ...core.game import Game
from ...core.playouts import Actions, chosen
from ...core.state import States, record
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
    YES,
)
from .material import (
    ARTIFACT,
    CANASTA,
    COMPLETE_SUIT,
    COPIES,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    MAX_TEAMS,
    MOST_WILDS,
    NATURALS,
    RANK_POINTS,
    RANKS,
    SHIELD,
    SWORD,
    VARIANTS,
)
from .melds import table_points_rows, team_of
from .sight import count, of_rank, size, wilds
from .view import (
    HAND,
    HAND_SIZES,
    HAND_WHOLE,
    MOST,
    PILE_SIZE,
    POINTS_WHOLE,
    T_FINISHABLE,
    T_GOLD,
    T_OPENED,
    T_POINTS,
    T_STAGE,
    T_SUIT_ARTIFACT,
    TEAM_SIZE,
    TEAMS,
)

FEW_CARDS = 4  # a hand this small cannot take the stack, so cards are kept until the end is near
THICK = 6 / 108  # a stack worth blocking
WITH_GOLD = tuple(t for t, suits in enumerate(TEMPLATES) if "G" in suits)
CHEAP_HAND = 60  # points in a hand with which the partner may go out
WORK = record([("rule", np.int64)])  # the suit rule


LOOKS_AT: Literal["known", "observation"] = "observation"
SEARCH = {"samples": 32, "candidates": 8, "margin": 1.5, "horizon": 1}  # how search plays best, by a small sweep


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return chosen(game, views, masks, prepare(game))


def prepare(game: Game) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["rule"] = game.blank["opt"]["suit_rule"]
    return work


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return for greedy: points on the own table less those of the best other team and of the own hand."""
    points = np.zeros((len(known), MAX_TEAMS), np.int64)
    table_points_rows(known, points)
    tables = _rounded(np.minimum(points, MOST * POINTS_WHOLE), POINTS_WHOLE)
    hand = _rounded(known["hand"][:, 0], COPIES[int(game.blank["opt"]["suit_rule"][0]), :HAND_KINDS])
    return np.asarray(tables[:, 0] - tables[:, 1:].max(axis=1) - hand @ HAND_POINTS, np.float64)


def _rounded(counts: npt.NDArray[Any], whole: Any) -> npt.NDArray[np.float64]:
    """Return counts as the share of a whole in observations gives them: greedy chooses by the last digit too."""
    shares = counts.astype(np.float32) / np.maximum(1, whole).astype(np.float32)
    return np.asarray(shares.astype(np.float64) * whole)


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one seat by its view and mask: that of most worth."""
    best, most, rule = -1, 0.0, int(work.rule)
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(view, rule, action)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: `decide` takes the first of the highest."""
    for action in range(len(mask)):
        values[action] = _value(view, int(work.rule), action) if mask[action] == 1 else -np.inf


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: rounds."""
    return int(s.round_no)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: the score of its team."""
    return float(s.score[team_of(s, seat)] / s.opt.reward_scale)


@kernel
def _value(view: Any, rule: int, action: int) -> float:
    """What an action is worth; discards lie around nothing, so that what is worth more is played before."""
    if action < NEW:
        return float(action - DRAW)  # take the stack or the top card wherever it is allowed
    if action < DISCARD:
        return _placement(view, rule, action)
    if action < ASK:
        return _discard(view, rule, action - DISCARD)
    if action == ASK:
        return 1.0 if _hand_size(view) <= 2 and _ahead(view) else -1000.0
    cheap = _hand_points(view, rule) <= CHEAP_HAND
    return 1.0 if cheap == (action == YES) else 0.0


# Laying cards: more than 0 is done, less is left


@kernel
def _placement(view: Any, rule: int, action: int) -> float:
    opened = view[TEAMS + T_OPENED] > 0
    if opened and _hand_size(view) <= FEW_CARDS and not (view[TEAMS + T_FINISHABLE] > 0 and _ahead(view)):
        return _last_cards(view, action)
    if action < NEW_SUIT:
        r = (action - NEW) // len(TEMPLATES)
        return float(300.0 + RANK_POINTS[r] + 5.0 * of_rank(view, HAND, rule, r) - (3.0 if _uses_gold(action) else 0.0))
    if action < ADD:
        return _begin_suit(view, rule, action - NEW_SUIT)
    if action < ADD_SWORD:
        spared = 50.0 if (action - ADD) % VARIANTS == GOLD else 0.0
        return float(200.0 + RANK_POINTS[(action - ADD) // VARIANTS] - spared)
    if action < SUIT_GOLD:
        return _wild(view, rule, (action - ADD_SWORD) % RANKS, action >= ADD_ARTIFACT, opened)
    if action < SUIT_LOW:
        return 400.0
    reach = _suit_cards(view) + _golds(view) + count(view, HAND, rule, ARTIFACT)
    return 250.0 if _suit_cards(view) < COMPLETE_SUIT <= reach else -500.0


@kernel
def _last_cards(view: Any, action: int) -> float:
    """With few cards left only what completes a canasta or a suit is laid: the rest is needed to take the stack."""
    if ADD <= action < SUIT_GOLD:
        r = (action - ADD) // VARIANTS if action < ADD_SWORD else (action - ADD_SWORD) % RANKS
        return 500.0 if size(view, TEAMS, r) == CANASTA - 1 else -500.0
    return 500.0 if action >= SUIT_GOLD and _suit_cards(view) == COMPLETE_SUIT - 1 else -500.0


@kernel
def _wild(view: Any, rule: int, r: int, artifact: bool, opened: bool) -> float:
    """Wild cards complete canastas, or help to open when naturals will not do; Swords first."""
    cards, wild = size(view, TEAMS, r), wilds(view, TEAMS, r)
    free = min(MOST_WILDS - wild, count(view, HAND, rule, SWORD) + count(view, HAND, rule, ARTIFACT))
    dear = 10.0 if artifact else 0.0
    if not opened:
        return 100.0 + cards - dear
    if cards < CANASTA <= cards + of_rank(view, HAND, rule, r) + free:
        return 150.0 + 10.0 * cards - dear
    return -500.0


@kernel
def _begin_suit(view: Any, rule: int, choice: int) -> float:
    """A suit that can be completed, or one with which a team can open."""
    low, high = int(TRIPLE[choice, 0]), int(TRIPLE[choice, 2])
    most = 0
    for first in range(RANKS - COMPLETE_SUIT + 1):
        if first <= low and high < first + COMPLETE_SUIT:
            golds = 0
            for r in range(first, first + COMPLETE_SUIT):
                golds += _has_gold(view, r)
            most = max(most, golds)
    artifacts = min(MOST_WILDS, count(view, HAND, rule, ARTIFACT))
    if most + artifacts >= COMPLETE_SUIT:
        return 600.0 - (high - low)
    return 50.0 - (high - low) if view[TEAMS + T_OPENED] == 0 else -500.0


# Discarding: the least useful card, and none the next players can take the stack with


@kernel
def _discard(view: Any, rule: int, kind: int) -> float:
    thick = view[PILE_SIZE] if _may_be_taken(view) else 0.0
    if kind == SHIELD:
        return 30.0 if thick > THICK else 5.0
    if kind in (SWORD, ARTIFACT):
        if _hand_size(view) == 1:
            return 100.0
        return -20.0 - (20.0 if kind == ARTIFACT else 0.0) + (15.0 if thick > 2 * THICK else 0.0)
    r = kind // VARIANTS
    value: float = -2.0 * of_rank(view, HAND, rule, r) - RANK_POINTS[r] * 0.1
    if kind % VARIANTS == GOLD:
        value -= 6.0
    if 0 < size(view, TEAMS, r) < FULL:
        value -= 6.0  # the own formation can take it, if not now then later
    if thick > 0:
        value += _safety(view, r) * (1.0 + 100.0 * view[PILE_SIZE])
    if of_rank(view, HAND, rule, r) == 1:
        value += 1.0
    return value


@kernel
def _safety(view: Any, r: int) -> float:
    """0..1: the share of the other teams that cannot begin a formation of this rank."""
    safe, teams = 0.0, 0
    for j in range(1, 3):
        at = TEAMS + TEAM_SIZE * j
        if _seated(view, at):
            teams += 1
            safe += 1.0 if view[at + r] > 0 else 0.0
    return safe / max(1, teams)


@kernel
def _may_be_taken(view: Any) -> bool:
    """Has another team opened, so that it may take the stack?"""
    return bool(view[TEAMS + TEAM_SIZE + T_OPENED] + view[TEAMS + 2 * TEAM_SIZE + T_OPENED] > 0)


# Reading the view


@leaf
def _has_gold(view: Any, r: int) -> int:
    return int(view[HAND + VARIANTS * r + GOLD] > 0)


@kernel
def _golds(view: Any) -> int:
    golds = 0
    for r in range(RANKS):
        golds += _has_gold(view, r)
    return golds


@leaf
def _uses_gold(action: int) -> bool:
    """Does a NEW action use the gold card?"""
    return (action - NEW) % len(TEMPLATES) in WITH_GOLD


@kernel
def _suit_cards(view: Any) -> int:
    cards = 0
    for r in range(RANKS):
        cards += int(view[TEAMS + T_GOLD + r] + view[TEAMS + T_SUIT_ARTIFACT + r])
    return cards


@leaf
def _hand_size(view: Any) -> int:
    return int(view[HAND_SIZES] * HAND_WHOLE + 0.5)


@kernel
def _hand_points(view: Any, rule: int) -> int:
    points = 0
    for kind in range(NATURALS + 3):
        points += count(view, HAND, rule, kind) * int(HAND_POINTS[kind])
    return points


@leaf
def _seated(view: Any, at: int) -> bool:
    """Is there a team in this block? One of its four stages is lit."""
    stage = at + T_STAGE
    return bool(view[stage] + view[stage + 1] + view[stage + 2] + view[stage + 3] > 0)


@kernel
def _ahead(view: Any) -> bool:
    """Is the own table worth at least what any other is?"""
    own = view[TEAMS + T_POINTS]
    return bool(own >= view[TEAMS + TEAM_SIZE + T_POINTS] and own >= view[TEAMS + 2 * TEAM_SIZE + T_POINTS])
