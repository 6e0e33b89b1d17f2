"""G, D: tiles, cells, matching, lines and loops."""

from collections import Counter
from itertools import permutations

import pytest

from tantra_envs.games.tantrix import score_board, why_illegal
from tantra_envs.games.tantrix.material import COLOURS, EDGES, turned, without

from . import reference
from .table import Table

THREE_CORNERS = [[3, 0, 0, 0], [1, 0, 0, 0]]


def solved(tiles):
    """Boards on which these three tiles lie round a corner and match, by trying everything."""
    cells = [(0, 0), (1, 0), (0, 1)]
    for order in permutations(tiles):
        for rots in [(a, b, c) for a in range(6) for b in range(6) for c in range(6)]:
            board = dict(zip(cells, zip(order, rots, strict=True), strict=True))
            if reference.match(board):
                yield board


def listed(board):
    return [[tile, q, r, rot] for (q, r), (tile, rot) in board.items()]


def test_G1_cells_have_six_neighbours():
    table = Table(board=[[1, 0, 0, 0]], hands=[[2], [3]])
    cells = {(q, r) for _, q, r, _ in table.placements}
    assert cells <= {(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)}
    assert len({cell for tile in range(2, 57) for cell in cells_for(tile)}) == 6


def cells_for(tile):
    other = 2 if tile != 2 else 3
    return {(q, r) for _, q, r, _ in Table(board=[[1, 0, 0, 0]], hands=[[tile], [other]]).placements}


def test_G2_touching_sides_are_opposite_directions():
    table = Table(board=[[1, 0, 0, 0]], hands=[[2], [3]]).do("2:1,0/2")  # side 1 of tile 1 is red
    assert turned(1, 0)[1] == turned(2, 2)[4] == "R"
    assert [2, 1, 0, 2] in table["board"]


def test_G3_three_lines_of_cells_run_through_a_cell():
    straight = [[1, 0, 0, 0]]
    for beyond in [(2, 0), (0, 2), (2, -2)]:
        assert why_illegal(Table(board=straight, hands=[[2], [3]]).state, 2, *beyond, 0) == "touch"


def test_G4_a_turned_tile_shows_its_sides_clockwise():
    assert turned(2, 0) == "BRRBYY"
    assert turned(2, 1) == "YBRRBY"
    assert turned(2, 5) == "RRBYYB"


def test_G5_D6_the_set_is_every_colouring_of_every_pairing_less_the_triple_straights():
    assert len(EDGES) == len({turned(t, r) for t in range(1, 57) for r in range(6)}) // 6 == 56
    assert all(Counter(Counter(edges).values()) == {2: 3} for edges in EDGES)
    assert Counter(frozenset(edges) for edges in EDGES) == {frozenset(COLOURS) - {c}: 14 for c in COLOURS}
    mirrored = {turned(t, r)[::-1] for t in range(1, 57) for r in range(6)}
    assert mirrored == {turned(t, r) for t in range(1, 57) for r in range(6)}
    for names in permutations(COLOURS):
        renamed = {edges.translate(str.maketrans(COLOURS, "".join(names))) for edges in EDGES}
        assert renamed <= mirrored


def test_D1_a_tantrix_is_connected():
    with pytest.raises(ValueError, match="all connected"):
        Table(board=[[1, 0, 0, 0], [2, 5, 5, 0]], hands=[[3], [4]])


def test_D2_touch_counts_the_occupied_neighbours():
    board = listed(next(solved([1, 2, 3])))
    table = Table(board=board, hands=[[4], [5]])
    touch = table.seen(0, "cell_touch")
    assert sum(touch) == 3 * 6 - 2 * 3  # every side of a tile touches a tile or a space
    assert max(touch) == 2


def test_D3_touching_sides_have_the_same_colour():
    table = Table(board=[[1, 0, 0, 0]], hands=[[2], [3]])
    for tile, q, r, rot in table.placements:
        assert reference.match({(0, 0): (1, 0), (q, r): (tile, rot)})
    with pytest.raises(ValueError, match="same colour"):
        Table(board=[[1, 0, 0, 0], [2, 1, 0, 0]], hands=[[3], [4]])


def test_D4_a_tile_touches_another():
    state = Table(board=[[1, 0, 0, 0]], hands=[[2], [3]]).state
    assert why_illegal(state, 2, 3, 0, 0) == "touch"
    assert why_illegal(state, 2, 0, 0, 0) == "occupied"
    assert why_illegal(Table(hands=[[2], [3]], bag=[4]).state, 2, 0, 0, 3) is None
    assert why_illegal(Table(hands=[[2], [3]], bag=[4]).state, 2, 1, 0, 0) == "touch"


def test_D5_a_gobble_has_three_or_more_neighbours():
    board = listed(next(b for b in ring_of_three()))
    table = Table(board=board, hands=[[56], [55]])
    gobbles = [f for f, gobble in enumerate(table.seen(0, "cell_gobble")) if gobble]
    assert gobbles and all(table.seen(0, "cell_touch")[f] >= 3 for f in gobbles)


def ring_of_three():
    """Tiles 1, 2, 3 round the empty cell (0, 0)."""
    cells = [(1, -1), (1, 0), (0, 1)]
    for rots in [(a, b, c) for a in range(6) for b in range(6) for c in range(6)]:
        board = dict(zip(cells, zip((1, 2, 3), rots, strict=True), strict=True))
        if reference.match(board):
            yield board


def test_D7_lines_and_loops_as_they_lie():
    board = next(b for b in solved(without("G")[:3]) if reference.score(b, "Y") == 6)
    assert score_board(listed(board), "Y") == 6  # a loop of three
    assert score_board([[1, 0, 0, 0]], "R") == 1
    assert score_board([[1, 0, 0, 0]], "G") == 0


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_D8_a_loop_counts_so_many_times_by_option(factor):
    loop = next(b for b in solved(without("G")[:3]) if reference.score(b, "Y") == 6)
    *board, (tile, q, r, rot) = listed(loop)
    table = Table({"loop_factor": factor, "colours": "YR"}, board=board, hands=[[tile], [56]])
    table.do(f"{tile}:{q},{r}/{rot}")
    assert table["scores"][0] == 3 * factor


def test_D8_the_longest_line_or_twice_the_longest_loop():
    for board in list(solved([1, 2, 3]))[:40]:
        for colour in COLOURS:
            assert score_board(listed(board), colour) == reference.score(board, colour)
