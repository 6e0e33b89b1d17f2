"""Task 4: the best response to an agent, by dynamic programming over beliefs.

    python docs/course/best_response.py

A belief is the set of tables that are possible after all that a seat has seen, with their probabilities. The program
prints the highest reward that a seat can get against the scripted agent in `karma:tiny`.
"""

import hashlib
from collections import defaultdict

import numpy as np

import tantra_envs
from benchmarks.exact.deals import all_deals
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation

GAME, AGENT = "karma:tiny", "scripted"


class BestResponse:
    """The best response of a seat of a game for two to an agent in the other seat."""

    def __init__(self, game, agent, seat):
        """Prepare the response of `seat` to `agent`, which plays the other seat."""
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


def main():
    """Print the highest reward of each seat."""
    game = tantra_envs.game(GAME)
    deals, weights = all_deals(game)
    (agent,) = tantra_envs.load_agents([AGENT], game)
    for seat in (0, 1):
        print(f"seat {seat}: {2 * BestResponse(game, agent, seat).score(deals, weights) - 1:+.4f}")


if __name__ == "__main__":
    main()
