"""Best responses and CFR+, over information sets in sequence form.

A strategy is one probability for every sequence of every seat. Information sets come after those that lead to them. So
one pass backwards computes values, and one pass forwards computes the weight of every sequence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tantra_envs.core.compiled.jit import entry_point

from .walk import Floats, Part

KEPT = ("iteration", "regrets", "strategy", "total")  # what a continued run of CFR+ needs


def uniform(part: Part) -> Floats:
    """Return the strategy that plays all legal actions with equal probability, (sequences,)."""
    players = part.ends.shape[1]
    return np.concatenate([np.ones(players), np.repeat(1.0 / part.sizes, part.sizes)])


def weights_of(part: Part, strategy: Floats) -> Floats:
    """Return the product of a seat's own probabilities up to each sequence, (sequences,)."""
    weights = np.ones(len(strategy))
    _weigh(part, strategy, weights)
    return weights


def gradient(part: Part, weights: Floats, seat: int) -> Floats:
    """Return the expected reward of `seat` at the ends of each of its sequences, if it plays to get there."""
    values = np.zeros(len(weights))
    _add_ends(part, weights, seat, values)
    return values


def best_response(part: Part, weights: Floats, seat: int) -> tuple[float, Floats]:
    """Return the highest expected reward of `seat`, whose own weights have no effect, and a strategy that gets it."""
    values, response = gradient(part, weights, seat), np.ones(len(weights))
    _respond(part, seat, values, response)
    return float(values[seat]), response


def expected(part: Part, weights: Floats, seat: int) -> float:
    """Return the expected reward of a seat if all seats play with these weights."""
    others = part.rewards[:, seat].copy()
    for own in part.ends.T:
        others *= weights[own]
    return float(others.sum())


class CFRPlus:
    """CFR+ for two seats (Tammelin, Solving large imperfect information games using CFR+, 2014)."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.iteration = 0
        self.regrets = np.zeros(len(part.actions))
        self.strategy = uniform(part)
        self.total = np.zeros(len(part.actions))  # sum of iteration * weights

    def iterate(self) -> None:
        """Do one iteration: both seats, one after the other."""
        part = self.part
        self.iteration += 1
        for seat in (0, 1):
            values = gradient(part, weights_of(part, self.strategy), seat)
            _match_regrets(part, seat, values, self.regrets, self.strategy)
        self.total += self.iteration * weights_of(part, self.strategy)

    def average(self) -> Floats:
        """Return the average strategy, (sequences,)."""
        strategy = uniform(self.part)
        _normalise(self.part, self.total, strategy)
        return strategy

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that a continued run needs."""
        return {name: getattr(self, name) for name in KEPT}

    def restore(self, arrays: Any) -> None:
        """Continue from `arrays`."""
        self.iteration = int(arrays["iteration"])
        self.regrets, self.strategy, self.total = (arrays[name] for name in KEPT[1:])


def exploitability(part: Part, strategy: Floats) -> tuple[Floats, float]:
    """Return the value of a best response for each seat, and their mean: values of the game cancel for two seats."""
    weights = weights_of(part, strategy)
    responses = np.array([best_response(part, weights, seat)[0] for seat in range(part.ends.shape[1])])
    return responses, float(responses.mean())


@entry_point
def _weigh(part: Any, strategy: Any, weights: Any) -> None:
    for number in range(len(part.parents)):
        first, before = part.firsts[number], weights[part.parents[number]]
        for sequence in range(first, first + part.sizes[number]):
            weights[sequence] = before * strategy[sequence]


@entry_point
def _add_ends(part: Any, weights: Any, seat: int, values: Any) -> None:
    for end in range(len(part.rewards)):
        value = part.rewards[end, seat]
        for other in range(part.ends.shape[1]):
            if other != seat:
                value *= weights[part.ends[end, other]]
        values[part.ends[end, seat]] += value


@entry_point
def _respond(part: Any, seat: int, values: Any, response: Any) -> None:
    for number in range(len(part.parents) - 1, -1, -1):
        if part.seats[number] == seat:
            first, best = part.firsts[number], part.firsts[number]
            for sequence in range(first, first + part.sizes[number]):
                response[sequence] = 0.0
                if values[sequence] > values[best]:
                    best = sequence
            response[best] = 1.0
            values[part.parents[number]] += values[best]


@entry_point
def _match_regrets(part: Any, seat: int, values: Any, regrets: Any, strategy: Any) -> None:
    for number in range(len(part.parents) - 1, -1, -1):
        if part.seats[number] == seat:
            first, after, mean, total = part.firsts[number], part.firsts[number] + part.sizes[number], 0.0, 0.0
            for sequence in range(first, after):
                mean += strategy[sequence] * values[sequence]
            for sequence in range(first, after):
                regrets[sequence] = max(0.0, regrets[sequence] + values[sequence] - mean)
                total += regrets[sequence]
            for sequence in range(first, after):
                strategy[sequence] = regrets[sequence] / total if total > 0.0 else 1.0 / part.sizes[number]
            values[part.parents[number]] += mean


@entry_point
def _normalise(part: Any, total: Any, strategy: Any) -> None:
    for number in range(len(part.firsts)):
        first, after, whole = part.firsts[number], part.firsts[number] + part.sizes[number], 0.0
        for sequence in range(first, after):
            whole += total[sequence]
        if whole > 0.0:
            for sequence in range(first, after):
                strategy[sequence] = total[sequence] / whole
