"""The scripted agent of Tantrix; each mode has its own file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States, record
from ...state import MOST_KIT, Mode
from ..standing import standing as standing
from . import gobble, lines, puzzle
from .look import LOOK

BY_MODE: dict[str, Any] = {"strategy": lines, "solitaire": lines, "gobble": gobble}  # all other modes: puzzle
WORK = record(
    [
        ("w", lines.WEIGHTS),
        ("look", LOOK),
        ("steps", np.int16, (MOST_KIT,)),  # solution of a puzzle
        ("steps_n", np.int64),
    ]
)


SEARCH = {"samples": 16, "candidates": 32, "margin": 0.0}  # best options of search, from a small sweep


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the working memory of `decide`, shape (1,)."""
    check_compact(game)
    work, agent = np.zeros(1, WORK), BY_MODE.get(game.config["mode"], puzzle)
    if agent is lines:
        work["w"] = lines.weights(game)
    if agent is puzzle:
        steps = puzzle.steps(game)
        work["steps"][0, : len(steps)], work["steps_n"] = steps, len(steps)
    return work


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action of seat 0."""
    if known.opt.mode in (Mode.STRATEGY, Mode.SOLITAIRE):
        return lines.decide(known, mask, work)
    if known.opt.mode == Mode.GOBBLE:
        return gobble.decide(known, mask)
    return puzzle.decide(known, mask, work.steps, work.steps_n)


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the value of every legal action to seat 0 and -inf for others; `decide` takes the first maximum."""
    for action in range(len(mask)):
        values[action] = -np.inf
    if known.opt.mode in (Mode.STRATEGY, Mode.SOLITAIRE):
        lines.rate(known, mask, work, values)
    elif known.opt.mode == Mode.GOBBLE:
        gobble.rate(known, mask, values)
    else:
        puzzle.rate(mask, values)
        values[decide(known, mask, work)] = 1.0


@kernel
def clock(s: Any) -> int:
    """Return the number of actions so far, the unit of horizons."""
    return int(s.plies)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the value of each concealed table for its observer, shape (k,), for the greedy agent."""
    values: npt.NDArray[np.float64] = BY_MODE.get(game.config["mode"], puzzle).worth(game, known)
    return values


def check_compact(game: Game) -> None:
    """Raise ValueError unless placements have the compact encoding; puzzles have only one encoding."""
    encoding = game.config["encoding"]
    if encoding != "compact" and game.config["mode"] in BY_MODE:
        raise ValueError(
            f"{game.name}: encoding={encoding!r} is not allowed with the scripted agent; allowed: 'compact'"
        )
