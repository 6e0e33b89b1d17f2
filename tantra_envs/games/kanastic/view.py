"""The observation of a seat, in whole numbers. Seats and teams are counted from the observer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.blocks import Block, Blocks, ViewBlocks
from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .material import (
    ARTIFACT,
    CANASTA,
    CARDS,
    COMPLETE_SUIT,
    FULL,
    GOLD,
    HAND_KINDS,
    MAX_SEATS,
    MAX_TEAMS,
    MOST_WILDS,
    NATURALS,
    RANKS,
    REQUIRED_POINTS,
    STAGES,
    SWORD,
    VARIANTS,
    WILD_CAPS,
    deck,
)
from .melds import copies, finishable, has_laid, size_of, suit_length, table_points, team_of
from .state import SUIT_RULES, Phase, Taken, resolve

# The parts of a team's block, in this order.
TEAM = Blocks(
    Block("naturals", RANKS, "naturals in the formation of rank r / 8"),
    Block("swords", RANKS, "Swords / 3"),
    Block("artifacts", RANKS, "Artifacts / 3"),
    Block("natural_canasta", RANKS, "1 = seven or more without a wild card"),
    Block("mixed_canasta", RANKS, "1 = seven or more with a wild card"),
    Block("suit_gold", RANKS, "1 = the gold of rank r is in the golden suit"),
    Block("suit_artifact", RANKS, "1 = an Artifact replaces the gold of rank r"),
    Block("royal", 1, "complete suit without Artifact"),
    Block("mixed_suit", 1, "complete suit with an Artifact"),
    Block("pots", 1, "pots / 4"),
    Block("opened", 1, "has made the initial meld"),
    Block("unlocked", 1, "may take the stack"),
    Block("finishable", 1, "may go out"),
    Block("total", 1, "total / target"),
    Block("stage", STAGES, "one-hot: stage I to IV"),
    Block("points", 1, "points on the table / 5000"),
)
_TEAM_SAYS = (
    "naturals / 8, Swords / 3, Artifacts / 3, natural canasta, mixed canasta, gold in the suit, Artifact in the "
)
_TEAM_SAYS += (
    "suit (11 each); royal, mixed suit, pots / 4, opened, unlocked, may go out, total / target, stage one-hot "
)
_TEAM_SAYS += "(4), points on the table / 5000"

HAND_WHOLE, POINTS_WHOLE, RESHUFFLES_WHOLE, REQUIRED_WHOLE, POTS_WHOLE, MOST = 40, 5000, 10, 120, 4, 2


def view_blocks(config: Mapping[str, Any]) -> ViewBlocks:
    """Return the observation table of a configuration."""
    suit_rule, target = SUIT_RULES.index(config["suit_rule"]), config["target_score"]
    whole = tuple(max(1, number) for number in deck(suit_rule, config["shields"])[:HAND_KINDS])
    team = _team_scale(target)
    return ViewBlocks(
        Block("hand", HAND_KINDS, "own hand / copies of the kind", scale=whole),
        Block("pile", HAND_KINDS, "discard stack / copies, with an old stack that waits", scale=whole),
        Block("top", HAND_KINDS, "one-hot: its top card; in PICKUP the taken card; none in a turn with the stack"),
        Block("unseen", HAND_KINDS, "cards that may be anywhere / copies", scale=whole),
        *[
            Block(f"known_{j}", HAND_KINDS, f"cards known in the hand of seat me + {j} / copies", scale=whole)
            for j in range(1, MAX_SEATS)
        ],
        Block("team_0", TEAM.size, f"own team: {_TEAM_SAYS}", low=-MOST, high=MOST, scale=team),
        *[
            Block(f"team_{j}", TEAM.size, "another team, in seat order, as `team_0`", low=-MOST, high=MOST, scale=team)
            for j in range(1, MAX_TEAMS)
        ],
        Block("hand_sizes", MAX_SEATS, "hand of seat me + j / 40", high=MOST, scale=HAND_WHOLE),
        Block("sizes", 2, "stock / 108, discard stack / 108", scale=CARDS),
        Block("blocked", MAX_SEATS, "one-hot: turns for which the stack is still blocked"),
        Block("first_card", 1, "only the first discard of the round is in the stack"),
        Block("phase", 5, "one-hot: FIRST, DRAW, PICKUP, MELD, ANSWER"),
        Block("to_move", 1, "own seat is to decide"),
        Block("mover", MAX_SEATS, "one-hot: seat me + j is to decide"),
        Block("dealer", MAX_SEATS, "one-hot: seat me + j is the dealer"),
        Block("taken", 2, "taken in this turn: the top card, the stack"),
        Block("pick", RANKS + 1, "one-hot: the formation begun with it, by rank, 11 = golden suit"),
        Block("opening", 1, "own team is making its initial meld"),
        Block("requirement", 4, "own team unopened: points required / 120, laid / 120, wild cards laid / 3, "
              "allowed / 3", scale=(REQUIRED_WHOLE, REQUIRED_WHOLE, MOST_WILDS, MOST_WILDS)),
        Block("ask", 3, "this turn: asked, answered yes, answered no"),
        Block("clock", 3, "reshuffles / 10, turn / max_turns, round / max_rounds",
              scale=(RESHUFFLES_WHOLE, config["max_turns"], config["max_rounds"])),
        Block("players", 3, "one-hot: 2, 3, 4 players"),
    )  # fmt: skip


def _team_scale(target: int) -> tuple[int, ...]:
    whole = {"naturals": FULL, "swords": MOST_WILDS, "artifacts": MOST_WILDS, "pots": POTS_WHOLE}
    whole |= {"total": target, "points": POINTS_WHOLE}
    return tuple(whole.get(block.name, 1) for block in TEAM for _ in range(block.size))


BLOCKS = view_blocks(resolve({}))
HAND, PILE, TOP_CARD, UNSEEN, KNOWN = (BLOCKS[name].start for name in ("hand", "pile", "top", "unseen", "known_1"))
TEAMS, HAND_SIZES, SIZES, BLOCKED = (BLOCKS[name].start for name in ("team_0", "hand_sizes", "sizes", "blocked"))
STOCK_SIZE, PILE_SIZE = range(SIZES, SIZES + 2)
FIRST_CARD, PHASE, TO_MOVE, MOVER = (BLOCKS[name].start for name in ("first_card", "phase", "to_move", "mover"))
DEALER, TAKEN, PICK, OPENING = (BLOCKS[name].start for name in ("dealer", "taken", "pick", "opening"))
REQUIREMENT, ASKED, CLOCK, PLAYERS = (BLOCKS[name].start for name in ("requirement", "ask", "clock", "players"))
TEAM_SIZE = TEAM.size
T_SWORDS, T_ARTIFACTS, T_NATURAL = (TEAM[name].start for name in ("swords", "artifacts", "natural_canasta"))
T_MIXED, T_GOLD, T_SUIT_ARTIFACT = (TEAM[name].start for name in ("mixed_canasta", "suit_gold", "suit_artifact"))
T_ROYAL, T_MIXED_SUIT, T_POTS, T_OPENED = (TEAM[name].start for name in ("royal", "mixed_suit", "pots", "opened"))
T_UNLOCKED, T_FINISHABLE, T_TOTAL = (TEAM[name].start for name in ("unlocked", "finishable", "total"))
T_STAGE, T_POINTS = (TEAM[name].start for name in ("stage", "points"))


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with what `seat` may see: public cards and its own hand."""
    for i in range(len(view)):
        view[i] = 0
    _see_cards(s, seat, view)
    own, unseen = team_of(s, seat), view[UNSEEN : UNSEEN + HAND_KINDS]
    for j in range(s.opt.teams):
        at = TEAMS + TEAM_SIZE * j
        _see_team(s, (own + j) % s.opt.teams, view[at : at + TEAM_SIZE], unseen)
    _see_table(s, seat, view)
    _see_turn(s, seat, view)
    _see_requirement(s, seat, view)


@kernel
def _see_cards(s: Record, seat: int, view: Any) -> None:
    """Write counts by kind; cards on the table are subtracted from the unseen ones later."""
    pile, unseen = view[PILE : PILE + HAND_KINDS], view[UNSEEN : UNSEEN + HAND_KINDS]
    for i in range(s.pile_n):
        pile[s.pile[i]] += 1
    for kind in range(HAND_KINDS):
        view[HAND + kind] = s.hand[seat, kind]
        unseen[kind] = copies(s, kind) - s.hand[seat, kind] - pile[kind]
    for j in range(1, s.seats):
        at = KNOWN + HAND_KINDS * (j - 1)
        _see_known(s, (seat + j) % s.seats, view[at : at + HAND_KINDS], unseen)
    if s.phase == Phase.PICKUP:
        view[TOP_CARD + s.top_taken] = 1
        if seat != s.seat:
            unseen[s.top_taken] -= 1
    elif s.pile_n > 0 and s.taken != Taken.STACK:
        view[TOP_CARD + s.pile[s.pile_n - 1]] = 1


@kernel
def _see_known(s: Record, other: int, known: Any, unseen: Any) -> None:
    for kind in range(HAND_KINDS):
        known[kind] = s.known[other, kind]
        unseen[kind] -= s.known[other, kind]


@kernel
def _see_team(s: Record, team: int, view: Any, unseen: Any) -> None:
    """Write a team's block, and subtract its cards from the unseen ones."""
    for kind in range(NATURALS):
        unseen[kind] -= s.nat[team, kind]
    for r in range(RANKS):
        view[r] = s.n[team, r]
        view[T_SWORDS + r] = s.sw[team, r]
        view[T_ARTIFACTS + r] = s.ar[team, r]
        unseen[SWORD] -= s.sw[team, r]
        unseen[ARTIFACT] -= s.ar[team, r]
    for r in range(RANKS):
        canasta = size_of(s, team, r) >= CANASTA
        view[T_NATURAL + r] = canasta & (s.w[team, r] == 0)
        view[T_MIXED + r] = canasta & (s.w[team, r] > 0)
    _see_suit(s, team, view, unseen)
    view[T_POTS] = s.pots[team]
    view[T_OPENED] = s.opened[team]
    view[T_UNLOCKED] = s.unlocked[team]
    view[T_FINISHABLE] = finishable(s, team)
    whole = MOST * s.opt.target_score
    view[T_TOTAL] = max(-whole, min(whole, int(s.score[team])))
    view[T_STAGE + s.stage[team] - 1] = 1
    view[T_POINTS] = min(MOST * POINTS_WHOLE, table_points(s, team))


@kernel
def _see_suit(s: Record, team: int, view: Any, unseen: Any) -> None:
    if s.suit_lo[team] < 0:
        return
    for r in range(s.suit_lo[team], s.suit_hi[team] + 1):
        artifact = (s.suit_art[team] >> r) & 1
        view[(T_SUIT_ARTIFACT if artifact else T_GOLD) + r] = 1
        unseen[ARTIFACT if artifact else VARIANTS * r + GOLD] -= 1
    if suit_length(s, team) >= COMPLETE_SUIT:
        view[T_ROYAL if s.suit_art[team] == 0 else T_MIXED_SUIT] = 1


@kernel
def _see_table(s: Record, seat: int, view: Any) -> None:
    for j in range(s.seats):
        view[HAND_SIZES + j] = min(MOST * HAND_WHOLE, int(s.hand_n[(seat + j) % s.seats]))
    view[STOCK_SIZE] = s.stock_n
    view[PILE_SIZE] = s.pile_n
    view[BLOCKED + s.block_left] = 1
    view[FIRST_CARD] = s.turn == 1
    view[DEALER + (s.dealer + s.seats - seat) % s.seats] = 1
    view[CLOCK] = min(RESHUFFLES_WHOLE, int(s.reshuffles))
    view[CLOCK + 1] = s.turn
    view[CLOCK + 2] = min(s.opt.max_rounds, s.round_no)
    view[PLAYERS + s.seats - 2] = 1


@kernel
def _see_turn(s: Record, seat: int, view: Any) -> None:
    if s.phase != Phase.OVER:
        view[PHASE + s.phase] = 1
        view[TO_MOVE] = seat == s.seat
        view[MOVER + (s.seat + s.seats - seat) % s.seats] = 1
    if s.taken > 0:
        view[TAKEN + s.taken - 1] = 1
    if s.pick >= 0:
        view[PICK + s.pick] = 1
    view[ASKED] = s.asked
    if s.answer >= 0:
        view[ASKED + 2 - s.answer] = 1


@leaf
def _see_requirement(s: Record, seat: int, view: Any) -> None:
    """Write the points and wild cards of the own team's initial meld: required, allowed, and laid in this turn."""
    team = team_of(s, seat)
    if s.opened[team]:
        return
    stage = int(s.stage[team])
    view[REQUIREMENT] = int(REQUIRED_POINTS[stage])
    view[REQUIREMENT + 3] = min(MOST_WILDS, int(WILD_CAPS[stage]))
    if has_laid(s, team):
        view[OPENING] = 1
        view[REQUIREMENT + 1] = min(REQUIRED_WHOLE, int(s.open_pts))
        view[REQUIREMENT + 2] = min(MOST_WILDS, int(s.open_wild))
