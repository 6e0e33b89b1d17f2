"""The scripted agent of Nim: it leaves a multiple of four."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.state import Record, States
from .material import MOST

SEARCH = {"samples": 8}


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the scratch record of `decide` and `rate`, shape (1,). Nim needs none."""
    return np.zeros(1, np.dtype([("unused", np.int64)]))


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the reward of each table, or 0.5 where the other seat is left a multiple of four."""
    good = (known["over"] == 0) & (known["seat"] != 0) & (known["left"] % (MOST + 1) == 0)
    return np.asarray(known["rewards"][:, 0] + 0.5 * good)


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action that leaves a multiple of four, or else the smallest."""
    best = known.left % (MOST + 1) - 1
    if best >= 0 and mask[best] == 1:
        return int(best)
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Write the value of every legal action, highest for the one that `decide` takes; -inf for others."""
    chosen = decide(known, mask, work)
    for action in range(len(mask)):
        values[action] = -np.inf if mask[action] == 0 else 1.0 if action == chosen else 0.0


@kernel
def clock(s: Any) -> int:
    """Return the unit of horizons: actions so far."""
    return int(s.plies)


@kernel
def standing(s: Any, seat: int) -> float:
    """Return the expected reward of a seat in a stopped playout: always even."""
    return 0.0
