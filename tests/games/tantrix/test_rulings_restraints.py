"""R1 to R8: the three restraints, on shapes and on dealt games."""

from functools import cache
from itertools import product

from tantra_envs.games.tantrix import legal_placements, why_illegal
from tantra_envs.testing import play

from . import reference
from .table import Table

SHAPE = [(0, 0), (0, 1), (0, 2), (0, 3), (1, -1)]  # one gobble: A = (1, 0)
ALLOWED = [(2, -2), (1, -2), (0, -1), (0, 4), *[(-1, r) for r in range(5)]]


@cache
def laid(cells, used=()):
    """Tiles that match on these cells, as a board: the first found."""
    board = {}
    assert _lay(board, list(cells), set(used))
    return [[tile, q, r, rot] for (q, r), (tile, rot) in board.items()]


def _lay(board, cells, used):
    if not cells:
        return not any(max(map(list(c.values()).count, c.values())) > 2 for c in reference.gobbles(board).values())
    for tile, rot in product([t for t in range(1, 57) if t not in used], range(6)):
        if reference.fits(board, cells[0], tile, rot):
            board[cells[0]] = (tile, rot)
            if _lay(board, cells[1:], used | {tile}):
                return True
            del board[cells[0]]
    return False


def table(cells, bag=True):
    """A table on which these cells are laid; seat 0 holds a tile, and one is to come."""
    board = laid(tuple(cells))
    rest = [t for t in range(1, 57) if t not in [tile for tile, *_ in board]]
    return Table(board=board, hands=[rest[:6], rest[6:12]], bag=rest[12:] if bag else [])


def verdicts(cells, cell, bag=True):
    """Why not, over all tiles and rotations that match on a cell."""
    at = table(cells, bag)
    found = {why_illegal(at.state, tile, *cell, rot) for tile in range(1, 57) for rot in range(6)}
    return found - {"match"}


def test_R1_no_gobble_with_the_same_colour_three_times():
    game, seen = Table(seed=2).game, set()
    for state in play(game, 2):
        if not state["bag_n"][0]:
            break
        board = reference.board_of(game.position(state)["board"])
        for tile, rot in product((5, 30), range(6)):
            for f in range(state["border_n"][0]):
                cell = int(state["border"][0][f])
                q, r = cell % 128 - 64, cell // 128 - 64
                if why_illegal(state, tile, q, r, rot) == "R1":
                    seen.add(reference.three_alike({**board, (q, r): (tile, rot)}, (q, r)))
    assert seen == {True}


def test_R2_no_space_with_four_neighbours():
    assert "R2" in verdicts(SHAPE, (1, 1)) and "R2" in verdicts(SHAPE, (2, -1))


def test_R3_no_tile_along_a_controlled_side():
    assert verdicts(SHAPE, (1, 2)) <= {"R3", "R1"} and "R3" in verdicts(SHAPE, (1, 2))
    assert "R3" in verdicts(SHAPE, (1, 3))


def test_R4_soundness_is_the_same_as_filling_on_and_on():
    for seed in (5, 6):
        game = Table(seed=0).game
        for state in play(game, seed):
            position = game.position(state)
            board = reference.board_of(position["board"])
            if position["bag"] and board and len(board) % 5 == 0:
                for cell in reference.border(board):
                    after = {**board, cell: (1, 0)}
                    assert reference.sound(after) != reference.ends_in_a_double_gobble(after)


def test_R5_a_fill_breaks_the_first_restraint_only():
    reasons = set()
    game = Table(seed=0).game
    for seed in range(3):
        for state in play(game, seed):
            position = game.position(state)
            board = reference.board_of(position["board"])
            if position["bag"] and board:
                for cell, colours in reference.gobbles(board).items():
                    assert len(colours) == 3
                    reasons |= {why_illegal(state, t, *cell, k) for t in range(1, 57, 5) for k in range(6)}
    assert reasons <= {None, "match", "R1"} and None in reasons


def test_R6_reasons_in_their_order():
    at = table(SHAPE)
    assert why_illegal(at.state, 1, 0, 0, 0) == "occupied"
    assert why_illegal(at.state, 1, 9, 9, 0) == "touch"
    assert "match" in {why_illegal(at.state, 40, 1, 1, rot) for rot in range(6)}


def test_R6_a_double_gobble_that_is_there_already_is_no_reason():
    """No game leads to it, but a position may: what matters is the next placement."""
    at = table([(1, -1), (1, 0), (0, 1), (-1, 1)])
    assert at["phase"] == "FREE" and len(at.placements) > 30
    everywhere = product(at["hands"][at["cur"]], range(-3, 4), range(-3, 4), range(6))
    assert [placement for placement in everywhere if why_illegal(at.state, *placement) is None] == at.placements


def test_R7_the_example():
    assert verdicts(SHAPE, (1, 0)) <= {None, "R1"}
    assert verdicts(SHAPE, (1, 1)) <= {"R2", "R1"}
    assert verdicts(SHAPE, (1, 2)) <= {"R3", "R1"}
    assert verdicts(SHAPE, (1, 3)) <= {"R3", "R1"}
    assert verdicts(SHAPE, (2, -1)) <= {"R2", "R1"}
    for cell in ALLOWED:
        assert None in verdicts(SHAPE, cell) and verdicts(SHAPE, cell) <= {None, "R1"}, cell
    filled = [*SHAPE, (1, 0)]
    assert None in verdicts(filled, (1, 1))  # X is the gobble now
    assert "R2" in verdicts(filled, (1, 2)) and "R3" in verdicts(filled, (1, 3))
    assert None in verdicts([(0, 0), (0, 1), (0, 2), (0, 3)], (1, 1))  # a clean side is not controlled


def test_R8_a_gobble_nobody_can_fill_keeps_controlling():
    board = laid(tuple(SHAPE))
    placed = [tile for tile, *_ in board]
    shown = reference.board_of(board)
    hopeless = [
        t for t in range(1, 57) if t not in placed and not any(reference.fits(shown, (1, 0), t, k) for k in range(6))
    ]
    at = Table(board=board, hands=[hopeless[:6], hopeless[6:12]], bag=hopeless[12:13])
    assert at["phase"] == "FREE"
    assert {(q, r) for _, q, r, _ in legal_placements(at.state)} <= set(ALLOWED)
