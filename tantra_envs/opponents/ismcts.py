"""A tree search where cards are hidden: information-set Monte Carlo tree search with a single observer.

Every simulation plays one world that may be the true one: what the seat cannot know is drawn again by the game's own
`redeal`, uniformly from all that agrees with what it saw, so that the choice cannot depend on it. The way down one tree
is chosen by upper confidence bounds, where every seat is after what a match scores for its own team; at the end of the
tree the scripted player of every seat plays on, from what that seat sees. Chosen is what was tried most.

The nodes are told apart by what the observer sees (`core/compiled/tree.py`). Others choose in them for all hands they
may have at once, as a single observer has it: what they know beyond the observer enters by what is legal for them, by
the order in which actions are tried and by the playouts. A node starts with the scripted player's choice and widens
with its visits, because a tree of a thousand simulations cannot try everything everywhere; `widening=1` is the
textbook's, which does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.compiled.tree import EDGE, NODE, TREE, Tree, most_visited
from ..core.game import Game, scratch
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.playouts import FOREVER
from . import budgets

ROOM = 1 << 24  # bytes of tables that are drawn at a time
ALLOWED: dict[str, Any] = {
    "simulations": (1, 1 << 24),
    "explore": (0, 1000),
    "widening": (0, 1),
    "horizon": (0, FOREVER),
    "playouts": ("scripted", "random"),
}
REFUSED = (
    f"simulations=1..{1 << 24}, explore=0..1000, widening=0..1, horizon=0.. (0 = to the end), playouts=scripted|random"
)


@dataclass(frozen=True)
class TreeBudget:
    """How much is tried out for a decision."""

    simulations: int = 1000
    explore: float = 0.7  # weight of the uncertain in the upper confidence bounds
    widening: float = 0.5  # a node visited v times has v ** widening actions tried
    horizon: int = 0  # where simulations stop, in what the player's `clock` counts; 0 = at the end
    playouts: str = "scripted"  # who plays on below the tree


class Ismcts:
    """Information-set tree search over the game's scripted player.

    options: the number of simulations, or `simulations=500,playouts=random`; what is not given is the game's own.
    simulations, decisions, milliseconds: what was done so far; a decision has two legal actions or more.
    Threads may share it: there is room for one tree, so one decision is made after the other. For speed give each
    thread an agent of its own.
    """

    def __init__(self, game: Game, options: str = "") -> None:
        self.name = f"ismcts:{options}" if options else "ismcts"
        usual = TreeBudget(horizon=game.scripted.SEARCH.get("horizon", 0))
        self.budget = budgets.read(usual, options, ALLOWED, lambda word: _refusal(game, word))
        self.origin = budgets.unusual(self.budget)
        self.simulations = self.decisions = 0
        self.milliseconds = 0.0
        self._tree = TreeSearch(game, self.budget)
        self._lock = SharedLock()

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the action tried most at every table."""
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
        self._most = max(1, ROOM // game.blank.dtype.itemsize)  # samples at a time
        size = budget.simulations + 2
        self.tree = Tree(
            head=np.zeros(1, TREE),
            nodes=np.zeros(size, NODE),
            edges=np.zeros(size, EDGE),
            returns=np.zeros((size, len(game.teams))),
            path=np.zeros(size, np.int64),
            teams=np.array(game.team_numbers),
            representatives=np.array(game.speakers),
            results=np.zeros((3, game.players)),
        )
        self._scratch = scratch(game)

    def best(self, obs: Observation, table: int, rng: np.random.Generator) -> int:
        """Return the action tried most at one of the tables, by a tree grown from nothing."""
        seat = int(obs.seat[table])
        self._clear(seat)
        for first in range(0, self._budget.simulations, self._most):
            sampled = obs.determinize(min(self._most, self._budget.simulations - first), rng, np.array([table]))
            self._game.drivers.simulate(sampled, self.tree, self._scratch)
        return int(most_visited(self.tree, int(self.tree.teams[seat])))

    def _clear(self, seat: int) -> None:
        """Leave an empty tree for the seat: the root, and nothing tried."""
        budget, tree = self._budget, self.tree
        scripted, horizon = budget.playouts == "scripted", budget.horizon or FOREVER
        tree.head[0] = (seat, scripted, horizon, budget.explore, budget.widening, np.inf, -np.inf, 1, 1)
        for part in (tree.nodes, tree.edges, tree.returns):
            part.fill(0)


def _refusal(game: Game, word: str) -> str:
    return f"{game.name}: ismcts:{word} is not allowed; allowed: a number of simulations, or {REFUSED}"
