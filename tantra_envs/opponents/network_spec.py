"""The architecture and the inputs of networks. Building one for training needs torch (`agents.networks`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.game import Features, Game
from ..core.observation import Observation
from ..core.playouts import chosen
from ..core.state import States

Policy = Literal["mlp", "features"]
Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]


@dataclass(frozen=True)
class NetworkSpec:
    """The architecture of a network, as far as it does not follow from the game.

    `mlp` reads an observation and rates all actions at once. `features` rates one action at a time, by its action
    features (`features.py` of the game).
    """

    policy: Policy = "mlp"
    net_arch: tuple[int, ...] = (128, 128)  # hidden layers
    activation: Literal["tanh", "relu"] = "tanh"
    transform: Literal["none", "symlog"] = "none"  # applied to the observation
    advice: bool = False  # the inputs include the scripted agent's action
    output: Literal["actions", "value"] = "actions"  # a logit for every action, or for the expected score

    def check(self, game: Game) -> None:
        """Raise ValueError if such a network does not fit the game."""
        if self.advice:
            _ = game.scripted  # raises ValueError if there is none
        if self.policy == "mlp":
            return
        if game.features is None:
            why = "its actions have no features"
            raise ValueError(f"policy={self.policy!r} is not allowed for {mode_of(game)}; allowed: mlp ({why})")
        if self.advice:
            raise ValueError(f"advice=True is not allowed with policy={self.policy!r}; allowed: False")
        if self.transform != "none":
            raise ValueError(f"transform={self.transform!r} is not allowed with policy={self.policy!r}; allowed: none")

    def widths(self, game: Game) -> tuple[int, ...]:
        """Return the sizes of the layers from the inputs to the outputs. With `features` the output is one rating."""
        if self.policy != "mlp":
            return sum(feature_sizes(game)), *self.net_arch, 1
        outputs = game.actions.size if self.output == "actions" else 1
        return game.view.size + (game.actions.size if self.advice else 0), *self.net_arch, outputs


MLP = NetworkSpec()


def mode_of(game: Game) -> str:
    """Return the id of a game, with its mode if it has modes: a network over features serves one mode."""
    return f"{game.id} {game.config['mode']}" if "mode" in game.config else game.id


def features_of(game: Game) -> Features:
    """Return the action features of a game. `NetworkSpec.check` has checked that they exist."""
    assert game.features is not None
    return game.features


def feature_sizes(game: Game) -> tuple[int, int]:
    """Return the number of features of an action, and of its table."""
    features = features_of(game)
    return features.FEATURES, features.TABLE


def reads_records(policy: Policy, game: Game) -> bool:
    """Return whether a policy reads concealed records: a policy over action features does."""
    return policy != "mlp"


def policy_inputs(spec: NetworkSpec, obs: Observation) -> Any:
    """Return the inputs of a policy at the tables of `obs`.

    Returns:
        Concealed records (k,), where `reads_records` is true; else the inputs of a network (k, width) float32.
    """
    if reads_records(spec.policy, obs.game):
        return obs.known
    advisor = obs.known if spec.advice else None
    return network_inputs(obs.game, obs.observation, obs.action_mask, advisor)


def as_bytes(known: States) -> npt.NDArray[np.uint8]:
    """Return records (k,) as bytes, (k, size of a record)."""
    return known.view(np.uint8).reshape(len(known), known.dtype.itemsize)


def network_inputs(game: Game, observations: Observations, masks: Masks, known: Any = None) -> Observations:
    """Return the inputs of a network, shape (k, width).

    Args:
        game: The game.
        observations: Observations of k seats.
        masks: Their legal actions. A mask that allows everything marks a table without a decision.
        known: For `advice`, the concealed tables (k,): a one-hot of the scripted agent's action follows each
            observation, or zeros where there is no decision. None = without advice.
    """
    if known is None:
        return observations
    advised = np.zeros(masks.shape, np.float32)
    rows = np.flatnonzero(~masks.all(axis=1))
    advised[rows, chosen(game, known[rows], masks[rows])] = 1
    return np.concatenate([observations, advised], axis=1)
