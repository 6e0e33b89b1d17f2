"""How a network is built and what it is shown, in words: only building one takes torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game

if TYPE_CHECKING:
    from torch import nn

Policy = Literal["mlp", "foresight"]
Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]


@dataclass(frozen=True)
class NetworkSpec:
    """What is needed to build a network, besides its game."""

    policy: Policy = "mlp"
    net_arch: tuple[int, ...] = (128, 128)  # hidden layers
    activation: Literal["tanh", "relu"] = "tanh"
    transform: Literal["none", "symlog"] = "none"  # of the observation
    advice: bool = False  # is the scripted player's action among the inputs?
    output: Literal["actions", "value"] = "actions"  # a logit for every action, or one: that of a seat's prospects

    def check(self, game: Game) -> None:
        """ValueError if it does not suit the game."""
        if self.advice:
            _ = game.scripted  # there must be one
        if self.policy == "mlp":
            return
        if game.features is None:
            why = "its actions have no features"
            raise ValueError(f"policy={self.policy!r} is not allowed for {described_as(game)}; allowed: mlp ({why})")
        if self.advice:
            raise ValueError(f"advice=True is not allowed with policy={self.policy!r}; allowed: False")

    def actor(self, game: Game) -> nn.Sequential:
        """The network that `actor_of` takes from a model of this kind, with weights yet to be filled in."""
        from .networks import actor

        return actor(self, game)

    def widths(self, game: Game) -> tuple[int, ...]:
        """The sizes of the layers from the inputs to the outputs; of described actions for a single one."""
        if self.policy != "mlp":
            from .descriptions import inputs_of

            return inputs_of(self.policy, game), *self.net_arch, 1
        outputs = game.actions.size if self.output == "actions" else 1
        return game.view.size + (game.actions.size if self.advice else 0), *self.net_arch, outputs


def described_as(game: Game) -> str:
    """Return the id of a game, and its mode where it has modes: networks over features serve one mode."""
    return f"{game.id} {game.config['mode']}" if "mode" in game.config else game.id


def network_inputs(game: Game, observations: Observations, masks: Masks, advice: bool) -> Observations:
    """The observations; with `advice` after each a one-hot of the action the scripted player would take there.

    Masks that allow everything stand for tables where nobody decides; there is no advice for those.
    """
    if not advice:
        return observations
    advised = np.zeros(masks.shape, np.float32)
    rows = np.flatnonzero(~masks.all(axis=1))
    advised[rows, game.scripted.choose(game, observations[rows], masks[rows])] = 1
    return np.concatenate([observations, advised], axis=1)
