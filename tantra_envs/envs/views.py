"""The two views of a learner: an observation with one mask over all action ids, or a list of described legal actions.

Environments for one seat and PettingZoo tables take `view="observation"` or `view="features"`. The classes here make
the spaces and the arrays of n tables, and translate the learner's choice into an action id.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from ..core.features import Describer
from ..core.game import Game
from ..core.state import States

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
View = Literal["observation", "features"]
NO_ACTION = -1  # the id in unused places of a list


class Observations:
    """Observations (n, view.size) float32, and masks over all action ids.

    Attributes:
        space: The observation space of one table.
        actions: The number of choices: action ids.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.game, self.actions = game, game.actions.size
        self.space: gymnasium.Space[Any] = gymnasium.spaces.Box(
            game.view.low, game.view.high, (game.view.size,), np.float32
        )
        self._n = n

    @property
    def batched(self) -> gymnasium.Space[Any]:
        """The observation space of all n tables."""
        return batch_space(self.space, self._n)

    def look(self, states: States, seats: Ints, decides: Flags) -> tuple[Any, Masks]:
        """Return new arrays: what `seats` read at the tables (n,), and their masks (n, actions).

        Where the seat does not decide, the mask has only ones.
        """
        compact, masks = self.game.views(states, seats)
        masks[~decides] = 1
        return self.game.view.to_float(compact), masks

    def ids(self, choices: Ints) -> Ints:
        """Return the action ids of legal choices at all tables, (n,)."""
        return choices

    def one(self, views: Any, i: int) -> Any:
        """Return what the seat at table i reads, out of the arrays of `look`."""
        return views[i]

    def infos(self) -> dict[str, npt.NDArray[Any]]:
        """Return what infos say about the last look, by key: arrays (n,)."""
        return {}

    def refuse(self, states: States, i: int, mask: Masks, choice: Any) -> None:
        """Raise ValueError for an illegal choice at table i."""
        self.game.check_action(states[i : i + 1], mask, choice)


class LegalActionLists(Observations):
    """Described legal actions: dicts of arrays with a list of `game.most_legal` places, and masks over these places.

    - `table`: (n, T) float32, the columns `game.features.of_table`
    - `actions`: (n, L, F) float32, the columns `game.features.of_action` of each legal action, by ascending id
    - `ids`: (n, L) int64, their action ids; -1 in places without an action
    - `action_mask`: (n, L) int8, 1 in places with an action

    A choice is a place. If a position has more legal actions, those with the largest ids are left out: `left_out` in
    infos is their number, and the first time there is a warning.
    """

    def __init__(self, game: Game, n: int) -> None:
        super().__init__(game, n)
        self.actions = game.most_legal
        self.space = features_space(game)
        self._describer, self._every = Describer(game, n), np.arange(n)
        self._ids = np.full((n, self.actions), NO_ACTION, np.int64)
        self._left_out = np.zeros(n, np.int64)
        self._warned = False

    def look(self, states: States, seats: Ints, decides: Flags) -> tuple[Any, Masks]:
        """Return new arrays: what `seats` read at the tables (n,), and masks (n, L)."""
        described = self._describer(states, self._every, np.where(decides, seats, NO_ACTION))
        shape = len(self._every), self.actions
        actions = np.zeros((*shape, self.game.features.of_action.size), np.float32)
        ids, masks = np.full(shape, NO_ACTION, np.int64), np.zeros(shape, np.int8)
        rows = described.rows
        places = np.arange(len(rows)) - described.starts[rows]
        shown = places < self.actions
        rows, places = rows[shown], places[shown]
        actions[rows, places] = described.features[shown]
        ids[rows, places], masks[rows, places] = described.actions[shown], 1
        self._ids, self._left_out = ids, np.maximum(0, described.counts - self.actions)
        self._warn()
        views = {"table": described.tables.copy(), "actions": actions, "ids": ids.copy(), "action_mask": masks.copy()}
        masks[~decides] = views["action_mask"][~decides] = 1
        return views, masks

    def ids(self, choices: Ints) -> Ints:
        """Return the action ids of legal choices at all tables, (n,)."""
        return np.asarray(self._ids[self._every, choices])

    def one(self, views: Any, i: int) -> Any:
        """Return what the seat at table i reads, out of the arrays of `look`."""
        return {name: array[i] for name, array in views.items()}

    def infos(self) -> dict[str, npt.NDArray[Any]]:
        """Return the numbers of legal actions that are not in the lists of the last look."""
        return {"left_out": self._left_out}

    def refuse(self, states: States, i: int, mask: Masks, choice: Any) -> None:
        """Raise ValueError for a place without an action at table i."""
        table, ids = states[i : i + 1], self._ids[i][self._ids[i] >= 0].tolist()
        legal = ", ".join(f"{place} ({self.game.action_name(table, a)})" for place, a in enumerate(ids))
        allowed = f"a place in the list of legal actions: {legal}"
        raise ValueError(f"{self.game.name}: action={choice} is not allowed; allowed: {allowed}")

    def _warn(self) -> None:
        if self._left_out.any() and not self._warned:
            self._warned = True
            most = self.actions + int(self._left_out.max())
            warnings.warn(
                f"{self.game.name}: a position has {most} legal actions, and a list has {self.actions} places; "
                "the others are left out (`left_out` in infos)",
                stacklevel=2,
            )


def features_space(game: Game) -> gymnasium.spaces.Dict:
    """Return the space of one list of described legal actions: see `LegalActionLists`."""
    places, columns = game.most_legal, game.features
    anything = np.float32(-np.inf), np.float32(np.inf)
    return gymnasium.spaces.Dict(
        table=gymnasium.spaces.Box(*anything, (columns.of_table.size,), np.float32),
        actions=gymnasium.spaces.Box(*anything, (places, columns.of_action.size), np.float32),
        ids=gymnasium.spaces.Box(NO_ACTION, game.actions.size - 1, (places,), np.int64),
        action_mask=gymnasium.spaces.Box(0, 1, (places,), np.int8),
    )


def view_of(game: Game, view: Any, n: int) -> Observations:
    """Return the view of a learner at n tables; raise ValueError for a view that does not exist."""
    kinds = {"observation": Observations, "features": LegalActionLists}
    game.check("view", view, isinstance(view, str) and view in kinds, ", ".join(map(repr, kinds)))
    return kinds[view](game, n)
