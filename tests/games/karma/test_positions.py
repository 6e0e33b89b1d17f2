"""Positions: written and read back, defaults, and a refusal naming the field for everything that cannot be."""

import json

import pytest

import tantra_envs

KARMA = tantra_envs.game("karma")
THREE = tantra_envs.game("karma", players=3)
HANDS = ["7 8", "9 10", "11"]


def test_defaults():
    assert KARMA.position(KARMA.from_position({"hands": ["7 GIVE", "3"], "pile": "5 6"})) == {
        "config": {},
        "phase": "PLAY",
        "cur": 0,
        "dealer": 1,
        "hands": [["7", "GIVE"], ["3"]],
        "up": [[], []],
        "down": [[], []],
        "known": [[], []],
        "pile": ["5", "6"],
        "run": 1,
        "draw": [],
        "out": [],
        "setup_left": 0,
        "moves": 0,
        "gone": {card: 2 for card in map(str, range(1, 17)) if card not in "3567"}
        | {"3": 1, "5": 1, "6": 1, "7": 1, "GIVE": 1, "TABLE": 2, "BOTTOMS": 2, "FIVE": 2},
        "loser": -1,
        "rewards": [0.0, 0.0],
        "truncated": False,
    }


def test_defaults_that_follow_from_other_fields():
    state = THREE.from_position({"hands": ["", "9", "1"], "cur": 1})
    assert (THREE.position(state)["dealer"], THREE.position(state)["out"]) == (0, [0])
    assert THREE.position(state)["run"] == 0
    choosing = THREE.from_position({"phase": "setup", "hands": ["1 2 3"] * 2 + ["4 5 6"], "cur": 2})
    assert THREE.position(choosing)["setup_left"] == 3
    giving = THREE.from_position({"phase": "TARGET", "hands": ["", "9", "1"], "pile": "5 5"})
    assert (THREE.position(giving)["run"], THREE.position(giving)["out"]) == (0, [])


def test_cards_by_name_id_list_or_string():
    same = [["7", "GIVE"], [6, 16], "7 give", ("7", 16)]
    states = {KARMA.from_position({"hands": [hand, "3"]}).tobytes() for hand in same}
    assert len(states) == 1


def test_hands_under_three_cards_stay():
    assert KARMA.position(KARMA.from_position({"hands": ["7", "3"], "draw": "1 2 3"}))["hands"] == [["7"], ["3"]]


def test_the_config_of_a_position_may_be_any_part_of_the_games():
    assert THREE.from_position({"hands": HANDS, "config": {"players": 3, "copies": 2}}) is not None


OK = {"hands": HANDS}
SETUP = {"phase": "SETUP", "hands": ["1 2 3", "4 5 6", "7 8 9"], "cur": 1, "dealer": 2, "up": ["14 15 16", "", ""]}


@pytest.mark.parametrize(
    ("field", "position"),
    [
        ("hand", {**OK, "hand": []}),
        ("config", {**OK, "config": {"wild": 1}}),
        ("config", {**OK, "config": {"players": 2}}),
        ("phase", {**OK, "phase": "DRAW"}),
        ("phase", {**OK, "phase": "OVER"}),
        ("cur", {**OK, "cur": 3}),
        ("gone", {**OK, "gone": {"GIVE": 2.0}}),
        ("rewards", {**OK, "rewards": [0, 0]}),
        ("rng", {**OK, "rng": [1, 2, 3]}),
        ("rng", {**OK, "rng": [1, 2, 3, 2**32]}),
        (r"hands\[2\]", {"hands": ["1", "2", 7]}),
        ("cur", {"hands": ["", "1", "2"], "cur": 0}),
        ("dealer", {**OK, "dealer": -1}),
        ("moves", {**OK, "moves": -1}),
        ("moves", {**OK, "moves": 2000}),
        ("hands", {}),
        ("hands", {"hands": ["1", "2"]}),
        ("hands", {"hands": ["1", "", ""]}),
        (r"hands\[1\]", {"hands": ["1", "17", "2"]}),
        (r"hands\[0\]", {"hands": ["1 1 1", "2", "2"]}),
        (r"up\[0\]", {**OK, "up": ["1 2 3 4", "", ""]}),
        (r"down\[1\]", {**OK, "down": ["", "1 2 3 4", ""]}),
        (r"known\[0\]", {**OK, "known": ["7 7", "", ""]}),
        (r"known\[0\]", {**SETUP, "known": ["1", "", ""]}),
        ("pile", {**OK, "pile": "3 GIVE"}),
        ("pile", {**OK, "pile": " ".join(["3"] * 41)}),
        ("pile", {**OK, "phase": "FOLLOW", "pile": "3"}),
        ("pile", {**OK, "phase": "FOLLOW"}),
        ("pile", {**OK, "phase": "TARGET"}),
        ("run", {**OK, "pile": "3 4", "run": 2}),
        ("run", {**OK, "run": 1}),
        ("run", {**OK, "phase": "TARGET", "pile": "4", "run": 1}),
        ("draw", {**OK, "draw": "7 7 7"}),
        ("out", {**OK, "out": [0]}),
        ("out", {"hands": ["1", "2", ""], "out": []}),
        ("out", {"hands": ["1", "2", ""], "out": [2, 2]}),
        ("out", {"phase": "TARGET", "hands": ["", "2", "3"], "pile": "4", "out": [0]}),
        ("setup_left", {**OK, "setup_left": 1}),
        ("setup_left", {**SETUP, "setup_left": 3}),
        (r"up\[0\]", {**SETUP, "up": ["14 15", "", ""]}),
        (r"up\[1\]", {**SETUP, "up": ["14 15 16", "14 15 16", ""]}),
        (r"up\[2\]", {**SETUP, "up": ["14 15 16", "", "14 15 16"]}),
        (r"up\[1\]", {**SETUP, "hands": ["1 2 3", "4", "7 8 9"]}),
        ("gone", {**OK, "gone": {"1": 1}}),
        ("gone", {**OK, "gone": {"zero": 1}}),
        ("loser", {**OK, "loser": 1}),
        ("rewards", {**OK, "rewards": [1, 0, 0]}),
        ("truncated", {**OK, "truncated": True}),
        ("loser", {"hands": ["", "1", ""], "phase": "OVER", "rng": [1, 2, 3, 4]}),
        ("loser", {"hands": ["", "1", ""], "phase": "OVER", "rng": [1, 2, 3, 4], "truncated": True, "loser": 1}),
    ],
)
def test_refusals_name_the_field(field, position):
    before = json.dumps(position)
    with pytest.raises(ValueError, match=rf"^position: .*{field}"):
        THREE.from_position(position)
    assert json.dumps(position) == before


def test_target_needs_a_choice():
    with pytest.raises(ValueError, match="phase='TARGET'"):
        KARMA.from_position({"phase": "TARGET", "hands": ["1", "2"], "pile": "4"})
    closed = tantra_envs.game("karma", players=3, give_to_out=False)
    with pytest.raises(ValueError, match="phase='TARGET'"):
        closed.from_position({"phase": "TARGET", "hands": ["1", "2", ""], "pile": "4"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deck": ["1", "2"]}, "deck has 1 of 1"),
        ({"deck": "GIVE " * 40}, "deck has 0 of 1"),
        ({"deck": 7}, "deck=7"),
        ({"dealer": 2}, "dealer=2"),
        ({"trump": 1}, "unknown field 'trump'"),
    ],
)
def test_refused_deals(given, message):
    with pytest.raises(ValueError, match=message):
        KARMA.new(1, **given)


@pytest.mark.parametrize(
    "text", ["play 17", "play 7x3", "place 7x2", "play", "give 0", "give 2", "give", "", "7", "flip 1"]
)
def test_words_that_name_no_action(text):
    with pytest.raises(ValueError, match="names no action"):
        KARMA.parse_action(KARMA.from_position({"hands": ["7", "8"]}), text)


def test_words_long_and_short():
    state = THREE.from_position({"hands": HANDS, "cur": 1})
    assert THREE.parse_action(state, "play 7x1") == THREE.parse_action(state, "  PLAY   7 ") == 6
    assert THREE.action_name(state, 6) == "play 7"
    assert [THREE.action_name(state, action) for action in (43, 44)] == ["give 2", "give 0"]
