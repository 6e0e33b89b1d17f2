"""Find the loops on a table, for studies and for agents that avoid loops; the rules do not need them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import entry_point, kernel
from ....core.state import States
from ..board.lines import follow, link
from ..board.tiles import colour_at, shown
from ..material import SIDES, TILES


def longest_loops(states: States) -> npt.NDArray[np.int64]:
    """Return the score of the longest loop in the colour of every seat.

    Args:
        states: n tables.

    Returns:
        An int64 array of shape (n, seats); 0 = no loop.
    """
    loops = np.zeros((len(states), int(states["seats"].max(initial=0))), np.int64)
    _loop_rows(states, loops)
    return loops


@entry_point
def _loop_rows(states: Any, loops: Any) -> None:
    for i in range(len(states)):
        for seat in range(states[i].seats):
            loops[i, seat] = _longest_loop(states[i], int(states[i].colours[seat]))


@kernel
def _longest_loop(s: Any, colour: int) -> int:
    best = 0
    for tile in range(1, TILES + 1):
        if s.cell[tile] != 0:
            sides = shown(tile, int(s.rot[tile]))
            for d in range(SIDES):
                if colour_at(sides, d) == colour and d < link(s, tile, d):
                    ahead = follow(s, int(s.cell[tile]), d)
                    if ahead < 0:  # it comes back
                        best = max(best, int(s.opt.loop_factor) * (1 - ahead))
    return best
