"""The part of a run that differs between the algorithms of `training learn`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tantra_envs import workers
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.opponents.model_files import Tensors

from .options import Args


class Algorithm(ABC):
    """A learner that improves iteration by iteration.

    Attributes:
        iteration: Number of finished iterations.
        decisions: Number of decisions learned from so far.
    """

    def __init__(self, args: Args, game: Game, save: Callable[[], None]) -> None:
        """Build the learner. It calls `save` where the run can be saved within an iteration."""
        self.args, self.game, self.save = args, game, save
        self.iteration = self.decisions = 0

    @property
    def trained_for(self) -> dict[str, Any]:
        """Facts for the model card about the training games, besides the options of the run's game."""
        return {}

    @abstractmethod
    def advance(self, target: int, run: workers.Run) -> bool:
        """Run iterations until `target` of them are finished. Return False after Ctrl-C."""

    @abstractmethod
    def agent(self) -> Agent:
        """Return the agent that plays the newest policy."""

    @abstractmethod
    def facts(self, deals: int) -> dict[str, Any]:
        """Return facts about the newest iteration for the history. Measurements in it play `deals` deals."""

    @abstractmethod
    def tensors(self) -> Tensors | None:
        """Return the weights of the newest policy, or None before the first one."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues, besides `decisions`."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
