"""Positions: written and read back, defaults, settling, and a refusal naming the field for all that cannot be."""

import json

import pytest

import tantra_envs

from .table import DECK, Table

TWO = tantra_envs.game("tarot")
HANDS = ["W2 C3", "W4 T5"]


def test_defaults():
    assert TWO.position(TWO.from_position({"hands": HANDS})) == {
        "config": {},
        "phase": "PLAY",
        "cur": 0,
        "dealer": 1,
        "leader": 0,
        "hands": [["W2", "C3"], ["T5", "W4"]],
        "trick": [],
        "trick_no": 23,
        "discards": [],
        "talon": [],
        "dead": [],
        "exposed": [],
        "giver": {},
        "void": [[0] * 5] * 2,
        "no_tarot": [0, 0],
        "points": [0, 0],
        "totals": [0, 0],
        "taken": [0, 0],
        "hand_no": 0,
        "history": [],
        "declarer_no": 0,
        "class": None,
        "asker": -1,
        "replier": -1,
        "tarots_shown": False,
        "moves": 0,
        "winner": -1,
        "rewards": [0.0, 0.0],
        "truncated": False,
    }


def test_the_seat_to_play_follows_from_leader_and_trick():
    table = Table(hands=["W2", "W3 P2", "W4 P4"], leader=1, trick="P3 P7")
    assert (table["cur"], table["trick_no"]) == (0, 23)


def test_the_fool_on_the_table_has_scored():
    position = {"hands": ["W2", "W3 P2", "W4 P4"], "leader": 1, "trick": "P3 T0"}
    three = tantra_envs.game("tarot", players=3)
    assert three.position(three.from_position(position))["points"] == [0, 0, 5]
    assert three.position(three.from_position({**position, "points": [1, 2, 7]}))["points"] == [1, 2, 7]


def test_a_talon_that_is_short_fills_the_dealers_hand_as_far_as_it_goes():
    """The cards in hand are counted, so that nobody is to play from an empty hand."""
    table = Table(phase="DISCARD", hands=["W2 W3", "P2 P3 P4 P5"], talon="C2").do("P2 P3 P4")
    table.play_on()
    assert table.hand(1) == ["C2", "P5"]
    assert table.do("W2 P5 W3 C2")["hand_no"] == 1


def test_cards_by_name_id_list_or_string():
    same = [["T5", "WA"], [5, 22], "t5 wa", ("T5", 22)]
    assert len({TWO.from_position({"hands": [hand, "C3"]}).tobytes() for hand in same}) == 1


def test_settled_like_a_played_one():
    hands = ["W2 C3", "S3 S4 S5 S6"]
    asked = Table(phase="DECLARE", hands=hands)
    assert (asked["phase"], asked["cur"], asked["declarer_no"], asked["class"]) == ("DECLARE", 1, 1, "seq_S")
    assert Table(phase="DECLARE", hands=hands, declarer_no=1)["cur"] == 1
    assert Table(phase="CALL", hands=["T0 T1 W2", "C3"])["phase"] == "CALL"
    assert Table(phase="CALL", hands=["T0 W2", "C3"])["phase"] == "PLAY"
    assert Table(phase="ANSWER", hands=["T0 T1 W2", "PK"])["phase"] == "PLAY"  # one to give, one to give back
    assert Table(phase="RETURN", hands=["T0 T1 W2 W3", "PK"], replier=1)["phase"] == "RETURN"
    late = Table(phase="DECLARE", hands=["T1 T2 T3 S4 S5 S6 S7", "P2"], **{"class": "trumps"})
    assert late["class"] == "seq_S"


def test_who_asks_and_who_answers():
    hands = ["T0 T1 W2 W3", "PK CK P2", "T21 SK"]
    answer = Table(phase="ANSWER", hands=hands, cur=2)
    assert (answer["asker"], answer["replier"], answer["cur"]) == (0, 2, 2)
    other = Table(phase="ANSWER", hands=hands, asker=1, cur=2)
    assert (other["asker"], other["declarer_no"]) == (1, 1)
    back = Table(phase="RETURN", hands=hands, cur=0, replier=2)
    assert (back["asker"], back["replier"], back["cur"]) == (0, 2, 0)


OK = {"hands": HANDS}


@pytest.mark.parametrize(
    ("field", "position"),
    [
        ("hand", {**OK, "hand": []}),
        ("config", {**OK, "config": {"players": 3}}),
        ("phase", {**OK, "phase": "DRAW"}),
        ("phase", {**OK, "phase": "OVER"}),
        ("cur", {**OK, "cur": 1}),
        ("cur", {**OK, "cur": "0"}),
        ("leader", {**OK, "leader": -1}),
        ("void", {**OK, "void": [0, 0]}),
        ("points", {**OK, "points": [1]}),
        ("points", {**OK, "points": [1, -1]}),
        ("replier", {**OK, "replier": [0]}),
        ("rewards", {**OK, "rewards": [0]}),
        ("cur", {**OK, "phase": "DISCARD", "cur": 0}),
        ("dealer", {**OK, "dealer": 2}),
        ("hands", {"hands": ["W2"]}),
        (r"hands\[1\]", {"hands": ["W2", "WJ"]}),
        (r"hands\[1\]", {"hands": ["W2", "W2"]}),
        (r"hands\[1\]", {"hands": ["W2", ""]}),
        (r"hands\[1\]", {"hands": ["W2", "W3 W4 W5"], "phase": "DISCARD"}),
        (r"hands\[0\]", {"hands": [DECK[:29], DECK[40:]]}),
        ("trick", {**OK, "trick": "W2"}),
        ("trick", {**OK, "trick": "P2 P3"}),
        ("trick", {**OK, "trick": "P2", "phase": "DECLARE"}),
        ("trick_no", {**OK, "trick_no": 26}),
        ("discards", {**OK, "discards": "P2 P3 P4 P5"}),
        ("discards", {"hands": ["W2", "W3 W4 W5 W6"], "phase": "DISCARD", "discards": "P2 P3 P4"}),
        ("talon", {**OK, "talon": "C3"}),
        ("exposed", {**OK, "exposed": "P2"}),
        ("exposed", {**OK, "exposed": "W2 W2"}),
        ("giver", {**OK, "giver": {"P2": 0}}),
        ("giver", {**OK, "giver": {"W2": 0}}),
        ("giver", {**OK, "giver": {"W2": 1, "w2": 1}}),
        (r"void\[0\]", {**OK, "void": [[0, 1, 0, 0, 0], [0] * 5]}),
        ("no_tarot", {"hands": ["T0", "W2"], "no_tarot": [1, 0]}),
        ("points", {**OK, "points": [30000, 0]}),
        ("totals", {**OK, "rng": [1, 2, 3, 4], "phase": "OVER", "totals": [30000, 0]}),
        ("totals", {**OK, "totals": [100, 0]}),
        ("taken", {**OK, "taken": [20, 20]}),
        ("hand_no", {**OK, "hand_no": 60}),
        ("history", {**OK, "history": [[1, 0]]}),
        ("history", {**OK, "hand_no": 1, "history": [[1, 2]], "totals": [1, 2]}),
        ("history", {**OK, "hand_no": 1, "history": [[1, 0]]}),
        ("declarer_no", {**OK, "declarer_no": 1}),
        ("class", {**OK, "class": "greater"}),
        ("class", {**OK, "phase": "DECLARE", "class": "kings"}),
        ("tarots_shown", {**OK, "tarots_shown": True}),
        ("replier", {"hands": ["T0 T1", "W2"], "phase": "ANSWER"}),
        ("replier", {"hands": ["T0 T1", "WK"], "phase": "ANSWER", "replier": 0}),
        ("asker", {"hands": ["T0 T1", "WK"], "phase": "ANSWER", "asker": 1, "declarer_no": 0}),
        ("asker", {**OK, "asker": 1}),
        ("winner", {**OK, "winner": 0}),
        ("truncated", {**OK, "truncated": True}),
        ("rng", {**OK, "rng": [1, 2, 3, 1 << 32]}),
    ],
)
def test_refusals_name_the_field(field, position):
    before = json.dumps(position)
    with pytest.raises(ValueError, match=rf"^position: .*{field}"):
        TWO.from_position(position)
    assert json.dumps(position) == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deck": ["T1", "T2"]}, "deck has 0 of T0; allowed: 1, 78 cards in all"),
        ({"deck": [*DECK[:77], "T0"]}, r"deck has [02] of \w+; allowed: 1, 78 cards in all"),
        ({"deck": [DECK, DECK[:5]]}, r"deck has 0 of \w+; allowed: 1"),
        ({"deck": 7}, "deck=7"),
        ({"dealer": 2}, "dealer=2"),
        ({"trump": 1}, "unknown field 'trump'"),
    ],
)
def test_refused_deals(given, message):
    with pytest.raises(ValueError, match=message):
        TWO.new(1, **given)


@pytest.mark.parametrize("text", ["W11", "play W2", "T22", "", "maybe", "WA W2"])
def test_words_that_name_no_action(text):
    with pytest.raises(ValueError, match="names no action"):
        TWO.parse_action(TWO.new(0), text)
