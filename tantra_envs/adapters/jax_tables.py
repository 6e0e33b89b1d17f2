"""Many tables inside compiled JAX programs: `jax.jit`, `lax.scan`, `lax.fori_loop`.

The tables are a `BatchEnv` outside the program, which calls it in order with `io_callback`. They cannot be
differentiated or vectorised. `jax.grad` can contain a call. `jax.vmap` cannot, because the tables are a batch already.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

from ..core.game import Game, is_whole
from ..envs.batch import BatchEnv


class JaxStep(NamedTuple):
    """The state of `n` tables after a reset or a step: a pytree of JAX arrays."""

    observation: jax.Array  # (n, view.size), the observation of the seat to decide: float32, or integers with "compact"
    action_mask: jax.Array  # (n, actions.size) bool, the legal actions of that seat
    seat: jax.Array  # (n,) int32, the seat to decide
    reward: jax.Array  # (n, players) float32, the rewards of the last step by seat
    terminated: jax.Array  # (n,) bool, the last step ended the game by the rules; the next deal is shown
    truncated: jax.Array  # (n,) bool, the last step ended the game by its limit; the next deal is shown


class JaxTables:
    """`n` tables of one game with `reset` and `step` for use inside `jax.jit` and `lax.scan`.

    A step that ends a game also deals the next one at its table. Calls keep their order. `batch` holds the tables; only
    one program at a time can step them.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int = 1, **borders: Any) -> None:
        self.batch = BatchEnv(game, n, seed, threads, **borders)
        self.game, self.n = game, self.batch.n
        flags = jax.ShapeDtypeStruct((self.n,), jnp.bool_)
        self.shapes = JaxStep(
            observation=jax.ShapeDtypeStruct(self.batch.observations.shape, self.batch.observations.dtype),
            action_mask=jax.ShapeDtypeStruct(self.batch.action_masks.shape, jnp.bool_),
            seat=jax.ShapeDtypeStruct((self.n,), jnp.int32),
            reward=jax.ShapeDtypeStruct((self.n, game.players), jnp.float32),
            terminated=flags,
            truncated=flags,
        )

    def reset(self, seed: Any = None) -> JaxStep:
        """Deal all tables from `seed`, or from the last seed again.

        Args:
            seed: An integer, an integer scalar of a JAX program, or None.

        Raises:
            ValueError: `seed` is not an integer.
        """
        if seed is None or is_whole(seed):  # a constant of the program; it can be too large for an int32
            return self._call(lambda: self.batch.reset(seed))
        number = _integers(self.game, "seed", seed, ())
        return self._call(lambda number: self.batch.reset(int(number)), number)

    def step(self, actions: Any) -> JaxStep:
        """Play `actions` (n,), integers, one for the seat to decide at each table.

        An illegal action ends the program with an error, unless the tables have an `illegal_reward`. The error lists
        the table, its seat and the legal actions.

        Raises:
            ValueError: `actions` are not integers of shape (n,). It is raised when the program is traced.
        """
        chosen = _integers(self.game, "actions", actions, (self.n,))
        return self._call(lambda chosen: self.batch.step(np.asarray(chosen)), chosen)

    def _call(self, work: Any, *arguments: Any) -> JaxStep:
        """Call `work` on the tables, in the order of the program, and return their state after it."""

        def shown(*values: Any) -> JaxStep:
            work(*values)
            return self._shown()

        step: JaxStep = io_callback(shown, self.shapes, *arguments, ordered=True)
        return step

    def _shown(self) -> JaxStep:
        """Return copies of the batch's arrays, because JAX can keep an array that the next step would overwrite."""
        batch = self.batch
        return JaxStep(
            observation=batch.observations.copy(),
            action_mask=batch.action_masks.astype(bool),
            seat=batch.states["seat"].astype(np.int32),
            reward=batch.rewards.astype(np.float32),
            terminated=batch.terminations.copy(),
            truncated=batch.truncations.copy(),
        )


def _integers(game: Game, name: str, value: Any, shape: tuple[int, ...]) -> jax.Array:
    """Return a value as an array; raise ValueError unless it is an integer array of this shape."""
    array = jnp.asarray(value)
    if array.shape != shape or not jnp.issubdtype(array.dtype, jnp.integer):
        actual = f"{name}={array.dtype} of shape {array.shape}"
        raise ValueError(f"{game.name}: {actual} is not allowed; allowed: integers of shape {shape}")
    return array
