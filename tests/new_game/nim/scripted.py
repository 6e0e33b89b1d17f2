"""The scripted agent of Nim: it leaves a multiple of four."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game, Mask
from ...core.observation import Actions
from ...core.playouts import chosen
from ...core.state import Record, States, record
from .actions import MOST

WORK = record([("unused", np.int64)])
SEARCH = {"samples": 8}  # how search plays best with this agent


def choose(game: Game, known: States, masks: Mask) -> Actions:
    """Return the agent's actions for concealed tables (k,)."""
    return chosen(game, known, masks, prepare(game))


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return what `decide` works with, shape (1,): nothing."""
    return np.zeros(1, WORK)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return how good each table is for its observer: best after the last token, good with a multiple of four left."""
    waits = (known["over"] == 1) | (known["seat"] != 0)
    return np.where(known["over"] == 1, 2.0, (known["left"] % (MOST + 1) == 0) * waits)


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
    """Return how good a stopped playout is for a seat, in units of reward: always even."""
    return 0.0
