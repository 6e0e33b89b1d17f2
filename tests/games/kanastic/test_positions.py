"""Positions: written and read back, defaults, and a refusal naming the field for everything that cannot be."""

import json

import pytest

import tantra_envs

GAME = tantra_envs.game("kanastic")
OPENING = {"tables": [{"ranks": {"8": "8H 8H 8D 8D 8S 8C 8C"}}], "hands": ["KH QD 4C"], "opened": [False, False]}
DUEL = tantra_envs.game("kanastic", players=2)


def test_defaults():
    position = GAME.position(GAME.from_position({"hands": ["7H 7D SW"]}))
    rest = ["4H", "6D", "8C", "JD", "KS"]
    assert position == {
        "config": {},
        "players": 4,
        "phase": "MELD",
        "cur": 0,
        "turn": 8,
        "scores": [0, 0],
        "hands": [["7H", "7D", "SW"], rest, rest, rest],
        "pile": [],
        "stock": ["4H"] * 4 + ["5D"] * 4 + ["6C"] * 4,
        "tables": [{"ranks": {}, "suit": None}] * 2,
        "pots": [0, 0],
        "opened": [False, False],
        "opener": [-1, -1],
        "unlocked": [False, False],
        "block_left": 0,
        "dealer": 3,
        "known": [[]] * 4,
        "taken": 0,
        "top_taken": None,
        "pick": None,
        "asked": False,
        "answer": None,
        "asker": None,
        "open_pts": 0,
        "open_wild": 0,
        "round_no": 0,
        "reshuffles": 0,
        "last_round": None,
        "moves": 0,
        "stage": [1, 1],
        "winners": [],
        "rewards": [0.0] * 4,
        "truncated": False,
    }


def test_defaults_that_follow_from_other_fields():
    table = {"ranks": {"K": "KH KD KC SW"}, "suit": ["6", "6G 7G AR 9G"]}
    position = GAME.position(GAME.from_position({"hands": ["7H 7D"], "tables": [table]}))
    assert (position["opened"], position["opener"], position["unlocked"]) == ([True, False], [0, -1], [True, False])
    opening = {"hands": ["AH AD AC 7H 7D"], "tables": [{"ranks": {"K": "KH KD KC SW"}}], "opened": [False, False]}
    position = GAME.position(GAME.from_position({**opening, "scores": [1500, 0]}))
    assert (position["open_pts"], position["open_wild"]) == (30 + 25, 1)


def test_cards_by_name_number_or_repeated():
    same = [{"hands": ["4H 4H SW", ""]}, {"hands": [[0, "4h", 55], []]}, {"hands": ["2*4H SW", []]}]
    texts = {json.dumps(DUEL.position(DUEL.from_position(position))) for position in same}
    assert len(texts) == 1
    plain = tantra_envs.game("kanastic", suit_rule="any")
    assert plain.position(plain.from_position({"hands": ["7D 7C 7S 7G"]}))["hands"][0] == ["7H", "7H", "7H", "7G"]
    assert plain.parse_action(plain.new(0), "discard 7C") == plain.parse_action(plain.new(0), "DISCARD 7H")


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"cards": []}, "unknown field 'cards'"),
        ({"players": 3}, "players=3"),
        ({"config": {"suit_rule": "any"}}, "contradicts"),
        ({"phase": "SLEEP"}, "phase"),
        ({"cur": 4}, "cur=4"),
        ({"hands": ["7X"]}, "7X"),
        ({"hands": ["TP 4H"]}, "hands"),
        ({"hands": ["4H"] * 5}, "hands"),
        ({"pile": "TP"}, "pile"),
        ({"stock": "109*4H"}, "stock"),
        ({"stock": "60*4H", "pile": "60*4D"}, "at most 108"),
        ({"known": ["KC"]}, "known"),
        ({"scores": [3, 0]}, "scores"),
        ({"scores": [0]}, "scores"),
        ({"scores": [5 * 10**12, 0]}, "scores"),
        ({"rng": [1, 2, 3, -4]}, "rng"),
        ({"pots": [5, 0]}, "pots"),
        ({"tables": [{"ranks": {"7": "8H 8D 8C"}}]}, "KN-20"),
        ({"tables": [{"ranks": {"Z": "8H 8D 8C"}}]}, "Z"),
        ({"tables": [{"suit": ["K", "KG AG 4G"]}]}, "KN-30"),
        ({"tables": [{"row": []}]}, "tables"),
        ({"opened": [True, False]}, "opened"),
        ({"opener": [1, -1], "tables": [{"ranks": {"8": "8H 8D 8C"}}]}, "opener"),
        ({"unlocked": [True, False]}, "unlocked"),
        ({"tables": [{}, {"ranks": {"8": "8H 8D 8C"}}], "opened": [False, False]}, "opened"),
        ({"block_left": 4}, "block_left"),
        ({"turn": 300}, "turn"),
        ({"phase": "PICKUP"}, "top_taken"),
        ({"asker": 2}, "asker"),
        ({"winners": [0]}, "winners"),
        ({"truncated": True}, "truncated"),
        ({"phase": "OVER"}, "phase"),
        ({"stage": [2, 1]}, "stage"),
        ({"last_round": {"scores": [0, 0]}}, "last_round"),
        ({"hands": ["4H"]}, "cur"),
        (OPENING, "cur"),
        ({**OPENING, "phase": "DRAW"}, "opened"),
        ({**OPENING, "phase": "ANSWER", "asker": 0, "cur": 2, "asked": True}, "cur"),
        ({"decks": [["4H"]]}, r"decks\[0\]"),
        ({"tables": [{"ranks": {"K": "KH KH KD"}}]}, "KN-03"),
        ({"tables": [{"ranks": {"K": "KS KG KD"}}]}, "KN-03"),
        ({"tables": [{"ranks": {"K": "KH KD KC", "k": "KH KD KC"}}]}, "KN-21"),
        ({"taken": 2}, "top_taken"),
        ({"top_taken": "9H"}, "top_taken"),
        ({"pick": "9"}, "pick"),
        ({"taken": 1, "top_taken": "9H"}, "pick"),
        ({"taken": 1, "top_taken": "9H", "pick": "9"}, "pick"),
        ({"answer": "YES"}, "answer"),
        ({"hands": ["130*4H"]}, "hands"),
        ({"hands": ["60*4H", "60*4D"], "stock": ""}, "at most 108"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_by_name(position, words):
    with pytest.raises(ValueError, match=words):
        GAME.from_position({"hands": ["7H 7D SW"], **position})


def test_KN42_a_team_whose_cards_open_has_opened():
    """No hand of the seat would be in the middle of its initial meld, so `redeal` would look for one for ever."""
    hand, tables = "KS QH QD QC 4H", [{"ranks": {"K": "KH KD KC SW"}}]
    with pytest.raises(ValueError, match=r"opened.*KN-42"):
        GAME.from_position({"tables": tables, "opened": [False, False], "hands": [hand], "known": [hand]})


def test_with_any_suits_a_formation_begins_with_two_plain_cards():
    plain = tantra_envs.game("kanastic", suit_rule="any")
    table = {"ranks": {"K": "KH KD KG", "9": "9H 9H 9H"}}
    assert plain.position(plain.from_position({"tables": [table]}))["tables"][0]["ranks"]["K"] == ["KH", "KH", "KG"]
    with pytest.raises(ValueError, match="KN-03"):
        plain.from_position({"tables": [{"ranks": {"K": "KH KG KG"}}]})
