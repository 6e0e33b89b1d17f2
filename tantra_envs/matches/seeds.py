"""The seeds of deals: whoever plays deal 7 of seed 3 plays the same one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SEEDS = 1 << 31  # seeds are below this
DEALS = 1 << 32  # that each of them has


def deal_seeds(seed: int, first: int, n: int) -> npt.NDArray[np.int64]:
    """What `game.new` takes for the deals `first` .. `first + n - 1` of a seed, shape (n,).

    ValueError for a seed outside 0 .. 2**31 - 1, or for no deal at all.
    """
    if n < 1:
        raise ValueError(f"deals={n} is not allowed; allowed: 1 or more")
    if not 0 <= seed < SEEDS:
        raise ValueError(f"seed={seed} is not allowed; allowed: 0..{SEEDS - 1}")
    return np.arange(first, first + n, dtype=np.int64) + seed * DEALS
