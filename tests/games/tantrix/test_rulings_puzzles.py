"""W1 to W9: Discovery. X1 to X6: Rainbow. Y1: the daily puzzle. G6: the colours on the backs."""

import random
from collections import Counter
from functools import cache

import pytest

import tantra_envs
from tantra_envs.core.compiled.jit import PURE_PYTHON
from tantra_envs.games.tantrix import check_solution, legal_placements, why_illegal
from tantra_envs.games.tantrix.agents.scripted.puzzle import played
from tantra_envs.games.tantrix.material import BACKS, DIRECTIONS, without
from tantra_envs.games.tantrix.puzzles.daily import CELLS, daily
from tantra_envs.games.tantrix.puzzles.fillings import FOUND, NONE, Filling
from tantra_envs.games.tantrix.puzzles.outlines import holes, turn_of
from tantra_envs.games.tantrix.puzzles.solver import NODES, solve
from tantra_envs.games.tantrix.words import drawing, sentences
from tantra_envs.games.tantrix.words.boards import is_solved, lay_out
from tantra_envs.testing import play
from tantra_envs.testing.positions import check_views

from ..loop_bounds import bounded_while
from . import reference
from .table import Table
from .test_rulings_tiles import listed, solved

TEN = {"mode": "discovery", "puzzle": 10}
LARGEST = 29 if PURE_PYTHON else 30  # plain Python solves the last puzzle in a minute
SOLVED = [
    *({"mode": "discovery", "puzzle": n} for n in range(3, LARGEST + 1)),
    *({"mode": "rainbow", "puzzle": p} for p in ("green", "yellow", "white")),
]
QUICK = [config for config in SOLVED if config["puzzle"] not in range(19, LARGEST + 1)]  # plain Python takes a minute


@cache
def solution(**config):
    game = tantra_envs.game("tantrix", **config)
    return game, solve(game).board


def test_G6_colours_on_the_backs():
    assert Counter(BACKS) == {"R": 15, "Y": 12, "G": 10, "B": 10, "W": 9}


def test_W1_the_tiles_and_the_colour():
    for n in (3, 6, 30):
        table = Table({"mode": "discovery", "puzzle": n}, seed=0)
        opt = table.state[0]["opt"]
        assert opt["kit"][:n].tolist() == list(range(1, n + 1)) and opt["kit_n"] == n
        assert "RYGB"[opt["colour"] - 1] == BACKS[n - 1]
    for puzzle, words in (
        (2, "puzzle=2"),
        (31, "puzzle=31"),
        ("green", "allowed with mode='discovery'"),
        (True, "True"),
    ):
        with pytest.raises(ValueError, match=words):
            tantra_envs.game("tantrix", mode="discovery", puzzle=puzzle)


@pytest.mark.parametrize("n", [3, 4, 7, 10, 13, 16])
def test_W2_W4_one_loop_through_all_tiles_that_match(n):
    game, board = solution(mode="discovery", puzzle=n)
    cells = reference.board_of(board)
    assert sorted(tile for tile, *_ in board) == list(range(1, n + 1))
    assert reference.match(cells) and reference.score(cells, BACKS[n - 1]) == 2 * n and holes(cells) == 0
    assert check_solution(board, BACKS[n - 1]) and not check_solution(board[1:], BACKS[n - 1])
    assert not check_solution(board, next(c for c in "RYGB" if reference.score(cells, c) < 2 * n))
    steps = played(game, board)
    state = game.new()
    for k, step in enumerate(steps, start=1):
        assert not state["over"][0]
        game.apply_action(state, step)
        assert state["rewards"][0, 0] == (k == len(steps))
    assert game.position(state)["winners"] == [0]


def test_W2_touching_sides_must_match():
    assert not check_solution([[1, 0, 0, 0], [2, -1, 0, 5], [3, 0, -1, 0]], "Y")
    assert not check_solution([[1, 0, 0, 0], [2, -1, 0, 5], [3, 0, -1, 0]])


@pytest.mark.parametrize("config", QUICK if PURE_PYTHON else SOLVED, ids=str)
def test_W2_a_solution_with_one_tile_turned_is_none(config):
    """Except for a straight of the loop turned half round, where only the loop touches it."""
    _, board = solution(**config)
    colour = BACKS[len(board) - 1] if config["mode"] == "discovery" else None
    assert check_solution(board, colour)
    for k, (tile, q, r, rot) in enumerate(board):
        for turn in range(1, 6):
            turned = [*board[:k], [tile, q, r, (rot + turn) % 6], *board[k + 1 :]]
            still = turn == 3 and reference.match(reference.board_of(turned))
            assert check_solution(turned, colour) == still


def ring(radius):
    """The cells at a distance from (0, 0)."""
    cells = [(q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1)]
    return {(q, r) for q, r in cells if max(abs(q), abs(r), abs(q + r)) == radius}


def test_D9_W3_no_pocket_of_any_size():
    assert holes(ring(1)) == holes(ring(2)) == 1 and holes(CELLS) == 0 and holes(ring(1) | {(0, 0)}) == 0
    assert holes(ring(1) | {(q + 1, r) for q, r in ring(1)} - {(0, 0), (1, 0)}) == 1  # eight round two empty cells
    six = Filling(sorted(ring(1)), range(1, 57), colour=1, links=[links(cell) for cell in sorted(ring(1))])
    assert six.search(10**6) == FOUND
    board = six.board  # a loop of six round a hole
    assert reference.score(reference.board_of(board), "R") == 12 and not check_solution(board, "R")


def links(cell):
    """The directions to the two neighbours of a cell of ring(1) in the ring."""
    q, r = cell
    one, other = (d for d, (dq, dr) in enumerate(DIRECTIONS) if (q + dq, r + dr) in ring(1))
    return one, other


def test_W3_the_letter_of_the_booklet_minds_single_cells_only():
    around_two = sorted((ring(1) | {(q + 1, r) for q, r in ring(1)}) - {(0, 0), (1, 0)})
    order = loop_order(around_two)
    eight = Filling(around_two, range(1, 57), colour=1, links=[order[cell] for cell in around_two])
    assert eight.search(10**6) == FOUND
    state = tantra_envs.game("tantrix", mode="discovery", puzzle=8).new()
    assert not check_solution(eight.board, "R")
    assert check_solution(eight.board, "R", holes="single")
    assert state["opt"]["holes"][0] == 0


def loop_order(cells):
    """{cell: directions to its two neighbours} in a ring."""
    found = {}
    for q, r in cells:
        found[q, r] = tuple(d for d, (dq, dr) in enumerate(DIRECTIONS) if (q + dq, r + dr) in cells)
    assert all(len(both) == 2 for both in found.values())
    return found


def test_W5_the_first_tile_is_fixed():
    table = Table(TEN, seed=5)
    assert table["board"] == [[1, 0, 0, 0]]
    assert why_illegal(table.state, 2, 0, 0, 0) == "occupied" and why_illegal(table.state, 2, 5, 0, 0) == "touch"
    with pytest.raises(ValueError, match="given from the start"):
        table.game.from_position({"board": [[1, 1, 0, 0]]})


def test_W6_building_freely():
    game = tantra_envs.game("tantrix", **TEN)
    for seed in range(3):
        for state in play(game, seed):
            board = reference.board_of(game.position(state)["board"])
            expected = sorted(
                (tile, *cell, rot)
                for tile in set(range(1, 11)) - {tile for tile, _ in board.values()}
                for cell in reference.border(board)
                for rot in range(6)
                if reference.fits(board, cell, tile, rot)
            )
            over = game.position(state)["phase"] == "OVER"
            assert over == (not expected)
            if not over:
                assert legal_placements(state) == expected
                words = {f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in expected}
                assert {game.action_name(state, action) for action in game.legal(state)} == words
        assert state["rewards"][0, 0] == 0


def test_W6_a_view_stays_within_its_ranges_when_all_tiles_lie_and_may_be_taken_up():
    game, full = tantra_envs.game("tantrix", mode="discovery", puzzle=7, allow_remove=True, max_steps=30), 0
    for seed in range(3):
        for state in play(game, seed):
            check_views(game, state)
            full += int(state["border_n"][0]) > game.view["cell_touch"].size
    assert full


def test_W6_a_space_may_be_as_far_from_the_first_tile_as_there_are_tiles():
    game = tantra_envs.game("tantrix", mode="discovery", puzzle=30, allow_remove=True)
    state = game.from_position({"board": row(30)})
    assert not state["over"][0]
    assert game.observation(state, 0)[game.view["cells"].slice].max() == 30
    check_views(game, state)


def row(n):
    """Tiles 1 to n in a row towards E, matching: at random until none is left over."""
    line, rng = [], random.Random(1)
    while len(line) < n:
        line, left = [(1, 0)], [(tile, rot) for tile in range(2, n + 1) for rot in range(6)]
        while fitting := [on for on in left if reference.side(*on, 4) == reference.side(*line[-1], 1)]:
            line.append(rng.choice(fitting))
            left = [on for on in left if on[0] != line[-1][0]]
    return [[tile, q, 0, rot] for q, (tile, rot) in enumerate(line)]


def test_W6_taking_up():
    config = {**TEN, "allow_remove": True, "max_steps": 60}
    game, removed = tantra_envs.game("tantrix", **config), 0
    for state in play(game, 1):
        if state["over"][0]:
            break
        board = reference.board_of(game.position(state)["board"])
        words = {game.action_name(state, action) for action in game.legal(state)}
        rest = {cell: set(board) - {cell} for cell, (tile, _) in board.items() if tile != 1}
        expected = {f"remove {q},{r}" for (q, r), cells in rest.items() if connected(cells)}
        assert {text for text in words if text.startswith("remove")} == expected
        removed += len(expected)
    assert removed and game.position(state)["truncated"]
    before = Table(config, board=[[1, 0, 0, 0]], moves=0)
    first = sorted(before.legal)[0]
    q, r = first.split(":")[1].split("/")[0].split(",")
    after = Table(config, board=[[1, 0, 0, 0]], moves=0).do(first, f"remove {q},{r}")
    changed = after.state.copy()
    changed["plies"] = 0
    assert changed.tobytes() == before.state.tobytes()


def connected(cells):
    ahead, seen = [next(iter(cells))], set()
    while ahead:
        cell = ahead.pop()
        if cell in cells and cell not in seen:
            seen.add(cell)
            ahead += [(cell[0] + dq, cell[1] + dr) for dq, dr in reference.STEPS]
    return seen == set(cells)


def walk_of(board, colour):
    """The cells of a walk and at last the open one, with the direction in which the line enters it."""
    cell, cells = (0, 0), [(0, 0)]
    away = min(d for d in range(6) if reference.side(*board[cell], d) == colour)
    while True:
        cell = (cell[0] + reference.STEPS[away][0], cell[1] + reference.STEPS[away][1])
        cells.append(cell)
        if cell not in board or cell == (0, 0):
            return cells, away
        away = next(d for d in range(6) if d != (away + 3) % 6 and reference.side(*board[cell], d) == colour)


def ways(board, colour, n):
    """Placements with which a walk can go on."""
    cells, away = walk_of(board, colour)
    for tile in set(range(1, n + 1)) - {tile for tile, _ in board.values()}:
        for rot in range(6):
            if reference.side(tile, rot, (away + 3) % 6) == colour and reference.fits(board, cells[-1], tile, rot):
                beyond = walk_of({**board, cells[-1]: (tile, rot)}, colour)[0][-1]
                if beyond not in board or len(board) == n - 1:
                    yield (tile, *cells[-1], rot)


@pytest.mark.parametrize("n", [6, 10])
def test_W7_a_walk_goes_on_from_the_open_end(n):
    game, colour, longest = tantra_envs.game("tantrix", mode="discovery", puzzle=n, walk=True), BACKS[n - 1], 0
    assert (game.actions["place"].size, game.actions.size) == (2 * n, 3 * n)
    for seed in range(8):
        for state in play(game, seed):
            board = reference.board_of(game.position(state)["board"])
            assert len(walk_of(board, colour)[0]) - 1 == len(board)
            longest = max(longest, len(board))
            expected = sorted(ways(board, colour, n))
            assert bool(state["over"][0]) == (not expected)
            if expected:
                assert legal_placements(state) == expected
                words = {f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in expected}
                assert {game.action_name(state, action) for action in game.legal(state)} == words
                spaces = game.observation(state, 0)[game.view["cell_open"].slice]
                assert spaces.sum() == 1
    assert longest >= 5
    assert played(game, solution(mode="discovery", puzzle=n)[1])


def test_W7_a_loop_that_closes_too_early_is_no_way_on():
    table = Table({"mode": "discovery", "puzzle": 10, "walk": True}, seed=0).do("2:1,0/2")
    board = reference.board_of(table["board"])
    assert reference.fits({**board, (0, 1): (4, 5)}, (-1, 1), 3, 2)  # and would run into the first tile
    table.do("4:0,1/5")
    assert (table["phase"], table["rewards"], len(table["board"])) == ("OVER", [0], 3)


def test_W7_only_the_last_tile_goes_back_and_colours_must_be_told():
    config = {"mode": "discovery", "puzzle": 6, "walk": True, "allow_remove": True}
    table = Table(config, seed=0)
    before = table.state.copy()
    words = [next(word for word in sorted(table.legal) if word[0] != "r")]
    table.do(*words)
    words.append(next(word for word in sorted(table.legal) if word[0] != "r"))
    table.do(words[1])
    gone = {word for word in table.legal if word[0] == "r"}
    assert gone == {f"remove {words[1].split(':')[1].split('/')[0]}"}
    table.do(*gone, f"remove {words[0].split(':')[1].split('/')[0]}")
    table.state["plies"] = 0
    assert table.state.tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="walk=True"):
        tantra_envs.game("tantrix", mode="rainbow", puzzle="white", walk=True)
    loose = next(p for p in legal_placements(tantra_envs.game("tantrix", **TEN).new()) if p[1:3] == (-1, 1))
    with pytest.raises(ValueError, match="one line from the first"):
        table.game.from_position({"board": [[1, 0, 0, 0], list(loose)]})


def test_W8_there_are_several_solutions():
    game = tantra_envs.game("tantrix", **TEN)
    found = {str(sorted(solve(game, seed=seed).board)) for seed in range(6)}
    assert len(found) > 1


def test_W9_pay():
    for reward in ("place", "margin"):
        *_, state = play(tantra_envs.game("tantrix", **TEN, reward=reward), 4)
        paid = state["rewards"][0, 0]
        assert paid == (0 if reward == "place" else state["placed"][0] / 11)


@pytest.mark.parametrize("solves", [True, False])
@pytest.mark.parametrize("reward", ["place", "margin"])
def test_W9_only_a_solved_puzzle_is_called_solved(reward, solves):
    game = tantra_envs.game("tantrix", **TEN, reward=reward)
    steps, state = iter(played(game, solve(game).board) if solves else []), game.new()
    for _ in bounded_while(lambda: not state["over"][0]):
        before, action = state.copy(), next(steps, game.legal(state)[0])
        game.apply_action(state, action)
    assert drawing.result(game, state, ["You"]) == ("Solved" if solves else "The end: not solved")
    *_, (_, last) = sentences.effects(game, before, action, state, ["You"])
    assert last == f"the puzzle is {'solved' if solves else 'not solved'}"


def test_W9_a_puzzle_with_tiles_to_take_up_pays_no_share():
    config = {"mode": "discovery", "puzzle": 5, "allow_remove": True, "max_steps": 20, "reward": "margin"}
    for seed in range(3):
        *_, state = play(tantra_envs.game("tantrix", **config), seed)
        assert state["truncated"][0] and state["placed"][0] > 1 and state["rewards"][0, 0] == 0


def test_X1_groups_by_the_colour_on_the_back():
    for name in ("green", "yellow", "white", "blue", "red"):
        kit = tantra_envs.game("tantrix", mode="rainbow", puzzle=name).blank[0]["opt"]["kit"]
        assert [tile for tile in kit.tolist() if tile] == [t for t in range(1, 57) if BACKS[t - 1] == name[0].upper()]


@pytest.mark.parametrize("name", ["green", "yellow"])
def test_X2_loops(name):
    game, board = solution(mode="rainbow", puzzle=name)
    assert check_solution(board, name[0].upper()) and played(game, board)


def test_X3_white_in_any_colour():
    game, board = solution(mode="rainbow", puzzle="white")
    assert game.blank["opt"]["colour"][0] == 0 and played(game, board)
    assert check_solution(board) and sum(check_solution(board, colour) for colour in "RYGB") == 1


def test_X4_a_line_through_a_pyramid():
    game, board = solution(mode="rainbow", puzzle="blue")
    cells = reference.board_of(board)
    assert set(cells) == {(q, r) for r in range(4) for q in range(-r, 1)} and reference.match(cells)
    assert reference.score(cells, "B") in (10, 20) and played(game, board)
    assert tantra_envs.game("tantrix", mode="rainbow", puzzle="red").actions["place"].size == 1350


def test_X4_a_short_loop_beside_others_is_no_line_through_all():
    """A loop counts double: three tiles in it score as much as a line of six."""
    loop = next(board for board in solved(without("G")[:3]) if reference.score(board, "Y") == 6)
    board = dict(loop)
    for tile in without("G")[3:6]:
        spaces = ((cell, rot) for cell in sorted(reference.border(board)) for rot in range(6))
        cell, rot = next(place for place in spaces if reference.fits(board, place[0], tile, place[1]))
        board[cell] = (tile, rot)
    assert reference.score(board, "Y") == 6
    for tiles, solves in ((loop, True), (board, False)):
        state = tantra_envs.game("tantrix", mode="rainbow", puzzle="blue").blank.copy()
        kit = sorted(tile for tile, _ in tiles.values())
        opt = state[0]["opt"]
        opt["kit_n"], opt["kit"][: len(kit)], opt["colour"], opt["cells_n"] = len(kit), kit, 2, 0
        lay_out(state, listed(tiles))
        assert is_solved(state) == solves


def test_X5_any_empty_cell():
    table = Table({"mode": "rainbow", "puzzle": "blue"}, seed=0)
    assert len(table.legal) == 600
    table.do("6:0,0/2", "7:-3,3/0")
    assert why_illegal(table.state, 8, 1, 0, 0) == "touch" and why_illegal(table.state, 8, 0, 0, 0) == "occupied"
    with pytest.raises(ValueError, match="cells of the shape"):
        table.game.from_position({"board": [[6, 1, 0, 0]]})


def test_X5_a_cell_takes_what_matches_the_tiles_beside_it():
    table = Table({"mode": "rainbow", "puzzle": "blue"}, seed=0).do("6:0,0/2", "7:-3,3/0", "8:-1,2/0")
    board = reference.board_of(table["board"])
    empty = {(q, r) for r in range(4) for q in range(-r, 1)} - set(board)
    rest = [tile for tile, back in enumerate(BACKS, start=1) if back == "B" and tile not in (6, 7, 8)]
    assert table.legal == {
        f"{tile}:{q},{r}/{rot}"
        for tile in rest
        for q, r in empty
        for rot in range(6)
        if reference.fits(board, (q, r), tile, rot)
    }


def test_X6_turned_pyramids():
    game, board = solution(mode="rainbow", puzzle="blue")
    for _ in range(3):
        turned = []
        for tile, q, r, rot in board:
            x, y, turn = q, r, rot
            for _ in range(2):
                x, y, turn = -y, x + y, (turn + 1) % 6
            turned.append([tile, x, y, turn])
        left, top = max(x for _, x, _, _ in turned), min(y for _, _, y, _ in turned)
        board = [[tile, x - left, y - top, turn] for tile, x, y, turn in turned]
        assert played(game, board)


def test_Y1_the_daily_puzzle():
    puzzle = daily(20260101)
    assert puzzle == daily(20260101) != daily(20260102)
    assert puzzle.cells == CELLS and len(puzzle.kit) == 19 and 0 < len(puzzle.given) < 19
    fixed = reference.board_of(puzzle.given)
    ways = Filling(CELLS, puzzle.kit, fixed=fixed)
    assert ways.search(10**6) == FOUND
    board = ways.board
    assert ways.search(10**6) == NONE
    game = tantra_envs.game("tantrix", mode="daily")
    assert len(played(game, board)) == 19 - len(puzzle.given)
    cells = reference.board_of(board)
    assert reference.match(cells)


def test_the_solver_says_when_there_is_nothing_to_find():
    two = Filling([(0, 0), (1, 0)], [1, 2, 3])
    ways = 0
    for _ in bounded_while(lambda: two.search(10**6) == FOUND):
        ways += 1
    pairs = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
    assert ways == sum(
        reference.side(a, i, 1) == reference.side(b, j, 4) for a, b in pairs for i in range(6) for j in range(6)
    )
    stuck = Filling([(0, 0), (1, 0)], [1, 2], fixed={(0, 0): (1, 0)}, colour=4, links=[(0, 1), (2, 3)])
    assert stuck.search(10**6) == NONE == stuck.search(10**6)
    with pytest.raises(ValueError, match="is not a puzzle"):
        solve(tantra_envs.game("tantrix"))
    assert turn_of(3, "B") == "corner"


@pytest.mark.skipif(PURE_PYTHON, reason="plain Python takes two minutes")
def test_the_solver_thinks_in_nodes():
    """As many as a search takes are enough for it, on every machine; fewer end it, on the outline or on its tiles."""
    thirty = tantra_envs.game("tantrix", mode="discovery", puzzle=30)
    found = solve(thirty)
    assert (found.sure, found.outlines, found.laid) == (True, 53, 522_942) and found == solve(thirty)
    for nodes in (0, 1, 1000, 50_000):
        stopped = solve(thirty, nodes)
        assert stopped.board is None and not stopped.sure and stopped.laid <= nodes < NODES
        assert stopped == solve(thirty, nodes)
    red = tantra_envs.game("tantrix", mode="rainbow", puzzle="red")
    stopped = solve(red, 1000)
    assert stopped.laid <= 1000 and not stopped.sure
