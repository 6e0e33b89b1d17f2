"""The puzzles: solved once by the exact solver, within a budget of nodes, and then played step by step."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import entry_point, kernel
from ....core.game import Game
from ....core.observation import Actions
from ..notation.placements import encode
from ..puzzle_view import TILE
from ..puzzles.solver import Board, solve


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The next step of the solution; where none was found, or the table is not on its way to it, the first action."""
    actions = np.empty(len(views), np.int64)
    _choose_rows(game.view["kit"].start, kit_size(game), _steps(game), views, masks, actions)
    return actions


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the number of tiles that lie."""
    kit = views[:, game.view["kit"].slice].reshape(len(views), kit_size(game), -1)
    return np.asarray(kit[:, :, 0].sum(axis=1), np.float64)


def kit_size(game: Game) -> int:
    """Tiles of the puzzle."""
    return game.actions["remove"].size


@functools.cache
def _steps(game: Game) -> npt.NDArray[np.int64]:
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


@entry_point
def _choose_rows(kit: int, tiles: int, steps: Any, views: Any, masks: Any, actions: Any) -> None:
    for k in range(len(actions)):
        actions[k] = decide(kit, tiles, steps, views[k], masks[k])


@kernel
def decide(kit: int, tiles: int, steps: Any, view: Any, mask: Any) -> int:
    """The action of one table: the step that comes after as many tiles as were laid, else the first legal one."""
    laid = 0
    for i in range(tiles):
        laid += int(view[kit + TILE * i]) - int(view[kit + TILE * i + 1])  # it lies, it lay from the start
    if laid < len(steps) and mask[steps[laid]] == 1:
        return int(steps[laid])
    for action in range(len(mask)):
        if mask[action] == 1:
            return action
    return 0
