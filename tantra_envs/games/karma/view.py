"""What a seat sees, as float32 numbers (section 11 of the rules page). Counts are shares of the cards there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.blocks import Block, Blocks
from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .material import TABLE_CARDS, TYPES
from .sets import NOTHING, around, source, visible_up
from .state import Phase

EMPTY = TYPES  # index of "no card" in the one-hot pictures of a pile's ends


def view_blocks(players: int, most_run: float = 1.0) -> Blocks:
    """The observation table for a number of players; `most_run` bounds run / S, which passes 1 when C > S."""
    return Blocks(
        Block("hand", TYPES, "own hand: cards of type t / C"),
        Block("up", TYPES, "own face-up cards / C"),
        Block("pile", TYPES, "pile / C"),
        Block("gone", TYPES, "cards that left the game / C"),
        Block("unseen", TYPES, "cards that may be anywhere / C: all but those in the blocks above and below"),
        Block("top", TYPES + 1, "one-hot: top of the pile, 20 = empty"),
        Block("bottom", TYPES + 1, "one-hot: bottom of the pile, 20 = empty"),
        Block("sizes", 5, "run / S, pile / D, draw pile / D, own hand / D, own face-down cards / 3", high=most_run),
        Block("phase", 4, "one-hot: SETUP, PLAY, FOLLOW, TARGET"),
        Block("source", 3, "one-hot: the seat to decide plays from hand, face up, face down; zero in TARGET"),
        Block("own", 3, "own seat is out; own seat is to decide; moves / cut-off"),
        *[
            Block(f"seat_{j + 1}", OPPONENT, f"seat me + {j + 1}: known cards / C (20), face-up cards / C (20), "
                  "hand / D, face-up / 3, face-down / 3, is out, is to decide")
            for j in range(players - 1)
        ],
    )  # fmt: skip


OPPONENT = 2 * TYPES + 5
_BLOCKS = view_blocks(2)
HAND, UP, PILE = _BLOCKS["hand"].start, _BLOCKS["up"].start, _BLOCKS["pile"].start
GONE, UNSEEN = _BLOCKS["gone"].start, _BLOCKS["unseen"].start
TOP, BOTTOM, SIZES = _BLOCKS["top"].start, _BLOCKS["bottom"].start, _BLOCKS["sizes"].start
PHASE, SOURCE, OWN = _BLOCKS["phase"].start, _BLOCKS["source"].start, _BLOCKS["own"].start
OPPONENTS = _BLOCKS["seat_1"].start
RUN, PILE_SIZE, DRAW_SIZE, HAND_SIZE, DOWN_SIZE = range(SIZES, SIZES + 5)
OWN_OUT, OWN_TURN, MOVES = range(OWN, OWN + 3)
# In the block of another seat, after its known cards.
S_UP, S_HAND_SIZE, S_UP_SIZE, S_DOWN_SIZE, S_OUT, S_TURN = TYPES, *range(2 * TYPES, OPPONENT)


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with what `seat` knows: public cards and its own hand."""
    for i in range(TOP, OPPONENTS):
        view[i] = 0.0
    copies, unseen = np.float32(s.opt.copies), view[UNSEEN : UNSEEN + TYPES]
    _see_cards(s, seat, view, copies)
    _see_table(s, seat, view)
    for j in range(s.seats - 1):
        at = OPPONENTS + OPPONENT * j
        _see_opponent(s, seat, around(seat + 1 + j, s.seats), view[at : at + OPPONENT], unseen, copies)
    for card in range(len(unseen)):
        unseen[card] /= copies
    _see_out(s, seat, view)


@kernel
def _see_cards(s: Record, seat: int, view: Any, copies: Any) -> None:
    """Own and open cards as shares; the unseen ones still as counts, from which others' open cards are taken."""
    hand, up, pile, gone = s.hands[seat], s.up[seat], s.piled, s.gone
    for card in range(TYPES):
        view[UNSEEN + card] = copies - hand[card] - up[card] - pile[card] - gone[card]
        view[HAND + card] = np.float32(hand[card]) / copies
        view[UP + card] = np.float32(up[card]) / copies
        view[PILE + card] = np.float32(pile[card]) / copies
        view[GONE + card] = np.float32(gone[card]) / copies


@kernel
def _see_table(s: Record, seat: int, view: Any) -> None:
    cards = np.float32(s.opt.deck_size)
    view[TOP + (int(s.pile[s.pile_n - 1]) if s.pile_n > 0 else EMPTY)] = 1.0
    view[BOTTOM + (int(s.pile[0]) if s.pile_n > 0 else EMPTY)] = 1.0
    view[SIZES] = np.float32(s.run) / np.float32(s.opt.clear_set)
    view[SIZES + 1] = np.float32(s.pile_n) / cards
    view[SIZES + 2] = np.float32(s.draw_n) / cards
    view[SIZES + 3] = np.float32(s.hand_n[seat]) / cards
    view[SIZES + 4] = np.float32(s.down_n[seat]) / np.float32(TABLE_CARDS)
    if s.phase != Phase.OVER:
        view[PHASE + s.phase] = 1.0
        zone = source(s, int(s.seat))
        if s.phase != Phase.TARGET and zone != NOTHING:
            view[SOURCE + zone] = 1.0
        view[OWN + 1] = 1.0 if seat == s.seat else 0.0
    view[OWN + 2] = np.float32(s.plies) / np.float32(s.opt.move_limit)


@kernel
def _see_opponent(s: Record, seat: int, other: int, view: Any, unseen: Any, copies: Any) -> None:
    cards = np.float32(s.opt.deck_size)
    known, up = s.known[other], s.up[other]
    shown = np.float32(visible_up(s, seat, other))
    for card in range(TYPES):
        in_hand, face_up = np.float32(known[card]), shown * np.float32(up[card])
        view[card] = in_hand / copies
        view[TYPES + card] = face_up / copies
        unseen[card] -= in_hand + face_up
    view[2 * TYPES] = np.float32(s.hand_n[other]) / cards
    view[2 * TYPES + 1] = shown * np.float32(s.up_n[other]) / np.float32(TABLE_CARDS)
    view[2 * TYPES + 2] = np.float32(s.down_n[other]) / np.float32(TABLE_CARDS)
    view[2 * TYPES + 3] = 0.0  # is out: below
    view[2 * TYPES + 4] = 1.0 if s.phase != Phase.OVER and other == s.seat else 0.0


@leaf
def _see_out(s: Record, seat: int, view: Any) -> None:
    """Who is out: recorded after drawing, so not yet a seat whose last GIVE asks for a receiver [K-80]."""
    for place in range(s.out_n):
        ahead = around(s.out[place] + s.seats - seat, s.seats)
        view[OWN if ahead == 0 else OPPONENTS + OPPONENT * (ahead - 1) + 2 * TYPES + 3] = 1.0
