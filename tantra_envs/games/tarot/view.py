"""The observation of a seat, in whole numbers: public cards and scores, its own hand, and where its gifts are.

The loops over all cards have no branches, so that they are vectorised.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, ViewBlocks, one_hot
from ...core.compiled.jit import kernel
from ...core.options import Config
from ...core.state import Record, States
from .cards import knows, led_suit, winning_place
from .hand_scores import (
    FIRST_GREATER,
    FIRST_LESSER,
    LAST_GREATER,
    LAST_LESSER,
    RUN_POINTS,
    STEP,
    TAROT_SET,
    TAROT_SET_POINTS,
    TEN_TRUMPS,
    THIRTEEN_TRUMPS,
    THREE,
    class_points,
)
from .material import (
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    HAND,
    IS_TAROT,
    MOST_POINTS,
    NO_SUIT,
    SUIT_OF,
    SUITS,
    TALON_SIZE,
    TRUMPS,
)
from .state import CLASSES, OPTIONS, PHASES, Phase, Place

Numbers = npt.NDArray[Any]
LARGEST_HAND = HAND + TALON_SIZE
CLASS_SCALE, POINTS_SCALE = 30, 100
SEAT = 5 + SUITS  # numbers for each seat
NOWHERE = -1  # a place without cards


def view_blocks(config: Config) -> ViewBlocks:
    """Return the observation table of a configuration; totals can exceed the target by one hand."""
    players, target, max_hands = config["players"], config["target"], config["max_hands"]
    others = range(1, players)
    return ViewBlocks(
        Block("hand", CARDS, "own hand", of=lambda k: k["loc"] == 0),
        Block("shown", CARDS, "own cards that are public", of=lambda k: (k["loc"] == 0) & (k["exposed"] == 1)),
        Block("discards", CARDS, "own discards, for the dealer only", of=lambda k: k["loc"] == Place.DISCARDED),
        Block("played", CARDS, "cards of finished tricks of this hand", of=lambda k: k["loc"] == Place.PLAYED),
        *[
            Block(f"trick_{i}", CARDS, f"card of seat me + {i} in the trick on the table", of=partial(_trick, seat=i))
            for i in others
        ],
        *[
            Block(f"known_{i}", CARDS, f"cards known to be in the hand of seat me + {i}", of=partial(_known, seat=i))
            for i in others
        ],
        Block("phase", int(Phase.OVER), f"one-hot: {', '.join(PHASES[: Phase.OVER])}",
              of=lambda k: one_hot(k["phase"], Phase.OVER)),
        Block("class", len(CLASSES), "one-hot: class under decision, in DECLARE",
              of=lambda k: one_hot(np.where(k["phase"] == Phase.DECLARE, k["cls"], -1), len(CLASSES))),
        Block("class_points", 1, "its points / 30, for the seat to decide", high=MOST_POINTS / CLASS_SCALE,
              scale=CLASS_SCALE, of=lambda k: _class_points(k) * (k["phase"] == Phase.DECLARE) * (k["seat"] == 0)),
        Block("suit_led", SUITS, "one-hot: trumps, W, C, S, P, once such a card lies on the table",
              of=lambda k: one_hot(np.where(k["phase"] == Phase.PLAY, suit_led(k), NO_SUIT), SUITS)),
        Block("dealer", players, "one-hot: seat me + i deals", of=lambda k: one_hot(k["dealer"], players)),
        Block("leader", players, "one-hot: seat me + i leads to the trick", of=lambda k: one_hot(k["leader"], players)),
        Block("to_act", players, "one-hot: seat me + i is to decide; zero when over",
              of=lambda k: one_hot(np.where(k["over"], -1, k["seat"]), players)),
        Block("winning", players, "one-hot: seat me + i wins the trick so far",
              of=lambda k: one_hot(_winning(k), players)),
        Block("clock", 2, "finished tricks / 25, finished hands / max_hands", scale=(HAND, max_hands),
              of=lambda k: np.stack([k["trick_no"], k["hand_no"]], 1)),
        *[
            Block(f"seat_{i}", SEAT, f"seat me + {i}: total / target, points of this hand / 100, tricks taken / 25, "
                  "cards in hand / 28, had no honour when asked, void in trumps, W, C, S, P",
                  high=max(MOST_POINTS / POINTS_SCALE, 1 + MOST_POINTS / target),
                  scale=(target, POINTS_SCALE, HAND, LARGEST_HAND, 1, *(1,) * SUITS), of=partial(_seat, seat=i))
            for i in range(players)
        ],
    )  # fmt: skip


# The meanings of blocks that take more than a line


def _trick(k: States, seat: int) -> Numbers:
    """Return the card of a seat in the trick: the first one is that of the leader."""
    place = (seat - k["leader"]) % k["seats"]
    return one_hot(np.where(place < k["trick_n"], k["trick"][np.arange(len(k)), place], -1), CARDS)


def _known(k: States, seat: int) -> Numbers:
    return np.asarray((k["loc"] == seat) & ((k["exposed"] == 1) | (k["giver"] == 0)))


def _in_trick(k: States) -> Numbers:
    """Return the cards of the trick in their order, -1 behind them."""
    return np.where(np.arange(k["trick"].shape[1]) < k["trick_n"][:, None], k["trick"], -1)


def suit_led(k: States) -> Numbers:
    """Return the suit of the first card that is not the Fool; NO_SUIT without one."""
    cards = _in_trick(k)
    leads = cards > FOOL
    return np.where(leads.any(axis=1), SUIT_OF[cards[np.arange(len(k)), leads.argmax(axis=1)]], NO_SUIT)


def _winning(k: States) -> Numbers:
    """Return the seat of the highest trump, or of the highest card of the suit led; -1 without one."""
    cards, suit = _in_trick(k), suit_led(k)[:, None]
    trump = (cards > FOOL) & (cards < TRUMPS)
    rank = np.where((cards > FOOL) & (trump | (SUIT_OF[cards] == suit)), cards + CARDS * trump, -1)
    return np.where(rank.max(axis=1) < 0, -1, (k["leader"] + rank.argmax(axis=1)) % k["seats"])


def _seat(k: States, seat: int) -> Numbers:
    numbers = np.stack([k[name][:, seat] for name in ("totals", "points", "taken", "hand_n", "no_tarot")], 1)
    return np.concatenate([numbers, k["void"][:, seat]], axis=1)


def _class_points(k: States) -> Numbers:
    """Return the points of the class under decision with the cards of seat 0, shape (n,) [T-30, T-31, T-33]."""
    own, cls, opt = k["loc"] == 0, k["cls"], k["opt"]
    of_five = [STEP * np.maximum(0, own[:, first : last + 1].sum(axis=1) - THREE + 1)
               for first, last in ((FIRST_GREATER, LAST_GREATER), (FIRST_LESSER, LAST_LESSER))]  # fmt: skip
    trumps = own[:, 1:TRUMPS].sum(axis=1) + (own[:, FOOL] & (opt["fool_in_trump_count"] == 1))
    tarots = own[:, IS_TAROT == 1].sum(axis=1) // TAROT_SET * TAROT_SET_POINTS
    points = [*of_five, 10 * (trumps >= TEN_TRUMPS) + 5 * (trumps >= THIRTEEN_TRUMPS), tarots]
    own = np.concatenate([own, np.zeros((len(k), 1), bool)], axis=1)
    own[:, FOOL] &= opt["fool_in_sequences"] == 1
    for suit in range(SUITS):
        first, last = FIRST_OF_SUIT[suit] - (suit == 0), FIRST_OF_SUIT[suit + 1]
        total, length = np.zeros(len(k), np.int64), np.zeros(len(k), np.int64)
        for card in range(first, last + 1):
            held = own[:, card] & (card < last)
            total += np.where(held, 0, RUN_POINTS[opt["sequences"], length])
            length = np.where(held, length + 1, 0)
        points.append(total)
    return np.asarray(np.stack(points)[np.maximum(cls, 0), np.arange(len(k))])


# First indices of blocks: the first ones are absolute, the rest are counted from `after_cards`.
SEEN = view_blocks(OPTIONS.defaults)
HAND_CARDS, SHOWN, DISCARDS, FINISHED = (SEEN[name].start for name in ("hand", "shown", "discards", "played"))
TRICK_CARDS = SEEN["trick_1"].start
PHASE, CLASS, CLASS_POINTS, SUIT_LED, DEALER = (
    SEEN[name].start - SEEN["phase"].start for name in ("phase", "class", "class_points", "suit_led", "dealer")
)


@kernel
def after_cards(players: int) -> int:
    """Return the first index after the blocks of cards."""
    return TRICK_CARDS + 2 * CARDS * (players - 1)


@kernel
def at_seats(players: int) -> int:
    """Return the first index of the blocks of seats, the own seat first."""
    return after_cards(players) + DEALER + 4 * players + 2


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with what `seat` may see."""
    for i in range(len(view)):
        view[i] = 0
    _see_cards(s, seat, view)
    _see_trick(s, seat, view)
    _see_question(s, seat, view, after_cards(s.seats))
    _see_turn(s, seat, view, after_cards(s.seats) + DEALER)
    for ahead in range(s.seats):
        _see_seat(s, (seat + ahead) % s.seats, view, at_seats(s.seats) + SEAT * ahead)


@kernel
def _see_cards(s: Record, seat: int, view: Any) -> None:
    """Write own, discarded and played cards, and those known to be in other hands."""
    discards = Place.DISCARDED.value if seat == s.dealer else NOWHERE
    for card in range(CARDS):
        view[HAND_CARDS + card] = s.loc[card] == seat
        view[SHOWN + card] = (s.loc[card] == seat) * s.exposed[card]
        view[DISCARDS + card] = s.loc[card] == discards
        view[FINISHED + card] = s.loc[card] == Place.PLAYED
    at = TRICK_CARDS + CARDS * (s.seats - 1)
    for ahead in range(1, s.seats):
        _see_known(s, seat, (seat + ahead) % s.seats, view[at : at + CARDS])
        at += CARDS


@kernel
def _see_known(s: Record, seat: int, other: int, known: Any) -> None:
    for card in range(CARDS):
        known[card] = (s.loc[card] == other) & knows(s, seat, card)


@kernel
def _see_trick(s: Record, seat: int, view: Any) -> None:
    for i in range(s.trick_n):
        ahead = (s.leader + i - seat + s.seats) % s.seats
        if ahead > 0:
            view[TRICK_CARDS + CARDS * (ahead - 1) + s.trick[i]] = 1


@kernel
def _see_question(s: Record, seat: int, view: Any, at: int) -> None:
    """Write the phase, the class under decision and the suit led."""
    if s.phase != Phase.OVER:
        view[at + PHASE + s.phase] = 1
    if s.phase == Phase.DECLARE:
        view[at + CLASS + s.cls] = 1
        if seat == s.seat:
            view[at + CLASS_POINTS] = class_points(s, seat, int(s.cls))
    suit = led_suit(s)
    if s.phase == Phase.PLAY and suit != NO_SUIT:
        view[at + SUIT_LED + suit] = 1


@kernel
def _see_turn(s: Record, seat: int, view: Any, at: int) -> None:
    """Write dealer, leader, seat to act and seat winning the trick, then finished tricks and hands."""
    n = s.seats
    view[at + (s.dealer - seat + n) % n] = 1
    view[at + n + (s.leader - seat + n) % n] = 1
    if s.phase != Phase.OVER:
        view[at + 2 * n + (s.seat - seat + n) % n] = 1
    place = winning_place(s)
    if place >= 0:
        view[at + 3 * n + (s.leader + place - seat + n) % n] = 1
    view[at + 4 * n] = s.trick_no
    view[at + 4 * n + 1] = s.hand_no


@kernel
def _see_seat(s: Record, seat: int, view: Any, at: int) -> None:
    view[at] = s.totals[seat]
    view[at + 1] = s.points[seat]
    view[at + 2] = s.taken[seat]
    view[at + 3] = s.hand_n[seat]
    view[at + 4] = s.no_tarot[seat]
    for suit in range(SUITS):
        view[at + 5 + suit] = s.void[seat, suit]
