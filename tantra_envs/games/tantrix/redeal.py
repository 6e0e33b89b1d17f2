"""Drawing again what a seat cannot know: the order of the tiles to come. All else lies open [O1]."""

from __future__ import annotations

from ...core.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record
from .bag import shuffle_bag


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Make `s` a table that looks the same to `seat`, drawn uniformly from `seed`."""
    seed_stream(s.rng, seed)
    shuffle_bag(s)
