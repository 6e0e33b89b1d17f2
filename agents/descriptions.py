"""Policies over described actions: the features each is given, and its scores put in the places of the actions.

The number of an action says little of what comes of it: that of a space on Tantrix's border has no lasting meaning.
Here each action is put into features first; a small network scores one action at a time, with the same weights for all
of them, whatever the number of seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tantra_envs.core import networks
from tantra_envs.core.game import Game

from . import placement_features
from .foresight import gobble, kanastic, solitaire, tantra, tantrix
from .network_spec import Observations, described_as

NO_ACTION = -1e8  # the logit of an action that is not described
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """What describes the actions of some tables, and by how many numbers: of each action, and of its table."""

    describe: Callable[[Game, Observations], tuple[Rows, Rows, Observations, Observations]]
    features: int
    table: int


KINDS = {  # by what network_spec.DESCRIBED calls the game, and policy
    ("tantrix strategy", "foresight"): Kind(tantrix.outcomes, tantrix.OUTCOMES, placement_features.TABLE),
    ("tantrix solitaire", "foresight"): Kind(solitaire.outcomes, solitaire.FEATURES, placement_features.TABLE),
    ("tantrix gobble", "foresight"): Kind(gobble.outlook, gobble.FEATURES, gobble.TABLE),
    ("kanastic", "foresight"): Kind(kanastic.outlook, kanastic.FEATURES, kanastic.TABLE),
    ("tantra", "foresight"): Kind(tantra.outlook, tantra.FEATURES, tantra.TABLE),
}


def kind_of(policy: str, game: Game) -> Kind:
    """What describes the actions of a game; the spec that names the policy has checked that there is one."""
    return KINDS[described_as(game), policy]


def inputs_of(policy: str, game: Game) -> int:
    """How many numbers the network is given for an action: its features and those of its table."""
    kind = kind_of(policy, game)
    return kind.features + kind.table


def described(policy: str, game: Game, views: Observations) -> tuple[Rows, Rows, Observations, Observations]:
    """Tables and actions (n,), the network's inputs (n, inputs_of(policy, game)); of the tables (k, table)."""
    rows, actions, features, table = kind_of(policy, game).describe(game, np.ascontiguousarray(views))
    return rows, actions, np.concatenate([features, table[rows]], axis=1), table


def logits(policy: str, game: Game, net: Observations, views: Observations) -> Observations:
    """What a packed network makes of all described actions, (k, actions.size)."""
    rows, actions, inputs, _ = described(policy, game, views)
    found = np.full((len(views), game.actions.size), NO_ACTION, np.float32)
    found[rows, actions] = networks.logits(net, inputs)[:, 0]
    return found
