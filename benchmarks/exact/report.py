"""The figures of exact play as values, and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..harness import pages
from . import solve
from .tree import Tree


@dataclass(frozen=True)
class Row:
    """The figures of an agent.

    Attributes:
        agent: The name of the agent.
        form: How its probabilities are known: "fixed", "probabilities", "drawn" or "solved".
        rewards: The expected reward of each seat if the agent plays all seats.
        responses: The highest expected reward of each seat if the agent plays all other seats.
        exploitability: Two seats: mean of `responses` less the value of the game. More: mean of `responses`.
    """

    agent: str
    form: str
    rewards: list[float]
    responses: list[float]
    exploitability: float

    @property
    def value(self) -> tuple[float, float, float]:
        """The value of a game of two seats for seat 0 by its solution, and its lowest and highest value."""
        low, high = -self.responses[1], self.responses[0]
        return (low + high) / 2, low, high


def row_of(tree: Tree, agent: str, form: str, strategy: npt.NDArray[np.float64]) -> Row:
    """Return the figures of an agent with this strategy."""
    weights = solve.weights_of(tree.part, strategy)
    rewards = [solve.expected(tree.part, weights, seat) for seat in range(tree.game.players)]
    responses, exploitability = solve.exploitability(tree.part, strategy)
    return Row(agent, form, rewards, responses.tolist(), exploitability)


def table(rows: Sequence[Row]) -> str:
    """Return the figures of agents as a table in Markdown."""
    cells = []
    for row in rows:
        rewards, responses = (" ".join(f"{value:+.4f}" for value in values) for values in (row.rewards, row.responses))
        cells.append([row.agent, row.form, rewards, responses, f"{row.exploitability:.4f}"])
    heads = ["agent", "plays", "rewards by seat", "best response by seat", "exploitability"]
    return pages.table(heads, cells, right=(4,))
