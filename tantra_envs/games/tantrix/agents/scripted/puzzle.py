"""Play the puzzles: run the exact solver once with a budget of nodes, then play its solution step by step."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States
from ...puzzles.solver import Board, solve


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the number of placed tiles."""
    return known["placed"].astype(np.float64)


@functools.cache
def steps(game: Game) -> npt.NDArray[np.int64]:
    """Return the actions of the solution; an empty array if the solver found no solution."""
    board = solve(game).board
    return np.array(played(game, board) if board else [], np.int64)


def played(game: Game, board: Board) -> list[int]:
    """Return the actions that place the tiles of a solution one by one.

    Raises:
        ValueError: The board does not solve the puzzle by the rules.
    """
    state, steps = game.new(), []
    lying = {tile for tile, *_ in game.position(state)["board"]}
    left = [(tile, f"{tile}:{q},{r}/{rot}") for tile, q, r, rot in board if tile not in lying]
    while left and not state["over"][0]:
        for placement in left:
            try:
                action = game.parse_action(state, placement[1])
                state["plies"] = 0  # a step limit does not matter here [S18]
                game.apply_action(state, action)
            except ValueError:  # the tile touches no other tile yet
                continue
            left.remove(placement)
            steps.append(action)
            break
        else:
            break
    if game.position(state)["winners"] != [0]:
        raise ValueError(f"{game.name}: the board does not solve the puzzle of {game.options.changed(game.config)}")
    return steps


@kernel
def decide(s: Record, mask: Any, steps: Any, steps_n: int) -> int:
    """Return the next step of the solution, by the number of tiles placed.

    Return the first legal action without a solution, or if the table has left the solution.
    """
    laid = int(s.placed)
    for i in range(s.opt.kit_n):
        laid -= int(s.opt.given_cell[i] > 0)  # the tile was placed at the start
    if 0 <= laid < steps_n and mask[steps[laid]] == 1:
        return int(steps[laid])
    for action in range(len(mask)):
        if mask[action] == 1:
            return action
    return 0


@kernel
def rate(mask: Any, values: Any) -> None:
    """Give all legal actions the value 0; other entries stay."""
    for action in range(len(mask)):
        if mask[action] == 1:
            values[action] = 0.0
