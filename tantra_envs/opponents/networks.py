"""Networks that play without torch: a multilayer perceptron in compiled code, at the table and in playouts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.compiled import network
from ..core.compiled.drivers import with_player
from ..core.game import Game, Mask, Player
from ..core.observation import Actions, Observation
from ..opinions import Opinion
from .network_spec import MLP, NetworkSpec, features_of, policy_inputs

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
NO_ACTION = -1e8  # the logit of an action without features
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


def feature_inputs(game: Game, tables: Any) -> tuple[Rows, Rows, Floats, Floats]:
    """Describe the actions at k tables for a network that rates them one by one.

    Args:
        game: The game.
        tables: What its features look at: concealed records (k,), or observations (k, view.size) float32.

    Returns:
        The tables and ids of the actions (n,) int64 each, the inputs of the network (n, sum(feature_sizes(game))), and
        the features of the tables (k, features.TABLE).
    """
    rows, actions, features, table = features_of(game).describe(game, np.ascontiguousarray(tables))
    return rows, actions, np.concatenate([features, table[rows]], axis=1), table


def feature_logits(game: Game, net: Floats, tables: Any) -> Floats:
    """Return the logits (k, actions.size) of a packed network that rates actions one by one: see `feature_inputs`."""
    rows, actions, inputs, _ = feature_inputs(game, tables)
    found = np.full((len(tables), game.actions.size), NO_ACTION, np.float32)
    found[rows, actions] = logits(net, inputs)[:, 0]
    return found


class ArgmaxAgent:
    """Plays the most probable action of `network`, which turns its inputs (see `policy_inputs`) into logits."""

    def __init__(self, name: str, network: Callable[[Any], Floats], spec: NetworkSpec = MLP) -> None:
        self.name = name
        self.spec = spec
        self._network = network

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the most probable legal action at every table."""
        return np.asarray(self.logits(obs).argmax(axis=1), np.int64)

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """Return the actions of `act`, and the probabilities that the network gives the legal actions."""
        logits = self.logits(obs)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities = weights / weights.sum(axis=1, keepdims=True)
        opinions: list[Opinion | None] = []
        for row, mask in zip(probabilities, obs.action_mask, strict=True):
            legal = np.flatnonzero(mask)
            opinions.append(Opinion("probability", dict(zip(legal.tolist(), row[legal].tolist(), strict=True)), {}))
        return np.asarray(logits.argmax(axis=1), np.int64), opinions

    def logits(self, obs: Observation) -> Floats:
        """Return the logits of all actions, shape (k, actions.size); of illegal ones -inf."""
        logits = self._network(policy_inputs(self.spec, obs))
        return np.where(obs.action_mask, logits, np.float32(-np.inf))


class _InPlayouts:
    """A packed network in the scripted agent's place in a game; for the rest it keeps what the scripted agent has."""

    LOOKS_AT: Literal["known", "observation"] = "observation"

    def __init__(self, own: Player, net: Floats, origin: Mapping[str, Any] | None = None) -> None:
        self.SEARCH, self.worth = own.SEARCH, own.worth
        self.origin = dict(origin or {})
        self._net = net

    def prepare(self, game: Game) -> Any:
        """The network with room of its own to work in, (1, n)."""
        return self._net.copy()

    def choose(self, game: Game, inputs: Floats, masks: Mask) -> Actions:
        """The likeliest actions, (k,)."""
        return np.asarray(np.where(masks, logits(self._net, inputs), -np.inf).argmax(axis=1), np.int64)


def played_by(game: Game, net: Floats, origin: Mapping[str, Any] | None = None) -> Game:
    """The game with a packed network in the scripted player's place; ValueError if it does not fit the game."""
    head = net[0, : network.HEAD]
    wanted = game.actions.size, _rounded(game.view.size)
    if (int(head[network.ACTIONS]), int(head[network.WIDTHS])) != wanted:
        raise ValueError(f"{game.name}: a network of other inputs or outputs; wanted: {game.view.size} to {wanted[0]}")
    return replace(game, player=_InPlayouts(game.scripted, net, origin), drivers=with_player(game.drivers, network))


def _hidden(weights: Floats, biases: Floats, width: int, wider: int) -> Floats:
    """A hidden layer's biases, then the weights of each input."""
    room = np.zeros((width + 1, wider), np.float32)
    room[0, : len(biases)] = biases
    room[1 : 1 + weights.shape[1], : len(biases)] = weights.T
    return room.ravel()


def _rounded(width: int) -> int:
    return -(-width // network.LANES) * network.LANES
