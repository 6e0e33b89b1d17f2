"""Positions: what may be left out, what is refused by name, and the tools that speak of placements."""

import random

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix import check_solution, decode, encode, legal_placements, score_board, why_illegal
from tantra_envs.games.tantrix.words.boards import lay_out
from tantra_envs.testing import play

from ..loop_bounds import bounded_while
from . import reference
from .contract import check_border
from .table import Table

PAIR = {"board": [[1, 0, 0, 0], [2, 1, 0, 2]], "hands": [[3, 4], [5]], "bag": [6, 7]}
BOARD = PAIR["board"]
SOLITAIRE = {"board": [[1, 0, 0, 0]], "hand": 2}
RACE = {"board": BOARD, "hand": [5, None], "piles": [[6], []], "penalty": [[], [7, 8]]}
ALONE = {"board": BOARD, "hand": 5, "penalty": [9, 8]}
OPTIONS = {"strategy": {}, "solitaire": {"mode": "solitaire"}, "race": {"mode": "gobble"},
           "alone": {"mode": "gobble", "players": 1}}  # fmt: skip
GOOD = {"strategy": PAIR, "solitaire": SOLITAIRE, "race": RACE, "alone": ALONE}


@pytest.mark.parametrize(("table", "change", "read"), [
    ("strategy", {}, {"phase": "FREE", "cur": 0, "colours": "RY", "scores": [2, 1], "deadlock": False, "winners": [],
                      "rewards": [0, 0], "hands": [[3, 4, *[None] * 4], [5, *[None] * 5]]}),
    ("strategy", {"phase": "FILL"}, {"phase": "FREE"}),  # there is nothing to fill
    ("solitaire", {"bag": [3, 4]}, {"missing": "G"}),
    ("race", {"known": [6]}, {"phase": "PLACE", "acts": 1, "out": [], "known": [6]}),
    ("alone", {}, {"penalty": [9, 8]}),
])  # fmt: skip
def test_what_is_left_out_is_settled(table, change, read):
    game = tantra_envs.game("tantrix", **OPTIONS[table])
    position = game.position(game.from_position({**GOOD[table], **change}))
    assert {field: position[field] for field in read} == read


def test_other_names_of_the_same_fields():
    game = tantra_envs.game("tantrix")
    named = game.from_position(
        {"board": PAIR["board"], "hands": PAIR["hands"], "player": 1, "step": 2, "draw_order": [6]}
    )
    plain = game.from_position({"board": PAIR["board"], "hands": PAIR["hands"], "cur": 1, "phase": "free", "bag": "6"})
    assert named.tobytes() == plain.tobytes()


def test_the_order_of_the_board_does_not_matter():
    game = tantra_envs.game("tantrix")
    *_, state = play(game, 2)
    position = game.position(state, full=True)
    again = game.from_position({**position, "board": position["board"][::-1]})
    assert again.tobytes() == state.tobytes()


def test_a_table_with_almost_as_many_spaces_as_there_can_be():
    """First legal placements make a column; laid by their numbers its tiles would have more spaces meanwhile."""
    game = tantra_envs.game("tantrix")
    state = game.new(1)
    for _ in bounded_while(lambda: not state["over"][0]):
        game.apply_action(state, game.legal(state)[0])
        if state["placed"][0] in (53, 54, 55) or state["over"][0]:
            assert state["border_n"][0] >= 110
            again = game.from_position(game.position(state, full=True))
            assert again.tobytes() == state.tobytes()


@pytest.mark.parametrize("step", reference.STEPS[:3], ids=str)
def test_a_straight_line_of_all_tiles_has_the_most_spaces(step):
    line = straight_line(step)
    board = reference.board_of(line)
    assert len(line) == 56 and reference.match(board)
    laid = set()
    for entries in (line, line[::-1], sorted(line), line[::2] + line[1::2], line[::3] + line[1::3] + line[2::3]):
        state = tantra_envs.game("tantrix").blank.copy()
        lay_out(state, entries)
        assert state["border_n"][0] == len(reference.border(board)) == len(state["border"][0]) == 2 * 56 + 4
        check_border(state[0], board)
        laid.add(state.tobytes())
    assert len(laid) == 1


def straight_line(step):
    """All 56 tiles one behind the other, matching: at random until none is left over."""
    (dq, dr), d, rng = step, reference.STEPS.index(step), random.Random(1)
    line = []
    while len(line) < 56:
        line, left = [], [(tile, rot) for tile in range(1, 57) for rot in range(6)]
        while fitting := [on for on in left if not line or reference.side(*on, d - 3) == reference.side(*line[-1], d)]:
            line.append(rng.choice(fitting))
            left = [on for on in left if on[0] != line[-1][0]]
    return [(tile, (k - 28) * dq, (k - 28) * dr, rot) for k, (tile, rot) in enumerate(line)]


def test_tiles_far_from_the_middle_have_no_space_there():
    table = Table(**{**PAIR, "board": [[1, 5, 5, 0], [2, 6, 5, 2]]})
    check_border(table.state[0], {(5, 5): (1, 0), (6, 5): (2, 2)})
    assert {(q - 5, r - 5) for _, q, r, _ in table.placements} == {(q, r) for _, q, r, _ in Table(**PAIR).placements}


def test_tools_take_tiles_that_do_not_touch():
    """As many spaces as 56 tiles apart have are in no list."""
    line = straight_line((1, 0))
    apart = [[tile, 2 * q, 0, rot] for tile, q, _, rot in line]
    assert score_board(apart, "Y") == 1 and score_board([], "Y") == 0
    assert not check_solution(apart) and not check_solution([])
    halves = [[tile, q + 2 * (q >= 0), 0, rot] for tile, q, _, rot in line]
    for colour in "RYGB":
        assert score_board(halves, colour) == max(score_board(halves[:28], colour), score_board(halves[28:], colour))


WRONG = [
    ({"board": [[1, 0, 0]]}, "board="),
    ({"board": [[57, 0, 0, 0]]}, "tiles 1..56"),
    ({"board": [[1, 0, 0, 6]]}, "rotations 0..5"),
    ({"board": [[1, 40, 0, 0]]}, "move the whole board"),
    ({"board": [[1, 0, 0, 0], [2, 0, 0, 0]]}, "one tile on a cell"),
    ({"board": [[1, 0, 0, 0], [1, 1, 0, 2]]}, "each tile at most once"),
    ({"hands": [[3]]}, "a list of 2 hands"),
    ({"hands": [[3] * 7, []]}, "at most 6 tiles"),
    ({"hands": [[3], [3]]}, "there twice: .3."),
    ({"hands": [[], [3]]}, "cur=0"),
    ({"hands": [["x"], [3]]}, "unknown card 'x'"),
    ({"hands": [[0], [3]]}, "tiles 1..56"),
    ({"bag": [1]}, "there twice: .1."),
    ({"bag": [60]}, "unknown card 60"),
    ({"cur": 2}, "cur=2"),
    ({"phase": "PLAY"}, "phase="),
    ({"phase": "OVER"}, "phase='OVER'"),
    ({"step": 4}, "step=4"),
    ({"step": True}, "step=True"),
    ({"step": np.array([1, 2])}, "step="),
    ({"step": 1, "phase": "FREE"}, "one of step and phase"),
    ({"colours": "RR"}, "colours='RR'"),
    ({"colours": "GB"}, "colours='GB'"),
    ({"scores": [9, 9]}, "scores="),
    ({"winners": [0]}, "winners="),
    ({"deadlock": True}, "deadlock=True"),
    ({"truncated": True}, "truncated=True"),
    ({"rewards": [1.0, -1.0]}, r"rewards\[0\]="),
    ({"rng": [1, 2, 3, -4]}, r"rng\[3\]="),
    ({"tiles": []}, "unknown field 'tiles'"),
    ({"config": {"players": 3}}, "contradicts"),
]


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        *(("strategy", *row) for row in WRONG),
        ("solitaire", {"hand": 43}, "on none of the tiles"),
        ("solitaire", {"missing": "B"}, "missing='B'"),
        ("solitaire", {"hand": None}, "cur=0"),
        ("solitaire", {"phase": "FILL"}, "phase='FILL'"),
        ("race", {"hand": [None, 5]}, "which still has a pile"),
        ("race", {"piles": [[6]]}, "a list of 2 entries"),
        ("race", {"hand": 5}, "a list of 2 entries"),
        ("race", {"penalty": [[], [5]]}, r"each tile once .* there twice: \[5\]"),
        ("race", {"phase": "BONUS"}, "allowed: PLACE, OFFLOAD"),
        ("race", {"known": [7]}, "tiles in the piles"),
        ("race", {"out": [1]}, "the seats without tiles"),
        ("race", {"penalty": [[], []]}, "with an opponent who does"),
        ("race", {"hand": [0, 5]}, "tiles 1..56"),
        ("alone", {"hand": None}, "cur=0"),
        ("alone", {"phase": "BONUS"}, "with an empty hand and a penalty stack"),
        ("alone", {"phase": "FREE"}, "allowed: PLACE, BONUS"),
        ("alone", {"moves": 1001}, "moves=1001"),
    ],
    ids=str,
)
def test_refusals_name_the_field(table, change, words):
    with pytest.raises(ValueError, match=words):
        tantra_envs.game("tantrix", **OPTIONS[table]).from_position({**GOOD[table], **change})


@pytest.mark.parametrize("config", [{}, {"mode": "solitaire"}, {"mode": "gobble", "players": 1}], ids=str)
def test_actions_and_placements_lead_to_each_other(config):
    game = tantra_envs.game("tantrix", **config)
    for state in play(game, 6):
        for action in game.legal(state) if game.phases[state["phase"][0]] != "BONUS" else []:
            placement = decode(game, state, action)
            assert placement in legal_placements(state) and encode(game, state, placement) == action
            assert why_illegal(state, *placement) is None
