"""Gobble by the concealed record and the mask.

In a race every gobble filled costs two tiles, its own and the one given away, so they come first, best with a penalty
tile, which goes nowhere else; a placement should leave the next player no gobble. Gifts go to the opponent who is
nearest to going out. Alone, gobbles are saved until there is a penalty tile to get rid of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel, leaf
from ....core.game import Game
from ....core.state import Record, States
from ..actions import GOBBLE_PLACES
from ..board.hexes import FORCED, opens
from ..material import ROTATIONS, TILES
from ..modes.gobble import BAG, DISCARD, GIVE, PLAY
from .lines import shares

FILL, FILL_WITH_PENALTY, LAY = 20.0, 30.0, 10.0  # what a placement is worth, before the details
GIVE_PENALTY = 10.0  # a penalty tile is harder to lay than any other


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the fewest tiles of the others less the own; alone minus the penalty stack."""
    tiles = shares(known["penalty_n"][:, : game.players])
    if game.players == 1:
        return -tiles[:, 0]
    tiles = tiles + shares(known["piles_n"][:, : game.players])
    return np.asarray(tiles[:, 1:].min(axis=1) - tiles[:, 0])


@kernel
def decide(s: Record, mask: Any) -> int:
    """Return the action of the highest value, of equal ones the first."""
    chosen, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            worth = value(s, action)
            if chosen < 0 or worth > most:
                chosen, most = action, worth
    return chosen


@kernel
def rate(s: Record, mask: Any, values: Any) -> None:
    """Fill in the values of all legal actions; those of others stay."""
    for action in range(len(mask)):
        if mask[action] == 1:
            values[action] = value(s, action)


@kernel
def value(s: Record, action: int) -> float:
    """Return what an action is worth to seat 0."""
    return _alone(s, action) if s.seats == 1 else _racing(s, action)


@kernel
def _alone(s: Record, action: int) -> float:
    """Return the worth of an action: best a penalty tile played, else put back; a gobble filled only for a bonus."""
    if action >= GOBBLE_PLACES:
        bonus = action - GOBBLE_PLACES
        return 2.0 if bonus == PLAY else 1.0 if bonus == BAG else 0.0
    f = action // ROTATIONS
    filled = FILL if s.touch[f] >= FORCED else 0.0
    return (filled if s.penalty_n[0] > 0 else -filled) + opens(s, int(s.border[f]))


@kernel
def _racing(s: Record, action: int) -> float:
    """Return the worth of an action: best a gobble filled, with a penalty tile if there is one."""
    other = action - 2 * GOBBLE_PLACES
    if other >= GIVE:
        return _gift(s, other - GIVE)
    if other >= DISCARD:
        return 0.0
    f = (action % GOBBLE_PLACES) // ROTATIONS
    opened = float(opens(s, int(s.border[f])))
    if s.touch[f] >= FORCED:
        return (FILL if action < GOBBLE_PLACES else FILL_WITH_PENALTY) - opened
    return LAY - opened


@kernel
def _gift(s: Record, gift: int) -> float:
    """Return the worth of a gift: it should go to the opponent with the fewest tiles."""
    others = s.seats - 1
    seat = 1 + gift % others
    return float(GIVE_PENALTY * (gift >= others) - (_share(int(s.penalty_n[seat])) + _share(int(s.piles_n[seat]))))


@leaf
def _share(tiles: int) -> Any:
    """Return a number of tiles as a share of all, rounded as in observations: a sum of such decides between equals."""
    return np.float32(tiles) / np.float32(TILES)
