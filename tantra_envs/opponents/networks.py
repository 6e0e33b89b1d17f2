"""Networks that play without torch: a multilayer perceptron in compiled code, for tables and for playouts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled import network
from ..core.compiled.drivers import Drivers, with_player
from ..core.compiled.feature_network import FeatureWork, agent_of
from ..core.features import Described
from ..core.game import Game
from ..core.observation import Actions, Observation
from ..core.opinions import Opinion
from .network_spec import MLP, MOST_NUMBERS, NetworkSpec, policy_inputs

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
NO_ACTION = -1e8  # the logit of an action without features
_working = threading.Lock()  # held by the thread that writes into the packed networks


def packed(layers: Sequence[tuple[Floats, Floats]], *, tanh: bool = False, symlog: bool = False) -> Floats:
    """Return the network as one array (1, n) for compiled code.

    Args:
        layers: For every layer its weights (outputs, inputs) and its biases (outputs,).
        tanh: Use tanh instead of relu in the hidden layers.
        symlog: Transform the inputs by symlog.

    Raises:
        ValueError: The network is too large.
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

    Threads can share a network. It holds the values of its layers, so a second thread works on a copy.
    """
    outputs = np.empty((len(inputs), int(net[0, network.ACTIONS])), np.float32)
    alone = _working.acquire(blocking=False)
    try:
        network.logits_rows(np.ascontiguousarray(inputs, np.float32), net if alone else net.copy(), outputs)
    finally:
        if alone:
            _working.release()
    return outputs


def feature_logits(game: Game, net: Floats, described: Described) -> Floats:
    """Return the logits (k, actions.size) of a packed network that rates one action at a time, by its features."""
    rows = described.rows
    inputs = np.concatenate([described.features, described.tables[rows]], axis=1)
    outputs = np.full((len(described.counts), game.actions.size), NO_ACTION, np.float32)
    outputs[rows, described.actions] = logits(net, inputs)[:, 0]
    return outputs


def softmax(logits: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the probabilities (k, actions) for logits (k, actions), in their type."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def sampled(logits: Floats, rng: np.random.Generator) -> Actions:
    """Draw one action from each row of logits (k, actions): the largest of the logits plus Gumbel noise.

    This is the Gumbel-max trick of Maddison, Tarlow and Minka, A* Sampling, 2014.
    """
    return np.asarray((logits + rng.gumbel(size=logits.shape)).argmax(axis=1), np.int64)


def sampled_at(
    obs: Observation, rows: Actions, logits: npt.NDArray[np.floating[Any]], rng: np.random.Generator
) -> Actions:
    """Draw like `sampled` at the tables `rows`, with the random numbers of each table, so that others do not matter."""
    noise = [obs.generator(rng, row).gumbel(size=logits.shape[1]) for row in rows.tolist()]
    return np.asarray((logits + np.stack(noise)).argmax(axis=1), np.int64)


class ArgmaxAgent:
    """An agent that plays the most probable action of `network`, a function from its `policy_inputs` to logits."""

    def __init__(self, name: str, network: Callable[[Any], Floats], spec: NetworkSpec = MLP) -> None:
        self.name = name
        self.spec = spec
        self._network = network

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the most probable legal action at every table, shape (k,)."""
        return np.asarray(self.logits(obs).argmax(axis=1), np.int64)

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """Return the actions of `act`, and the network's probabilities of the legal actions."""
        probabilities = softmax(self.logits(obs))
        opinions: list[Opinion | None] = []
        for row, mask in zip(probabilities, obs.action_mask, strict=True):
            legal = np.flatnonzero(mask)
            opinions.append(Opinion("probability", dict(zip(legal.tolist(), row[legal].tolist(), strict=True)), {}))
        return self.act(obs, rng), opinions

    def logits(self, obs: Observation) -> Floats:
        """Return the logits of all actions, shape (k, actions.size), with -inf for illegal actions."""
        logits = self._network(policy_inputs(self.spec, obs))
        return np.where(obs.action_mask, logits, np.float32(-np.inf))


@dataclass(frozen=True, eq=False)
class NetworkPolicy:
    """A packed network as the policy of playouts: over observations, or over action features.

    Raises:
        ValueError: The network does not fit the game, or it is over features and has no hidden layer.
    """

    game: Game
    net: Floats
    over_features: bool

    def __post_init__(self) -> None:
        game, head = self.game, self.net[0, : network.HEAD]
        inputs, outputs = (sum(game.features.sizes), 1) if self.over_features else (game.view.size, game.actions.size)
        if (int(head[network.ACTIONS]), int(head[network.WIDTHS])) != (outputs, _rounded(inputs)):
            allowed = f"{inputs} to {outputs}"
            raise ValueError(f"{game.name}: the inputs or outputs of the network do not fit; allowed: {allowed}")
        if self.over_features and head[network.LAYERS] < 1:
            problem = "a network without hidden layers cannot play in playouts"
            raise ValueError(f"{game.name}: {problem}; allowed: 1 or more")

    @property
    def reads_observation(self) -> bool:
        """Whether the network reads observations, and not concealed records."""
        return not self.over_features

    @property
    def drivers(self) -> Drivers:
        """The drivers of the game with this kind of network in place of the scripted agent."""
        agent: Any = agent_of(self.game.features.describe_legal) if self.over_features else network
        return with_player(self.game.drivers, agent, self.reads_observation)

    def prepare(self) -> Any:
        """Return a copy of the network with the arrays that it works in."""
        if not self.over_features:
            return self.net.copy()
        game, (features, table) = self.game, self.game.features.sizes
        work = FeatureWork(
            net=self.net[0].copy(),
            features=np.zeros((game.actions.size, features), np.float32),
            table=np.zeros(table, np.float32),
            shared=np.zeros(int(self.net[0, network.WIDTHS + 1]), np.float32),
            room=game.features.prepare(game),
        )
        return (work,)


def _hidden(weights: Floats, biases: Floats, width: int, wider: int) -> Floats:
    """Return a hidden layer's biases, then the weights of each input."""
    room = np.zeros((width + 1, wider), np.float32)
    room[0, : len(biases)] = biases
    room[1 : 1 + weights.shape[1], : len(biases)] = weights.T
    return room.ravel()


def _rounded(width: int) -> int:
    return -(-width // network.LANES) * network.LANES
