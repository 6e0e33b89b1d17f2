"""The architecture and the inputs of networks. Building one for training needs torch (`agents.networks`)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.compiled.network import MOST_LAYERS
from ..core.game import Game
from ..core.observation import Observation
from ..core.options import require

MOST_NUMBERS = 1 << 24  # the largest integers that float32 holds exactly; a compiled network is an array of these
Policy = Literal["mlp", "features", "value"]
Observations = npt.NDArray[np.float32]


@dataclass(frozen=True)
class NetworkSpec:
    """The architecture of a network, as far as it does not follow from the game.

    `mlp` reads an observation and rates all actions at once. `features` rates one action at a time, by its action
    features (`game.features`). `value` is a critic: see `critics.py`.
    """

    policy: Policy = "mlp"
    net_arch: tuple[int, ...] = (128, 128)  # hidden layers
    activation: Literal["tanh", "relu"] = "tanh"
    transform: Literal["none", "symlog"] = "none"  # applied to the observation
    inputs: Literal["table", "action"] = "table"  # of a critic: the table, or also the action that the policy prefers

    def check(self, game: Game) -> None:
        """Raise ValueError if such a network does not fit the game, or could not be compiled."""
        if self.policy != "mlp" and self.transform != "none":
            raise ValueError(f"transform={self.transform!r} is not allowed with policy={self.policy!r}; allowed: none")
        weights = sum(inputs * outputs for inputs, outputs in pairwise(self.widths(game)))
        fits = len(self.net_arch) <= MOST_LAYERS and weights <= MOST_NUMBERS
        require("net_arch", self.net_arch, fits, f"{MOST_LAYERS} layers and {MOST_NUMBERS:,} weights at most")

    def widths(self, game: Game) -> tuple[int, ...]:
        """Return the sizes of the layers from the inputs to the outputs: one rating, one value, or all actions."""
        if self.policy == "value":
            of_action, of_table = game.features.sizes
            return of_table + of_action * (self.inputs == "action") + 1, *self.net_arch, 1
        if self.policy != "mlp":
            return sum(game.features.sizes), *self.net_arch, 1
        return game.view.size, *self.net_arch, game.actions.size


MLP = NetworkSpec()


def mode_of(game: Game) -> str:
    """Return the id of a game, with its mode if it has modes: a network over features serves one mode."""
    return f"{game.id} {game.config['mode']}" if "mode" in game.config else game.id


def policy_inputs(spec: NetworkSpec, obs: Observation) -> Any:
    """Return the inputs of a policy at the tables of `obs`.

    Returns:
        The `Described` legal actions for a policy over action features; else observations (k, view.size) float32.
    """
    return obs.observation if spec.policy == "mlp" else obs.described
