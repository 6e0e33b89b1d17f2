"""Action features: what a learned agent reads of every legal action at concealed tables."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.jit import Kernel, entry_point, with_globals
from .game import Game
from .state import States

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def describe(game: Game, known: States, masks: npt.NDArray[np.int8] | None = None) -> tuple[Rows, Rows, Floats, Floats]:
    """Describe the legal actions at concealed tables (k,) whose seat 0 decides. The game has features.

    Args:
        game: The game.
        known: The tables. They are left as they are.
        masks: Their legal actions, if the caller has them.

    Returns:
        rows: The table of each of n actions, shape (n,), ascending.
        actions: The action ids, shape (n,), ascending within a table.
        features: The features of the actions, shape (n, FEATURES).
        table: The features of the tables, shape (k, TABLE).
    """
    features = game.features
    assert features is not None
    if masks is None:
        _, masks = game.views(known)
    rows, actions = np.nonzero(masks)
    described = np.zeros((len(rows), features.FEATURES), np.float32)
    table = np.zeros((len(known), features.TABLE), np.float32)
    fill = _bound(features.describe_legal)
    fill(known.repeat(1), masks, features.prepare(game), described, table)  # a game may move cards and move them back
    return rows, actions, described, table


@functools.cache
def _bound(describe_legal: Kernel) -> Kernel:
    """Return `_describe_rows` for the kernel of a game, stored on disk with the code of this game."""
    own: Any = inspect.unwrap(describe_legal)
    names = {**globals(), "describe_legal": describe_legal}
    file, name = own.__code__.co_filename, f"{_describe_rows.__name__}_of_{own.__qualname__}"
    return entry_point(with_globals(_describe_rows, names, name, file, own.__module__))


def describe_legal(known: Any, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Stand for the kernel of a game: see `core.game.Features`."""
    raise NotImplementedError


def _describe_rows(known: Any, masks: Any, room: Any, features: Any, table: Any) -> None:
    """Fill in the features, table by table."""
    n = 0
    for k in range(len(known)):
        n += describe_legal(known[k], masks[k], room, features[n:], table[k])
