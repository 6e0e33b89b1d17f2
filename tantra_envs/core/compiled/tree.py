"""The tree of an information-set search: what it remembers of one seat's future, and how a way down is chosen.

A node is what that seat, the observer, has seen since the root: two positions are one node if its observations on the
way were the same. What others draw or do in secret therefore makes no new node, and what the observer draws does. An
edge is an action tried at a node, whoever decides there. In one world it may be legal and in the next not, so that how
sure its mean is goes by how often it could have been chosen (Cowling, Powley and Whitehouse, "Information Set Monte
Carlo Tree Search", 2012).

Nodes and edges lie in arrays (n,) and are linked by their numbers, 0 = none: node 0 is the root, edge 0 is not used.
`gains` (n, teams) float64 holds the sum of what each team got after each edge.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..rng import WORD, next_word
from ..state import record
from .jit import entry_point, kernel

NODE = record([("key", np.int64), ("visits", np.int64), ("edge", np.int32), ("child", np.int32), ("next", np.int32)])
EDGE = record([("visits", np.int64), ("available", np.int64), ("action", np.int32), ("next", np.int32)])
TREE = record(
    [
        ("observer", np.int64),  # a seat
        ("scripted", np.int64),  # 1 = the scripted player plays on below the tree, 0 = uniform legal actions
        ("horizon", np.int64),  # where simulations stop, in what the player's `clock` counts
        ("explore", np.float64),  # how much a bound is above its mean
        ("widening", np.float64),  # v visits of a node let v ** widening actions be tried there
        ("least", np.float64),  # any team got: a mean is taken as its place between these
        ("most", np.float64),
        ("nodes", np.int64),  # in use
        ("edges", np.int64),
    ]
)
PRIME = 16777619  # of the hash FNV-1; should two observations share a key, they share a node


@kernel
def best_edge(tree: Any, nodes: Any, edges: Any, gains: Any, node: int, mask: Any, team: int) -> int:
    """The tried action with the highest upper confidence bound for `team`, of equals the first one tried; 0 if none.

    All those that are legal have been available once more.
    """
    best, most, edge = 0, 0.0, int(nodes[node].edge)
    while edge > 0:
        e = edges[edge]
        if mask[e.action] == 1:
            e.available += 1
            spread = math.sqrt(math.log(e.available) / e.visits)
            bound = _between(tree, gains[edge, team] / e.visits) + tree.explore * spread
            if best == 0 or bound >= most:
                best, most = edge, bound
        edge = int(e.next)
    return best


@kernel
def room_at(tree: Any, nodes: Any, node: int) -> int:
    """How many actions may be tried at a node on this visit."""
    return int(float(nodes[node].visits) ** tree.widening)


@kernel
def tried(nodes: Any, edges: Any, node: int, mask: Any) -> int:
    """How many of the legal actions have been tried at a node."""
    count, edge = 0, int(nodes[node].edge)
    while edge > 0:
        count += mask[edges[edge].action]
        edge = int(edges[edge].next)
    return count


@kernel
def new_edge(tree: Any, nodes: Any, edges: Any, node: int, values: Any) -> int:
    """An edge for the untried action of the highest value, of equals the first; -inf = illegal."""
    edge = int(nodes[node].edge)
    while edge > 0:
        values[edges[edge].action] = -np.inf
        edge = int(edges[edge].next)
    best = 0
    for action in range(len(values)):
        if values[action] > values[best]:
            best = action
    edge = int(tree.edges)
    edges[edge].action = best
    edges[edge].available = 1
    edges[edge].next = nodes[node].edge
    nodes[node].edge = edge
    tree.edges += 1
    return edge


@kernel
def toss(stream: Any, mask: Any, values: Any) -> None:
    """Random values for legal actions, for who has no better ones."""
    for action in range(len(mask)):
        values[action] = float(next_word(stream)) if mask[action] == 1 else -np.inf


@kernel
def child_of(tree: Any, nodes: Any, node: int, seen: Any) -> int:
    """The node after `node` when the observer sees `seen`, which may be a new one without visits."""
    key = 0
    for i in range(len(seen)):
        key = ((key * PRIME) & WORD) ^ (int(seen[i]) & WORD)
    child = int(nodes[node].child)
    while child > 0:
        if nodes[child].key == key:
            return child
        child = int(nodes[child].next)
    child = int(tree.nodes)
    nodes[child].key = key
    nodes[child].next = nodes[node].child
    nodes[node].child = child
    tree.nodes += 1
    return child


@kernel
def learn(tree: Any, edges: Any, gains: Any, path: Any, depth: int, scores: Any) -> None:
    """Every edge of the way down has led to these `scores` (teams,)."""
    for team in range(len(scores)):
        tree.least = min(tree.least, scores[team])
        tree.most = max(tree.most, scores[team])
    for i in range(depth):
        edges[path[i]].visits += 1
        for team in range(len(scores)):
            gains[path[i], team] += scores[team]


@entry_point
def most_visited(nodes: Any, edges: Any, gains: Any, team: int) -> int:
    """The action that was tried most at the root; of equals the one that `team` got most by, then the first tried."""
    best, most, edge = -1, 0.0, int(nodes[0].edge)
    while edge > 0:
        e = edges[edge]
        if best < 0 or e.visits > edges[best].visits or (e.visits == edges[best].visits and gains[edge, team] >= most):
            best, most = edge, gains[edge, team]
        edge = int(e.next)
    return int(edges[best].action)


@kernel
def _between(tree: Any, value: float) -> float:
    """Where a value lies, from 0 = the least any team got to 1 = the most."""
    return float((value - tree.least) / (tree.most - tree.least)) if tree.most > tree.least else 0.5
