"""Compute the features of a table, which the modes share."""

from __future__ import annotations

from typing import Any

from .....core.blocks import Block, Blocks
from .....core.compiled.jit import kernel
from .....core.state import Record
from ...board.bag import restrained
from ...material import MOST_LOOP, TILES
from ...state import Phase
from ..standing import share

# All tiles in one line: as a closed loop it scores most, open it can grow at both ends.
MOST_SCORE, MOST_SQUARES = MOST_LOOP * TILES, 2 * TILES**2

OF_TABLE = Blocks(
    Block("to_come", 1, "tiles in the bag / 56"),
    Block("restrained", 1, "1 = the three restraints hold"),
    Block("step", 3, "one-hot: FILL, FREE, REFILL; zero when the game is over"),
    Block("lead", 1, "own score, less the highest score of the other seats / 56 x 5; in Solitaire the score of the "
          "first colour", low=-5 * MOST_SCORE / TILES, high=5 * MOST_SCORE / TILES),
)  # fmt: skip

T = OF_TABLE.starts


@kernel
def describe_table(s: Record, table: Any) -> None:
    """Fill in the features of a table, (OF_TABLE.size,), which are equal for all its placements."""
    table[T.to_come] = share(int(s.bag_n))
    table[T.restrained] = restrained(s)
    if s.phase != Phase.OVER:
        table[T.step + s.phase] = 1.0
    best = 0.0
    for seat in range(1, s.seats):
        best = max(best, float(share(int(s.best[s.colours[seat]]))))
    table[T.lead] = 5.0 * (float(share(int(s.best[s.colours[0]]))) - best)
