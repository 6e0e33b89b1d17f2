"""Play Gobble from the concealed record and the mask.

In a race every filled gobble removes two tiles: the placed tile and the gift. So the agent prefers fills, first with a
penalty tile, which fits nowhere else. A placement should leave no gobble for the next seat. Gifts go to the opponent
who is nearest to going out. A single player saves gobbles until there is a penalty tile to get rid of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States
from ...actions import GOBBLE_PLACES
from ...board.hexes import FORCED, opens
from ...material import ROTATIONS
from ...modes.gobble import BAG, DISCARD, GIVE, PLAY
from ..standing import share
from .lines import shares

FILL, FILL_WITH_PENALTY, LAY = 20.0, 30.0, 10.0  # values of placements, before the details
GIVE_PENALTY = 10.0  # a penalty tile is harder to place than any other


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the lead over the opponent with the fewest tiles; for one player minus the penalty stack."""
    tiles = shares(known["penalty_n"][:, : game.players])
    if game.players == 1:
        return -tiles[:, 0]
    tiles = tiles + shares(known["piles_n"][:, : game.players])
    return np.asarray(tiles[:, 1:].min(axis=1) - tiles[:, 0])


@kernel
def decide(s: Record, mask: Any) -> int:
    """Return the action with the highest value; of equal values, the first."""
    chosen, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            worth = value(s, action)
            if chosen < 0 or worth > most:
                chosen, most = action, worth
    return chosen


@kernel
def rate(s: Record, mask: Any, values: Any) -> None:
    """Fill in the values of all legal actions; other entries stay."""
    for action in range(len(mask)):
        if mask[action] == 1:
            values[action] = value(s, action)


@kernel
def value(s: Record, action: int) -> float:
    """Return the value of an action for seat 0."""
    return _alone(s, action) if s.seats == 1 else _racing(s, action)


@kernel
def _alone(s: Record, action: int) -> float:
    """Return the value of an action for one player.

    Playing a penalty tile is best, then putting it back. A gobble is filled only if there is a penalty tile.
    """
    if action >= GOBBLE_PLACES:
        bonus = action - GOBBLE_PLACES
        return 2.0 if bonus == PLAY else 1.0 if bonus == BAG else 0.0
    f = action // ROTATIONS
    filled = FILL if s.touch[f] >= FORCED else 0.0
    return (filled if s.penalty_n[0] > 0 else -filled) + opens(s, int(s.border[f]))


@kernel
def _racing(s: Record, action: int) -> float:
    """Return the value of an action in a race; filling a gobble is best, if possible with a penalty tile."""
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
    """Return the value of a gift, which should go to the opponent with the fewest tiles; sums of shares break ties."""
    others = s.seats - 1
    seat = 1 + gift % others
    return float(GIVE_PENALTY * (gift >= others) - (share(int(s.penalty_n[seat])) + share(int(s.piles_n[seat]))))
