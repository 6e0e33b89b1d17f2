"""Networks as players: a multilayer perceptron in the scripted player's place, at the table and in playouts."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled import network
from ..core.compiled.drivers import with_player
from ..core.game import Game, Mask, Player
from ..core.observation import Actions

Floats = npt.NDArray[np.float32]
MOST_NUMBERS = 1 << 24  # which float32 counts exactly
_working = threading.Lock()  # held by the thread that works in the networks themselves


def packed(layers: Sequence[tuple[Floats, Floats]], *, tanh: bool = False, symlog: bool = False) -> Floats:
    """The array (1, n) that kernels play with, of weights (outputs, inputs) and biases (outputs,) for every layer.

    tanh: of the hidden layers, else relu. symlog: of the inputs. ValueError for a network too large for it.
    """
    widths = [_rounded(weights.shape[1]) for weights, _ in layers]
    actions = len(layers[-1][1])
    if len(layers) - 1 > network.MOST_LAYERS:
        raise ValueError(f"{len(layers) - 1} hidden layers are too many to be compiled; allowed: {network.MOST_LAYERS}")
    head = np.zeros(network.HEAD, np.float32)
    head[: network.WIDTHS] = len(layers) - 1, tanh, symlog, actions
    head[network.WIDTHS : network.WIDTHS + len(widths)] = widths
    hidden = [_hidden(*layer, width, wider) for layer, width, wider in zip(layers, widths, widths[1:], strict=False)]
    weights, biases = layers[-1]
    last = np.pad(weights, ((0, 0), (0, widths[-1] - weights.shape[1])))
    parts = [head, *hidden, biases, last.ravel(), np.zeros(sum(widths), np.float32)]
    if sum(map(len, parts)) > MOST_NUMBERS:
        raise ValueError(f"{sum(map(len, parts)):,} numbers are too many to be compiled; allowed: {MOST_NUMBERS:,}")
    return np.concatenate(parts, dtype=np.float32)[None]


def logits(net: Floats, inputs: Floats) -> Floats:
    """Return the logits (k, actions) of a packed network for inputs (k, size).

    Threads may share a network: what is worked out is written into it, so that a thread that is not alone takes a copy.
    """
    found = np.empty((len(inputs), int(net[0, network.ACTIONS])), np.float32)
    alone = _working.acquire(blocking=False)
    try:
        network.logits_rows(np.ascontiguousarray(inputs, np.float32), net if alone else net.copy(), found)
    finally:
        if alone:
            _working.release()
    return found


class NetworkPolicy:
    """A packed network as a game's player; what it does not know itself the game's own player tells."""

    def __init__(self, own: Player, net: Floats, origin: Mapping[str, Any] | None = None) -> None:
        self.SEARCH, self.worth = own.SEARCH, own.worth
        self.origin = dict(origin or {})
        self._net = net

    def prepare(self, game: Game) -> Any:
        """The network with room of its own to work in, (1, n)."""
        return self._net.copy()

    def choose(self, game: Game, views: Floats, masks: Mask) -> Actions:
        """The likeliest actions, (k,)."""
        return np.asarray(np.where(masks, logits(self._net, views), -np.inf).argmax(axis=1), np.int64)


def played_by(game: Game, net: Floats, origin: Mapping[str, Any] | None = None) -> Game:
    """The game with a packed network in the scripted player's place; ValueError if it does not fit the game."""
    head = net[0, : network.HEAD]
    wanted = game.actions.size, _rounded(game.view.size)
    if (int(head[network.ACTIONS]), int(head[network.WIDTHS])) != wanted:
        raise ValueError(f"{game.name}: a network of other inputs or outputs; wanted: {game.view.size} to {wanted[0]}")
    return replace(game, player=NetworkPolicy(game.scripted, net, origin), drivers=with_player(game.drivers, network))


def _hidden(weights: Floats, biases: Floats, width: int, wider: int) -> Floats:
    """A hidden layer's biases, then the weights of each input."""
    room = np.zeros((width + 1, wider), np.float32)
    room[0, : len(biases)] = biases
    room[1 : 1 + weights.shape[1], : len(biases)] = weights.T
    return room.ravel()


def _rounded(width: int) -> int:
    return -(-width // network.LANES) * network.LANES
