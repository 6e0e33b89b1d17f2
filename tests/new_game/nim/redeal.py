"""Resampling of hidden information: in Nim only the random stream."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Replace everything that `seat` cannot know, or with ALL_SEATS (-1) what no seat knows."""
    seed_stream(s.rng, seed)
