"""Transitions as one agent goes through them: which seats are its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..harness.transitions import Ints, Transitions


@dataclass(frozen=True)
class AgentTransitions(Transitions):
    """One action at each of k tables where the agent sits."""

    seats: Ints  # (k, size of a team) the agent's

    @property
    def mine(self) -> npt.NDArray[np.bool_]:
        """Where the agent decided, shape (k,)."""
        return np.asarray((self.before["seat"][:, None] == self.seats).any(axis=1))
