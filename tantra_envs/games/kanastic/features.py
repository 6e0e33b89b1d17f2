"""Action features of Kanastic: the rank that an action concerns, and where the cards of this rank are.

Features mean the same for every rank. They count cards of the rank that are held, laid and unseen, and cards missing
for a canasta. For drawing and taking they also describe the discard stack.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel, leaf
from ...core.game import Game
from ...core.state import Record
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
    SUIT_HIGH,
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
    COPIES,
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
    REQUIRED_POINTS,
    SHIELD,
    STAGES,
    SWORD,
    VARIANTS,
    WILD_CAPS,
)
from .melds import can_begin, finishable, hand_points, has_laid, of_rank, size_of, table_points
from .state import Phase, Taken
from .view import HAND_WHOLE, MOST, PILE, POINTS_WHOLE, POTS_WHOLE, REQUIRED_WHOLE, RESHUFFLES_WHOLE, UNSEEN, observe

PHASES = int(Phase.OVER)
ENDS = np.array([DRAW + 1, DRAW + 2, NEW, NEW_SUIT, ADD, ADD_SWORD, ADD_ARTIFACT, SUIT_GOLD, SUIT_LOW, DISCARD,
                 DISCARD + NATURALS, DISCARD + ARTIFACT, DISCARD + SHIELD, ASK, YES, YES + 1], np.int64)  # fmt: skip
KINDS_OF_ACTIONS = len(ENDS) + 1  # one-hot: one kind up to each of the ends, and a last one

# An action: its kind, one-hot; then its rank: points; cards and wild cards of the own formation; whether it has six
# cards; cards missing for a canasta; whether it can grow; held cards, suits, copies of the kind; unseen cards.
WORTH, FORMED, WILDS, HAS_SIX, MISSING, GROWS, HELD, HELD_SUITS, HELD_COPIES, UNSEEN_CARDS = range(
    KINDS_OF_ACTIONS, KINDS_OF_ACTIONS + 10
)
# Cards known at the partner, the next seat, other seats; the largest formation of other teams; opened teams without
# one; cards in the stack; whether the action moves a gold card, and how many cards; the hand that is left.
PARTNER, NEXT, OTHERS, LARGEST, WITHOUT, STACKED, IS_GOLD, MOVED, LEFT = range(UNSEEN_CARDS + 1, UNSEEN_CARDS + 10)
# Cards missing with wild cards too; whether a formation can begin; how many fewer are held than of the rank with most.
MISSING_WITH_WILDS, BEGINS, FEWER = range(LEFT + 1, LEFT + 4)
# For drawing and taking, the stack: cards, points, cards that fit the own table or a pair in hand, wild cards, Shields,
# and whether it is turn 1.
STACK_CARDS, STACK_POINTS, STACK_FITS, STACK_PAIRS, STACK_WILDS, STACK_SHIELDS, EARLY = range(FEWER + 1, FEWER + 8)
FEATURES = EARLY + 1

# A team: opened, unlocked, may go out, points, total, pots, canastas without and with wild cards, formations, golds and
# Artifacts in the suit.
OPENED, UNLOCKED, MAY_GO_OUT, ON_TABLE, TOTAL, POTS, CLEAN, MIXED, FORMATIONS, SUIT_GOLDS, SUIT_ARTIFACTS = range(11)
OF_TEAM = SUIT_ARTIFACTS + 1

# A table: the phase, one-hot; the teams; the own stage, one-hot; hands; seats that are blocked; the initial meld.
TEAMS = PHASES
STAGE = TEAMS + MAX_TEAMS * OF_TEAM
HANDS = STAGE + STAGES
BLOCKED = HANDS + MAX_SEATS
REQUIRED, LAID, LAID_WILDS, MOST_LAID_WILDS, MISSING_POINTS = range(BLOCKED + MAX_SEATS, BLOCKED + MAX_SEATS + 5)
# Seats, one-hot; the turn: a question, its answers, what was taken, whether the team is opening, whether it is turn 1.
SEATS = MISSING_POINTS + 1
ASKED, YES_SAID, NO_SAID, TOP_TAKEN, STACK_TAKEN, OPENING, TURN_1 = range(SEATS + 3, SEATS + 10)
STOCK_LEFT, STACK_SIZE, RESHUFFLES, TURNS = range(TURN_1 + 1, TURN_1 + 5)
# The hand: points, wild cards and Shields, naturals that fit the own table, golds; then how it could open: points,
# ranks, the nearest canasta, the most cards of one rank; stages of other teams; wild cards unseen.
HAND_WORTH, HAND_WILDS = TURNS + 1, TURNS + 2
FITTING, HAND_GOLDS = HAND_WILDS + 3, HAND_WILDS + 4
OPEN_POINTS, OPEN_RANKS, NEAREST, MOST_OF_RANK = range(HAND_GOLDS + 1, HAND_GOLDS + 5)
OTHER_STAGES = MOST_OF_RANK + 1
UNSEEN_WILDS = OTHER_STAGES + MAX_TEAMS - 1
TABLE = UNSEEN_WILDS + 2

NO_RANK = RANKS


def prepare(game: Game) -> npt.NDArray[Any]:
    """Return the array that `describe_legal` works in. Each thread needs its own."""
    return np.empty(game.view.size, game.view.dtype)


@kernel
def describe_legal(known: Record, mask: Any, narrow: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number.

    `narrow` (view size,) is filled with the observation in whole numbers.
    """
    observe(known, 0, narrow)
    pile, unseen = narrow[PILE : PILE + HAND_KINDS], narrow[UNSEEN : UNSEEN + HAND_KINDS]
    _describe_table(known, unseen, table)
    n = 0
    for action in range(len(mask)):
        if mask[action] == 1:
            _describe_action(known, pile, unseen, action, features[n])
            n += 1
    return n


@leaf
def _share(count: int, whole: int) -> float:
    """Return a share rounded to float32, as in observations: the networks were trained with rounded shares."""
    return float(np.float32(count) / np.float32(whole))


# Features of the table


@kernel
def _describe_table(known: Record, unseen: Any, row: Any) -> None:
    if known.phase < PHASES:
        row[known.phase] = 1
    for team in range(known.opt.teams):
        _describe_team(known, team, row, TEAMS + OF_TEAM * team)
    row[STAGE + known.stage[0] - 1] = 1
    for seat in range(known.seats):
        row[HANDS + seat] = 2.0 * _share(_in_hand(known, seat), HAND_WHOLE)
    row[BLOCKED + known.block_left] = 1
    _describe_requirement(known, row)
    row[SEATS + known.seats - 2] = 1
    _describe_turn(known, row)
    row[STOCK_LEFT], row[STACK_SIZE] = 2.0 * _share(known.stock_n, CARDS), 5.0 * _share(known.pile_n, CARDS)
    row[RESHUFFLES] = min(RESHUFFLES_WHOLE, known.reshuffles) / RESHUFFLES_WHOLE
    row[TURNS] = known.turn / known.opt.max_turns
    _describe_hand(known, row)
    _describe_opening(known, row)
    for team in range(1, known.opt.teams):
        row[OTHER_STAGES + team - 1] = known.stage[team] / STAGES
    for i in range(2):
        row[UNSEEN_WILDS + i] = unseen[SWORD + i] / COPIES[known.opt.suit_rule, SWORD + i]


@kernel
def _describe_team(known: Record, team: int, row: Any, to: int) -> None:
    """Write the features of a team from `row[to]` on."""
    most, target = MOST * POINTS_WHOLE, int(known.opt.target_score)
    row[to + OPENED], row[to + UNLOCKED] = known.opened[team], known.unlocked[team]
    row[to + MAY_GO_OUT] = finishable(known, team)
    row[to + ON_TABLE] = 3.0 * _share(min(most, table_points(known, team)), POINTS_WHOLE)
    row[to + TOTAL] = max(-MOST * target, min(MOST * target, int(known.score[team]))) / target
    row[to + POTS] = known.pots[team] / POTS_WHOLE
    lowest, highest = int(known.suit_lo[team]), int(known.suit_hi[team])
    for r in range(RANKS):
        if size_of(known, team, r) >= CANASTA:
            row[to + (CLEAN if known.w[team, r] == 0 else MIXED)] += 0.5
        row[to + FORMATIONS] += (known.n[team, r] > 0) / 4.0
        artifact = (int(known.suit_art[team]) >> r) & 1
        row[to + SUIT_GOLDS] += (0 <= lowest <= r <= highest and artifact == 0) / CANASTA
        row[to + SUIT_ARTIFACTS] += artifact / MOST_WILDS


@kernel
def _describe_requirement(known: Record, row: Any) -> None:
    """Write the initial meld: points required and laid, wild cards laid and allowed, and points missing."""
    if known.opened[0]:
        return
    required, laid = int(REQUIRED_POINTS[known.stage[0]]), 0
    if has_laid(known, 0):
        laid = min(REQUIRED_WHOLE, int(known.open_pts))
        row[LAID_WILDS] = min(MOST_WILDS, int(known.open_wild)) / MOST_WILDS
    row[REQUIRED], row[LAID] = required / REQUIRED_WHOLE, laid / REQUIRED_WHOLE
    row[MOST_LAID_WILDS] = _wilds_allowed(known) / MOST_WILDS
    row[MISSING_POINTS] = _share(required, REQUIRED_WHOLE) - _share(laid, REQUIRED_WHOLE)


@leaf
def _wilds_allowed(known: Record) -> int:
    """Return how many wild cards the own team may open with, 0 if it has opened [KN-41]."""
    return 0 if known.opened[0] else min(MOST_WILDS, int(WILD_CAPS[known.stage[0]]))


@kernel
def _describe_turn(known: Record, row: Any) -> None:
    """Write the question, the taken card or stack, whether the team is opening, and whether this is turn 1."""
    row[ASKED], row[YES_SAID], row[NO_SAID] = known.asked, known.answer == 1, known.answer == 0
    row[TOP_TAKEN], row[STACK_TAKEN] = known.taken == Taken.TOP, known.taken == Taken.STACK
    row[OPENING] = known.opened[0] == 0 and has_laid(known, 0)
    row[TURN_1] = known.turn == 1


@kernel
def _describe_hand(known: Record, row: Any) -> None:
    """Write the hand: points, Swords, Artifacts, Shields, naturals that fit the own table, and golds."""
    hand = known.hand[0]
    for kind in range(HAND_KINDS):
        row[HAND_WORTH] += hand[kind] * hand_points(known, kind) / 100.0
    for i in range(3):
        row[HAND_WILDS + i] = hand[SWORD + i] / 2.0
    for r in range(RANKS):
        if 0 < size_of(known, 0, r) < FULL:
            row[FITTING] += of_rank(known.hand[0], r) / 3.0
        row[HAND_GOLDS] += (hand[VARIANTS * r + GOLD] > 0) / 4.0


@kernel
def _describe_opening(known: Record, row: Any) -> None:
    """Write how the hand could open: points, ranks, nearest canasta, and the most cards of one rank."""
    artifacts, held_wilds = int(known.hand[0, ARTIFACT]), _wilds_held(known)
    wild = min(held_wilds, _wilds_allowed(known))
    points = min(wild, artifacts) * HAND_POINTS[ARTIFACT] + max(0, wild - artifacts) * HAND_POINTS[SWORD]
    for r in range(RANKS):
        held = of_rank(known.hand[0], r)
        row[MOST_OF_RANK] = max(row[MOST_OF_RANK], held / CANASTA)
        if can_begin(known, 0, r, 0):
            points += held * RANK_POINTS[r]
            row[OPEN_RANKS] += 0.25
            row[NEAREST] = max(row[NEAREST], (held + min(MOST_WILDS, held_wilds)) / CANASTA)
    row[OPEN_POINTS] = points / 120.0


@leaf
def _wilds_held(known: Record) -> int:
    """Return the number of Swords and Artifacts in the own hand."""
    return int(known.hand[0, SWORD]) + int(known.hand[0, ARTIFACT])


@leaf
def _in_hand(known: Record, seat: int) -> int:
    """Return the number of cards in a hand, up to the limit of observations."""
    return min(MOST * HAND_WHOLE, int(known.hand_n[seat]))


# Features of an action


@kernel
def _describe_action(known: Record, pile: Any, unseen: Any, action: int, row: Any) -> None:
    row[_kind_of(action)] = 1.0
    cards, gold = 1, False
    if action < NEW:
        cards = 0
        _describe_stack(known, pile, row)
    elif action < NEW_SUIT:
        cards, gold = NEW_SIZE, (action - NEW) % len(TEMPLATES) in WITH_GOLD
    elif action < ADD:
        cards, gold = NEW_SIZE, True
        row[MISSING] = (TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0]) / CANASTA
    elif action < ADD_SWORD or DISCARD <= action < DISCARD + NATURALS:
        gold = (action - (ADD if action < ADD_SWORD else DISCARD)) % VARIANTS == GOLD
    elif action >= ASK:
        cards = 0
    row[IS_GOLD] = gold
    row[MOVED] = cards / 3.0
    row[LEFT] = 2.0 * _share(_in_hand(known, 0), HAND_WHOLE) - cards / 20.0
    r = _rank_of(known, action)
    if r < RANKS:
        _describe_rank(known, pile, unseen, action, r, row)


@kernel
def _kind_of(action: int) -> int:
    """Return the index of the action's kind."""
    kind = 0
    while kind < len(ENDS) and action >= ENDS[kind]:
        kind += 1
    return kind


@kernel
def _rank_of(known: Record, action: int) -> int:
    """Return the rank that an action concerns, or RANKS; for drawing and taking, the rank of the top discard."""
    if action < NEW:
        top = int(known.pile[known.pile_n - 1]) if known.pile_n > 0 else NATURALS
        return top // VARIANTS if top < NATURALS else NO_RANK
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
def _describe_rank(known: Record, pile: Any, unseen: Any, action: int, r: int, row: Any) -> None:
    cards, wild = size_of(known, 0, r), int(known.w[0, r])
    held = of_rank(known.hand[0], r)
    row[WORTH] = RANK_POINTS[r] / 20.0
    row[FORMED] = cards / float(FULL)
    row[WILDS] = wild / float(MOST_WILDS)
    row[HAS_SIX] = cards == CANASTA - 1
    row[MISSING] += max(0, CANASTA - cards - held) / float(CANASTA)
    row[GROWS] = 0 < cards < FULL
    row[HELD] = held / 4.0
    for j in range(VARIANTS):
        row[HELD_SUITS] += (known.hand[0, VARIANTS * r + j] > 0) / 3.0
    kind = action - DISCARD if action >= DISCARD else action - ADD
    if ADD <= action < ADD_SWORD or action >= DISCARD:
        row[HELD_COPIES] = known.hand[0, kind] / 2.0
    row[UNSEEN_CARDS] = of_rank(unseen, r) / 7.0
    _describe_others(known, r, row)
    row[STACKED] = of_rank(pile, r) / 3.0
    free = min(MOST_WILDS - wild, _wilds_held(known))
    row[MISSING_WITH_WILDS] = max(0, CANASTA - cards - held - free) / float(CANASTA)
    row[BEGINS] = cards == 0 and can_begin(known, 0, r, 0)
    most = 0
    for other in range(RANKS):
        most = max(most, of_rank(known.hand[0], other))
    row[FEWER] = (most - held) / float(CANASTA)


@kernel
def _describe_others(known: Record, r: int, row: Any) -> None:
    """Write the known cards of the rank at partner, next seat and others, and the formations of other teams."""
    for seat in range(1, known.seats):
        cards = of_rank(known.known[seat], r) / 3.0
        partner = seat == 2 and known.seats == MAX_SEATS
        row[PARTNER if partner else OTHERS] += cards
        if seat == 1:
            row[NEXT] = cards
    for team in range(1, known.opt.teams):
        row[LARGEST] = max(row[LARGEST], size_of(known, team, r) / float(FULL))
        row[WITHOUT] += known.opened[team] == 1 and known.n[team, r] == 0


@kernel
def _describe_stack(known: Record, pile: Any, row: Any) -> None:
    """Write the discard stack: its cards, and how they fit the own hand and table."""
    for kind in range(HAND_KINDS):
        cards = int(pile[kind])
        row[STACK_CARDS] += cards / 20.0
        row[STACK_POINTS] += cards * hand_points(known, kind) / 100.0
        if kind < NATURALS:
            row[STACK_FITS] += cards * (0 < size_of(known, 0, kind // VARIANTS) < FULL) / 5.0
            row[STACK_PAIRS] += cards * (of_rank(known.hand[0], kind // VARIANTS) > 1) / 5.0
    row[STACK_WILDS] = (int(pile[SWORD]) + int(pile[ARTIFACT])) / 2.0
    row[STACK_SHIELDS] = pile[SHIELD]
    row[EARLY] = known.turn == 1
