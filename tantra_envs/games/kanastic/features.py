"""What a network may know of each action in Kanastic: the rank it is about, and how all cards stand to it.

A rank means the same wherever it stands, so that an action is described by what is held, laid and unseen of the rank it
is about, by what it would complete, and by what the discard stack would bring or give away. All is read off the view.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from .actions import (
    ADD,
    ADD_ARTIFACT,
    ADD_SWORD,
    ASK,
    DISCARD,
    DRAW,
    NEEDS,
    NEW,
    NEW_SUIT,
    SUIT_GOLD,
    SUIT_HIGH,
    SUIT_LOW,
    TAKE_STACK,
    TEMPLATES,
    TRIPLE,
    YES,
)
from .material import (
    ARTIFACT,
    CANASTA,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    MAX_SEATS,
    MAX_TEAMS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    RANK_POINTS,
    RANKS,
    SHIELD,
    SPADES,
    STAGES,
    SWORD,
    VARIANTS,
)
from .scripted import WITH_GOLD, prepare
from .sight import count, of_rank, size, wilds
from .state import Phase, SuitRule
from .view import (
    ASKED,
    BLOCKED,
    CLOCK,
    FIRST_CARD,
    HAND,
    HAND_SIZES,
    KNOWN,
    OPENING,
    PHASE,
    PILE,
    PILE_SIZE,
    PLAYERS,
    REQUIREMENT,
    STOCK_SIZE,
    T_FINISHABLE,
    T_GOLD,
    T_MIXED,
    T_NATURAL,
    T_OPENED,
    T_POINTS,
    T_POTS,
    T_STAGE,
    T_SUIT_ARTIFACT,
    T_TOTAL,
    T_UNLOCKED,
    TAKEN,
    TEAM_SIZE,
    TEAMS,
    TOP_CARD,
    UNSEEN,
)

PHASES = int(Phase.OVER)
ENDS = np.array([DRAW + 1, DRAW + 2, NEW, NEW_SUIT, ADD, ADD_SWORD, ADD_ARTIFACT, SUIT_GOLD, SUIT_LOW, DISCARD,
                 DISCARD + NATURALS, DISCARD + ARTIFACT, DISCARD + SHIELD, ASK, YES, YES + 1], np.int64)  # fmt: skip
KINDS_OF_ACTIONS = len(ENDS) + 1  # one-hot: up to each of the ends, and the last
# Then of the rank it is about: worth, own cards, wild cards and size with it, a canasta, or how near to one; held,
# suits held, of this kind, unseen, known at the partner's and at others', the largest of others, teams with none,
# in the stack; gold, cards it takes; what is left of the hand; how near to a canasta with wild cards too, whether a
# formation may begin, and how many fewer are held than of the rank with most.
ABOUT = 22
STACK = 7  # of drawing or taking: cards, points, that fit the own table, that go with the hand, wild, Shields, size
FEATURES = KINDS_OF_ACTIONS + ABOUT + STACK
OF_RANK, OF_STACK = KINDS_OF_ACTIONS, KINDS_OF_ACTIONS + ABOUT
OF_TEAM = 11  # see _describe_team
TABLE = PHASES + MAX_TEAMS * OF_TEAM + STAGES + 2 * MAX_SEATS + 33
NO_RANK = RANKS
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def describe(game: Game, views: Floats) -> tuple[Rows, Rows, Floats, Floats]:
    """All actions that may be legal: their tables and ids (n,), their features (n, FEATURES); of tables (k, TABLE)."""
    rule = int(prepare(game)["rule"][0])
    possible = np.zeros((len(views), game.actions.size), np.int8)
    _find_possible(views, rule, possible)
    rows, actions = np.nonzero(possible)
    features, table = np.zeros((len(rows), FEATURES), np.float32), np.zeros((len(views), TABLE), np.float32)
    _describe(views, rule, rows, actions, features, table)
    return rows, actions, features, table


@entry_point
def _find_possible(views: Any, rule: int, possible: Any) -> None:
    for k in range(len(views)):
        for action in range(len(possible[k])):
            possible[k, action] = _possible(views[k], rule, action)


@kernel
def _possible(view: Any, rule: int, action: int) -> bool:
    """What the hand allows in this phase; more than the rules, which look further."""
    if view[PHASE + Phase.DRAW] > 0:
        return action <= TAKE_STACK
    if view[PHASE + Phase.ANSWER] > 0:
        return action >= YES
    if action < NEW or action >= YES:
        return False
    if view[PHASE + Phase.PICKUP] > 0:
        return action < ADD
    return action == ASK or _in_hand(view, rule, action)


@kernel
def _in_hand(view: Any, rule: int, action: int) -> bool:
    """Are the cards of a placement or a discard there?"""
    if action >= DISCARD:
        return bool(view[HAND + action - DISCARD] > 0)
    if action >= SUIT_LOW:
        return bool(view[HAND + ARTIFACT] > 0)
    if action >= SUIT_GOLD:
        return bool(view[HAND + VARIANTS * (action - SUIT_GOLD) + GOLD] > 0)
    if action >= ADD_SWORD:
        return bool(view[HAND + (SWORD if action < ADD_ARTIFACT else ARTIFACT)] > 0)
    if action >= ADD:
        return bool(view[HAND + action - ADD] > 0)
    if action >= NEW_SUIT:
        held = 0
        for i in range(NEW_SIZE):
            held += view[HAND + VARIANTS * TRIPLE[action - NEW_SUIT, i] + GOLD] > 0
        return held == NEW_SIZE
    r, template = (action - NEW) // len(TEMPLATES), (action - NEW) % len(TEMPLATES)
    enough = True
    for j in range(VARIANTS):
        enough = enough and count(view, HAND, rule, VARIANTS * r + j) >= NEEDS[rule, template, j]
    return enough


@entry_point
def _describe(views: Any, rule: int, rows: Any, actions: Any, features: Any, table: Any) -> None:
    for k in range(len(views)):
        _describe_table(views[k], rule, table[k])
    for n in range(len(rows)):
        _describe_action(views[rows[n]], rule, int(actions[n]), features[n])


# What is the same for all actions


@kernel
def _describe_table(view: Any, rule: int, told: Any) -> None:
    for i in range(PHASES):
        told[i] = view[PHASE + i]
    at = PHASES
    for j in range(MAX_TEAMS):
        _describe_team(view, TEAMS + TEAM_SIZE * j, told, at + OF_TEAM * j)
    at += MAX_TEAMS * OF_TEAM
    for i in range(STAGES):
        told[at + i] = view[TEAMS + T_STAGE + i]
    at += STAGES
    for i in range(MAX_SEATS):
        told[at + i] = 2.0 * view[HAND_SIZES + i]
        told[at + MAX_SEATS + i] = view[BLOCKED + i]
    at += 2 * MAX_SEATS
    for i in range(4):
        told[at + i] = view[REQUIREMENT + i]
    told[at + 4] = view[REQUIREMENT] - view[REQUIREMENT + 1]
    for i in range(3):
        told[at + 5 + i] = view[PLAYERS + i]
        told[at + 8 + i] = view[ASKED + i]
    told[at + 11], told[at + 12] = view[TAKEN], view[TAKEN + 1]
    told[at + 13], told[at + 14] = view[OPENING], view[FIRST_CARD]
    told[at + 15], told[at + 16] = 2.0 * view[STOCK_SIZE], 5.0 * view[PILE_SIZE]
    told[at + 17], told[at + 18] = view[CLOCK], view[CLOCK + 1]
    _describe_hand(view, rule, told, at + 19)
    _describe_opening(view, rule, told, at + 25)
    for j in range(1, MAX_TEAMS):
        told[at + 28 + j] = _stage(view, TEAMS + TEAM_SIZE * j) / STAGES
    told[at + 31], told[at + 32] = view[UNSEEN + SWORD], view[UNSEEN + ARTIFACT]


@kernel
def _describe_team(view: Any, team: int, told: Any, to: int) -> None:
    """Opened, unlocked, may go out, points, total, pots, canastas without and with wild cards, formations, suit."""
    told[to], told[to + 1] = view[team + T_OPENED], view[team + T_UNLOCKED]
    told[to + 2], told[to + 3] = view[team + T_FINISHABLE], 3.0 * view[team + T_POINTS]
    told[to + 4], told[to + 5] = view[team + T_TOTAL], view[team + T_POTS]
    for r in range(RANKS):
        told[to + 6] += view[team + T_NATURAL + r] / 2.0
        told[to + 7] += view[team + T_MIXED + r] / 2.0
        told[to + 8] += (view[team + r] > 0) / 4.0
        told[to + 9] += view[team + T_GOLD + r] / CANASTA
        told[to + 10] += view[team + T_SUIT_ARTIFACT + r] / MOST_WILDS


@kernel
def _describe_hand(view: Any, rule: int, told: Any, to: int) -> None:
    """Points, Swords, Artifacts, Shields; naturals that fit the own table, and golds."""
    for kind in range(HAND_KINDS):
        told[to] += count(view, HAND, rule, kind) * HAND_POINTS[kind] / 100.0
    for i in range(3):
        told[to + 1 + i] = count(view, HAND, rule, SWORD + i) / 2.0
    for r in range(RANKS):
        if 0 < size(view, TEAMS, r) < FULL:
            told[to + 4] += of_rank(view, HAND, rule, r) / 3.0
        told[to + 5] += (view[HAND + VARIANTS * r + GOLD] > 0) / 4.0


@kernel
def _describe_opening(view: Any, rule: int, told: Any, to: int) -> None:
    """Write what the hand could open with: points, ranks, the nearest to a canasta, and the most cards of a rank."""
    swords, artifacts = count(view, HAND, rule, SWORD), count(view, HAND, rule, ARTIFACT)
    wild = min(swords + artifacts, int(view[REQUIREMENT + 3] * MOST_WILDS + 0.5))
    points = min(wild, artifacts) * HAND_POINTS[ARTIFACT] + max(0, wild - artifacts) * HAND_POINTS[SWORD]
    for r in range(RANKS):
        held = of_rank(view, HAND, rule, r)
        told[to + 3] = max(told[to + 3], held / CANASTA)
        if _may_begin(view, rule, r):
            points += held * RANK_POINTS[r]
            told[to + 1] += 0.25
            told[to + 2] = max(told[to + 2], (held + min(MOST_WILDS, swords + artifacts)) / CANASTA)
    told[to] = points / 120.0


@kernel
def _may_begin(view: Any, rule: int, r: int) -> bool:
    """Return whether the hand's cards of a rank can begin a formation [KN-03]."""
    if rule == SuitRule.ANY:
        return bool(of_rank(view, HAND, rule, r) >= NEW_SIZE)
    at, suits = HAND + VARIANTS * r, 0
    for j in range(GOLD):
        suits += view[at + j] > 0 or (j == SPADES and view[at + GOLD] > 0)
    return bool(suits >= NEW_SIZE)


@kernel
def _stage(view: Any, team: int) -> int:
    """Return the stage of a team, 0 where there is no team."""
    for i in range(STAGES):
        if view[team + T_STAGE + i] > 0:
            return i + 1
    return 0


# What an action is about


@kernel
def _describe_action(view: Any, rule: int, action: int, told: Any) -> None:
    told[_kind_of(action)] = 1.0
    cards, gold = 1, False
    if action < NEW:
        cards = 0
        _describe_stack(view, rule, told)
    elif action < NEW_SUIT:
        cards, gold = NEW_SIZE, (action - NEW) % len(TEMPLATES) in WITH_GOLD
    elif action < ADD:
        cards, gold = NEW_SIZE, True
        told[OF_RANK + 4] = (TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0]) / CANASTA
    elif action < ADD_SWORD or DISCARD <= action < DISCARD + NATURALS:
        gold = (action - (ADD if action < ADD_SWORD else DISCARD)) % VARIANTS == GOLD
    elif action >= ASK:
        cards = 0
    told[OF_RANK + 16] = gold
    told[OF_RANK + 17] = cards / 3.0
    told[OF_RANK + 18] = 2.0 * view[HAND_SIZES] - cards / 20.0
    r = _rank_of(view, action)
    if r < RANKS:
        _describe_rank(view, rule, action, r, told)


@kernel
def _kind_of(action: int) -> int:
    """Which of the kinds of actions it is."""
    kind = 0
    while kind < len(ENDS) and action >= ENDS[kind]:
        kind += 1
    return kind


@kernel
def _rank_of(view: Any, action: int) -> int:
    """The rank an action is about; of drawing or taking that of the top discard; RANKS if none."""
    if action < NEW:
        for kind in range(NATURALS):
            if view[TOP_CARD + kind] > 0:
                return kind // VARIANTS
        return NO_RANK
    if action < NEW_SUIT:
        return (action - NEW) // len(TEMPLATES)
    if action < ADD:
        return int(TRIPLE[action - NEW_SUIT, 1])
    if action < ADD_SWORD:
        return (action - ADD) // VARIANTS
    if action < SUIT_GOLD:
        return (action - ADD_SWORD) % RANKS
    if action < SUIT_LOW:
        return action - SUIT_GOLD
    return (action - DISCARD) // VARIANTS if SUIT_HIGH < action < DISCARD + NATURALS else NO_RANK


@kernel
def _describe_rank(view: Any, rule: int, action: int, r: int, told: Any) -> None:
    to, cards, wild = OF_RANK, size(view, TEAMS, r), wilds(view, TEAMS, r)
    held = of_rank(view, HAND, rule, r)
    told[to] = RANK_POINTS[r] / 20.0
    told[to + 1] = cards / float(FULL)
    told[to + 2] = wild / float(MOST_WILDS)
    told[to + 3] = cards == CANASTA - 1
    told[to + 4] += max(0, CANASTA - cards - held) / float(CANASTA)
    told[to + 5] = 0 < cards < FULL
    told[to + 6] = held / 4.0
    for j in range(VARIANTS):
        told[to + 7] += (view[HAND + VARIANTS * r + j] > 0) / 3.0
    kind = action - DISCARD if action >= DISCARD else action - ADD
    if ADD <= action < ADD_SWORD or action >= DISCARD:
        told[to + 8] = count(view, HAND, rule, kind) / 2.0
    told[to + 9] = of_rank(view, UNSEEN, rule, r) / 7.0
    _describe_others(view, rule, r, told, to + 10)
    told[to + 15] = of_rank(view, PILE, rule, r) / 3.0
    free = min(MOST_WILDS - wild, count(view, HAND, rule, SWORD) + count(view, HAND, rule, ARTIFACT))
    told[to + 19] = max(0, CANASTA - cards - held - free) / float(CANASTA)
    told[to + 20] = cards == 0 and _may_begin(view, rule, r)
    most = 0
    for other in range(RANKS):
        most = max(most, of_rank(view, HAND, rule, other))
    told[to + 21] = (most - held) / float(CANASTA)


@kernel
def _describe_others(view: Any, rule: int, r: int, told: Any, to: int) -> None:
    """What is known of the rank at the partner's, at the next seat's and at all others', and on others' tables."""
    for j in range(1, MAX_SEATS):
        known = of_rank(view, KNOWN + HAND_KINDS * (j - 1), rule, r) / 3.0
        partner = j == 2 and view[PLAYERS + 2] > 0
        if partner:
            told[to] += known
        else:
            told[to + 2] += known
        if j == 1:
            told[to + 1] = known
    for j in range(1, MAX_TEAMS):
        told[to + 3] = max(told[to + 3], size(view, TEAMS + TEAM_SIZE * j, r) / float(FULL))
        told[to + 4] += (view[TEAMS + TEAM_SIZE * j + T_OPENED] > 0) and view[TEAMS + TEAM_SIZE * j + r] == 0


@kernel
def _describe_stack(view: Any, rule: int, told: Any) -> None:
    """What the discard stack holds for this hand and table."""
    to = OF_STACK
    for kind in range(HAND_KINDS):
        cards = count(view, PILE, rule, kind)
        told[to] += cards / 20.0
        told[to + 1] += cards * HAND_POINTS[kind] / 100.0
        if kind < NATURALS:
            told[to + 2] += cards * (0 < size(view, TEAMS, kind // VARIANTS) < FULL) / 5.0
            told[to + 3] += cards * (of_rank(view, HAND, rule, kind // VARIANTS) > 1) / 5.0
    told[to + 4] = (count(view, PILE, rule, SWORD) + count(view, PILE, rule, ARTIFACT)) / 2.0
    told[to + 5] = count(view, PILE, rule, SHIELD)
    told[to + 6] = view[FIRST_CARD]
