"""Count the points of the seats, for search, measures and drawings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel, leaf
from ....core.game import Game
from ....core.state import States
from ..material import TILES
from ..state import Mode

UNIT = "points"


@kernel
def standing(s: Any, seat: int) -> float:
    """Return an estimate of the reward of a seat where a playout stops.

    The estimate is the longest line, in Solitaire of the goal (T5), or in Gobble minus the number of tiles in the pile
    and on the penalty stack.
    """
    if s.opt.mode == Mode.GOBBLE:
        return -float(s.penalty_n[seat] + s.piles_n[seat])
    if s.seats > 1 or (s.opt.mode == Mode.SOLITAIRE and s.opt.goal > 0):
        return float(s.best[s.colours[seat]])
    longest = 0
    for colour in range(len(s.best)):
        longest = max(longest, int(s.best[colour]))
    return float(longest)


@leaf
def share(tiles: int) -> Any:
    """Return a number of tiles as a share of all, rounded as in observations."""
    return np.float32(tiles) / np.float32(TILES)


def points(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return every score: that of the colour, in Solitaire of the goal (T5), in Gobble minus the tiles owned."""
    if game.config["mode"] == "gobble":
        return -np.asarray(owned(states)[:, : game.players], np.int64)
    if game.config["mode"] == "solitaire" and game.config["goal"] == "best":
        return np.asarray(states["best"].max(axis=1, keepdims=True), np.int64)
    own = states["colours"][:, : game.players].astype(np.int64)
    return np.take_along_axis(states["best"], own, axis=1).astype(np.int64)


def owned(s: Any) -> Any:
    """Return how many tiles each seat owns in Gobble; `s` is a table, or many of them."""
    return s["piles_n"].astype(int) + s["penalty_n"] + (s["hands"][..., 0] > 0)
