"""The two views of a learner: an observation with one mask over all action ids, or a list of described legal actions.

Environments for one seat and PettingZoo tables take `view="observation"` or `view="features"`. The classes here make
the spaces and the arrays of n tables, and translate the learner's choice into an action id.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal, TypedDict, get_args

import gymnasium
import numpy as np
import numpy.typing as npt

from ..core.features import Described, Describer
from ..core.game import Game
from ..core.options import SWITCHES, OneOf
from ..core.state import States

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
View = Literal["observation", "features"]
VIEWS = OneOf(get_args(View), ", ".join(map(repr, get_args(View))))
NO_ACTION = -1  # the id in unused places of a list
Numbers = npt.NDArray[Any]  # observations: float32, or small integers with `observation_dtype="compact"`


class Lists(TypedDict):
    """The described legal actions of one table, or of n tables, with a list of L = `game.most_legal` places each.

    - `table`: (n, T) float32, the columns `game.features.of_table`
    - `actions`: (n, L, F) float32, the columns `game.features.of_action` of each legal action, by ascending id
    - `ids`: (n, L) int64, their action ids; -1 in places without an action
    - `action_mask`: (n, L) int8, 1 in places with an action
    """

    table: Floats
    actions: Floats
    ids: Ints
    action_mask: Masks


class Observations:
    """Observations (n, view.size) float32, and masks over all action ids.

    Args:
        game: The game.
        n: Number of tables.
        with_mask: True = the mask follows the numbers of the observation: (n, view.size + actions.size).

    Attributes:
        space: The observation space of one table.
        actions: The number of choices: action ids.
    """

    space: gymnasium.Space[Any]
    actions: int

    def __init__(self, game: Game, n: int, with_mask: bool = False) -> None:
        self.game, self.actions, self._with_mask = game, game.actions.size, with_mask
        self.space = gymnasium.spaces.Box(game.view.low, game.view.high, (game.view.size,), np.float32)
        if with_mask:
            low, high = min(game.view.low, 0), max(game.view.high, 1)
            self.space = gymnasium.spaces.Box(low, high, (game.view.size + self.actions,), np.float32)

    def look(self, states: States, seats: Ints, decides: Flags) -> tuple[Any, Masks]:
        """Return new arrays: what `seats` read at the tables (n,), and their masks (n, actions).

        Where the seat does not decide, the mask has only ones.
        """
        compact, masks = self.game.views(states, seats)
        masks[~decides] = 1
        views = self.game.view.to_float(compact)
        return np.concatenate([views, masks], axis=1, dtype=np.float32) if self._with_mask else views, masks

    def ids(self, choices: Ints) -> Ints:
        """Return the action ids of legal choices at all tables, (n,)."""
        return choices

    def one(self, views: Any, i: int) -> Any:
        """Return what the seat at table i reads, out of the arrays of `look`."""
        return views[i]

    def infos(self) -> dict[str, npt.NDArray[Any]]:
        """Return what infos contain about the last look, by key: arrays (n,)."""
        return {}

    def refuse(self, states: States, i: int, mask: Masks, choice: int) -> None:
        """Raise ValueError for an illegal choice at table i."""
        self.game.check_action(states[i : i + 1], mask, choice)


class LegalActionLists(Observations):
    """Described legal actions: `Lists`, and masks over their places.

    A choice is a place. If a position has more legal actions, those with the largest ids are left out: `left_out` in
    infos is their number, and the first time there is a warning.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.game, self.actions, self.space = game, game.most_legal, features_space(game)
        self._describer, self._every = Describer(game, n), np.arange(n)
        self._ids = np.full((n, self.actions), NO_ACTION, np.int64)
        self._left_out = np.zeros(n, np.int64)
        self._warned = False

    def look(self, states: States, seats: Ints, decides: Flags) -> tuple[Any, Masks]:
        """Return new arrays: what `seats` read at the tables (n,), and masks (n, L)."""
        legal, counts = self._describer.find(states, self._every, seats)
        legal[~decides] = counts[~decides] = 0
        views = self.lists_of(self._describer.describe(states, self._every, seats, legal, counts))
        masks = views["action_mask"].copy()
        masks[~decides] = 1
        return views, masks

    def lists_of(self, described: Described) -> Lists:
        """Return new arrays: the described legal actions of all n tables in lists."""
        views, self._left_out = listed(self.game, described), np.maximum(0, described.counts - self.actions)
        self._warn()
        self._ids = views["ids"].copy()
        return views

    def ids(self, choices: Ints) -> Ints:
        """Return the action ids of legal choices at all tables, (n,)."""
        return np.asarray(self._ids[self._every, choices])

    def one(self, views: Any, i: int) -> Any:
        """Return what the seat at table i reads, out of the arrays of `look`."""
        return {name: array[i] for name, array in views.items()}

    def infos(self) -> dict[str, npt.NDArray[Any]]:
        """Return the numbers of legal actions that the lists of the last look leave out."""
        return {"left_out": self._left_out}

    def refuse(self, states: States, i: int, mask: Masks, choice: int) -> None:
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


def listed(game: Game, described: Described) -> Lists:
    """Return the legal actions of k tables in lists of `game.most_legal` places."""
    shape, rows = (len(described.counts), game.most_legal), described.rows
    actions = np.zeros((*shape, game.features.of_action.size), np.float32)
    ids, masks = np.full(shape, NO_ACTION, np.int64), np.zeros(shape, np.int8)
    places = np.arange(len(rows)) - described.starts[rows]
    fits = places < game.most_legal
    rows, places = rows[fits], places[fits]
    actions[rows, places] = described.features[fits]
    ids[rows, places], masks[rows, places] = described.actions[fits], 1
    return {"table": described.tables.copy(), "actions": actions, "ids": ids, "action_mask": masks}


def features_space(game: Game) -> gymnasium.spaces.Dict:
    """Return the space of the `Lists` of one table."""
    places, columns = game.most_legal, game.features
    low, high = (np.tile(bound, (places, 1)) for bound in columns.of_action.bounds)
    return gymnasium.spaces.Dict(
        table=gymnasium.spaces.Box(*columns.of_table.bounds, dtype=np.float32),
        actions=gymnasium.spaces.Box(low, high, dtype=np.float32),
        ids=gymnasium.spaces.Box(NO_ACTION, game.actions.size - 1, (places,), np.int64),
        action_mask=gymnasium.spaces.Box(0, 1, (places,), np.int8),
    )


def view_of(game: Game, view: Any, n: int, mask_in_observation: Any = False) -> Observations:
    """Return the view of a learner at n tables; raise ValueError for a view that does not exist."""
    game.check_in("view", view, VIEWS)
    game.check_in("mask_in_observation", mask_in_observation, SWITCHES)
    if view == "observation":
        return Observations(game, n, mask_in_observation)
    allowed = "False, because lists of legal actions contain their mask"
    game.check("mask_in_observation", mask_in_observation, not mask_in_observation, allowed)
    return LegalActionLists(game, n)
