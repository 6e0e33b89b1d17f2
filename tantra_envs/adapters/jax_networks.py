"""Networks in JAX that read action features: pure functions of parameters, for `adapters.jax(.., view="features")`.

    tables = adapters.jax(game, 256, view="features")
    actor, critic = init_ratings(key, game), init_values(other_key, game)
    step = tables.reset()
    logits, values = ratings(actor, step.observation), values(critic, step.observation)  # (n, L) and (n,)
    save_network(actor, game, "mine.safetensors")  # plays as ppo:mine.safetensors

They are the networks of `tantra_envs.networks`, which needs torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.game import Game
from ..opponents.model_files import ModelCard, write_layers
from ..opponents.networks import NO_ACTION

Layers = list[dict[str, jax.Array]]  # for each layer its "weights" (inputs, outputs) and "biases" (outputs,)


def init_ratings(key: Any, game: Game, hidden: Sequence[int] = (64, 64)) -> Layers:
    """Return random parameters of `ratings`."""
    return _init(key, [sum(game.features.sizes), *hidden, 1])


def init_values(key: Any, game: Game, hidden: Sequence[int] = (64, 64)) -> Layers:
    """Return random parameters of `values`."""
    return _init(key, [game.features.of_table.size, *hidden, 1])


def ratings(layers: Layers, observation: dict[str, Any]) -> jax.Array:
    """Return the ratings in lists of legal actions, (.., L), and NO_ACTION in places without an action.

    The hidden layers have tanh. The first layer reads each table only once.
    """
    features, table = observation["actions"], observation["table"]
    first, width = layers[0], features.shape[-1]
    of_tables = table @ first["weights"][width:] + first["biases"]
    outputs = _rest(layers, features @ first["weights"][:width] + of_tables[..., None, :], jnp.tanh)
    return jnp.where(observation["action_mask"] > 0, outputs, NO_ACTION)


def values(layers: Layers, observation: dict[str, Any]) -> jax.Array:
    """Return the expected rewards of the seats to decide, (..). The hidden layers have relu."""
    first = layers[0]
    return _rest(layers, observation["table"] @ first["weights"] + first["biases"], jax.nn.relu)


def save_network(layers: Layers, game: Game, file: str | Path) -> ModelCard:
    """Write the parameters of `ratings` as a model file, which plays as `ppo:FILE`, without JAX.

    Raises:
        ValueError: A layer does not fit; the message names it.
    """
    arrays = [(np.asarray(layer["weights"]).T, np.asarray(layer["biases"])) for layer in layers]
    return write_layers(Path(file), arrays, game, "tanh")


def _init(key: Any, widths: Sequence[int]) -> Layers:
    """Return uniform random weights and biases, up to 1 / sqrt(inputs), as in torch."""
    layers = []
    for number, (inputs, outputs) in enumerate(pairwise(widths)):
        one, other = jax.random.split(jax.random.fold_in(key, number))
        bound = inputs**-0.5
        weights = jax.random.uniform(one, (inputs, outputs), minval=-bound, maxval=bound)
        layers.append(
            {"weights": weights, "biases": jax.random.uniform(other, (outputs,), minval=-bound, maxval=bound)}
        )
    return layers


def _rest(layers: Layers, outputs: jax.Array, activation: Any) -> jax.Array:
    """Return the single output of the last layer, from the outputs of the first before its activation."""
    for layer in layers[1:]:
        outputs = activation(outputs) @ layer["weights"] + layer["biases"]
    return outputs[..., 0]
