"""What a seat sees, as float32 numbers. Seats and teams are counted from the observer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.blocks import Block, Blocks
from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .material import (
    ARTIFACT,
    CANASTA,
    CARDS,
    COMPLETE_SUIT,
    COPIES,
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
)
from .melds import finishable, has_laid, size_of, suit_length, table_points, team_of
from .state import Phase, Taken

# A team's block, in this order.
TEAM = Blocks(
    Block("naturals", RANKS, "naturals in the formation of rank r / 8"),
    Block("swords", RANKS, "Swords / 3"),
    Block("artifacts", RANKS, "Artifacts / 3"),
    Block("natural_canasta", RANKS, "1 = seven or more without a wild card"),
    Block("mixed_canasta", RANKS, "1 = seven or more with one"),
    Block("suit_gold", RANKS, "1 = the gold of rank r lies in the golden suit"),
    Block("suit_artifact", RANKS, "1 = an Artifact lies there"),
    Block("royal", 1, "complete suit without Artifact"),
    Block("mixed_suit", 1, "complete suit with one"),
    Block("pots", 1, "pots / 4"),
    Block("opened", 1, "has made the initial meld"),
    Block("unlocked", 1, "may take the stack"),
    Block("finishable", 1, "may go out"),
    Block("total", 1, "total / target", low=-2.0, high=2.0),
    Block("stage", STAGES, "one-hot: stage I to IV"),
    Block("points", 1, "points on the table / 5000", high=2.0),
)
_TEAM_SAYS = (
    "naturals / 8, Swords / 3, Artifacts / 3, natural canasta, mixed canasta, gold in the suit, Artifact in the "
)
_TEAM_SAYS += (
    "suit (11 each); royal, mixed suit, pots / 4, opened, unlocked, may go out, total / target, stage one-hot "
)
_TEAM_SAYS += "(4), points on the table / 5000"

BLOCKS = Blocks(
    Block("hand", HAND_KINDS, "own hand / copies of the kind"),
    Block("pile", HAND_KINDS, "discard stack / copies, an old stack that waits included"),
    Block("top", HAND_KINDS, "one-hot: its top card; in PICKUP the taken card; none in a turn with the stack"),
    Block("unseen", HAND_KINDS, "cards that may be anywhere / copies"),
    *[
        Block(f"known_{j}", HAND_KINDS, f"cards known in the hand of seat me + {j} / copies")
        for j in range(1, MAX_SEATS)
    ],
    Block("team_0", TEAM.size, f"own team: {_TEAM_SAYS}", low=-2.0, high=2.0),
    *[
        Block(f"team_{j}", TEAM.size, "another team, in seat order: the same", low=-2.0, high=2.0)
        for j in range(1, MAX_TEAMS)
    ],
    Block("hand_sizes", MAX_SEATS, "hand of seat me + j / 40", high=2.0),
    Block("sizes", 2, "stock / 108, discard stack / 108"),
    Block("blocked", MAX_SEATS, "one-hot: turns for which the stack is still blocked"),
    Block("first_card", 1, "only the first discard of the round lies there"),
    Block("phase", 5, "one-hot: FIRST, DRAW, PICKUP, MELD, ANSWER"),
    Block("to_move", 1, "own seat is to decide"),
    Block("mover", MAX_SEATS, "one-hot: seat me + j is to decide"),
    Block("dealer", MAX_SEATS, "one-hot: seat me + j is the dealer"),
    Block("taken", 2, "this turn was taken: the top card, the stack"),
    Block("pick", RANKS + 1, "one-hot: the formation begun with it, by rank, 11 = golden suit"),
    Block("opening", 1, "own team is in the middle of its initial meld"),
    Block("requirement", 4, "own team unopened: points required / 120, laid / 120, wild cards laid / 3, allowed / 3"),
    Block("ask", 3, "this turn: asked, answered yes, answered no"),
    Block("clock", 3, "reshuffles / 10, turn / max_turns, round / max_rounds"),
    Block("players", 3, "one-hot: 2, 3, 4 players"),
)

HAND, PILE, TOP_CARD, UNSEEN, KNOWN = (BLOCKS[name].start for name in ("hand", "pile", "top", "unseen", "known_1"))
TEAMS, HAND_SIZES, SIZES, BLOCKED = (BLOCKS[name].start for name in ("team_0", "hand_sizes", "sizes", "blocked"))
FIRST_CARD, PHASE, TO_MOVE, MOVER = (BLOCKS[name].start for name in ("first_card", "phase", "to_move", "mover"))
DEALER, TAKEN, PICK, OPENING = (BLOCKS[name].start for name in ("dealer", "taken", "pick", "opening"))
REQUIREMENT, ASKED, CLOCK, PLAYERS = (BLOCKS[name].start for name in ("requirement", "ask", "clock", "players"))
TEAM_SIZE = TEAM.size
T_SWORDS, T_ARTIFACTS, T_NATURAL = (TEAM[name].start for name in ("swords", "artifacts", "natural_canasta"))
T_MIXED, T_GOLD, T_SUIT_ARTIFACT = (TEAM[name].start for name in ("mixed_canasta", "suit_gold", "suit_artifact"))
T_ROYAL, T_MIXED_SUIT, T_POTS, T_OPENED = (TEAM[name].start for name in ("royal", "mixed_suit", "pots", "opened"))
T_UNLOCKED, T_FINISHABLE, T_TOTAL = (TEAM[name].start for name in ("unlocked", "finishable", "total"))
T_STAGE, T_POINTS = (TEAM[name].start for name in ("stage", "points"))
STOCK_SIZE, PILE_SIZE = range(SIZES, SIZES + 2)
HAND_WHOLE, POINTS_WHOLE, RESHUFFLES_WHOLE, REQUIRED_WHOLE, MOST = 40, 5000, 10, 120, 2.0


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with what `seat` knows: public cards and its own hand."""
    for i in range(len(view)):
        view[i] = 0.0
    _see_cards(s, seat, view)
    for j in range(s.opt.teams):
        _see_team(s, (team_of(s, seat) + j) % s.opt.teams, view, TEAMS + TEAM_SIZE * j)
    _as_shares(s, view)
    _see_table(s, seat, view)
    _see_turn(s, seat, view)
    _see_requirement(s, seat, view)


@kernel
def _see_cards(s: Record, seat: int, view: Any) -> None:
    """Counts by kind; shares are made of them in the end."""
    hand = s.hand[seat]
    for i in range(s.pile_n):
        view[PILE + s.pile[i]] += 1
    for kind in range(HAND_KINDS):
        view[HAND + kind] = hand[kind]
        view[UNSEEN + kind] = COPIES[s.opt.suit_rule, kind] - hand[kind] - view[PILE + kind]
    for j in range(1, s.seats):
        known = s.known[(seat + j) % s.seats]
        for kind in range(HAND_KINDS):
            view[KNOWN + HAND_KINDS * (j - 1) + kind] = known[kind]
            view[UNSEEN + kind] -= known[kind]
    if s.phase == Phase.PICKUP:
        view[TOP_CARD + s.top_taken] = 1.0
        if seat != s.seat:
            view[UNSEEN + s.top_taken] -= 1
    elif s.pile_n > 0 and s.taken != Taken.STACK:
        view[TOP_CARD + s.pile[s.pile_n - 1]] = 1.0


@kernel
def _see_team(s: Record, team: int, view: Any, at: int) -> None:
    for kind in range(NATURALS):
        view[UNSEEN + kind] -= s.nat[team, kind]
    for r in range(RANKS):
        swords, artifacts = s.sw[team, r], s.ar[team, r]
        view[at + r] = np.float32(s.n[team, r]) / np.float32(FULL)
        view[at + T_SWORDS + r] = np.float32(swords) / np.float32(MOST_WILDS)
        view[at + T_ARTIFACTS + r] = np.float32(artifacts) / np.float32(MOST_WILDS)
        if size_of(s, team, r) >= CANASTA:
            view[at + (T_NATURAL if s.w[team, r] == 0 else T_MIXED) + r] = 1.0
        view[UNSEEN + SWORD] -= swords
        view[UNSEEN + ARTIFACT] -= artifacts
    _see_suit(s, team, view, at)
    view[at + T_POTS] = np.float32(s.pots[team]) / np.float32(4)
    view[at + T_OPENED] = s.opened[team]
    view[at + T_UNLOCKED] = s.unlocked[team]
    view[at + T_FINISHABLE] = 1.0 if finishable(s, team) else 0.0
    total = np.float32(s.score[team]) / np.float32(s.opt.target_score)
    view[at + T_TOTAL] = max(np.float32(-MOST), min(np.float32(MOST), total))
    view[at + T_STAGE + s.stage[team] - 1] = 1.0
    view[at + T_POINTS] = min(np.float32(MOST), np.float32(table_points(s, team)) / np.float32(POINTS_WHOLE))


@kernel
def _see_suit(s: Record, team: int, view: Any, at: int) -> None:
    if s.suit_lo[team] < 0:
        return
    for r in range(s.suit_lo[team], s.suit_hi[team] + 1):
        artifact = (s.suit_art[team] >> r) & 1
        view[at + (T_SUIT_ARTIFACT if artifact else T_GOLD) + r] = 1.0
        view[UNSEEN + (ARTIFACT if artifact else VARIANTS * r + GOLD)] -= 1
    if suit_length(s, team) >= COMPLETE_SUIT:
        view[at + (T_ROYAL if s.suit_art[team] == 0 else T_MIXED_SUIT)] = 1.0


@kernel
def _as_shares(s: Record, view: Any) -> None:
    """Counts to shares of the copies there are."""
    for kind in range(HAND_KINDS):
        copies = np.float32(max(1, COPIES[s.opt.suit_rule, kind]))
        view[HAND + kind] /= copies
        view[PILE + kind] /= copies
        view[UNSEEN + kind] /= copies
        for j in range(MAX_SEATS - 1):
            view[KNOWN + HAND_KINDS * j + kind] /= copies


@kernel
def _see_table(s: Record, seat: int, view: Any) -> None:
    for j in range(s.seats):
        size = np.float32(s.hand_n[(seat + j) % s.seats]) / np.float32(HAND_WHOLE)
        view[HAND_SIZES + j] = min(np.float32(MOST), size)
    view[SIZES] = np.float32(s.stock_n) / np.float32(CARDS)
    view[SIZES + 1] = np.float32(s.pile_n) / np.float32(CARDS)
    view[BLOCKED + s.block_left] = 1.0
    view[FIRST_CARD] = 1.0 if s.turn == 1 else 0.0
    view[DEALER + (s.dealer + s.seats - seat) % s.seats] = 1.0
    view[CLOCK] = min(np.float32(1), np.float32(s.reshuffles) / np.float32(RESHUFFLES_WHOLE))
    view[CLOCK + 1] = np.float32(s.turn) / np.float32(s.opt.max_turns)
    view[CLOCK + 2] = min(np.float32(1), np.float32(s.round_no) / np.float32(s.opt.max_rounds))
    view[PLAYERS + s.seats - 2] = 1.0


@kernel
def _see_turn(s: Record, seat: int, view: Any) -> None:
    if s.phase != Phase.OVER:
        view[PHASE + s.phase] = 1.0
        view[TO_MOVE] = 1.0 if seat == s.seat else 0.0
        view[MOVER + (s.seat + s.seats - seat) % s.seats] = 1.0
    if s.taken > 0:
        view[TAKEN + s.taken - 1] = 1.0
    if s.pick >= 0:
        view[PICK + s.pick] = 1.0
    view[ASKED] = s.asked
    if s.answer >= 0:
        view[ASKED + 2 - s.answer] = 1.0


@leaf
def _see_requirement(s: Record, seat: int, view: Any) -> None:
    """What the own team needs to open, and what it has laid for it in this turn."""
    team = team_of(s, seat)
    if s.opened[team]:
        return
    stage = int(s.stage[team])
    view[REQUIREMENT] = np.float32(REQUIRED_POINTS[stage]) / np.float32(REQUIRED_WHOLE)
    view[REQUIREMENT + 3] = np.float32(min(MOST_WILDS, WILD_CAPS[stage])) / np.float32(MOST_WILDS)
    if has_laid(s, team):
        view[OPENING] = 1.0
        view[REQUIREMENT + 1] = min(np.float32(1), np.float32(s.open_pts) / np.float32(REQUIRED_WHOLE))
        view[REQUIREMENT + 2] = min(np.float32(1), np.float32(s.open_wild) / np.float32(MOST_WILDS))
