"""Nim as a sensible person plays it: leaves a multiple of four."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.observation import Actions
from ...core.playouts import chosen
from ...core.state import record
from .actions import MOST
from .view import LEFT, OVER, TURN

WORK = record([("heap", np.int64)])
SEARCH = {"samples": 8}  # how search plays best with this player


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return chosen(game, views, masks, prepare(game))


def prepare(game: Game) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    work = np.zeros(1, WORK)
    work["heap"] = game.config["heap"]
    return work


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the last token taken, or a multiple of four left to the other."""
    left = np.round(views[:, LEFT] * game.config["heap"])
    return np.where(views[:, OVER] == 1, 2.0, (left % (MOST + 1) == 0) * (1.0 - views[:, TURN]))


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """What leaves a multiple of four, or else as little as may be."""
    wanted = int(view[LEFT] * work.heap + 0.5) % (MOST + 1) - 1
    if wanted >= 0 and mask[wanted] == 1:
        return wanted
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth, -inf for others: most what `decide` takes."""
    chosen = decide(view, mask, work)
    for action in range(len(mask)):
        values[action] = -np.inf if mask[action] == 0 else 1.0 if action == chosen else 0.0


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: actions."""
    return int(s.plies)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: all alike."""
    return 0.0
