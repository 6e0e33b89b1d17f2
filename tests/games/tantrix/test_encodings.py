"""The encodings number the same placements, and the window counts what it cuts off. O4, O5: planes and masks."""

from itertools import product

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix import encode, legal_placements
from tantra_envs.testing import play

from . import reference
from .table import Table
from .test_rulings_restraints import laid

NARROW = {"encoding": "window", "window": 15}
ROW = [*((q, 0) for q in range(20)), (-1, 1)]  # wider than that window, with a gobble at its left end
GOBBLE = (0, 1)


@pytest.mark.parametrize(
    ("config", "size"),
    [
        ({"encoding": "frontier"}, 4104),
        ({"encoding": "window"}, 30_276),
        ({"mode": "solitaire", "encoding": "frontier"}, 180),
        ({"mode": "gobble", "encoding": "frontier"}, 684),
        ({"mode": "gobble", "encoding": "window"}, 31 * 31 * 6),
    ],
    ids=str,
)
def test_O5_every_encoding_offers_the_same_placements(config, size):
    game = tantra_envs.game("tantrix", **config)
    assert game.actions["place"].size == size
    for state in play(game, 6):
        if state["plies"][0] % 5 and not state["over"][0]:
            continue
        mask = game.mask(state)
        assert mask.dtype == np.int8 and mask.any() == (not state["over"][0])
        placements = {encode(game, state, placement) for placement in legal_placements(state)}
        assert placements == set(np.flatnonzero(mask[:size]).tolist())
        for action in list(placements)[:3]:
            assert game.parse_action(state, game.action_name(state, action)) == action


def test_the_numbers_of_a_placement():
    tables = {
        name: Table({"encoding": name}, board=[[1, 0, 0, 0]], hands=[[9, 2], [3]]) for name in ("frontier", "window")
    }
    action = {name: table.game.parse_action(table.state, "2:1,0/2") for name, table in tables.items()}
    f = sorted(reference.STEPS, key=lambda cell: cell[::-1]).index((1, 0))
    assert action == {"frontier": (f * 6 + 1) * 6 + 2, "window": ((14 * 29 + 15) * 6 + 1) * 6 + 2}
    assert tables["window"].game.action_name(tables["window"].state, 0) == "none 0"
    opening = Table({"encoding": "frontier"}, hands=[[9], [3]])
    assert opening.legal == {f"9:0,0/{rot}" for rot in range(6)}


def test_a_rotation_that_does_not_match_has_no_number():
    table = Table(board=[[1, 0, 0, 0]], hands=[[9, 2], [3]])
    numbers = set()
    for tile, (q, r), rot in product((9, 2), reference.STEPS, range(6)):
        if reference.fits({(0, 0): (1, 0)}, (q, r), tile, rot):
            numbers.add(encode(table.game, table.state, (tile, q, r, rot)))
        else:
            with pytest.raises(ValueError, match="names no action"):
                encode(table.game, table.state, (tile, q, r, rot))
    assert sorted(numbers) == table.game.legal(table.state) and len(numbers) == 24


def test_the_window_lies_round_the_middle_of_the_tiles():
    game, middles = tantra_envs.game("tantrix", **NARROW), set()
    for state in play(game, 2):
        position = game.position(state)
        if not position["board"] or position["phase"] == "OVER" or len(position["board"]) % 4:
            continue
        _, columns, rows, _ = zip(*position["board"], strict=True)
        middle = (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2
        hand = position["hands"][position["cur"]]
        for tile, q, r, rot in legal_placements(state):
            place = (r - middle[1] + 7) * 15 + q - middle[0] + 7
            assert encode(game, state, (tile, q, r, rot)) == (place * 6 + hand.index(tile)) * 6 + rot
        middles.add(middle)
    assert len({q for q, _ in middles}) > 1 and len({r for _, r in middles}) > 1


def row_table():
    """Seat 0 may place anywhere in the row, or fill the gobble that the window does not show."""
    *board, (fitting, *_) = laid((*ROW, GOBBLE))
    shown = reference.board_of(board)
    rest = [tile for tile in range(1, 57) if tile != fitting and tile not in {tile for tile, *_ in board}]
    other = next(t for t in rest if not any(reference.fits(shown, GOBBLE, t, rot) for rot in range(6)))
    return Table(NARROW, board=board, hands=[[fitting, other], [next(tile for tile in rest if tile != other)]])


def test_the_window_cuts_placements_off_and_counts_them():
    table = row_table()
    inside = {(tile, q, r, rot) for tile, q, r, rot in table.placements if abs(q - 9) <= 7}
    assert table.legal == {f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in inside}
    assert table["outside_window"] == len(table.placements) - len(inside) > 0
    with pytest.raises(ValueError, match="names no action"):
        table.do(next(f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in table.placements if (q, r) == GOBBLE))


def test_where_the_window_shows_nothing_the_game_is_cut_off_and_no_deadlock():
    table = row_table()
    fitting, other = table["hands"][0][:2]
    board = reference.board_of(table["board"])
    moves = [(q, r, rot) for tile, q, r, rot in table.placements if tile == other and abs(q - 9) <= 7]
    q, r, rot = next((q, r, rot) for q, r, rot in moves if not fills({**board, (q, r): (other, rot)}, fitting))
    env = tantra_envs.make_raw("tantrix", **NARROW)
    env.reset(options={"position": table.game.position(table.state)})
    env.step(table.game.parse_action(table.state, f"{other}:{q},{r}/{rot}"))
    info = env.infos["player_0"]
    assert env.truncations["player_0"] and info["deadlock"] == 0 and info["outside_window"] > table["outside_window"]


def fills(board, tile):
    """The gobbles in the window that a tile fits."""
    spaces = [cell for cell in reference.gobbles(board) if abs(cell[0] - 9) <= 7]
    return [cell for cell in spaces if any(reference.fits(board, cell, tile, rot) for rot in range(6))]


def test_O4_the_planes_of_the_window():
    table = Table({**NARROW, "players": 2}, board=[[1, 0, 0, 0]], hands=[[2], [3]]).do("2:1,0/2")
    sizes = {block.name: block.size for block in table.game.view}
    assert [sizes[name] for name in ("sides", "occupied", "gobbles", "touch", "last")] == [24 * 225, *[225] * 4]
    assert np.flatnonzero(table.seen(0, "occupied")).tolist() == [7 * 15 + 7, 7 * 15 + 8]
    assert np.flatnonzero(table.seen(0, "last")).tolist() == [7 * 15 + 8]
    with pytest.raises(ValueError, match="last=9"):
        table.game.from_position({"board": [[1, 0, 0, 0]], "hands": [[2], [3]], "last": 9})
