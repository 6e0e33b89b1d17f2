"""Action features of Kanastic: the rank that an action concerns, and where the cards of this rank are.

Features mean the same for every rank. They count cards of the rank that are held, laid and unseen, and cards missing
for a canasta. For drawing and taking they also describe the discard stack.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.blocks import Block, Blocks, repeated
from ....core.compiled.jit import kernel, leaf
from ....core.game import Game
from ....core.state import Record
from ..actions import (
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
from ..material import (
    ARTIFACT,
    ARTIFACT_POINTS,
    CANASTA,
    CARDS,
    COPIES,
    FULL,
    GOLD,
    HAND_KINDS,
    HAND_POINTS,
    MAX_SEATS,
    MAX_TEAMS,
    MOST_CARDS,
    MOST_SHIELDS,
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
from ..melds import can_begin, finishable, hand_points, has_laid, of_rank, size_of, table_points
from ..state import Phase, Taken
from ..view import HAND_WHOLE, MOST, PILE, POINTS_WHOLE, POTS_WHOLE, REQUIRED_WHOLE, RESHUFFLES_WHOLE, UNSEEN, observe

PHASES = int(Phase.OVER)
MOST_PENALTY = MOST_CARDS * 500 / 100  # of a hand, if every card cost as much as the dearest Shield (KN-71)
ENDS = np.array([DRAW + 1, DRAW + 2, NEW, NEW_SUIT, ADD, ADD_SWORD, ADD_ARTIFACT, SUIT_GOLD, SUIT_LOW, DISCARD,
                 DISCARD + NATURALS, DISCARD + ARTIFACT, DISCARD + SHIELD, ASK, YES, YES + 1], np.int64)  # fmt: skip
KINDS_OF_ACTIONS = len(ENDS) + 1  # one-hot: one kind up to each of the ends, and a last one

OF_ACTION = Blocks(
    Block("kind", KINDS_OF_ACTIONS, "one-hot: 0 draw, 1 take the top discard, 2 take the stack, 3 begin a formation, 4 "
          "begin the golden suit, 5 add a natural card, 6 add a Sword, 7 add an Artifact, 8 extend the suit by a gold "
          "card, 9 by an Artifact, 10 discard a natural card, 11 a Sword, 12 an Artifact, 13 a Shield, 14 ask, 15 "
          "answer yes, 16 no"),
    Block("worth", 1, "points of a card of the rank / 20", high=ARTIFACT_POINTS / 20),
    Block("cards", 1, "cards of the own formation of the rank / 8", high=MOST_CARDS / FULL),
    Block("wilds", 1, "wild cards of this formation / 3", high=MOST_CARDS / MOST_WILDS),
    Block("has_six", 1, "1 = this formation has six cards, one fewer than a canasta"),
    Block("missing", 1, "cards that a canasta of the rank lacks when all own natural cards of the rank are added / 7. "
          "For three cards that begin the golden suit the rank is that of the middle card, and the steps from the "
          "lowest to the highest rank / 7 are added", low=-MOST_CARDS / CANASTA, high=MOST_CARDS / CANASTA),
    Block("grows", 1, "1 = there is an own formation of the rank, and it is not full"),
    Block("held", 1, "own natural cards of the rank in hand / 4", high=MOST_CARDS / 4),
    Block("held_kinds", 1, "different kinds of these cards (the suits, and gold) / 3", high=VARIANTS / 3),
    Block("held_copies", 1, "copies in hand of the natural card that is added or discarded / 2; zero for other "
          "actions", high=MOST_CARDS / 2),
    Block("unseen", 1, "cards of the rank that may be anywhere / 7", high=MOST_CARDS / CANASTA),
    Block("partner", 1, "cards of the rank known in the partner's hand / 3; zero without a partner",
          high=MOST_CARDS / 3),
    Block("next_seat", 1, "cards of the rank known in the hand of the next seat / 3", high=MOST_CARDS / 3),
    Block("others", 1, "cards of the rank known in the hands of all other teams / 3", high=MOST_CARDS / 3),
    Block("largest", 1, "cards of the largest formation of the rank that another team has / 8", high=MOST_CARDS / FULL),
    Block("teams_without", 1, "other teams that have opened and have no formation of the rank", high=MAX_TEAMS - 1),
    Block("stacked", 1, "cards of the rank in the discard stack / 3", high=MOST_CARDS / 3),
    Block("is_gold", 1, "1 = the action moves a gold card"),
    Block("moved", 1, "cards that the action moves out of the hand / 3", high=MOST_CARDS / 3),
    Block("hand_left", 1, "own cards in hand after the action, before a card is drawn or taken / 20",
          high=MOST_CARDS / 20),
    Block("missing_with_wilds", 1, "cards that a canasta of the rank lacks when all own natural and wild cards are "
          "added / 7", low=-MOST_CARDS / CANASTA, high=MOST_CARDS / CANASTA),
    Block("begins", 1, "1 = the own hand can begin a formation of the rank, and there is none yet"),
    Block("fewer", 1, "natural cards of the rank with most of them in hand, less those of this rank / 7",
          low=-MOST_CARDS / CANASTA, high=MOST_CARDS / CANASTA),
    Block("stack_cards", 1, "drawing or taking: cards in the discard stack / 20; this number and the next six are zero "
          "for other actions", high=MOST_CARDS / 20),
    Block("stack_points", 1, "points of the cards in the stack / 100",
          low=-MOST_PENALTY, high=MOST_PENALTY),
    Block("stack_fits", 1, "natural cards in the stack that fit an own formation / 5", high=MOST_CARDS / 5),
    Block("stack_pairs", 1, "natural cards in the stack of which the own hand has two or more of the rank / 5",
          high=MOST_CARDS / 5),
    Block("stack_wilds", 1, "Swords and Artifacts in the stack / 2", high=MOST_CARDS / 2),
    Block("stack_shields", 1, "Shields in the stack", high=MOST_SHIELDS),
    Block("first_turn", 1, "1 = drawing or taking in the second turn of the round: the stack has only the first "
          "discard"),
)  # fmt: skip

OF_TEAM = Blocks(
    Block("opened", 1, "1 = it has made its initial meld"),
    Block("unlocked", 1, "1 = it may take the stack"),
    Block("may_go_out", 1, "1 = it has a canasta or a complete golden suit, so it may go out"),
    Block("points", 1, "points on the table, 10000 at most, times three / 5000", low=-6, high=6),
    Block("total", 1, "total score / target of the game; -2 at least and 2 at most", low=-MOST, high=MOST),
    Block("pots", 1, "Treasure Pots on the table / 4", high=MOST_CARDS / 4),
    Block("natural", 1, "canastas without wild cards / 2", high=RANKS / 2),
    Block("mixed", 1, "canastas with wild cards / 2", high=RANKS / 2),
    Block("formations", 1, "formations of ranks with a natural card / 4", high=RANKS / 4),
    Block("suit_golds", 1, "gold cards in the golden suit / 7", high=MOST_CARDS / CANASTA),
    Block("suit_artifacts", 1, "Artifacts in the golden suit / 3", high=MOST_CARDS / MOST_WILDS),
)

OF_TABLE = Blocks(
    Block("phase", PHASES, "one-hot: FIRST, DRAW, PICKUP, MELD, ANSWER; zero when the game is over"),
    *repeated(OF_TEAM, range(MAX_TEAMS), "team_{}", "team me + {}"),
    Block("stage", STAGES, "one-hot: own stage, 1, 2, 3, 4"),
    Block("hand_sizes", MAX_SEATS, "cards in the hand of seat me + i, 80 at most / 20", high=4),
    Block("blocked", MAX_SEATS, "one-hot: 0, 1, 2, 3 turns for which the stack is still blocked"),
    Block("required", 1, "points that the initial meld needs / 120; zero once the own team has opened, as the next "
          "four"),
    Block("laid", 1, "points laid for it, 120 at most / 120"),
    Block("laid_wilds", 1, "wild cards laid for it, 3 at most / 3"),
    Block("allowed_wilds", 1, "wild cards allowed in it, 3 at most / 3"),
    Block("missing_points", 1, "points that it still lacks / 120", low=-1),
    Block("seats", 3, "one-hot: 2, 3, 4 seats"),
    Block("asked", 1, "1 = the partner was asked in this turn"),
    Block("answered_yes", 1, "1 = the answer was yes"),
    Block("answered_no", 1, "1 = the answer was no"),
    Block("top_taken", 1, "1 = the top discard was taken in this turn"),
    Block("stack_taken", 1, "1 = the stack was taken in this turn"),
    Block("opening", 1, "1 = the own team is making its initial meld"),
    Block("first_turn", 1, "1 = the second turn of the round, in which the stack has only the first discard"),
    Block("stock", 1, "cards in the stock / 54", high=2 * MOST_CARDS / CARDS),
    Block("stack", 1, "cards in the discard stack, times five / 108", high=5 * MOST_CARDS / CARDS),
    Block("reshuffles", 1, "times that the stock was made anew, 10 at most / 10"),
    Block("turns", 1, "turns of the round / the option `max_turns`", high=2),
    Block("hand_points", 1, "points of the own hand / 100",
          low=-MOST_PENALTY, high=MOST_PENALTY),
    Block("hand_specials", 3, "own cards in hand / 2: 0 Swords, 1 Artifacts, 2 Shields", high=MOST_CARDS / 2),
    Block("fitting", 1, "natural cards in hand that fit an own formation / 3", high=MOST_CARDS / 3),
    Block("hand_golds", 1, "ranks of which the own hand has a gold card / 4", high=RANKS / 4),
    Block("open_points", 1, "points that the hand could lay to open: of all natural cards of ranks that it can begin, "
          "and of as many wild cards as are allowed / 120", high=MOST_CARDS * ARTIFACT_POINTS / 120),
    Block("open_ranks", 1, "ranks that the own hand can begin / 4", high=RANKS / 4),
    Block("nearest", 1, "most natural cards of a rank that the hand can begin, and its wild cards (3 at most) / 7",
          high=MOST_CARDS / CANASTA),
    Block("most_of_rank", 1, "most natural cards of any rank in hand / 7", high=MOST_CARDS / CANASTA),
    Block("other_stages", MAX_TEAMS - 1, "stage of team me + 1 + i / 4"),
    Block("unseen_wilds", 2, "cards that may be anywhere / copies: 0 Swords, 1 Artifacts"),
)  # fmt: skip

A, S, T = OF_ACTION.starts, OF_TEAM.starts, OF_TABLE.starts
TEAM_SIZE = OF_TEAM.size

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
        row[T.phase + known.phase] = 1
    for team in range(known.opt.teams):
        _describe_team(known, team, row, T.team_0_opened + TEAM_SIZE * team)
    row[T.stage + known.stage[0] - 1] = 1
    for seat in range(known.seats):
        row[T.hand_sizes + seat] = 2.0 * _share(_in_hand(known, seat), HAND_WHOLE)
    row[T.blocked + known.block_left] = 1
    _describe_requirement(known, row)
    row[T.seats + known.seats - 2] = 1
    _describe_turn(known, row)
    row[T.stock], row[T.stack] = 2.0 * _share(known.stock_n, CARDS), 5.0 * _share(known.pile_n, CARDS)
    row[T.reshuffles] = min(RESHUFFLES_WHOLE, known.reshuffles) / RESHUFFLES_WHOLE
    row[T.turns] = known.turn / known.opt.max_turns
    _describe_hand(known, row)
    _describe_opening(known, row)
    for team in range(1, known.opt.teams):
        row[T.other_stages + team - 1] = known.stage[team] / STAGES
    for i in range(2):
        row[T.unseen_wilds + i] = unseen[SWORD + i] / COPIES[known.opt.suit_rule, SWORD + i]


@kernel
def _describe_team(known: Record, team: int, row: Any, to: int) -> None:
    """Write the features of a team from `row[to]` on."""
    most, target = MOST * POINTS_WHOLE, int(known.opt.target_score)
    row[to + S.opened], row[to + S.unlocked] = known.opened[team], known.unlocked[team]
    row[to + S.may_go_out] = finishable(known, team)
    row[to + S.points] = 3.0 * _share(min(most, table_points(known, team)), POINTS_WHOLE)
    row[to + S.total] = max(-MOST * target, min(MOST * target, int(known.score[team]))) / target
    row[to + S.pots] = known.pots[team] / POTS_WHOLE
    lowest, highest = int(known.suit_lo[team]), int(known.suit_hi[team])
    for r in range(RANKS):
        if size_of(known, team, r) >= CANASTA:
            row[to + (S.natural if known.w[team, r] == 0 else S.mixed)] += 0.5
        row[to + S.formations] += (known.n[team, r] > 0) / 4.0
        artifact = (int(known.suit_art[team]) >> r) & 1
        row[to + S.suit_golds] += (0 <= lowest <= r <= highest and artifact == 0) / CANASTA
        row[to + S.suit_artifacts] += artifact / MOST_WILDS


@kernel
def _describe_requirement(known: Record, row: Any) -> None:
    """Write the initial meld: points required and laid, wild cards laid and allowed, and points missing."""
    if known.opened[0]:
        return
    required, laid = int(REQUIRED_POINTS[known.stage[0]]), 0
    if has_laid(known, 0):
        laid = min(REQUIRED_WHOLE, int(known.open_pts))
        row[T.laid_wilds] = min(MOST_WILDS, int(known.open_wild)) / MOST_WILDS
    row[T.required], row[T.laid] = required / REQUIRED_WHOLE, laid / REQUIRED_WHOLE
    row[T.allowed_wilds] = _wilds_allowed(known) / MOST_WILDS
    row[T.missing_points] = _share(required, REQUIRED_WHOLE) - _share(laid, REQUIRED_WHOLE)


@leaf
def _wilds_allowed(known: Record) -> int:
    """Return how many wild cards the own team may open with, 0 if it has opened [KN-41]."""
    return 0 if known.opened[0] else min(MOST_WILDS, int(WILD_CAPS[known.stage[0]]))


@kernel
def _describe_turn(known: Record, row: Any) -> None:
    """Write the question, the taken card or stack, whether the team is opening, and whether this is turn 1."""
    row[T.asked], row[T.answered_yes], row[T.answered_no] = known.asked, known.answer == 1, known.answer == 0
    row[T.top_taken], row[T.stack_taken] = known.taken == Taken.TOP, known.taken == Taken.STACK
    row[T.opening] = known.opened[0] == 0 and has_laid(known, 0)
    row[T.first_turn] = known.turn == 1


@kernel
def _describe_hand(known: Record, row: Any) -> None:
    """Write the hand: points, Swords, Artifacts, Shields, naturals that fit the own table, and golds."""
    hand = known.hand[0]
    for kind in range(HAND_KINDS):
        row[T.hand_points] += hand[kind] * hand_points(known, kind) / 100.0
    for i in range(3):
        row[T.hand_specials + i] = hand[SWORD + i] / 2.0
    for r in range(RANKS):
        if 0 < size_of(known, 0, r) < FULL:
            row[T.fitting] += of_rank(known.hand[0], r) / 3.0
        row[T.hand_golds] += (hand[VARIANTS * r + GOLD] > 0) / 4.0


@kernel
def _describe_opening(known: Record, row: Any) -> None:
    """Write how the hand could open: points, ranks, nearest canasta, and the most cards of one rank."""
    artifacts, held_wilds = int(known.hand[0, ARTIFACT]), _wilds_held(known)
    wild = min(held_wilds, _wilds_allowed(known))
    points = min(wild, artifacts) * HAND_POINTS[ARTIFACT] + max(0, wild - artifacts) * HAND_POINTS[SWORD]
    for r in range(RANKS):
        held = of_rank(known.hand[0], r)
        row[T.most_of_rank] = max(row[T.most_of_rank], held / CANASTA)
        if can_begin(known, 0, r, 0):
            points += held * RANK_POINTS[r]
            row[T.open_ranks] += 0.25
            row[T.nearest] = max(row[T.nearest], (held + min(MOST_WILDS, held_wilds)) / CANASTA)
    row[T.open_points] = points / 120.0


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
    row[A.kind + _kind_of(action)] = 1.0
    cards, gold = 1, False
    if action < NEW:
        cards = 0
        _describe_stack(known, pile, row)
    elif action < NEW_SUIT:
        cards, gold = NEW_SIZE, (action - NEW) % len(TEMPLATES) in WITH_GOLD
    elif action < ADD:
        cards, gold = NEW_SIZE, True
        row[A.missing] = (TRIPLE[action - NEW_SUIT, 2] - TRIPLE[action - NEW_SUIT, 0]) / CANASTA
    elif action < ADD_SWORD or DISCARD <= action < DISCARD + NATURALS:
        gold = (action - (ADD if action < ADD_SWORD else DISCARD)) % VARIANTS == GOLD
    elif action >= ASK:
        cards = 0
    row[A.is_gold] = gold
    row[A.moved] = cards / 3.0
    row[A.hand_left] = 2.0 * _share(_in_hand(known, 0), HAND_WHOLE) - cards / 20.0
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
    row[A.worth] = RANK_POINTS[r] / 20.0
    row[A.cards] = cards / float(FULL)
    row[A.wilds] = wild / float(MOST_WILDS)
    row[A.has_six] = cards == CANASTA - 1
    row[A.missing] += max(0, CANASTA - cards - held) / float(CANASTA)
    row[A.grows] = 0 < cards < FULL
    row[A.held] = held / 4.0
    for j in range(VARIANTS):
        row[A.held_kinds] += (known.hand[0, VARIANTS * r + j] > 0) / 3.0
    kind = action - DISCARD if action >= DISCARD else action - ADD
    if ADD <= action < ADD_SWORD or action >= DISCARD:
        row[A.held_copies] = known.hand[0, kind] / 2.0
    row[A.unseen] = of_rank(unseen, r) / 7.0
    _describe_others(known, r, row)
    row[A.stacked] = of_rank(pile, r) / 3.0
    free = min(MOST_WILDS - wild, _wilds_held(known))
    row[A.missing_with_wilds] = max(0, CANASTA - cards - held - free) / float(CANASTA)
    row[A.begins] = cards == 0 and can_begin(known, 0, r, 0)
    most = 0
    for other in range(RANKS):
        most = max(most, of_rank(known.hand[0], other))
    row[A.fewer] = (most - held) / float(CANASTA)


@kernel
def _describe_others(known: Record, r: int, row: Any) -> None:
    """Write the known cards of the rank at partner, next seat and others, and the formations of other teams."""
    for seat in range(1, known.seats):
        cards = of_rank(known.known[seat], r) / 3.0
        partner = seat == 2 and known.seats == MAX_SEATS
        row[A.partner if partner else A.others] += cards
        if seat == 1:
            row[A.next_seat] = cards
    for team in range(1, known.opt.teams):
        row[A.largest] = max(row[A.largest], size_of(known, team, r) / float(FULL))
        row[A.teams_without] += known.opened[team] == 1 and known.n[team, r] == 0


@kernel
def _describe_stack(known: Record, pile: Any, row: Any) -> None:
    """Write the discard stack: its cards, and how they fit the own hand and table."""
    for kind in range(HAND_KINDS):
        cards = int(pile[kind])
        row[A.stack_cards] += cards / 20.0
        row[A.stack_points] += cards * hand_points(known, kind) / 100.0
        if kind < NATURALS:
            row[A.stack_fits] += cards * (0 < size_of(known, 0, kind // VARIANTS) < FULL) / 5.0
            row[A.stack_pairs] += cards * (of_rank(known.hand[0], kind // VARIANTS) > 1) / 5.0
    row[A.stack_wilds] = (int(pile[SWORD]) + int(pile[ARTIFACT])) / 2.0
    row[A.stack_shields] = pile[SHIELD]
    row[A.first_turn] = known.turn == 1
