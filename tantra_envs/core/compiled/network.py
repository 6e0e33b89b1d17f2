"""A multilayer perceptron as an agent, stored in one array, for the compiled loops of any game.

`opponents.networks.packed` fills the array (n,) float32. It holds a head; for every hidden layer the biases and the
weights of each input; for the last layer the biases and the weights of each action; then scratch. Widths are rounded up
to a multiple of LANES so that sums run in parallel. The added weights are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import entry_point, kernel

LAYERS, TANH, SYMLOG, ACTIONS, WIDTHS = 0, 1, 2, 3, 4  # places in the head
MOST_LAYERS = 6
HEAD = WIDTHS + 1 + MOST_LAYERS
LANES = 8
LOOKS_AT = "observation"  # the input of `decide` and `rate`, see `drivers.bind`


@kernel
def decide(view: Any, mask: Any, net: Any) -> int:
    """Return the most probable legal action of one seat."""
    last, room = _hidden(view, net)
    best, most = -1, np.float32(0.0)
    for action in range(len(mask)):
        if mask[action] == 1:
            logit = _logit(net, last, room, action)
            if best < 0 or logit > most:
                best, most = action, logit
    return best


@kernel
def rate(view: Any, mask: Any, net: Any, values: Any) -> None:
    """Fill in the logit of every legal action, -inf for others."""
    last, room = _hidden(view, net)
    for action in range(len(mask)):
        values[action] = _logit(net, last, room, action) if mask[action] == 1 else -np.inf


@entry_point
def logits_rows(inputs: Any, net: Any, logits: Any) -> None:
    """Fill in the logits (k, actions) float32 for the inputs (k, size) float32 of the network (1, n)."""
    for k in range(len(inputs)):
        last, room = _hidden(inputs[k], net[0])
        for action in range(logits.shape[1]):
            logits[k, action] = _logit(net[0], last, room, action)


@kernel
def _hidden(view: Any, net: Any) -> Any:
    """Compute the hidden layers; return where the last layer's weights begin, and where its inputs are."""
    layers, source = int(net[LAYERS]), HEAD
    width = int(net[WIDTHS])
    for layer in range(layers):
        wider = int(net[WIDTHS + 1 + layer])
        source += wider * (width + 1)
        width = wider
    last, source = source, source + int(net[ACTIONS]) * (width + 1)
    _inputs(view, net, source)
    weights, width = HEAD, int(net[WIDTHS])
    for layer in range(layers):
        wider = int(net[WIDTHS + 1 + layer])
        _layer(net, weights, source, width, source + width, wider)
        weights += wider * (width + 1)
        source, width = source + width, wider
    return last, source


@kernel
def _inputs(view: Any, net: Any, target: int) -> None:
    """Copy the observation to the inputs, or sign(x) log(1 + |x|) of it."""
    inputs = net[target : target + len(view)]
    for i in range(len(view)):
        inputs[i] = view[i]
    if net[SYMLOG] > 0:
        for i in range(len(view)):
            if inputs[i] != 0:
                inputs[i] = np.log1p(inputs[i]) if inputs[i] > 0 else -np.log1p(-inputs[i])


@kernel
def _layer(net: Any, weights: int, source: int, width: int, target: int, wider: int) -> None:
    """Compute one hidden layer from its non-zero inputs."""
    out, bias = net[target : target + wider], net[weights : weights + wider]
    for o in range(wider):
        out[o] = bias[o]
    waiting = -1  # a non-zero input that waits for a second one: pairs halve the reads and writes of the sums
    inputs = net[source : source + width]
    for i in range(width):
        if inputs[i] != 0:
            if waiting < 0:
                waiting = i
            else:
                first, second = inputs[waiting], inputs[i]
                one = net[weights + wider * (waiting + 1) : weights + wider * (waiting + 2)]
                other = net[weights + wider * (i + 1) : weights + wider * (i + 2)]
                for o in range(wider):
                    out[o] += first * one[o] + second * other[o]
                waiting = -1
    if waiting >= 0:
        first = inputs[waiting]
        one = net[weights + wider * (waiting + 1) : weights + wider * (waiting + 2)]
        for o in range(wider):
            out[o] += first * one[o]
    if net[TANH] > 0:
        for o in range(wider):
            out[o] = np.tanh(out[o])
    else:
        for o in range(wider):
            out[o] = max(out[o], np.float32(0.0))


@kernel
def _logit(net: Any, last: int, source: int, action: int) -> Any:
    """Return the output of an action, summed in LANES parts."""
    actions = int(net[ACTIONS])
    width = int(net[WIDTHS + int(net[LAYERS])])
    inputs = net[source : source + width]
    weights = net[last + actions + width * action : last + actions + width * (action + 1)]
    a = b = c = d = e = f = g = h = np.float32(0.0)
    for i in range(0, width, LANES):
        a += inputs[i] * weights[i]
        b += inputs[i + 1] * weights[i + 1]
        c += inputs[i + 2] * weights[i + 2]
        d += inputs[i + 3] * weights[i + 3]
        e += inputs[i + 4] * weights[i + 4]
        f += inputs[i + 5] * weights[i + 5]
        g += inputs[i + 6] * weights[i + 6]
        h += inputs[i + 7] * weights[i + 7]
    return net[last + action] + (((a + b) + (c + d)) + ((e + f) + (g + h)))
