"""A network that rates each legal action by its features, as an agent for the compiled loops of a game.

The network is packed as in `network.py`. It has one output. Its inputs are the features of an action, then those of the
table. `agent_of` makes the agent from the kernel of a game that describes the legal actions.
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import jit
from .jit import Kernel, kernel, template, unbound
from .network import HEAD, WIDTHS, add_inputs, begin_layer, go_deeper, output_of, places


class FeatureWork(NamedTuple):
    """The arrays in which one thread rates the actions of a table."""

    net: npt.NDArray[np.float32]  # the packed network
    features: npt.NDArray[np.float32]  # (most legal actions, FEATURES)
    table: npt.NDArray[np.float32]  # (TABLE,)
    shared: npt.NDArray[np.float32]  # sums of the first hidden layer over the features of the table
    room: Any  # the arrays that the game's `prepare` makes


class FeatureAgent:
    """The kernel of an agent over the action features of one game, in the form of a module for `with_player`."""

    def __init__(self, name: str, rate: Kernel) -> None:
        self.__name__, self.rate = name, rate


describe_legal: Kernel = unbound


@functools.cache
def agent_of(describe: Kernel) -> FeatureAgent:
    """Return the agent over the features that a kernel fills in. Its machine code is stored with that of the kernel.

    Args:
        describe: Called with a concealed record, the mask of its seat 0, the arrays of the game's `prepare`, rows of
            zeros for the features of the legal actions, ascending, and a row of zeros for those of the table.
    """
    own = inspect.unwrap(describe)
    module, name = own.__module__, own.__qualname__
    rate = jit.bind(__name__, {"describe_legal": describe}, sys.modules[module], f"_of_{name}")["_rate"]
    return FeatureAgent(f"{module}.{name}", rate)


@template(kernel)
def _rate(known: Any, mask: Any, work: Any, values: Any) -> None:
    """Fill in the rating of every legal action, -inf for others."""
    _clear(mask, work)
    describe_legal(known, mask, work.room, work.features, work.table)
    _share_table(work)
    n = 0
    for action in range(len(mask)):
        values[action] = -np.inf
        if mask[action] == 1:
            values[action] = _rating(work, n)
            n += 1


@kernel
def _clear(mask: Any, work: Any) -> None:
    """Fill the features of the table and of the legal actions with zeros."""
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    for k in range(n):
        row = work.features[k]
        for i in range(len(row)):
            row[i] = 0
    for i in range(len(work.table)):
        work.table[i] = 0


@kernel
def _share_table(work: Any) -> None:
    """Compute the sums of the first hidden layer over the features of the table, once for all its actions."""
    begin_layer(work.net, HEAD, work.shared)
    weights = HEAD + len(work.shared) * (1 + work.features.shape[1])
    add_inputs(work.net, weights, work.table, work.shared)


@kernel
def _rating(work: Any, n: int) -> Any:
    """Return the rating of the n-th legal action."""
    net, wider = work.net, len(work.shared)
    last, source = places(net)
    first = source + int(net[WIDTHS])
    out = net[first : first + wider]
    for o in range(wider):
        out[o] = work.shared[o]
    add_inputs(net, HEAD + wider, work.features[n], out)
    return output_of(net, last, go_deeper(net, first), 0)
