"""Compute the features of a table, which the modes share."""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..board.bag import restrained
from ..standing import share
from ..state import Phase

SIZE = 6  # features of a table in Strategy and Solitaire: tiles to come, restrained, one-hot step, lead


@kernel
def describe_table(s: Record, table: Any) -> None:
    """Fill in the features of a table, (SIZE,), which are equal for all its placements."""
    table[0] = share(int(s.bag_n))
    table[1] = restrained(s)
    if s.phase != Phase.OVER:
        table[2 + s.phase] = 1.0
    best = 0.0
    for seat in range(1, s.seats):
        best = max(best, float(share(int(s.best[s.colours[seat]]))))
    table[5] = 5.0 * (float(share(int(s.best[s.colours[0]]))) - best)
