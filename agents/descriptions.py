"""Policies over described actions: the features each is given, and its scores put in the places of the actions.

The number of an action says little of what comes of it: that of a space on Tantrix's border has no lasting meaning.
Here each action is put into features first; a small network scores one action at a time, with the same weights for all
of them, whatever the number of seats.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Features, Game
from tantra_envs.opponents import networks

from .network_spec import Observations

NO_ACTION = -1e8  # the logit of an action that is not described
Rows = npt.NDArray[np.int64]


def features_of(game: Game) -> Features:
    """Return the features of a game's actions, which `NetworkSpec.check` has seen to exist."""
    assert game.features is not None
    return game.features


def inputs_of(policy: str, game: Game) -> int:
    """How many numbers the network is given for an action: its features and those of its table."""
    features = features_of(game)
    return features.FEATURES + features.TABLE


def described(policy: str, game: Game, views: Observations) -> tuple[Rows, Rows, Observations, Observations]:
    """Tables and actions (n,), the network's inputs (n, inputs_of(policy, game)); of the tables (k, table)."""
    rows, actions, features, table = features_of(game).describe(game, np.ascontiguousarray(views))
    return rows, actions, np.concatenate([features, table[rows]], axis=1), table


def logits(policy: str, game: Game, net: Observations, views: Observations) -> Observations:
    """What a packed network makes of all described actions, (k, actions.size)."""
    rows, actions, inputs, _ = described(policy, game, views)
    found = np.full((len(views), game.actions.size), NO_ACTION, np.float32)
    found[rows, actions] = networks.logits(net, inputs)[:, 0]
    return found
