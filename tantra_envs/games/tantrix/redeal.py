"""Resample the information that is hidden from a seat.

The order of the tiles to come is hidden, and in a race also the seats that hold them [O1].
"""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record
from .board.bag import shuffle_bag
from .modes.gobble import gather_unknown, hand_back_unknown


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Replace `s` by a determinization for `seat`, or for ALL_SEATS, drawn uniformly from `seed`."""
    seed_stream(s.rng, seed)
    gather_unknown(s)
    open_tiles = min(int(s.opt.lookahead), int(s.bag_n))
    s.bag_n -= open_tiles  # the next tiles to come are the last entries
    shuffle_bag(s)
    s.bag_n += open_tiles
    hand_back_unknown(s)
