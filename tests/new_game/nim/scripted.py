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
    """For greedy: the last token taken, or a multiple of four left to the other."""
    waits = (known["over"] == 1) | (known["seat"] != 0)
    return np.where(known["over"] == 1, 2.0, (known["left"] % (MOST + 1) == 0) * waits)


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action that leaves a multiple of four, or else the smallest."""
    wanted = known.left % (MOST + 1) - 1
    if wanted >= 0 and mask[wanted] == 1:
        return int(wanted)
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth, -inf for others: most what `decide` takes."""
    chosen = decide(known, mask, work)
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
