"""The observation of a seat, in whole numbers. Seats and teams are counted from the observer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, Blocks, ViewBlocks, one_hot
from ...core.compiled.jit import kernel, leaf
from ...core.fields import tally
from ...core.state import Record, States
from .material import (
    ACE,
    ARTIFACT,
    ARTIFACT_POINTS,
    CANASTA,
    CARDS,
    COMPLETE_SUIT,
    COPIES,
    FULL,
    GOLD,
    HAND_KINDS,
    MAX_SEATS,
    MAX_TEAMS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    MOST_WILDS,
    NATURAL_ACES,
    NATURAL_CANASTA,
    NATURALS,
    POT_POINTS,
    RANK_POINTS,
    RANKS,
    REQUIRED_POINTS,
    ROYAL_SUIT,
    SHIELD,
    SMALL_DECKS,
    STAGES,
    SWORD,
    SWORD_POINTS,
    VARIANTS,
    WILD_CAPS,
    deck,
)
from .melds import copies, finishable, has_laid, size_of, suit_length, table_points, team_of
from .state import SUIT_RULES, Phase, Taken, resolve

Numbers = npt.NDArray[Any]

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
        Block("hand", HAND_KINDS, "own hand / copies of the kind", scale=whole, of=lambda k: k["hand"][:, 0]),
        Block("pile", HAND_KINDS, "discard stack / copies, with an old stack that waits", scale=whole, of=_pile),
        Block("top", HAND_KINDS, "one-hot: its top card; in PICKUP the taken card; none in a turn with the stack",
              of=_top),
        Block("unseen", HAND_KINDS, "cards that may be anywhere / copies", scale=whole, of=_unseen),
        *[
            Block(f"known_{j}", HAND_KINDS, f"cards known in the hand of seat me + {j} / copies", scale=whole,
                  of=partial(_known, seat=j))
            for j in range(1, MAX_SEATS)
        ],
        Block("team_0", TEAM.size, f"own team: {_TEAM_SAYS}", low=-MOST, high=MOST, scale=team,
              of=partial(_team, team=0)),
        *[
            Block(f"team_{j}", TEAM.size, "another team, in seat order, as `team_0`", low=-MOST, high=MOST, scale=team,
                  of=partial(_team, team=j))
            for j in range(1, MAX_TEAMS)
        ],
        Block("hand_sizes", MAX_SEATS, "hand of seat me + j / 40", high=MOST, scale=HAND_WHOLE,
              of=lambda k: np.minimum(k["hand_n"], MOST * HAND_WHOLE)),
        Block("sizes", 2, "stock / 108, discard stack / 108", scale=CARDS,
              of=lambda k: np.stack([k["stock_n"], k["pile_n"]], 1)),
        Block("blocked", MAX_SEATS, "one-hot: turns for which the stack is still blocked",
              of=lambda k: one_hot(k["block_left"], MAX_SEATS)),
        Block("first_card", 1, "only the first discard of the round is in the stack", of=lambda k: k["turn"] == 1),
        Block("phase", 5, "one-hot: FIRST, DRAW, PICKUP, MELD, ANSWER", of=lambda k: one_hot(k["phase"], Phase.OVER)),
        Block("to_move", 1, "own seat is to decide", of=lambda k: _mover(k) == 0),
        Block("mover", MAX_SEATS, "one-hot: seat me + j is to decide", of=lambda k: one_hot(_mover(k), MAX_SEATS)),
        Block("dealer", MAX_SEATS, "one-hot: seat me + j is the dealer", of=lambda k: one_hot(k["dealer"], MAX_SEATS)),
        Block("taken", 2, "taken in this turn: the top card, the stack",
              of=lambda k: one_hot(k["taken"] - Taken.TOP, 2)),
        Block("pick", RANKS + 1, "one-hot: the formation begun with it, by rank, 11 = golden suit",
              of=lambda k: one_hot(k["pick"], RANKS + 1)),
        Block("opening", 1, "own team is making its initial meld", of=_opening),
        Block("requirement", 4, "own team unopened: points required / 120, laid / 120, wild cards laid / 3, "
              "allowed / 3", scale=(REQUIRED_WHOLE, REQUIRED_WHOLE, MOST_WILDS, MOST_WILDS), of=_requirement),
        Block("ask", 3, "this turn: asked, answered yes, answered no",
              of=lambda k: np.stack([k["asked"], k["answer"] == 1, k["answer"] == 0], 1)),
        Block("clock", 3, "reshuffles / 10, turn / max_turns, round / max_rounds",
              scale=(RESHUFFLES_WHOLE, config["max_turns"], config["max_rounds"]),
              of=lambda k: np.minimum(np.stack([k["reshuffles"], k["turn"], k["round_no"]], 1),
                                      [RESHUFFLES_WHOLE, config["max_turns"], config["max_rounds"]])),
        Block("players", 3, "one-hot: 2, 3, 4 players", of=lambda k: one_hot(k["seats"] - 2, 3)),
    )  # fmt: skip


def _team_scale(target: int) -> tuple[int, ...]:
    whole = {"naturals": FULL, "swords": MOST_WILDS, "artifacts": MOST_WILDS, "pots": POTS_WHOLE}
    whole |= {"total": target, "points": POINTS_WHOLE}
    return tuple(whole.get(block.name, 1) for block in TEAM for _ in range(block.size))


# The meanings of blocks that take more than a line


def _pile(k: States) -> Numbers:
    """Return the discard stack by kind."""
    return tally(k["pile"], np.arange(k["pile"].shape[1]) < k["pile_n"][:, None], HAND_KINDS)


def _top(k: States) -> Numbers:
    shown = np.where((k["pile_n"] > 0) & (k["taken"] != Taken.STACK), k["pile"][np.arange(len(k)), k["pile_n"] - 1], -1)
    return one_hot(np.where(k["phase"] == Phase.PICKUP, k["top_taken"], shown), HAND_KINDS)


def _unseen(k: States) -> Numbers:
    """Return the deck less the own hand, the stack, cards known in other hands, all tables, and a card just taken."""
    opt = k["opt"]
    decks = np.where(opt["deck_cards"][:, None] > 0, SMALL_DECKS[opt["deck_cards"]], COPIES[opt["suit_rule"]])
    decks[:, SHIELD] = np.where(opt["deck_cards"] > 0, decks[:, SHIELD], opt["shields"])
    cards = decks[:, :HAND_KINDS] - k["hand"][:, 0] - _pile(k) - k["known"][:, 1:].sum(axis=1)
    cards -= one_hot(np.where((k["phase"] == Phase.PICKUP) & (k["seat"] != 0), k["top_taken"], -1), HAND_KINDS)
    cards[:, :NATURALS] -= k["nat"].sum(axis=1)
    cards[:, SWORD] -= k["sw"].sum(axis=(1, 2))
    cards[:, ARTIFACT] -= k["ar"].sum(axis=(1, 2))
    for team in range(MAX_TEAMS):
        golds, artifacts = _suit(k, team)
        cards[:, GOLD:NATURALS:VARIANTS] -= golds
        cards[:, ARTIFACT] -= artifacts.sum(axis=1)
    return np.asarray(cards)


def _known(k: States, seat: int) -> Numbers:
    return np.asarray(k["known"][:, seat])


def _suit(k: States, team: int) -> tuple[Numbers, Numbers]:
    """Return the golds and the Artifacts of a team's golden suit by rank, shapes (n, ranks)."""
    ranks, low = np.arange(RANKS), k["suit_lo"][:, team, None]
    laid = (low >= 0) & (low <= ranks) & (ranks <= k["suit_hi"][:, team, None]) & (team < k["opt"]["teams"][:, None])
    artifact = k["suit_art"][:, team, None] >> ranks & 1 == 1
    return laid & ~artifact, laid & artifact


def _team(k: States, team: int) -> Numbers:
    """Return the numbers of a team in the order of TEAM; all are 0 for a team that is not at the table."""
    size = k["n"][:, team] + k["w"][:, team]
    canasta, pure = size >= CANASTA, k["w"][:, team] == 0
    golds, artifacts = _suit(k, team)
    complete, royal = (golds | artifacts).sum(axis=1) >= COMPLETE_SUIT, ~artifacts.any(axis=1)
    bonus = np.where(np.arange(RANKS) == ACE, MIXED_ACES, MIXED_CANASTA)
    bonus_pure = np.where(np.arange(RANKS) == ACE, NATURAL_ACES, NATURAL_CANASTA)
    points = POT_POINTS[k["pots"][:, team]] + (k["n"][:, team] + golds) @ RANK_POINTS
    points += k["sw"][:, team].sum(axis=1) * SWORD_POINTS
    points += (k["ar"][:, team] + artifacts).sum(axis=1) * ARTIFACT_POINTS
    points += (canasta * np.where(pure, bonus_pure, bonus)).sum(axis=1)
    points += complete * np.where(royal, ROYAL_SUIT, MIXED_SUIT)
    whole = MOST * k["opt"]["target_score"]
    numbers = {
        "naturals": k["n"][:, team],
        "swords": k["sw"][:, team],
        "artifacts": k["ar"][:, team],
        "natural_canasta": canasta & pure,
        "mixed_canasta": canasta & ~pure,
        "suit_gold": golds,
        "suit_artifact": artifacts,
        "royal": complete & royal,
        "mixed_suit": complete & ~royal,
        "pots": k["pots"][:, team],
        "opened": k["opened"][:, team],
        "unlocked": k["unlocked"][:, team],
        "finishable": complete | canasta.any(axis=1),
        "total": np.clip(k["score"][:, team], -whole, whole),
        "stage": one_hot(k["stage"][:, team] - 1, STAGES),
        "points": np.minimum(points, MOST * POINTS_WHOLE),
    }
    return np.concatenate([numbers[block.name].reshape(len(k), -1) for block in TEAM], axis=1)


def _mover(k: States) -> Numbers:
    """Return the seat to decide, -1 when the game is over."""
    return np.where(k["over"] == 1, -1, k["seat"])


def _opening(k: States) -> Numbers:
    """Return whether the own team has cards on the table that do not make its initial meld yet."""
    golds, artifacts = _suit(k, 0)
    laid = k["n"][:, 0].any(axis=1) | golds.any(axis=1) | artifacts.any(axis=1)
    return np.asarray(laid & (k["opened"][:, 0] == 0))


def _requirement(k: States) -> Numbers:
    stage, opening = k["stage"][:, 0], _opening(k)
    laid = np.minimum(REQUIRED_WHOLE, k["open_pts"]) * opening, np.minimum(MOST_WILDS, k["open_wild"]) * opening
    numbers = np.stack([REQUIRED_POINTS[stage], *laid, np.minimum(MOST_WILDS, WILD_CAPS[stage])], 1)
    return np.asarray(numbers * (k["opened"][:, 0, None] == 0))


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
