"""Compute the features of a table, which the modes share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel, leaf
from ....core.state import Record
from ..board.bag import restrained
from ..material import TILES
from ..state import Phase
from .sets import set_of

SIZE = 6  # features of a table in Strategy and Solitaire: tiles to come, restrained, one-hot step, lead


@kernel
def unseen_of(known: Record) -> int:
    """Return the set of the tiles still to come at a concealed table."""
    return set_of(known.bag)


@kernel
def describe_table(s: Record, table: Any) -> None:
    """Fill in the features of a table, (SIZE,), which are equal for all its placements."""
    table[0] = _share(int(s.bag_n))
    table[1] = restrained(s)
    if s.phase != Phase.OVER:
        table[2 + s.phase] = 1.0
    best = 0.0
    for seat in range(1, s.seats):
        best = max(best, float(_share(int(s.best[s.colours[seat]]))))
    table[5] = 5.0 * (float(_share(int(s.best[s.colours[0]]))) - best)


@leaf
def _share(tiles: int) -> Any:
    """Return a number of tiles as a share of all, rounded as in observations."""
    return np.float32(tiles) / np.float32(TILES)
