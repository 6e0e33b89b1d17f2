"""A multilayer perceptron as an agent, stored in one array, for the compiled loops of any game.

`opponents.networks.packed` fills the array (n,) float32. It holds a head; for every hidden layer the biases and the
weights of each input; for the last layer the biases and the weights of each action; then scratch. Widths are rounded up
to a multiple of LANES so that sums run in parallel. The added weights are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import entry_point, kernel, leaf

LAYERS, TANH, SYMLOG, ACTIONS, WIDTHS = 0, 1, 2, 3, 4  # places in the head
MOST_LAYERS = 6
HEAD = WIDTHS + 1 + MOST_LAYERS
LANES = 8
LARGEST = np.float32(7.90531110763549805)  # tanh of larger numbers is 1 in float32


@kernel
def rate(view: Any, mask: Any, net: Any, values: Any) -> None:
    """Fill in the logit of every legal action, -inf for others."""
    last, room = _hidden(view, net)
    for action in range(len(mask)):
        values[action] = output_of(net, last, room, action) if mask[action] == 1 else -np.inf


@entry_point
def logits_rows(inputs: Any, net: Any, logits: Any) -> None:
    """Fill in the logits (k, actions) float32 for the inputs (k, size) float32 of the network (1, n)."""
    for k in range(len(inputs)):
        last, room = _hidden(inputs[k], net[0])
        for action in range(logits.shape[1]):
            logits[k, action] = output_of(net[0], last, room, action)


@kernel
def _hidden(view: Any, net: Any) -> Any:
    """Compute the hidden layers; return where the last layer's weights begin, and where its inputs are."""
    last, source = places(net)
    _inputs(view, net, source)
    if net[LAYERS] == 0:
        return last, source
    width, wider = int(net[WIDTHS]), int(net[WIDTHS + 1])
    out = net[source + width : source + width + wider]
    begin_layer(net, HEAD, out)
    add_inputs(net, HEAD + wider, net[source : source + width], out)
    return last, go_deeper(net, source + width)


@kernel
def places(net: Any) -> Any:
    """Return where the last layer's weights begin, and where the inputs of the first layer are."""
    source, width = HEAD, int(net[WIDTHS])
    for layer in range(int(net[LAYERS])):
        wider = int(net[WIDTHS + 1 + layer])
        source += wider * (width + 1)
        width = wider
    return source, source + int(net[ACTIONS]) * (width + 1)


@kernel
def go_deeper(net: Any, source: int) -> int:
    """Finish the first hidden layer, whose sums are at `source`, and compute the others; return where the last is."""
    weights, width = HEAD + int(net[WIDTHS + 1]) * (int(net[WIDTHS]) + 1), int(net[WIDTHS + 1])
    _activate(net, net[source : source + width])
    for layer in range(1, int(net[LAYERS])):
        wider = int(net[WIDTHS + 1 + layer])
        out = net[source + width : source + width + wider]
        begin_layer(net, weights, out)
        add_inputs(net, weights + wider, net[source : source + width], out)
        _activate(net, out)
        weights += wider * (width + 1)
        source, width = source + width, wider
    return source


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
def begin_layer(net: Any, weights: int, out: Any) -> None:
    """Fill in the biases of a hidden layer, which are at `weights`."""
    bias = net[weights : weights + len(out)]
    for o in range(len(out)):
        out[o] = bias[o]


@kernel
def add_inputs(net: Any, weights: int, inputs: Any, out: Any) -> None:
    """Add the non-zero inputs to the sums of a hidden layer; the weights of the first of them are at `weights`."""
    wider = len(out)
    waiting = -1  # a non-zero input that waits for a second one: pairs halve the reads and writes of the sums
    for i in range(len(inputs)):
        if inputs[i] != 0:
            if waiting < 0:
                waiting = i
            else:
                first, second = inputs[waiting], inputs[i]
                one = net[weights + wider * waiting : weights + wider * (waiting + 1)]
                other = net[weights + wider * i : weights + wider * (i + 1)]
                for o in range(wider):
                    out[o] += first * one[o] + second * other[o]
                waiting = -1
    if waiting >= 0:
        first = inputs[waiting]
        one = net[weights + wider * waiting : weights + wider * (waiting + 1)]
        for o in range(wider):
            out[o] += first * one[o]


@kernel
def _activate(net: Any, out: Any) -> None:
    """Apply tanh or relu to a hidden layer."""
    if net[TANH] > 0:
        for o in range(len(out)):
            out[o] = _tanh(out[o])
    else:
        for o in range(len(out)):
            out[o] = max(out[o], np.float32(0.0))


@leaf
def _tanh(x: Any) -> Any:
    """Return tanh of a float32, with an error of at most 4e-7.

    This is the quotient of polynomials of the library Eigen. Unlike a call of tanhf, the compiler can vectorise it.
    """
    x = min(max(x, -LARGEST), LARGEST)
    s = x * x
    over = np.float32(-2.76076847742355e-16) * s + np.float32(2.00018790482477e-13)
    over = over * s + np.float32(-8.60467152213735e-11)
    over = over * s + np.float32(5.12229709037114e-08)
    over = over * s + np.float32(1.48572235717979e-05)
    over = over * s + np.float32(6.37261928935436e-04)
    over = over * s + np.float32(4.89352455891786e-03)
    under = np.float32(1.19825839466702e-06) * s + np.float32(1.18534705686654e-04)
    under = under * s + np.float32(2.26843463243900e-03)
    under = under * s + np.float32(4.89352518554385e-03)
    return x * over / under


@kernel
def output_of(net: Any, last: int, source: int, action: int) -> Any:
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
