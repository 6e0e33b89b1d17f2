"""Gobble as a sensible person plays it, from the view and the mask alone.

In a race every gobble filled costs two tiles, its own and the one given away, so they come first, best with a penalty
tile, which goes nowhere else; a placement should leave the next player no gobble. Gifts go to the opponent who is
nearest to going out. Alone, gobbles are saved until there is a penalty tile to get rid of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ..actions import GOBBLE_PLACES
from ..board.hexes import FORCED
from ..material import ROTATIONS, STRATEGY_SPACES
from ..modes.gobble import BAG, DISCARD, GIVE, PLAY

BLOCKS = ("cells", "cell_touch", "penalties", "piles")  # of the view: where they begin is `at`
FILL, FILL_WITH_PENALTY, LAY = 20.0, 30.0, 10.0  # what a placement is worth, before the details
GIVE_PENALTY = 10.0  # a penalty tile is harder to lay than any other


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the fewest tiles of the others less the own; alone minus the penalty stack."""
    tiles = views[:, game.view["penalties"].slice].astype(np.float64)
    if game.players == 1:
        return -tiles[:, 0]
    tiles = tiles + views[:, game.view["piles"].slice]
    return np.asarray(tiles[:, 1:].min(axis=1) - tiles[:, 0])


@kernel
def decide(seats: int, at: Any, view: Any, mask: Any) -> int:
    """The action of one table: that of the highest value, of equals the first."""
    chosen, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            worth = value(seats, at, view, action)
            if chosen < 0 or worth > most:
                chosen, most = action, worth
    return chosen


@kernel
def rate(seats: int, at: Any, view: Any, mask: Any, values: Any) -> None:
    """The values of all legal actions; those of others stay."""
    for action in range(len(mask)):
        if mask[action] == 1:
            values[action] = value(seats, at, view, action)


@kernel
def value(seats: int, at: Any, view: Any, action: int) -> float:
    """What an action is worth."""
    return _alone(at, view, action) if seats == 1 else _racing(seats, at, view, action)


@kernel
def _alone(at: Any, view: Any, action: int) -> float:
    """Best a penalty tile played, else put back; a gobble filled only for such a bonus."""
    if action >= GOBBLE_PLACES:
        bonus = action - GOBBLE_PLACES
        return 2.0 if bonus == PLAY else 1.0 if bonus == BAG else 0.0
    f = action // ROTATIONS
    filled = view[at[1] + f] >= FORCED
    rids = 1.0 if view[at[2]] > 0 else -1.0
    return float(FILL * rids * filled + _opened(at, view, f))


@kernel
def _racing(seats: int, at: Any, view: Any, action: int) -> float:
    """Best a gobble filled, with a penalty tile if there is one; a gift to whoever owns the fewest tiles."""
    other = action - 2 * GOBBLE_PLACES
    if other >= GIVE:
        others = seats - 1
        gift = other - GIVE
        seat = 1 + gift % others
        return float(GIVE_PENALTY * (gift >= others) - (view[at[2] + seat] + view[at[3] + seat]))
    if other >= DISCARD:
        return 0.0
    f = (action % GOBBLE_PLACES) // ROTATIONS
    if view[at[1] + f] >= FORCED:
        return (FILL if action < GOBBLE_PLACES else FILL_WITH_PENALTY) - _opened(at, view, f)
    return LAY - _opened(at, view, f)


@kernel
def _opened(at: Any, view: Any, f: int) -> float:
    """How many spaces become gobbles when space `f` is filled."""
    opened = 0.0
    for g in range(STRATEGY_SPACES):
        if view[at[1] + g] == FORCED - 1 and g != f:
            dq = view[at[0] + 2 * g] - view[at[0] + 2 * f]
            dr = view[at[0] + 2 * g + 1] - view[at[0] + 2 * f + 1]
            if max(abs(dq), abs(dr), abs(dq + dr)) == 1:
                opened += 1.0
    return opened
