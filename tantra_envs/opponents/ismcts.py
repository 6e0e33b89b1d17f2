"""Information-set Monte Carlo tree search with a single observer, for games with hidden cards.

Every simulation plays in one determinization. The game's `redeal` samples what the seat cannot know, uniformly from all
deals that fit its observations. So the decision cannot depend on hidden cards. Upper confidence bounds choose the way
down the tree, where every seat maximises the score of its team. Below the tree the scripted agent plays for every seat,
from what that seat sees. The agent plays the action with the most visits.

Nodes differ by what the observer sees (`core/compiled/tree.py`). As with any single observer, the others choose there
for all hands that they can have. Their extra knowledge enters in three ways: their legal actions, the order in which
actions are tried, and the playouts. A node starts with the scripted agent's choice and widens with its visits, because
a tree of a thousand simulations cannot try everything everywhere. `widening=1` is the textbook search, which tries all
actions.

An action after which the team has nothing more to decide is played if its result in every sample is at least the best
mean result of an action in the tree. Of actions with equal results, the one with the shorter way comes first.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.tree import EDGE, EQUAL, NODE, TREE, Tree, best_mean, most_visited
from ..core.game import Game, scratch
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.playouts import FOREVER, Playouts
from ..core.state import States
from .specs import read_budget, unusual

POINTS = 1e-3  # shares of beaten teams differ by more; points and leads by less (`core.compiled.scoring.TIE`)
ROOM = 1 << 24  # bytes of tables that are sampled at a time
ALLOWED: dict[str, Any] = {
    "simulations": (1, 1 << 24),
    "explore": (0, 1000),
    "widening": (0, 1),
    "horizon": (0, FOREVER),
    "playouts": ("scripted", "random"),
}
REFUSED = (
    f"a number of simulations, or simulations=1..{1 << 24}, explore=0..1000, widening=0..1, "
    "horizon=0.. (0 = to the end), playouts=scripted|random"
)


@dataclass(frozen=True)
class TreeBudget:
    """The budget of one decision."""

    simulations: int = 1000  # simulations for each decision
    explore: float = 0.7  # weight of exploration in the upper confidence bounds
    widening: float = 0.5  # a node with v visits tries v ** widening actions
    horizon: int = 0  # end of simulations, in units of the scripted agent's `clock`; 0 = the end of the game
    playouts: str = "scripted"  # the agent that plays below the tree


class Ismcts:
    """An agent that grows a tree for every decision, over the game's scripted agent.

    Threads can share it: it has memory for one tree, so it makes one decision after another. For speed give each thread
    its own agent.

    Args:
        game: The game.
        options: The number of simulations, or for example `simulations=500,playouts=random`. The game sets the
            defaults.

    Attributes:
        simulations: Simulations so far.
        decisions: Decisions so far. A decision has two or more legal actions.
        milliseconds: Time of all calls so far.
    """

    def __init__(self, game: Game, options: str = "") -> None:
        self.name = f"ismcts:{options}" if options else "ismcts"
        usual = TreeBudget(horizon=game.scripted.SEARCH.get("horizon", 0))
        self.budget = read_budget(usual, options, ALLOWED, f"{game.name}: ismcts", REFUSED)
        self.origin = unusual(self.budget)
        self.simulations = self.decisions = 0
        self.milliseconds = 0.0
        self._tree = TreeSearch(game, self.budget)
        self._lock = SharedLock()

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the action with the most visits at every table, shape (k,)."""
        with self._lock:
            return self._act(obs, rng)

    def _act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        began = time.perf_counter()
        chosen: Actions = obs.action_mask.argmax(axis=1)
        for table in np.flatnonzero(obs.action_mask.sum(axis=1) > 1).tolist():
            chosen[table] = self._tree.best(obs, table, rng)
            self.simulations += self.budget.simulations
            self.decisions += 1
        self.milliseconds += 1000 * (time.perf_counter() - began)
        return chosen


class TreeSearch:
    """The arrays of a search that grows a new tree for every decision: see `core/compiled/tree.py`."""

    def __init__(self, game: Game, budget: TreeBudget) -> None:
        self._game, self._budget = game, budget
        self._playouts = Playouts(game)
        self._points = EQUAL if len(game.teams) == 1 else POINTS
        self._most = max(1, ROOM // game.blank.dtype.itemsize)  # samples at a time
        size = budget.simulations + 2
        self.tree = Tree(
            head=np.zeros(1, TREE),
            nodes=np.zeros(size, NODE),
            edges=np.zeros(size, EDGE),
            returns=np.zeros((size, len(game.teams))),
            path=np.zeros(size, np.int64),
            teams=np.array(game.team_numbers),
            representatives=np.array(game.team_representatives),
            results=np.zeros((3, game.players)),
        )
        self._scratch = scratch(game)

    def best(self, obs: Observation, table: int, rng: np.random.Generator) -> int:
        """Grow a new tree for one of the tables; return the action with the most visits, or a certain last one."""
        seat = int(obs.seat[table])
        team, last, results = int(self.tree.teams[seat]), -1, np.empty(0)
        self._clear(seat)
        for first in range(0, self._budget.simulations, self._most):
            sampled = obs.determinize(min(self._most, self._budget.simulations - first), rng, np.array([table]))
            if first == 0:
                last = int(self._playouts.last_actions(sampled[:1], obs.action_mask[[table]], obs.seat[[table]])[0])
                results = self._results(sampled, last, team)
            self._game.drivers.simulate(sampled, self.tree, self._scratch)
        if len(results) and results.min() >= best_mean(self.tree, team) - self._points:
            return last
        return int(most_visited(self.tree, team))

    def _results(self, sampled: States, action: int, team: int) -> npt.NDArray[np.float64]:
        """Return the scores of a team after its last action, or none if it decides again in a sample."""
        if action < 0:
            return np.empty(0)
        scores, lengths = self._playouts.scores_and_lengths(sampled.copy(), np.full(len(sampled), action))
        return scores[lengths == 1, team] if (lengths <= 1).all() else np.empty(0)  # 0: a limit ended the game

    def _clear(self, seat: int) -> None:
        """Reset the tree to an empty root for the seat."""
        budget, tree = self._budget, self.tree
        scripted, horizon = budget.playouts == "scripted", budget.horizon or FOREVER
        tree.head[0] = (seat, scripted, horizon, budget.explore, budget.widening, np.inf, -np.inf, 1, 1)
        for part in (tree.nodes, tree.edges, tree.returns):
            part.fill(0)
