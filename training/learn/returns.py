"""The decisions of a learner in playing order, and their lambda-returns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Decisions:
    """Decisions at n tables, in playing order, each linked to the next decision of its seat or to its reward."""

    def __init__(self, tables: int, seats: int) -> None:
        self._open = np.full((tables, seats), -1, np.int64)  # last decision of each seat without a reward, or -1
        self._inputs: list[Floats] = []
        self._ratings: list[Floats] = []
        self._costs: list[Floats] = []
        self._links: list[tuple[Ints, Ints]] = []
        self._rewards: list[tuple[Ints, Floats]] = []
        self._first = [0]

    def add(self, tables: Ints, seats: Ints, inputs: Floats, ratings: Floats, costs: Floats) -> None:
        """Add one decision at each of k tables: network inputs (k, width) and ratings (k,) of actions, costs (k,)."""
        numbers = self._first[-1] + np.arange(len(tables))
        before = self._open[tables, seats]
        self._links.append((before[before >= 0], numbers[before >= 0]))
        self._open[tables, seats] = numbers
        self._inputs.append(inputs)
        self._ratings.append(ratings)
        self._costs.append(costs)
        self._first.append(self._first[-1] + len(tables))

    def pay(self, tables: Ints, rewards: Floats) -> None:
        """Give rewards (k, seats) to the open decisions at k tables, and close them."""
        numbers = self._open[tables]
        self._rewards.append((numbers[numbers >= 0], rewards[numbers >= 0]))
        self._open[tables] = -1

    def __len__(self) -> int:
        return self._first[-1]

    def returns(self, trace: float) -> tuple[Floats, Floats]:
        """Return inputs (m, width) and returns (m,) of the decisions that have a successor or a reward.

        The return of a decision with a reward is the reward. Otherwise it is `trace` times the return of the seat's
        next decision, plus (1 - trace) times the rating of that decision, less the cost of this one.
        """
        ratings, costs = np.concatenate(self._ratings), np.concatenate(self._costs)
        following, rewarded = np.full(len(self), -1), np.zeros(len(self), bool)
        for before, after in self._links:
            following[before] = after
        returns = ratings.copy()
        for decisions, rewards in self._rewards:
            returns[decisions], rewarded[decisions] = rewards, True
        for first, end in reversed(list(zip(self._first, self._first[1:], strict=False))):
            rows = first + np.flatnonzero(following[first:end] >= 0)
            after = following[rows]
            returns[rows] = (1 - trace) * ratings[after] + trace * returns[after] - costs[rows]
        complete = rewarded | (following >= 0)
        inputs: Any = np.concatenate(self._inputs)
        return inputs[complete], returns[complete]
