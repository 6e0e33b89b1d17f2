"""Drawing again what a seat cannot know: the order of the tiles to come, in a race also who has them [O1]."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record
from .board.bag import shuffle_bag
from .modes.gobble import gather_unknown, hand_back_unknown


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Make `s` a table that looks the same to `seat`, or to ALL_SEATS, drawn uniformly from `seed`."""
    seed_stream(s.rng, seed)
    gather_unknown(s)
    open_tiles = min(int(s.opt.lookahead), int(s.bag_n))
    s.bag_n -= open_tiles  # the next to come lie last
    shuffle_bag(s)
    s.bag_n += open_tiles
    hand_back_unknown(s)
