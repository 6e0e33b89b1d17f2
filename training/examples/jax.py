"""Self-play by policy gradients, with tables and updates inside `jax.jit`: `python -m training examples jax`."""

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, LENGTH, HIDDEN, ADAM = 256, 128, 128, optax.adam(2e-3)


def forward(weights: Any, views: Any, masks: Any) -> tuple[Any, Any]:
    """Return log probabilities of the actions, (.., actions), and the expected return, (..)."""
    out = jnp.tanh(views @ weights["hidden"]) @ weights["out"]
    return jax.nn.log_softmax(jnp.where(masks, out[..., :-1], -1e9)), out[..., -1]


def loss(weights: Any, observations: Any, actions: Any, returns: Any, ended: Any) -> Any:
    """Return the loss of actor and critic, with an entropy bonus, over the decisions whose games have ended."""
    logs, values = forward(weights, observations.observation, observations.action_mask)
    advantages, chosen = returns - values, jnp.take_along_axis(logs, actions[..., None], -1)[..., 0]
    actor = chosen * jax.lax.stop_gradient(advantages) - 0.02 * (jnp.exp(logs) * logs).sum(-1)
    return ((advantages**2 / 2 - actor) * ended).sum() / ended.sum().clip(1)


@partial(jax.jit, static_argnums=0)
def update(tables: Any, weights: Any, moments: Any, step: Any, key: Any) -> Any:
    """Play LENGTH decisions at every table and learn from the returns of the seats that decided."""

    def decide(observation: Any, key: Any) -> Any:
        actions = jax.random.categorical(key, forward(weights, observation.observation, observation.action_mask)[0])
        after = tables.step(actions)
        return after, (observation, actions, after.reward, after.terminated | after.truncated)

    def add_reward(later: Any, row: Any) -> Any:
        (returns, ended), (_observations, _, reward, over) = later, row
        returns, ended = reward + jnp.where(over[:, None], 0.0, returns), over | ended
        return (returns, ended), (returns[jnp.arange(TABLES), _observations.seat], ended)

    step, rows = jax.lax.scan(decide, step, jax.random.split(key, LENGTH))
    nothing = jnp.zeros_like(step.reward), jnp.zeros_like(step.terminated)
    returns, ended = jax.lax.scan(add_reward, nothing, rows, reverse=True)[1]
    change, moments = ADAM.update(jax.grad(loss)(weights, *rows[:2], returns, ended), moments)
    return optax.apply_updates(weights, change), moments, step


def weights_of_updates(game: Game, seed: int = 1) -> Iterator[Any]:
    """Yield random weights, then the weights after each update, without end."""
    tables, rng = adapters.jax(game, TABLES), np.random.default_rng(seed)
    shapes = {"hidden": (game.view.size, HIDDEN), "out": (HIDDEN, game.actions.size + 1)}
    weights = {name: jnp.array(rng.normal(0, shape[0] ** -0.5, shape), jnp.float32) for name, shape in shapes.items()}
    moments, step, key = ADAM.init(weights), tables.reset(seed=seed), jax.random.key(seed)
    for number in itertools.count():
        yield weights
        weights, moments, step = update(tables, weights, moments, step, jax.random.fold_in(key, number))


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions of self-play."""
    return agent_of(next(itertools.islice(weights_of_updates(game, seed), -(-steps // (TABLES * LENGTH)), None)))


def agent_of(weights: Any) -> Agent:
    """Return the agent that plays the most probable action of a network with these weights."""
    hidden, out = np.asarray(weights["hidden"]), np.asarray(weights["out"])
    return adapters.player("jax", lambda views, masks: np.tanh(views @ hidden) @ out[:, :-1])


main = partial(run, "jax", learn, 6_000_000)
