"""Resampling of what a seat cannot know: hidden cards of other hands, face-down cards, and the draw pile."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.observers import collect, complete, knows_hand
from ...core.rng import seed_stream, shuffle, sort
from ...core.state import Record
from .material import TYPES
from .state import visible_up


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Resample `s` uniformly among the tables that look the same to `seat`, or to ALL_SEATS, from `seed`.

    The number of cards in every zone is public. The unknown cards are collected in `s.draw`, shuffled, and dealt back
    into the zones they came from.
    """
    seed_stream(s.rng, seed)
    size = int(s.draw_n)
    collected = _collect(s, seat)
    sort(s.draw, collected)  # only the set of cards enters the shuffle, not where they were
    shuffle(s.rng, s.draw, collected)
    _deal_back(s, seat, size, collected)


@kernel
def _collect(s: Record, seat: int) -> int:
    """Move all cards unknown to `seat` to the end of `s.draw`; return the number of cards there."""
    n = int(s.draw_n)
    for other in range(s.seats):
        for i in range(s.down_n[other]):
            s.draw[n] = s.down[other, i]
            n += 1
        if knows_hand(seat, other):
            continue
        n = collect(s.hands[other], s.known[other], s.draw, n)
        if not visible_up(s, seat, other):
            for card in range(TYPES):
                for _ in range(s.up[other, card]):
                    s.draw[n] = card
                    n += 1
                s.up[other, card] = 0
    return n


@kernel
def _deal_back(s: Record, seat: int, size: int, n: int) -> None:
    """Fill the zones from the end of `s.draw[:n]`, which leaves the draw pile with its `size` cards."""
    for other in range(s.seats):
        for i in range(s.down_n[other]):
            n -= 1
            s.down[other, i] = s.draw[n]
        if not knows_hand(seat, other):
            n = complete(s.up[other], int(s.up_n[other]), s.draw, n)
            n = complete(s.hands[other], int(s.hand_n[other]), s.draw, n)
    for i in range(size, s.opt.deck_size):
        s.draw[i] = 0
