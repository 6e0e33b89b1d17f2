"""The seeds of deals. Deal 7 of seed 3 is the same in every program."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.game import is_whole
from ..core.options import require

SEEDS = 1 << 31  # seeds are smaller than this
DEALS = 1 << 32  # deals of each seed


def deal_seeds(seed: int, first: int, n: int) -> npt.NDArray[np.int64]:
    """Return the arguments of `game.new` for the deals `first` .. `first + n - 1` of a seed, shape (n,).

    Raises:
        ValueError: The seed is not an integer 0 .. 2**31 - 1, or n is not one from 1 on.
    """
    check_deals(n, seed)
    return np.arange(first, first + n, dtype=np.int64) + seed * DEALS


def check_deals(n: int, seed: int) -> None:
    """Raise ValueError unless there can be `n` deals of a seed."""
    require("deals", n, is_whole(n) and n >= 1, "1 or more")
    require("seed", seed, is_whole(seed) and 0 <= seed < SEEDS, f"0..{SEEDS - 1}")
