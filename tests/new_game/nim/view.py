"""The observation of a seat: in Nim the whole table."""

from __future__ import annotations

from typing import Any

from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.options import Config
from ...core.state import Record
from .material import MOST

LEFT, LAST, TURN, OVER = range(4)


def view_blocks(config: Config) -> ViewBlocks:
    """Return the blocks of the observation under a configuration."""
    return ViewBlocks(
        Block("left", 1, "tokens left / heap", scale=config["heap"]),
        Block("last", 1, "taken last / 3", scale=MOST),
        Block("turn", 1, "1 = to decide"),
        Block("over", 1, "1 = over"),
    )


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Write the observation of `seat` into `view`. `s` is the whole table: leave out what `seat` may not see."""
    view[LEFT] = s.left
    view[LAST] = s.last
    view[TURN] = s.over == 0 and seat == s.seat
    view[OVER] = s.over
