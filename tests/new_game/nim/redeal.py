"""Nothing is hidden but the random stream."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """The same table with other chance."""
    seed_stream(s.rng, seed)
