"""The tree of an information-set search.

Source: Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, 2012.

A node stands for the observations of one seat, the observer, since the root. Two positions share a node if these
observations are equal, so hidden draws and actions of other seats make no new node. An edge is an action that was tried
at a node, by any seat. An action may be legal in some determinizations only. Its confidence bound therefore counts how
often it was available.

Nodes and edges are rows of arrays (n,) and refer to each other by number, 0 = none. Node 0 is the root, edge 0 is not
used.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..rng import WORD, next_word
from ..state import record
from .jit import entry_point, kernel

NODE = record([("key", np.int64), ("visits", np.int64), ("edge", np.int32), ("child", np.int32), ("next", np.int32)])
EDGE = record(
    [
        ("visits", np.int64),
        ("available", np.int64),
        ("plies", np.int64),  # sum over the visits: actions from the root to the end of the game
        ("action", np.int32),
        ("next", np.int32),
    ]
)
TREE = record(
    [
        ("observer", np.int64),  # a seat
        ("scripted", np.int64),  # 1 = the scripted agent plays on below the tree, 0 = uniform legal actions
        ("horizon", np.int64),  # where simulations stop, in units of the agent's `clock`
        ("explore", np.float64),  # exploration constant of the confidence bound
        ("widening", np.float64),  # after v visits of a node, v ** widening actions may be tried there
        ("least", np.float64),  # lowest score of any team so far; means are scaled to lie between this and `most`
        ("most", np.float64),
        ("nodes", np.int64),  # in use
        ("edges", np.int64),
    ]
)
UNENDED = 1 << 30  # counts as the actions of a simulation that stops before the end of the game
EQUAL = 1e-9  # means that differ by less are equal results
PRIME = 16777619  # of the hash FNV-1; observations with equal hashes share a node


class Tree(NamedTuple):
    """The arrays of one search."""

    head: npt.NDArray[np.void]  # (1,) TREE
    nodes: npt.NDArray[np.void]  # (n,) NODE
    edges: npt.NDArray[np.void]  # (n,) EDGE
    returns: npt.NDArray[np.float64]  # (n, teams): sum of the scores of each team after each edge
    path: npt.NDArray[np.int64]  # (n,): the edges taken in this simulation
    teams: npt.NDArray[np.int64]  # (seats,): the team of each seat
    representatives: npt.NDArray[np.int64]  # (teams,): a seat of each team
    results: npt.NDArray[np.float64]  # (3, seats): scratch for rewards, standings and scores


@kernel
def best_edge(tree: Any, node: int, mask: Any, team: int) -> int:
    """Return the tried action with the highest upper confidence bound for `team`; the first of equal ones, 0 if none.

    Every legal action that was tried gets one more count of being available.
    """
    edges = tree.edges
    best, most, edge = 0, 0.0, int(tree.nodes[node].edge)
    while edge > 0:
        e = edges[edge]
        if mask[e.action] == 1:
            e.available += 1
            spread = math.sqrt(math.log(e.available) / e.visits)
            bound = _between(tree.head[0], tree.returns[edge, team] / e.visits) + tree.head[0].explore * spread
            if best == 0 or bound >= most:
                best, most = edge, bound
        edge = int(e.next)
    return best


@kernel
def widening_limit(tree: Any, node: int) -> int:
    """Return how many actions may be tried at a node on this visit."""
    return int(float(tree.nodes[node].visits) ** tree.head[0].widening)


@kernel
def tried(tree: Any, node: int, mask: Any) -> int:
    """Return how many of the legal actions have been tried at a node."""
    count, edge = 0, int(tree.nodes[node].edge)
    while edge > 0:
        count += mask[tree.edges[edge].action]
        edge = int(tree.edges[edge].next)
    return count


@kernel
def new_edge(tree: Any, node: int, values: Any) -> int:
    """Add an edge for the untried action of the highest value and return it; -inf = illegal."""
    head, edges = tree.head[0], tree.edges
    edge = int(tree.nodes[node].edge)
    while edge > 0:
        values[edges[edge].action] = -np.inf
        edge = int(edges[edge].next)
    best = 0
    for action in range(len(values)):
        if values[action] > values[best]:
            best = action
    edge = int(head.edges)
    edges[edge].action = best
    edges[edge].available = 1
    edges[edge].next = tree.nodes[node].edge
    tree.nodes[node].edge = edge
    head.edges += 1
    return edge


@kernel
def random_priors(stream: Any, mask: Any, values: Any) -> None:
    """Fill in random values of the legal actions, for a search without an agent that rates actions."""
    for action in range(len(mask)):
        values[action] = float(next_word(stream)) if mask[action] == 1 else -np.inf


@kernel
def child_of(tree: Any, node: int, seen: Any) -> int:
    """Return the node after `node` for the observation `seen`; it may be a new one without visits."""
    head, nodes, key = tree.head[0], tree.nodes, 0
    for i in range(len(seen)):
        key = ((key * PRIME) & WORD) ^ (int(seen[i]) & WORD)
    child = int(nodes[node].child)
    while child > 0:
        if nodes[child].key == key:
            return child
        child = int(nodes[child].next)
    child = int(head.nodes)
    nodes[child].key = key
    nodes[child].next = nodes[node].child
    nodes[node].child = child
    head.nodes += 1
    return child


@kernel
def backpropagate(tree: Any, depth: int, scores: Any, plies: int) -> None:
    """Add `scores` (teams,) and the actions of the simulation to the first `depth` edges of the path."""
    head = tree.head[0]
    for team in range(len(scores)):
        head.least = min(head.least, scores[team])
        head.most = max(head.most, scores[team])
    for i in range(depth):
        edge = tree.path[i]
        tree.edges[edge].visits += 1
        tree.edges[edge].plies += plies
        for team in range(len(scores)):
            tree.returns[edge, team] += scores[team]


@entry_point
def best_mean(tree: Any, team: int) -> float:
    """Return the highest mean score of `team` after an action at the root."""
    best, edge = -math.inf, int(tree.nodes[0].edge)
    while edge > 0:
        best = max(best, tree.returns[edge, team] / tree.edges[edge].visits)
        edge = int(tree.edges[edge].next)
    return best


@entry_point
def most_visited(tree: Any, team: int) -> int:
    """Return the most visited action at the root. `team`'s sum of scores breaks ties, then the order of trying.

    Of actions with the same mean score, the one with the shortest way to the end of the game is returned.
    """
    edges, returns = tree.edges, tree.returns
    best, most, edge = -1, 0.0, int(tree.nodes[0].edge)
    while edge > 0:
        e = edges[edge]
        if (
            best < 0
            or e.visits > edges[best].visits
            or (e.visits == edges[best].visits and returns[edge, team] >= most)
        ):
            best, most = edge, returns[edge, team]
        edge = int(e.next)
    return int(edges[_shortest(tree, best, team)].action)


@kernel
def _shortest(tree: Any, best: int, team: int) -> int:
    """Return the edge at the root with the fewest actions to the end among those with the mean score of `best`.

    Edges with less than half of its visits do not count. Where the score is the lowest of all, `best` is returned.
    """
    edges, returns, head = tree.edges, tree.returns, tree.head[0]
    visits, mean = edges[best].visits, returns[best, team] / edges[best].visits
    shortest, edge = best, int(tree.nodes[0].edge) if mean > head.least + EQUAL else 0
    while edge > 0:
        e = edges[edge]
        equal = abs(returns[edge, team] / e.visits - mean) < EQUAL
        if equal and 2 * e.visits >= visits and e.plies / e.visits < edges[shortest].plies / edges[shortest].visits:
            shortest = edge
        edge = int(e.next)
    return shortest


@kernel
def _between(head: Any, value: float) -> float:
    """Return a value on a scale where 0 is the lowest score of any team and 1 is the highest."""
    return float((value - head.least) / (head.most - head.least)) if head.most > head.least else 0.5
