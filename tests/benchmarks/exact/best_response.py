"""A second way to a best response: dynamic programming over beliefs, which never makes information sets.

A belief is the set of tables that are possible after all that a seat has seen, with their probabilities.
"""

import hashlib
from collections import defaultdict
from itertools import combinations, permutations

import numpy as np

from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation


def deals_of(cards, size):
    """Yield the positions of all deals of Karma cards for two; equal ones repeat, by their probability.

    Each seat has `size` cards in hand, and one of the others face down.
    """
    every = set(range(len(cards)))
    for own in combinations(every, size):
        for other in combinations(every - set(own), size):
            hands = [[cards[card] for card in hand] for hand in (own, other)]
            for order in permutations(cards[card] for card in every - set(own) - set(other)):
                yield {"hands": hands, "down": [[card] for card in order]}


class BestResponse:
    """The best response of a seat of a game for two to an agent in the other seat."""

    def __init__(self, game, agent, seat):
        self.game, self.agent, self.seat = game, agent, seat
        self.values = {}  # highest expected scores, by the digest of a belief

    def score(self, tables, weights=None) -> float:
        """Return the sum of weight times score over tables (n,), or their mean score if no weights are given."""
        weights = np.full(len(tables), 1 / len(tables)) if weights is None else weights
        return float(self._scores(tables, weights, np.zeros(len(tables), np.int64), 1)[0])

    def _scores(self, tables, weights, branches, n):
        """Return the sum of weight times score over the tables of each of n branches, (n,)."""
        over = tables["over"] == 1
        ends = (1 + np.sign(tables["rewards"][over, self.seat])) / 2
        scores = np.bincount(branches[over], weights[over] * ends, n).astype(float)
        beliefs = defaultdict(lambda: defaultdict(float))
        rows = np.flatnonzero(~over)
        if len(rows):
            looks = self.game.conceal(tables.take(rows), self.seat)
            for row, look in zip(rows.tolist(), looks, strict=True):
                beliefs[branches[row], look.tobytes()][tables[row].tobytes()] += weights[row]
        for (branch, _), belief in beliefs.items():
            scores[branch] += self._value(belief)
        return scores

    def _value(self, belief) -> float:
        """Return the sum of weight times score over tables that look equal to the seat."""
        total, tables = sum(belief.values()), sorted(belief)
        weights = np.array([belief[table] for table in tables]) / total
        key = hashlib.sha256(b"".join([*tables, weights.round(12).tobytes()])).digest()
        if key not in self.values:
            self.values[key] = self._solve(np.frombuffer(bytearray().join(tables), self.game.blank.dtype), weights)
        return total * self.values[key]

    def _solve(self, tables, weights) -> float:
        """Return the expected score at tables that look equal to the seat, with probabilities `weights`."""
        if tables["seat"][0] != self.seat:
            policy = policy_of(self.agent, Observation(self.game, tables))
            rows, actions = np.nonzero(policy)
            after, reach = self._after(tables, rows, actions), weights[rows] * policy[rows, actions]
            return self.score(after, reach)
        legal = np.array(self.game.legal(tables[:1]))
        branches, rows = (index.ravel() for index in np.indices((len(legal), len(tables))))
        after = self._after(tables, rows, legal[branches])
        return float(self._scores(after, weights[rows], branches, len(legal)).max())

    def _after(self, tables, rows, actions):
        after = tables.take(rows)
        self.game.drivers.apply_rows(after, np.arange(len(after)), np.ascontiguousarray(actions))
        return after


def policy_of(agent, obs):
    """Return the probabilities of the actions of `uniform`, or of an agent without chance, (k, actions)."""
    if agent.name == "uniform":
        return obs.action_mask / obs.action_mask.sum(axis=1, keepdims=True)
    return np.eye(obs.action_mask.shape[1])[ask(agent, obs, np.random.default_rng(0))]
