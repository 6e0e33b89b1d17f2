"""The observation of a seat in whole numbers, which `core.blocks` divides by the `scale` of each block."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, ViewBlocks, one_hot
from ...core.compiled.jit import kernel, leaf
from ...core.options import Config
from ...core.state import Record, States
from .material import TABLE_CARDS, TYPES
from .queries import DOWN, HAND, NOTHING, UP, around, source
from .state import Phase, blank, resolve, visible_up

Numbers = npt.NDArray[Any]
EMPTY = TYPES  # index of "no card" in the one-hot top and bottom of the pile


def view_blocks(config: Config) -> ViewBlocks:
    """Return the observation table of a configuration. run / S can exceed 1 when C > S."""
    opt = blank(config)["opt"][0]
    copies, clear_set, cards, moves = (int(opt[name]) for name in ("copies", "clear_set", "deck_size", "move_limit"))
    return ViewBlocks(
        Block("hand", TYPES, "own hand: cards of type t / C", scale=copies, of=lambda k: k["hands"][:, 0]),
        Block("up", TYPES, "own face-up cards / C", scale=copies, of=lambda k: k["up"][:, 0]),
        Block("pile", TYPES, "pile / C", scale=copies, of=lambda k: k["piled"]),
        Block("gone", TYPES, "cards that left the game / C", scale=copies, of=lambda k: k["gone"]),
        Block("unseen", TYPES, "cards that may be anywhere / C: all but those in the blocks above and below",
              scale=copies, of=_unseen),
        Block("top", TYPES + 1, "one-hot: top of the pile, 20 = empty", of=lambda k: _end_of_pile(k, k["pile_n"] - 1)),
        Block("bottom", TYPES + 1, "one-hot: bottom of the pile, 20 = empty",
              of=lambda k: _end_of_pile(k, 0 * k["pile_n"])),
        Block("sizes", 5, "run / S, pile / D, draw pile / D, own hand / D, own face-down cards / 3",
              high=max(1.0, copies / clear_set), scale=(clear_set, *(cards,) * 3, TABLE_CARDS),
              of=lambda k: np.stack([k["run"], k["pile_n"], k["draw_n"], k["hand_n"][:, 0], k["down_n"][:, 0]], 1)),
        Block("phase", 4, "one-hot: SETUP, PLAY, FOLLOW, TARGET", of=lambda k: one_hot(k["phase"], 4)),
        Block("source", 3, "one-hot: the seat to decide plays from hand, face up, face down; zero in TARGET",
              of=_source),
        Block("own", 3, "own seat is out; own seat is to decide; moves / cut-off", scale=(1, 1, moves),
              of=lambda k: np.stack([_is_out(k, 0), _decides(k, 0), k["plies"]], 1)),
        *[
            Block(f"seat_{j}", OPPONENT, f"seat me + {j}: known cards / C (20), face-up cards / C (20), "
                  "hand / D, face-up / 3, face-down / 3, is out, is to decide",
                  scale=(*(copies,) * 2 * TYPES, cards, TABLE_CARDS, TABLE_CARDS, 1, 1), of=partial(_seat, seat=j))
            for j in range(1, config["players"])
        ],
    )  # fmt: skip


# The meanings of blocks that take more than a line


def _unseen(k: States) -> Numbers:
    """Return the copies of each type less those in the own hand, face up, in the pile, gone, and known elsewhere."""
    cards = k["hands"][:, 0] + k["piled"] + k["gone"] + k["up"].sum(axis=1) + k["known"][:, 1:].sum(axis=1)
    return np.asarray(k["opt"]["copies"][:, None] - cards)


def _end_of_pile(k: States, at: Numbers) -> Numbers:
    return one_hot(np.where(k["pile_n"] > 0, k["pile"][np.arange(len(k)), at], EMPTY), TYPES + 1)


def _source(k: States) -> Numbers:
    """Return the zone of the seat to decide: the hand, then face up, then face down; in FOLLOW the hand is last."""
    held = np.stack([k[zone][np.arange(len(k)), k["seat"]] for zone in ("hand_n", "up_n", "down_n")], 1) > 0
    order = np.where(k["phase"][:, None] == Phase.FOLLOW, [UP, DOWN, HAND], [HAND, UP, DOWN])
    first = np.take_along_axis(held, order, 1).argmax(axis=1)
    plays = held.any(axis=1) & (k["phase"] < Phase.TARGET)
    return one_hot(np.where(plays, order[np.arange(len(k)), first], NOTHING), NOTHING)


def _is_out(k: States, seat: int) -> Numbers:
    return np.asarray(((k["out"] == seat) & (np.arange(k["out"].shape[1]) < k["out_n"][:, None])).any(axis=1))


def _decides(k: States, seat: int) -> Numbers:
    return np.asarray((k["seat"] == seat) & (k["over"] == 0))


def _seat(k: States, seat: int) -> Numbers:
    up = k["up"][:, seat]
    numbers = k["hand_n"][:, seat], up.sum(axis=1), k["down_n"][:, seat], _is_out(k, seat), _decides(k, seat)
    return np.concatenate([k["known"][:, seat], up, np.stack(numbers, 1)], axis=1)


OPPONENT = 2 * TYPES + 5
V = view_blocks(resolve({})).starts
RUN, PILE_SIZE, DRAW_SIZE, HAND_SIZE, DOWN_SIZE = range(5)  # in the block of sizes
OUT, TURN, MOVES = range(3)  # in the block of the own seat
# In the block of another seat, after its known cards.
S_UP, S_HAND_SIZE, S_UP_SIZE, S_DOWN_SIZE, S_OUT, S_TURN = TYPES, *range(2 * TYPES, OPPONENT)


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with what `seat` may see: public cards and its own hand."""
    for i in range(V.top, V.seat_1):
        view[i] = 0
    unseen = view[V.unseen : V.unseen + TYPES]
    _see_cards(s, seat, view)
    _see_table(s, seat, view)
    for j in range(s.seats - 1):
        at = V.seat_1 + OPPONENT * j
        _see_opponent(s, seat, around(seat + 1 + j, s.seats), view[at : at + OPPONENT], unseen)
    _see_out(s, seat, view)


@kernel
def _see_cards(s: Record, seat: int, view: Any) -> None:
    """Write own and public cards. `unseen` still counts other seats' face-up cards; `_see_opponent` subtracts them."""
    hand, up, pile, gone = s.hands[seat], s.up[seat], s.piled, s.gone
    for card in range(TYPES):
        view[V.unseen + card] = s.opt.copies - hand[card] - up[card] - pile[card] - gone[card]
        view[V.hand + card] = hand[card]
        view[V.up + card] = up[card]
        view[V.pile + card] = pile[card]
        view[V.gone + card] = gone[card]


@kernel
def _see_table(s: Record, seat: int, view: Any) -> None:
    view[V.top + (int(s.pile[s.pile_n - 1]) if s.pile_n > 0 else EMPTY)] = 1
    view[V.bottom + (int(s.pile[0]) if s.pile_n > 0 else EMPTY)] = 1
    view[V.sizes + RUN] = s.run
    view[V.sizes + PILE_SIZE] = s.pile_n
    view[V.sizes + DRAW_SIZE] = s.draw_n
    view[V.sizes + HAND_SIZE] = s.hand_n[seat]
    view[V.sizes + DOWN_SIZE] = s.down_n[seat]
    if s.phase != Phase.OVER:
        view[V.phase + s.phase] = 1
        zone = source(s, int(s.seat))
        if s.phase != Phase.TARGET and zone != NOTHING:
            view[V.source + zone] = 1
        view[V.own + TURN] = seat == s.seat
    view[V.own + MOVES] = s.plies


@kernel
def _see_opponent(s: Record, seat: int, other: int, view: Any, unseen: Any) -> None:
    known, up = s.known[other], s.up[other]
    shown = int(visible_up(s, seat, other))
    for card in range(TYPES):
        view[card] = known[card]
        view[S_UP + card] = shown * up[card]
        unseen[card] -= known[card] + shown * up[card]
    view[S_HAND_SIZE] = s.hand_n[other]
    view[S_UP_SIZE] = shown * s.up_n[other]
    view[S_DOWN_SIZE] = s.down_n[other]
    view[S_OUT] = 0  # written by `_see_out`
    view[S_TURN] = s.phase != Phase.OVER and other == s.seat


@leaf
def _see_out(s: Record, seat: int, view: Any) -> None:
    """Write which seats are out; a seat whose last GIVE waits for a receiver is not out yet [K-80]."""
    for place in range(s.out_n):
        ahead = around(s.out[place] + s.seats - seat, s.seats)
        view[V.own + OUT if ahead == 0 else V.seat_1 + OPPONENT * (ahead - 1) + S_OUT] = 1
