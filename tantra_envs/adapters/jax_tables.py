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

from ..core.game import Game
from ..core.options import is_whole
from ..envs.batch import BatchEnv
from ..envs.views import NO_ACTION, LegalActionLists, View, features_space


class JaxStep(NamedTuple):
    """The state of `n` tables after a reset or a step: a pytree of JAX arrays.

    With `view="features"` the observation is a dict of `table`, `actions`, `ids` and `action_mask`: see
    `SeatVectorEnv`. `action_mask` has the size of the lists in both places.
    """

    observation: Any  # (n, view.size), the observation of the seat to decide: float32, or integers with "compact"
    action_mask: jax.Array  # (n, actions.size) bool, the legal actions of that seat
    seat: jax.Array  # (n,) int32, the seat to decide
    reward: jax.Array  # (n, players) float32, the rewards of the last step by seat
    terminated: jax.Array  # (n,) bool, the last step ended the game by the rules; the next deal is shown
    truncated: jax.Array  # (n,) bool, the last step ended the game by its limit; the next deal is shown


class JaxTables:
    """`n` tables of one game with `reset` and `step` for use inside `jax.jit` and `lax.scan`.

    A step that ends a game also deals the next one at its table. Calls keep their order. `batch` holds the tables; only
    one program at a time can step them. With `view="features"` actions are places in the lists of legal actions.
    """

    def __init__(
        self, game: Game, n: int, seed: int = 0, threads: int = 1, view: View = "observation", **borders: Any
    ) -> None:
        self.batch = BatchEnv(game, n, seed, threads, view=view, **borders)
        self.game, self.n = game, self.batch.n
        self._lists = LegalActionLists(game, self.n) if view == "features" else None
        self._illegal_reward = borders.get("illegal_reward")
        flags = jax.ShapeDtypeStruct((self.n,), jnp.bool_)
        observation: Any = jax.ShapeDtypeStruct(self.batch.observations.shape, self.batch.observations.dtype)
        choices = game.actions.size
        if self._lists is not None:
            choices = game.most_legal
            observation = {
                name: jax.ShapeDtypeStruct((self.n, *(box.shape or ())), jax.dtypes.canonicalize_dtype(box.dtype))
                for name, box in features_space(game).items()
            }
        self.shapes = JaxStep(
            observation=observation,
            action_mask=jax.ShapeDtypeStruct((self.n, choices), jnp.bool_),
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
        return self._call(lambda chosen: self.batch.step(self._ids_of(np.asarray(chosen))), chosen)

    def _call(self, work: Any, *arguments: Any) -> JaxStep:
        """Call `work` on the tables, in the order of the program, and return their state after it."""

        def shown(*values: Any) -> JaxStep:
            work(*values)
            return self._shown()

        step: JaxStep = io_callback(shown, self.shapes, *arguments, ordered=True)
        return step

    def _ids_of(self, chosen: Any) -> Any:
        """Return the action ids of choices, NO_ACTION for a place without an action; see `step` for errors."""
        if self._lists is None:
            return chosen
        inside = (chosen >= 0) & (chosen < self.game.most_legal)
        ids = np.where(inside, self._lists.ids(np.where(inside, chosen, 0)), NO_ACTION)
        if self._illegal_reward is None and (ids == NO_ACTION).any():
            i = int((ids == NO_ACTION).argmax())
            try:
                self._lists.refuse(self.batch.states, i, self.batch.action_masks[i], int(chosen[i]))
            except ValueError as error:
                raise ValueError(f"table {i}: {error}") from None
        return ids

    def _shown(self) -> JaxStep:
        """Return copies of the batch's arrays, because JAX can keep an array that the next step would overwrite."""
        batch, mask = self.batch, self.batch.action_masks
        observation: Any = batch.observations
        if self._lists is not None and batch.described is not None:
            observation = self._lists.lists_of(batch.described)
            mask = observation["action_mask"]
        return JaxStep(
            observation=jax.tree.map(
                lambda array, shape: array.astype(shape.dtype), observation, self.shapes.observation
            ),
            action_mask=mask.astype(bool),
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
