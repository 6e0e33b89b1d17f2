"""The observation of a seat: raw counts as integers, with seats numbered from the observer (j = j-th to the left)."""

from __future__ import annotations

from typing import Any

from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.options import Config
from ...core.state import Record
from .material import IDENTICAL, MAX_SETS, NO_BUYING, NO_JOKERS, NO_WILD_CARDS, RANKS, SUITS, TOTAL, TYPES
from .search import deficit
from .sets import buys_left, end_free, hand_points, has_flag, is_kind_slot, max_buys, sets_on_card, size_of
from .state import Mode, Phase, SetType

PLAYER, SET_SIZE = 8, 12  # numbers of a player, and of a tabled set
BUILD_SIZE = 30
MOST, LEAST = 2**15 - 1, -(2**15)  # all numbers are integers that fit into 16 bits


def view_blocks(config: Config) -> ViewBlocks:
    """Return the observation blocks of a configuration."""
    players, others, deck = config["players"], config["players"] - 1, 255.0
    return ViewBlocks(
        Block("hand", TYPES, "own hand: cards of type t", high=deck),
        Block("known", TYPES * others, "cards known to be in the hand of seat me + 1 + j: 54 j + t", high=deck),
        Block("discard", TYPES, "discard pile: cards of type t", high=deck),
        Block("top", TYPES, "one-hot: top of the discard pile; zero if there is none"),
        Block("tabled", TYPES, "cards of type t on the table", high=deck),
        Block("stock", TYPES, "pick-up pile, if it was turned over and is therefore public", high=deck),
        Block("next", 2 * TYPES, "one-hot: the next two cards as far as known; in PEEK the card looked at comes first"),
        Block("players", PLAYER * players, "8 j: hand size, laid down, buys used, buys left, total score, is dealer, "
              "is in turn, is requester", high=MOST, low=LEAST),
        Block("sets", SET_SIZE * MAX_SETS * players, "60 j + 12 slot: is kind, is run, rank, suit (4), "
              "first place, last place, size, low end may be paired, high end may be paired", high=deck),
        Block("contract", 3 * MAX_SETS, "3 slot: is kind, is run, size", high=deck),
        Block("round", 7, "no buying, no jokers, no wild cards, identical cards, buys, cards to lay down, hand limit",
              high=deck),
        Block("wild", RANKS, "one-hot: wild rank; zero if there is none"),
        Block("phase", 7, "one-hot: ASK, DRAW, REPLY, PEEK, MAIN, TEMPLATE, PLACE"),
        Block("build", BUILD_SIZE, "to the builder: slot (5), lay-down, lay-off, rank (13), suit (4), first place, "
              "next place, cards to come, must be the mate, may be paired, direction", high=deck, low=-1.0),
        Block("counters", 10, "pick-up pile, discard pile, turns done, turns left, rounds finished, rounds left, "
              "times turned over, own hand, packs, players", high=MOST),
        Block("aux", 3, "can lay down now, cards lacking (-1 = not told), points in hand", high=MOST, low=-1.0),
    )  # fmt: skip


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with the knowledge of `seat`: public cards, its own hand, and the cards it has seen of others."""
    for i in range(len(view)):
        view[i] = 0
    at = _see_cards(s, seat, view)
    at = _see_next(s, seat, view, at)
    for j in range(s.seats):
        _see_player(s, (seat + j) % s.seats, view, at + PLAYER * j)
    at += PLAYER * s.seats
    for j in range(s.seats):
        _see_sets(s, (seat + j) % s.seats, view, at + SET_SIZE * MAX_SETS * j)
    at += SET_SIZE * MAX_SETS * s.seats
    at = _see_round(s, view, at)
    if s.mode != Mode.NOT_BUILDING and s.turn == seat:
        _see_build(s, view, at)
    at += BUILD_SIZE
    _see_counters(s, seat, view, at)


@kernel
def _see_cards(s: Record, seat: int, view: Any) -> int:
    """Write the hand, known cards, discard pile, table and public pick-up pile; return the start of the next block."""
    for card in range(TYPES):
        view[card] = s.hands[seat, card]
    at = TYPES
    for j in range(1, s.seats):
        if s.opt.track_known:
            other = (seat + j) % s.seats
            for card in range(TYPES):
                view[at + card] = s.known[seat, other, card]
        at += TYPES
    for card in range(TYPES):
        view[at + card] = s.discarded[card]
        view[at + 2 * TYPES + card] = s.tabled[card]
    if s.discard_n > 0:
        view[at + TYPES + s.discard[s.discard_n - 1]] = 1
    if s.recycles > 0 and s.opt.track_known:
        for i in range(s.stock_n):
            view[at + 3 * TYPES + s.stock[i]] += 1
    return at + 4 * TYPES


@kernel
def _see_next(s: Record, seat: int, view: Any, at: int) -> int:
    """Write the next two cards, as far as the observer knows them [R-44, R-48]."""
    public = s.recycles > 0 and s.opt.track_known == 1
    shown = 0
    if s.phase == Phase.PEEK:
        if seat == s.turn or (s.peek_public == 1 and s.opt.track_known == 1):
            view[at + s.peeked] = 1
        shown = 1
    if public:
        for i in range(min(2 - shown, int(s.stock_n))):
            view[at + TYPES * (shown + i) + s.stock[s.stock_n - 1 - i]] = 1
    return at + 2 * TYPES


@kernel
def _see_player(s: Record, other: int, view: Any, at: int) -> None:
    view[at] = s.hand_n[other]
    view[at + 1] = s.laid_turn[other] >= 0
    view[at + 2] = s.buys_used[other]
    view[at + 3] = buys_left(s, other)
    view[at + 4] = max(LEAST, min(MOST, int(s.scores[other])))
    view[at + 5] = s.dealer == other
    view[at + 6] = s.turn == other
    view[at + 7] = s.requester == other


@kernel
def _see_sets(s: Record, other: int, view: Any, at: int) -> None:
    for slot in range(MAX_SETS):
        lies = s.sets[other * MAX_SETS + slot]
        if lies.kind == SetType.KIND:
            view[at] = 1
            view[at + 2] = lies.rank + 1
            view[at + 9] = lies.size
        elif lies.kind == SetType.RUN:
            view[at + 1] = 1
            view[at + 3 + lies.suit] = 1
            view[at + 7] = lies.lo
            view[at + 8] = lies.hi
            view[at + 9] = lies.size
            if lies.size > 0:
                view[at + 10] = end_free(lies, -1)
                view[at + 11] = end_free(lies, 1)
        at += SET_SIZE


@kernel
def _see_round(s: Record, view: Any, at: int) -> int:
    """Write the Display Card, the wild rank and the phase."""
    for slot in range(sets_on_card(s)):
        view[at + 3 * slot] = is_kind_slot(s, slot)
        view[at + 3 * slot + 1] = not is_kind_slot(s, slot)
        view[at + 3 * slot + 2] = size_of(s, slot)
    at += 3 * MAX_SETS
    view[at] = has_flag(s, NO_BUYING)
    view[at + 1] = has_flag(s, NO_JOKERS)
    view[at + 2] = has_flag(s, NO_WILD_CARDS)
    view[at + 3] = has_flag(s, IDENTICAL)
    view[at + 4] = max_buys(s)
    view[at + 5] = int(TOTAL[s.display])
    view[at + 6] = s.opt.hand_size + 2 * max_buys(s)
    at += 7
    if s.wild >= 0:
        view[at + s.wild] = 1
    at += RANKS
    if s.phase != Phase.OVER:
        view[at + s.phase] = 1
    return at + Phase.OVER


@kernel
def _see_build(s: Record, view: Any, at: int) -> None:
    lies = s.sets[s.target * MAX_SETS + s.slot]
    view[at + s.slot] = 1
    view[at + MAX_SETS + (0 if s.mode == Mode.LAYING_DOWN else 1)] = 1
    at += MAX_SETS + 2
    if lies.kind == SetType.KIND:
        view[at + lies.rank] = 1
    elif lies.kind == SetType.RUN:
        view[at + RANKS + lies.suit] = 1
        view[at + RANKS + SUITS] = lies.lo
    at += RANKS + SUITS + 1
    view[at] = s.place
    view[at + 1] = s.rest
    view[at + 2] = s.must
    view[at + 3] = s.free
    view[at + 4] = s.direction


@kernel
def _see_counters(s: Record, seat: int, view: Any, at: int) -> None:
    view[at] = s.stock_n
    view[at + 1] = s.discard_n
    view[at + 2] = s.turns
    view[at + 3] = s.opt.turn_limit - s.turns
    view[at + 4] = s.round
    view[at + 5] = max(0, s.opt.n_rounds - s.round - 1)
    view[at + 6] = s.recycles
    view[at + 7] = s.hand_n[seat]
    view[at + 8] = s.opt.n_packs
    view[at + 9] = s.seats
    at += 10
    view[at] = s.phase == Phase.MAIN and s.turn == seat and s.can_lay == 1
    told = s.opt.aux_deficit == 1 and s.laid_turn[seat] < 0
    view[at + 1] = deficit(s, seat) if told else -1
    view[at + 2] = hand_points(s, seat)
