"""Wrong boards, placements and options: refused with a ValueError that names what is wrong."""

import math

import pytest

from tantra_envs.games.tantrix import check_solution, encode, score_board, why_illegal

from ..fuzz_positions import NONSENSE
from .contract import SET_UP
from .table import Table

((_, PAIR),) = SET_UP
BOARDS = [
    [[1, 0, 0, 0], [2, 0, 0, 0]],
    [[1, 0, 0, 0], [1, 1, 0, 0]],
    [[57, 0, 0, 0]],
    [[0, 0, 0, 0]],
    [[1, 0, 0, 6]],
    [[1, 0, 0, -1]],
    [[1, math.nan, 0, 0]],
    [[1.0, 0, 0, 0]],
    [[True, 0, 0, 0]],
    [["1", 0, 0, 0]],
    [[1, 0, 0]],
    [1, 0, 0, 0],
    *[value for value in NONSENSE if not isinstance(value, range)],
]


@pytest.mark.parametrize("board", BOARDS, ids=map(str, range(len(BOARDS))))
def test_boards_that_are_none(board):
    for tool in (check_solution, score_board):
        with pytest.raises(ValueError, match="board="):
            tool(board, "Y")


@pytest.mark.parametrize("value", [*NONSENSE, "", "W", "RY", "y", 1], ids=lambda value: type(value).__name__)
def test_colours_and_holes_that_are_none(value):
    board = [[1, 0, 0, 0]]
    with pytest.raises(ValueError, match="colour="):
        check_solution(board, value)
    with pytest.raises(ValueError, match="colour="):
        score_board(board, value)
    with pytest.raises(ValueError, match="holes="):
        check_solution(board, "R", holes=value)


def test_a_board_that_does_not_match_has_no_score():
    with pytest.raises(ValueError, match="touching sides of the same colour"):
        score_board([[1, 0, 0, 0], [2, 1, 0, 0]], "R")


@pytest.mark.parametrize("value", [None, "1", 1.0, math.nan, True, [1], 10**400], ids=str)
@pytest.mark.parametrize("place", range(4))
def test_placements_that_are_none(place, value):
    table = Table(**PAIR)
    placement = list(table.placements[0])
    placement[place] = value
    with pytest.raises(ValueError, match="names no action"):
        encode(table.game, table.state, placement)
    if value == 10**400 and place in (1, 2):
        assert why_illegal(table.state, *placement) == "touch"
        return
    with pytest.raises(ValueError, match=("tile=", "q=", "r=", "rot=")[place]):
        why_illegal(table.state, *placement)
