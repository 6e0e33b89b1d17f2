"""The puzzles: solved once by the exact solver, within a budget of nodes, and then played step by step."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ..notation.placements import encode
from ..puzzle_view import TILE
from ..puzzles.solver import Board, solve

BLOCKS = ("kit",)  # of the view: where they begin is `at`
LONGEST = 56  # steps of a solution: the tiles of the largest kit


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the number of tiles that lie."""
    kit = views[:, game.view["kit"].slice].reshape(len(views), kit_size(game), -1)
    return np.asarray(kit[:, :, 0].sum(axis=1), np.float64)


def kit_size(game: Game) -> int:
    """Tiles of the puzzle."""
    return game.actions["remove"].size


@functools.cache
def steps(game: Game) -> npt.NDArray[np.int64]:
    """The actions of the solution; none if none was found."""
    board = solve(game).board
    return np.array(played(game, board) if board else [], np.int64)


def played(game: Game, board: Board) -> list[int]:
    """The actions that lay a solution, tile after tile; ValueError if the rules do not call the puzzle solved."""
    state, steps = game.new(), []
    lying = {tile for tile, *_ in game.position(state)["board"]}
    left = [(tile, q, r, rot) for tile, q, r, rot in board if tile not in lying]
    while left and not state["over"][0]:
        for placement in left:
            try:
                action = encode(game, state, placement)
                game.apply_action(state, action)
            except ValueError:  # it touches nothing yet
                continue
            left.remove(placement)
            steps.append(action)
            break
        else:
            break
    if game.position(state)["winners"] != [0]:
        raise ValueError(f"{game.name}: the board is no solution of {game.options.changed(game.config)}")
    return steps


@kernel
def decide(at: Any, tiles: int, steps: Any, known: int, view: Any, mask: Any) -> int:
    """The step of the solution that comes after as many tiles as were laid.

    Where none was found, or the table is not on its way to it, the first legal action.
    """
    kit = at[0]
    laid = 0
    for i in range(tiles):
        laid += int(view[kit + TILE * i]) - int(view[kit + TILE * i + 1])  # it lies, it lay from the start
    if 0 <= laid < known and mask[steps[laid]] == 1:
        return int(steps[laid])
    for action in range(len(mask)):
        if mask[action] == 1:
            return action
    return 0


@kernel
def rate(mask: Any, values: Any) -> None:
    """All legal actions are worth the same; those of others stay."""
    for action in range(len(mask)):
        if mask[action] == 1:
            values[action] = 0.0
