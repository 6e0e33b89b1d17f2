"""The odds that the next seat has no card to play, from the cards that seat 0 does not see."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, record
from ..material import FIRST_KARMA, FIVE, TYPES

UNSEEN = [("unseen", np.int16, (TYPES,))]  # cards whose place is unknown, by type
WORK = record(UNSEEN)


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that the odds are looked up in, shape (1,)."""
    return np.zeros(1, WORK)


@kernel
def odds_stuck(known: Record, seat: int, top: int, work: Any) -> float:
    """Return the probability that a seat has no card to play on `top`."""
    if top == FIVE:
        return odds_without(known, seat, 0, int(known.opt.five_limit) - 1, True, work)
    return odds_without(known, seat, top, FIRST_KARMA - 1, True, work) if top < FIRST_KARMA else 0.0


@kernel
def odds_without(known: Record, seat: int, lowest: int, highest: int, or_karma: bool, work: Any) -> float:
    """Return the probability that a seat has none of the types lowest .. highest, and with `or_karma` no karma card."""
    hand = int(known.hand_n[seat])
    seen = known.known[seat] if hand > 0 else known.up[seat]
    hidden = hand
    fitting, unseen = 0, 0
    for card in range(TYPES):
        fits = lowest <= card <= highest or (or_karma and card >= FIRST_KARMA)
        if fits and seen[card] > 0:
            return 0.0
        hidden -= known.known[seat, card]
        unseen += work.unseen[card]
        if fits:
            fitting += work.unseen[card]
    if hand == 0 and known.up_n[seat] == 0:
        hidden = 1  # the next face-down card
    return (1.0 - fitting / unseen) ** hidden if unseen > 0 else 1.0


@kernel
def count_unseen(known: Record, unseen: Any) -> None:
    """Fill in how many cards of each type have an unknown place: all that seat 0 does not see."""
    for card in range(TYPES):
        unseen[card] = known.opt.copies - known.hands[0, card] - known.piled[card] - known.gone[card]
    for seat in range(known.seats):
        for card in range(TYPES):
            unseen[card] -= known.up[seat, card] + (known.known[seat, card] if seat > 0 else 0)
