"""Many tables inside compiled JAX programs: `jax.jit`, `lax.scan`, `lax.fori_loop`.

The tables live in a `BatchEnv` outside the program, which calls them in order by `io_callback`. They are stepped, not
differentiated or vectorised: `jax.grad` may go around a call, `jax.vmap` may not, for the tables are a batch already.
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
    """What `n` tables show after a reset or a step: a pytree of JAX arrays."""

    observation: jax.Array  # (n, view.size), what the seat to decide sees: float32, or the whole numbers of "compact"
    action_mask: jax.Array  # (n, actions.size) bool, what it may do
    seat: jax.Array  # (n,) int32, who decides
    reward: jax.Array  # (n, players) float32, paid by the last step, by seat
    terminated: jax.Array  # (n,) bool, the last step ended the game by the rules; the next deal is shown
    truncated: jax.Array  # (n,) bool, the last step ended the game by its limit; the next deal is shown


class JaxTables:
    """`n` tables of one game whose `reset` and `step` may be called inside `jax.jit` and `lax.scan`.

    Finished tables are dealt anew within the step that ends them. Calls keep their order. `batch` holds the tables:
    one program at a time may step them.
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
        """Deal all tables, from `seed` (an integer, or an integer scalar of a program) or from the last one again.

        ValueError if it is no integer.
        """
        if seed is None or is_whole(seed):  # known when the program is traced, and perhaps too large for an int32
            return self._call(lambda: self.batch.reset(seed))
        number = _integers(self.game, "seed", seed, ())
        return self._call(lambda number: self.batch.reset(int(number)), number)

    def step(self, actions: Any) -> JaxStep:
        """Play `actions` (n,), integers, one for the seat to decide at each table.

        ValueError, when the program is traced, unless they are integers of this shape. An illegal action ends the
        program with an error that names the table, its seat and the legal actions, unless the tables were made with an
        `illegal_reward`.
        """
        chosen = _integers(self.game, "actions", actions, (self.n,))
        return self._call(lambda chosen: self.batch.step(np.asarray(chosen)), chosen)

    def _call(self, work: Any, *arguments: Any) -> JaxStep:
        """Let the tables do some work, in its turn, and return what they show then."""

        def shown(*values: Any) -> JaxStep:
            work(*values)
            return self._shown()

        step: JaxStep = io_callback(shown, self.shapes, *arguments, ordered=True)
        return step

    def _shown(self) -> JaxStep:
        """Return copies of what the batch shows: JAX may keep an array that the next step would overwrite."""
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
    """Return a value as an array; ValueError unless it is one of integers of this shape. Its numbers are not known."""
    array = jnp.asarray(value)
    if array.shape != shape or not jnp.issubdtype(array.dtype, jnp.integer):
        given = f"{name}={array.dtype} of shape {array.shape}"
        raise ValueError(f"{game.name}: {given} is not allowed; allowed: integers of shape {shape}")
    return array
