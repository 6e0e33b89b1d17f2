"""Policies over placements: the features each is given, and its scores put in the places of the actions.

The number of a space on the border has no lasting meaning, so a network over the whole observation can learn little
from it. Here each placement is put into features first; a small network scores one placement at a time, with the same
weights for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core import networks
from tantra_envs.core.game import Game

from .foresight import OUTCOMES, outcomes
from .network_spec import Observations
from .placement_features import FEATURES, TABLE, placements

NO_PLACEMENT = -1e8  # the logit of an action that stands for nothing
Rows = npt.NDArray[np.int64]
# What describes placements, and by how many features.
KINDS: dict[str, tuple[Callable[..., Any], int]] = {
    "placements": (placements, FEATURES),
    "foresight": (outcomes, OUTCOMES),
}


def inputs_of(policy: str) -> int:
    """How many numbers the network is given for a placement: its features and those of its table."""
    return KINDS[policy][1] + TABLE


def described(policy: str, game: Game, views: Observations) -> tuple[Rows, Rows, Observations, Observations]:
    """Tables and actions of placements (n,), the network's inputs (n, inputs_of(policy)); of the tables (k, TABLE)."""
    rows, actions, features, table = KINDS[policy][0](game, np.ascontiguousarray(views))
    return rows, actions, np.concatenate([features, table[rows]], axis=1), table


def logits(policy: str, game: Game, net: Observations, views: Observations) -> Observations:
    """What a packed network makes of all placements, (k, actions.size)."""
    rows, actions, inputs, _ = described(policy, game, views)
    found = np.full((len(views), game.actions.size), NO_PLACEMENT, np.float32)
    found[rows, actions] = networks.logits(net, inputs)[:, 0]
    return found
