"""Many tables at once, with arrays as input and output: the fastest environment for learners."""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypedDict, TypeVar, Unpack, get_args, overload

import numpy as np
import numpy.typing as npt

from ..core.admission import check_consistent
from ..core.compiled.drivers import seed_streams
from ..core.features import Described, Describer
from ..core.game import Game, as_seed
from ..core.options import SWITCHES, OneOf, Whole
from ..matches.match import score_rewards
from .episode import check_illegal_reward, check_score_reward
from .threads import Slices
from .views import VIEWS, Numbers, View

Views = TypeVar("Views")  # of `reset` and `step`: observations, or described legal actions
Masks = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Dtype = Literal["float32", "compact"]
DTYPES = OneOf(get_args(Dtype), " or ".join(map(repr, get_args(Dtype))))
FACTORS = 4  # their place in the arrays of `step_batch`


class BatchOptions(TypedDict, total=False):
    """The options of a `BatchEnv`."""

    observation_dtype: Dtype
    illegal_reward: float | None
    skip_forced: bool
    score_reward: bool


class BatchEnv(Generic[Views]):
    """`n` tables of one game. A step that ends a game also deals the next one at its table.

    All arrays are allocated once and overwritten by every step. Copy an array that you want to keep.

    - `states`: (n,) records, the whole tables; agents read them through `Observation(game, states, rows)`
    - `seats`: (n,) int64, the seat to decide
    - `observations`: (n, view.size), the observation of that seat in float32. With observation_dtype="compact" they are
      integers of `game.view.dtype`; `game.view.to_float(observations)` converts them to the same float32
    - `described`: with view="features" the legal actions of that seat with their features, see `game.describe`. Then
      `observations` has no rows, and `reset` and `step` return `described` in its place. Actions are action ids
    - `action_masks`: (n, actions.size) int8, the legal actions of that seat
    - `rewards`: (n, players) float64, the rewards of the last step by seat
    - `terminations`: (n,) bool, the last step ended the game by its rules; the observations show the next deal
    - `truncations`: (n,) bool, the last step reached the limit of actions; the observations show the next deal

    Table i plays the deals seed + i, seed + n + i, seed + 2n + i, .., whatever happens at other tables. Each of the
    `threads` plays a slice of the tables. Results do not depend on their number. They end with `close`, with the `with`
    block, or with the batch.

    `illegal_reward` is the reward of a seat that chooses an illegal action. The action ends the game at its table and
    changes no other table. With None an illegal action raises ValueError.

    With `skip_forced=True` a step also plays the actions that follow, as long as the seat to decide has one legal
    action. `rewards` are then sums. A new deal is not played on, so its first decision can have one legal action.

    With `score_reward=True` the rewards are those of `score_rewards` at the end of a game, and 0 before.
    """

    @overload
    def __init__(
        self: BatchEnv[Described],
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        view: Literal["features"],
        **options: Unpack[BatchOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: BatchEnv[Numbers],
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        view: Literal["observation"] = ...,
        **options: Unpack[BatchOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: BatchEnv[Any],
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        view: View,
        **options: Unpack[BatchOptions],
    ) -> None: ...

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        view: View = "observation",
        observation_dtype: Dtype = "float32",
        illegal_reward: float | None = None,
        skip_forced: bool = False,
        score_reward: bool = False,
    ) -> None:
        for name, value in (("n", n), ("threads", threads)):
            game.check_in(name, value, Whole(1))
        game.check_in("observation_dtype", observation_dtype, DTYPES)
        game.check_in("view", view, VIEWS)
        check_illegal_reward(game, illegal_reward)
        game.check_in("skip_forced", skip_forced, SWITCHES)
        check_score_reward(game, score_reward)
        self.game = game
        self.n = int(n)
        self.states = game.blanks(self.n)
        self._describer = Describer(game, self.n) if view == "features" else None
        self.described: Described | None = None
        seen = 0 if view == "features" else self.n  # tables with an observation
        self._narrow = np.zeros((seen, game.view.size), game.view.dtype)
        compact = observation_dtype == "compact"
        self.observations: Numbers = self._narrow if compact else np.zeros(self._narrow.shape, np.float32)
        self._legal = np.zeros((self.n, game.actions.size), np.int8)  # only compiled code writes to it
        self.action_masks = self._legal.copy()
        self.rewards = np.zeros((self.n, game.players))
        self.terminations = np.zeros(self.n, bool)
        self.truncations = np.zeros(self.n, bool)
        self._illegal_reward, self._skips_forced = illegal_reward, skip_forced
        self._points = np.zeros((self.n if score_reward else 0, game.players))  # rewards of the games so far
        self._seed = seed
        self._streams = np.zeros((self.n, 4), np.int64)
        self._chosen = np.zeros(self.n, np.int64)
        self._sampled = np.zeros(self.n, np.int64)
        self._seeds = np.zeros(self.n, np.int64)
        self._arrays = (
            self.states,
            self._chosen,
            self._seeds,
            self._narrow,
            game.view.factors,
            self.observations[:0] if compact else self.observations,
            self._legal,
            self.action_masks,
            self.rewards,
            self.terminations,
            self.truncations,
        )
        self._slices = Slices(int(threads))
        self.reset(seed)

    @property
    def seats(self) -> Ints:
        """The seat to decide at each table, int64 of shape (n,)."""
        return self.states["seat"].astype(np.int64)

    def reset(self, seed: int | None = None) -> tuple[Views, Masks]:
        """Deal all tables from `seed`, or from the last seed again. Return what the seats see, and the action masks."""
        chosen = self._seed if seed is None else seed
        self.game.check_in("seed", chosen, Whole(0))
        self._seed = int(chosen)
        first = as_seed(self._seed)
        every = np.arange(self.n)
        self._seeds[:] = first + every
        self._deal(every)
        # Table i gets the stream of ~(first + i). With the seed of its deal, its actions would follow from the shuffle.
        seed_streams(self._streams, as_seed(~(first + self.n - 1)))
        self._streams[:] = self._streams[::-1].copy()
        self.rewards[:] = self._points[:] = 0.0
        self.terminations[:] = self.truncations[:] = False
        return self._look(), self.action_masks

    def step(self, actions: npt.ArrayLike) -> tuple[Views, Masks, npt.NDArray[np.float64], Flags, Flags]:
        """Play `actions`, one for the seat to decide at each table.

        Args:
            actions: Integers of shape (n,).

        Returns:
            observations (or described), action_masks, rewards, terminations, truncations.

        Raises:
            ValueError: `actions` are not integers of this shape, or one is illegal and there is no `illegal_reward`.
                The message lists the table, its seat and the legal actions. Nothing has changed.
        """
        checked = _integers(self.game, actions, self.n)
        self._chosen[:] = checked  # compiled code must see the checked numbers even if the caller changes the array
        illegal, forfeited = self._play(), np.empty(0, np.int64)
        if illegal >= 0:
            if self._illegal_reward is None:
                self._refuse(illegal, int(checked[illegal]))
            else:
                forfeited = self._forfeit(self._illegal_reward)
        if self._skips_forced:
            self._play_forced()
        if len(self._points):
            self._score(forfeited)
        return self._look(), self.action_masks, self.rewards, self.terminations, self.truncations

    def sample(self) -> Ints:
        """Draw a uniform legal action for every table, shape (n,), from the random streams of this batch."""
        sample_legal = self.game.drivers.sample_legal
        self._slices.run(partial(sample_legal, self._legal, self._streams, self._sampled), self.n)
        return self._sampled

    def close(self) -> None:
        """End the threads. A later step starts them again."""
        self._slices.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore a pickled batch; raise ValueError if its tables are damaged, or its arrays do not belong to them."""
        self.__dict__.update(attributes)
        self._arrays[FACTORS].flags.writeable = False  # as in `view.factors`: the driver is compiled for this type
        check_consistent(self.game, self.states)
        by_table = (self._legal, self._chosen, self._sampled, self._seeds, self._streams, self.rewards)
        fits = all(len(array) == len(self.states) == self.n for array in by_table)
        fits = fits and len(self._narrow) == (self.n if self._describer is None else 0)
        fits = fits and len(self._points) in (0, self.n)
        if not fits or (self.game.views(self.states, self.seats)[1] != self._legal).any():
            raise ValueError(f"{self.game.name}: the copy is damaged: its arrays do not belong to its tables")
        self._look()

    def _play(self) -> int:
        """Step all tables; return -1, or the first table with an illegal action, and then nothing has changed."""
        drivers = self.game.drivers
        if self._slices.threads == 1:
            illegal: int = drivers.step_batch(*self._arrays, 1, 0, self.n)
        else:
            illegal = drivers.first_illegal(self._legal, self._chosen)
            if illegal < 0:
                self._slices.run(partial(drivers.step_batch, *self._arrays, 0), self.n)
        return illegal

    def _look(self) -> Any:
        """Return the observations; with view="features" describe the legal actions, and return them."""
        if self._describer is None:
            return self.observations
        seats, every = self.seats, np.arange(self.n)
        described = self._describer.begin(self._legal.sum(axis=1, dtype=np.int64))
        self._slices.run(partial(self._describer.fill, described, self.states, every, seats, self._legal), self.n)
        self.described = described
        return described

    def _deal(self, rows: Ints) -> None:
        """Deal the tables `rows` from their seeds, and fill in their observations and masks."""
        self.game.drivers.deal_rows(self.states, rows, self._seeds[rows])
        self._seeds[rows] += self.n
        self._show(rows)

    def _show(self, rows: Ints) -> None:
        """Fill in the observations and masks of the tables `rows`."""
        game = self.game
        if self._describer is not None:
            self._legal[rows] = self.action_masks[rows] = self._describer.find(self.states, rows, self.seats[rows])[0]
            return
        narrow, legal = game.views(self.states, self.seats[rows], rows)
        self._legal[rows] = self.action_masks[rows] = legal
        compact = self.observations is self._narrow
        self.observations[rows] = narrow if compact else game.view.to_float(narrow)

    def _play_forced(self) -> None:
        """Play on at every table until the seat to decide has a choice, or the game is over and dealt again."""
        rows = np.flatnonzero(~(self.terminations | self.truncations))
        while len(rows := rows[self._legal[rows].sum(axis=1, dtype=np.int64) == 1]):
            self.game.drivers.apply_rows(self.states, rows, self._legal[rows].argmax(axis=1))
            self.rewards[rows] += self.states["rewards"][rows, : self.game.players]
            over, truncated = (self.states[name][rows] == 1 for name in ("over", "truncated"))
            self.terminations[rows], self.truncations[rows] = over & ~truncated, truncated
            self._deal(rows[over])
            rows = rows[~over]
            self._show(rows)

    def _score(self, forfeited: Ints) -> None:
        """Turn the rewards of this step into scores, but those of the tables `forfeited`."""
        ended, penalties = self.terminations | self.truncations, self.rewards[forfeited]
        self._points += self.rewards
        self.rewards[:] = 0.0
        self.rewards[ended] = score_rewards(self.game, self._points[ended])
        self.rewards[forfeited] = penalties
        self._points[ended] = 0.0

    def _forfeit(self, reward: float) -> Ints:
        """Step all tables with legal actions. End the games of the other tables, deal them again, and return them."""
        every, inside = np.arange(self.n), (self._chosen >= 0) & (self._chosen < self.game.actions.size)
        rows: Ints = every[~inside | (self._legal[every, np.where(inside, self._chosen, 0)] == 0)]
        seats, seeds = self.seats[rows], self._seeds[rows]
        self._chosen[rows] = self._legal[rows].argmax(axis=1)  # any legal action; `_deal` overwrites the table
        self._play()
        self._seeds[rows] = seeds
        self._deal(rows)
        self.rewards[rows] = 0.0
        self.rewards[rows, seats] = reward
        self.terminations[rows], self.truncations[rows] = True, False
        return rows

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self.states[i : i + 1], self._legal[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}") from None


def _integers(game: Game, actions: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
    """Return `actions` as an array; raise ValueError unless they are n integers in one dimension."""
    try:
        array = np.asarray(actions)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        problem = f"actions={array.dtype} of shape {array.shape} is not allowed; allowed: integers of shape ({n},)"
        raise ValueError(f"{game.name}: {problem}")
    return array
