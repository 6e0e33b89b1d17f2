"""The observation of a seat: raw counts as integers, with seats numbered from the observer (j = j-th to the left)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, ViewBlocks, one_hot
from ...core.compiled.jit import kernel
from ...core.fields import tally
from ...core.options import Config
from ...core.state import Record, States
from .material import (
    FLAGS,
    IDENTICAL,
    KINDS,
    MAX_SEATS,
    MAX_SETS,
    NINETEEN,
    NO_BUYING,
    NO_JOKERS,
    NO_WILD_CARDS,
    PLACES,
    POINTS,
    RANKS,
    SETS,
    SIZES,
    SUITS,
    TOTAL,
    TYPES,
    SetType,
)
from .sets.tabled import buys_left, end_free, hand_points, has_flag, is_kind_slot, max_buys, sets_on_card, size_of
from .state import Mode, Phase, Role

Numbers = npt.NDArray[Any]
PLAYER, SET_SIZE = 8, 12  # numbers of a player, and of a tabled set
BUILD_SIZE = 30
MOST, LEAST = 2**15 - 1, -(2**15)  # all numbers are integers that fit into 16 bits


def view_blocks(config: Config) -> ViewBlocks:
    """Return the observation blocks of a configuration."""
    players, others, deck = config["players"], config["players"] - 1, 255.0
    return ViewBlocks(
        Block("hand", TYPES, "own hand: cards of type t", high=deck, of=lambda k: k["hands"][:, 0]),
        Block("known", TYPES * others, "cards known to be in the hand of seat me + 1 + j: 54 j + t", high=deck,
              of=lambda k: k["known"][:, 0, 1:players] * k["opt"]["track_known"][:, None, None]),
        Block("discard", TYPES, "discard pile: cards of type t", high=deck, of=lambda k: k["discarded"]),
        Block("top", TYPES, "one-hot: top of the discard pile; zero if there is none",
              of=lambda k: one_hot(_nth(k["discard"], k["discard_n"] - 1), TYPES)),
        Block("tabled", TYPES, "cards of type t on the table", high=deck, of=lambda k: k["tabled"]),
        Block("stock", TYPES, "pick-up pile, if it was turned over and is therefore public", high=deck, of=_stock),
        Block("next", 2 * TYPES, "one-hot: the next two cards as far as known; in PEEK the card looked at comes first",
              of=_next),
        Block("players", PLAYER * players, "8 j: hand size, laid down, buys used, buys left, total score, is dealer, "
              "is in turn, is requester", high=MOST, low=LEAST, of=lambda k: _players(k)[:, :players]),
        Block("sets", SET_SIZE * MAX_SETS * players, "60 j + 12 slot: is kind, is run, rank, suit (4), "
              "first place, last place, size, low end may be paired, high end may be paired", high=deck,
              of=lambda k: _sets(k)[:, : MAX_SETS * players]),
        Block("contract", 3 * MAX_SETS, "3 slot: is kind, is run, size", high=deck, of=_contract),
        Block("round", 7, "no buying, no jokers, no wild cards, identical cards, buys, cards to lay down, hand limit",
              high=deck, of=_round),
        Block("wild", RANKS, "one-hot: wild rank; zero if there is none", of=lambda k: one_hot(k["wild"], RANKS)),
        Block("phase", 7, "one-hot: ASK, DRAW, REPLY, PEEK, MAIN, TEMPLATE, PLACE",
              of=lambda k: one_hot(k["phase"], Phase.OVER)),
        Block("build", BUILD_SIZE, "to the builder: slot (5), lay-down, lay-off, rank (13), suit (4), first place, "
              "next place, cards to come, must be the mate, may be paired, direction", high=deck, low=-1.0, of=_build),
        Block("counters", 10, "pick-up pile, discard pile, turns done, turns left, rounds finished, rounds left, "
              "times turned over, own hand, packs, players", high=MOST, of=_counters),
        Block("aux", 3, "can lay down now, -1, points in hand", high=MOST, low=-1.0, of=_aux),
    )  # fmt: skip


# The meanings of blocks that take more than a line


def _nth(cards: Numbers, at: Numbers) -> Numbers:
    """Return an entry of each list, shape (n,); -1 where there is none."""
    return np.where(at >= 0, cards[np.arange(len(cards)), at], -1)


def _is_public(k: States) -> Numbers:
    """Return whether the pick-up pile was turned over; without memory nobody knows it all the same."""
    return np.asarray((k["recycles"] > 0) & (k["opt"]["track_known"] == 1))


def _stock(k: States) -> Numbers:
    public = np.where(_is_public(k), k["stock_n"], 0)
    return tally(k["stock"], np.arange(k["stock"].shape[1]) < public[:, None], TYPES)


def _next(k: States) -> Numbers:
    """Return the next two cards, the last ones of the list; while a seat looks at a card, that one comes first."""
    peek = k["phase"] == Phase.PEEK
    sees = (k["turn"] == 0) | ((k["peek_public"] == 1) & (k["opt"]["track_known"] == 1))
    first, second = (np.where(_is_public(k), _nth(k["stock"], k["stock_n"] - i), -1) for i in (1, 2))
    shown = np.where(peek, np.where(sees, k["peeked"], -1), first), np.where(peek, first, second)
    return one_hot(np.stack(shown, 1), TYPES)


def _players(k: States) -> Numbers:
    seats, laid = np.arange(MAX_SEATS), k["laid_turn"] >= 0
    left = np.where(laid, 0, np.maximum(0, _buys(k)[:, None] - k["buys_used"]))
    at = ((k[name][:, None] == seats) for name in ("dealer", "turn", "requester"))
    return np.stack([k["hand_n"], laid, k["buys_used"], left, np.clip(k["scores"], LEAST, MOST), *at], axis=2)


def _buys(k: States) -> Numbers:
    """Return the buys of each seat in this round [R-40]."""
    flags, opt = FLAGS[k["display"]], k["opt"]
    return np.where(flags & NO_BUYING, 0, np.where(flags & NINETEEN, opt["max_buys_19"], opt["max_buys"]))


def _sets(k: States) -> Numbers:
    sets = k["sets"]
    kind, run = sets["kind"] == SetType.KIND, sets["kind"] == SetType.RUN
    some = run & (sets["size"] > 0)
    low, high = (some & _may_be_paired(sets, way) for way in (-1, 1))
    numbers = kind, run, kind * (sets["rank"] + 1), *np.moveaxis(one_hot(np.where(run, sets["suit"], -1), SUITS), 2, 0)
    return np.stack([*numbers, run * sets["lo"], run * sets["hi"], sets["size"] * (kind | run), low, high], axis=2)


def _may_be_paired(sets: Numbers, way: int) -> Numbers:
    """Return whether the end card of a run lies in its own place and is not the mate of the card beside it [R-33]."""
    end, mate = (sets["hi"], Role.UPPER_MATE) if way > 0 else (sets["lo"], Role.LOWER_MATE)
    role, beside = (np.take_along_axis(sets["fill"], np.clip(end - 1 - away, 0, PLACES - 1)[..., None], 2)[..., 0]
                    for away in (0, way))  # fmt: skip
    return np.asarray((role == Role.NATURAL) & ~((sets["lo"] < sets["hi"]) & (beside == mate)))


def _contract(k: States) -> Numbers:
    slots, kinds, sets = np.arange(MAX_SETS), KINDS[k["display"]][:, None], SETS[k["display"]][:, None]
    return np.stack([slots < kinds, (slots >= kinds) & (slots < sets), SIZES[k["display"]]], axis=2)


def _round(k: States) -> Numbers:
    flags = [FLAGS[k["display"]] & flag > 0 for flag in (NO_BUYING, NO_JOKERS, NO_WILD_CARDS, IDENTICAL)]
    return np.stack([*flags, _buys(k), TOTAL[k["display"]], k["opt"]["hand_size"] + 2 * _buys(k)], axis=1)


def _build(k: States) -> Numbers:
    """Return the set that seat 0 lays down or extends, and where its next card goes; zeros for other seats."""
    builds = (k["mode"] != Mode.NOT_BUILDING) & (k["turn"] == 0)
    lies = k["sets"][np.arange(len(k)), np.where(builds, MAX_SETS * k["target"] + k["slot"], 0)]
    run = lies["kind"] == SetType.RUN
    numbers = [one_hot(k["slot"], MAX_SETS), one_hot(k["mode"] - Mode.LAYING_DOWN, 2)]
    numbers += [one_hot(np.where(lies["kind"] == SetType.KIND, lies["rank"], -1), RANKS)]
    numbers += [one_hot(np.where(run, lies["suit"], -1), SUITS), (run * lies["lo"])[:, None]]
    numbers += [np.stack([k[name] for name in ("place", "rest", "must", "free", "direction")], 1)]
    return np.asarray(np.concatenate(numbers, axis=1) * builds[:, None])


def _counters(k: States) -> Numbers:
    opt = k["opt"]
    rounds_left = np.maximum(0, opt["n_rounds"] - k["round"] - 1)
    numbers = k["stock_n"], k["discard_n"], k["turns"], opt["turn_limit"] - k["turns"], k["round"], rounds_left
    return np.stack([*numbers, k["recycles"], k["hand_n"][:, 0], opt["n_packs"], k["seats"]], axis=1)


def _aux(k: States) -> Numbers:
    """Return whether the observer can lay down, and its points. The -1 between them keeps the places of the numbers."""
    can_lay = (k["phase"] == Phase.MAIN) & (k["can_lay"] == 1)
    return np.stack([can_lay, np.full(len(k), -1), _points(k)], axis=1)


def _points(k: States) -> Numbers:
    """Return the points of the own hand [R-53]."""
    each = np.concatenate([np.tile(POINTS[:, :RANKS], SUITS), POINTS[:, RANKS:]], axis=1)
    return np.asarray((k["hands"][:, 0] * each[k["opt"]["card_points"]]).sum(axis=1))


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
    view[at + 1] = -1
    view[at + 2] = hand_points(s, seat)
