"""The whole observation computed a second time, from the position as text, and compared number by number."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix.material import COLOURS, EDGES
from tantra_envs.games.tantrix.puzzles.solver import solve
from tantra_envs.testing import play
from tantra_envs.testing.positions import check_views

from . import model


def expected(game, p, seat):
    if game.config["mode"] in ("discovery", "rainbow", "daily"):
        return expected_puzzle(game, p)
    n, alone = game.players, game.config["mode"] == "solitaire"
    gobble = game.config["mode"] == "gobble"
    slots, spaces = (1, 30) if alone else (1, 114) if gobble else (6, 114)
    goal = game.config["goal"] if game.config["goal"] != "best" else ""
    owned = list(goal) if alone or gobble else [p["colours"][(seat + i) % n] for i in range(n)]
    last = [p["missing"]] if alone else []
    order = owned + [c for c in COLOURS if c not in owned + last] + last
    name = {colour: i + 1 for i, colour in enumerate(order)}
    board = model.board_of(p["board"])
    qs, rs = [q for q, _ in board] or [0], [r for _, r in board] or [0]
    middle = ((min(qs) + max(qs)) // 2, (min(rs) + max(rs)) // 2)
    over = p["phase"] == "OVER"
    cells = sorted(model.border(board), key=lambda cell: cell[::-1]) if board else [(0, 0)]
    cells = [] if over else cells
    if game.config["encoding"] == "window":
        seen = [expected_planes(game.config["window"], board, cells, name, middle, p["last"])]
    else:
        seen = expected_entities(spaces, board, cells, name, middle)
    status = -np.ones(56)
    status[[tile - 1 for tile in p["bag"]]] = 0
    status[[tile - 1 for tile, _ in board.values()]] = 1
    hands = np.zeros((n, slots, 7))
    one = p["hand"] if gobble and n > 1 else [p.get("hand")]
    held = [[tile] for tile in one] if alone or gobble else p["hands"]
    for i in range(n):
        for slot, tile in enumerate(held[(seat + i) % n]):
            if tile:
                hands[i, slot] = [1, *[name[colour] for colour in EDGES[tile - 1]]]
                status[tile - 1] = 2 + i
    if gobble:
        misc = [len(p["bag"]) / 56, *expected_stacks(p, n, seat, status)]
        return np.concatenate([*seen, hands.ravel(), status, misc])
    step = [float(p["phase"] == phase) for phase in ("FILL", "FREE", "REFILL")]
    shown = order[:3] if alone else owned
    scores = [model.score(board, colour) / 56 for colour in shown]
    left = [sum(1 for tile in held[(seat + i) % n] if tile) / 6 for i in range(n)]
    misc = [len(p["bag"]) / 56, float(bool(p["bag"]) and not alone), *step, *scores, *left]
    return np.concatenate([*seen, hands.ravel(), status, misc])


def expected_entities(spaces, board, cells, name, middle):
    """The spaces and the placed tiles one by one."""
    place, facing, touch = np.zeros((spaces, 2)), np.zeros((spaces, 6)), np.zeros(spaces)
    for f, (q, r) in enumerate(cells):
        place[f] = q - middle[0], r - middle[1]
        for d, colour in model.around(board, (q, r)).items():
            facing[f, d] = name[colour]
        touch[f] = len(model.around(board, (q, r)))
    tiles = np.zeros((56, 9))
    for (q, r), (tile, rot) in board.items():
        tiles[tile - 1] = [1, q - middle[0], r - middle[1], *(name[model.side(tile, rot, d)] for d in range(6))]
    return [place.ravel(), facing.ravel(), touch, touch >= 3, tiles.ravel()]


def expected_planes(across, board, cells, name, middle, last):
    """The same as they lie in the window, on planes [plane, y, x] with a border for what it does not show."""
    planes = np.zeros((28, 3 * across, 3 * across))
    x, y = (across + across // 2 - n for n in middle)
    for (q, r), (tile, rot) in board.items():
        for d in range(6):
            planes[4 * d + name[model.side(tile, rot, d)] - 1, r + y, q + x] = 1
        planes[24, r + y, q + x], planes[27, r + y, q + x] = 1, tile == last
    for q, r in cells:
        touch = len(model.around(board, (q, r)))
        planes[25:27, r + y, q + x] = touch >= 3, touch / 6
    return planes[:, across : 2 * across, across : 2 * across].ravel()


def expected_stacks(p, n, seat, status):
    """What a view of Gobble says of piles and penalty stacks; renews the status of their tiles."""
    penalty = [p["penalty"]] if n == 1 else p["penalty"]
    piles, known = p.get("piles", [[]]), p.get("known", [])
    tops, counts = np.zeros((n, 7)), np.zeros((3, n))
    for i in range(n):
        of = (seat + i) % n
        for tile in penalty[of]:
            status[tile - 1] = 2 + n + i
        for tile in piles[of]:
            status[tile - 1] = 2 + 2 * n + i if tile in known else 0
        if penalty[of]:
            tops[i] = [1, *["RYGB".index(colour) + 1 for colour in EDGES[penalty[of][-1] - 1]]]
        counts[:, i] = len(penalty[of]) / 56, len(piles[of]) / 56, of in p.get("out", [])
    phase = [float(p["phase"] == name) for name in ("PLACE", "BONUS", "OFFLOAD")]
    acts = max(p.get("acts", 0), 0) / 9 if seat == p["cur"] else 0
    return [*phase, *tops.ravel(), *counts.ravel(), acts]


def expected_puzzle(game, p):
    """The view of a puzzle."""
    kit = [tile for tile in game.blank["opt"]["kit"][0].tolist() if tile]
    board = model.board_of(p["board"])
    shape = {"blue": [(q, r) for r in range(4) for q in range(-r, 1)]}.get(game.config["puzzle"])
    cells = shape or sorted(model.border(board), key=lambda cell: cell[::-1])
    spaces = len(shape) if shape else 2 * len(kit) + 2
    parts = [np.zeros((spaces, 2)), np.zeros((spaces, 6)), np.zeros(spaces), np.zeros(spaces)]
    for f, cell in enumerate(cells if p["phase"] != "OVER" else []):
        shown = model.around(board, cell) if cell not in board else {}
        parts[0][f] = cell
        for d, colour in shown.items():
            parts[1][f, d] = "RYGB".index(colour) + 1
        parts[2][f], parts[3][f] = len(shown), cell not in board
    lying = {tile: (q, r, rot) for (q, r), (tile, rot) in board.items()}
    tiles = np.zeros((len(kit), 10))
    for i, tile in enumerate(kit):
        q, r, rot = lying.get(tile, (0, 0, 0))
        colours = ["RYGB".index(model.side(tile, rot, d)) + 1 for d in range(6)]
        tiles[i] = [tile in lying, not shape and i == 0, q, r, *colours]
    return np.concatenate([*[part.ravel() for part in parts], tiles.ravel()])


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"players": 3, "colours": "BGR"},
        {"players": 4, "colours": "random"},
        {"encoding": "window", "window": 15},
        {"mode": "solitaire"},
        {"mode": "solitaire", "goal": "G"},
        {"mode": "gobble", "players": 1},
        {"mode": "gobble", "players": 3},
        {"mode": "discovery", "puzzle": 9},
        {"mode": "rainbow", "puzzle": "blue"},
    ],
    ids=str,
)
def test_every_number_of_every_seat_in_whole_games(config):
    game = tantra_envs.game("tantrix", **config)
    for state in play(game, 5):
        position = game.position(state)
        for seat in range(game.players):
            view = expected(game, position, seat)
            assert view.shape == (game.view.size,)
            np.testing.assert_allclose(game.observation(state, seat), view, rtol=3e-7, err_msg=str(position))


def test_O1_only_the_order_of_the_tiles_to_come_is_hidden():
    for config in ({}, {"mode": "solitaire"}):
        game = tantra_envs.game("tantrix", **config)
        before = game.position(game.new(1))
        after = game.position(game.redeal(game.new(1), 8, 0))
        assert before.pop("bag") != after["bag"] and sorted(after.pop("bag")) == sorted(
            game.position(game.new(1))["bag"]
        )
        assert before == after


def test_O2_everything_is_relative_to_the_observer():
    """Seats and colours changed about: every seat sees what the other saw."""
    game, other = tantra_envs.game("tantrix"), tantra_envs.game("tantrix", colours="YR")
    position = game.position(game.new(4))
    moved = {**position, "config": {}, "colours": "YR", "hands": position["hands"][::-1], "cur": 1 - position["cur"]}
    del moved["scores"]
    for seat in range(2):
        one = game.observation(game.from_position(position), seat)
        two = other.observation(other.from_position(moved), 1 - seat)
        assert (one == two).all()


def test_D8_scores_stay_within_their_range_when_a_loop_counts_three_times():
    """A loop of 29 tiles, and the most that 42 tiles with a colour could score."""
    board = solve(tantra_envs.game("tantrix", mode="discovery", puzzle=29)).board
    for factor, score in ((1, 29), (2, 58), (3, 87)):
        game = tantra_envs.game("tantrix", loop_factor=factor)
        state = game.from_position({"board": board, "hands": [[30], [31]], "bag": [32]})
        assert game.position(state)["scores"][0] == score
        check_views(game, state)
        assert game.view["scores"].high == pytest.approx(factor * 42 / 56)


def test_O3_the_blocks_are_the_table_of_entities():
    game = tantra_envs.game("tantrix", players=3)
    sizes = {block.name: block.size for block in game.view}
    assert (sizes["cells"], sizes["cell_facing"], sizes["cell_touch"], sizes["cell_gobble"]) == (228, 684, 114, 114)
    assert (sizes["board"], sizes["hands"], sizes["status"]) == (56 * 9, 3 * 6 * 7, 56)
