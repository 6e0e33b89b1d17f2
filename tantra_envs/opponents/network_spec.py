"""How a network is built and what it is given, in words. Building one for training takes torch (`agents.networks`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.game import Features, Game
from ..core.observation import Observation
from ..core.state import States

Policy = Literal["mlp", "features"]
Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]


@dataclass(frozen=True)
class NetworkSpec:
    """The parts of a network that its game does not decide.

    `mlp` reads an observation and rates all actions at once. `features` rates one action at a time, by the features
    that the game gives it (`features.py`).
    """

    policy: Policy = "mlp"
    net_arch: tuple[int, ...] = (128, 128)  # hidden layers
    activation: Literal["tanh", "relu"] = "tanh"
    transform: Literal["none", "symlog"] = "none"  # of the observation
    advice: bool = False  # the scripted agent's action is among the inputs
    output: Literal["actions", "value"] = "actions"  # a logit for every action, or one for the expected score of a seat

    def check(self, game: Game) -> None:
        """Raise ValueError if such a network does not suit the game."""
        if self.advice:
            _ = game.scripted  # there must be one
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
        """Return the sizes of the layers from the inputs to the outputs; of `features` the output is one rating."""
        if self.policy != "mlp":
            return sum(feature_sizes(game)), *self.net_arch, 1
        outputs = game.actions.size if self.output == "actions" else 1
        return game.view.size + (game.actions.size if self.advice else 0), *self.net_arch, outputs


MLP = NetworkSpec()


def mode_of(game: Game) -> str:
    """Return the id of a game, and its mode where it has modes: networks over features serve one mode."""
    return f"{game.id} {game.config['mode']}" if "mode" in game.config else game.id


def features_of(game: Game) -> Features:
    """Return the features of a game's actions, which `NetworkSpec.check` has seen to exist."""
    assert game.features is not None
    return game.features


def feature_sizes(game: Game) -> tuple[int, int]:
    """Return how many numbers describe an action, and how many its table."""
    features = features_of(game)
    return features.FEATURES, features.TABLE


def reads_records(policy: Policy, game: Game) -> bool:
    """Return whether a policy reads concealed records: one over features does, where the features do."""
    return policy != "mlp" and getattr(features_of(game), "LOOKS_AT", "observation") == "known"


def policy_inputs(spec: NetworkSpec, obs: Observation) -> Any:
    """Return what a policy reads at the tables of `obs`.

    Returns:
        Concealed records (k,), where `reads_records` is true; else the inputs of a network (k, width) float32.
    """
    if reads_records(spec.policy, obs.game):
        return obs.known
    advisor = obs.inputs_of(obs.game.scripted) if spec.advice else None
    return network_inputs(obs.game, obs.observation, obs.action_mask, advisor)


def as_bytes(known: States) -> npt.NDArray[np.uint8]:
    """Return records (k,) as bytes, (k, size of a record)."""
    return known.view(np.uint8).reshape(len(known), known.dtype.itemsize)


def network_inputs(game: Game, observations: Observations, masks: Masks, known: Any = None) -> Observations:
    """Return the inputs of a network, shape (k, width).

    Args:
        game: The game.
        observations: What k seats see.
        masks: Their legal actions. A mask that allows everything marks a table where nobody decides.
        known: What the scripted agent looks at there (k,), if a one-hot of its action follows each observation
            (`advice`); zeros follow where nobody decides. None = without advice.
    """
    if known is None:
        return observations
    advised = np.zeros(masks.shape, np.float32)
    rows = np.flatnonzero(~masks.all(axis=1))
    advised[rows, game.scripted.choose(game, known[rows], masks[rows])] = 1
    return np.concatenate([observations, advised], axis=1)
