"""The scripted Tantra agent is sensible in plain cases."""

import pytest

import tantra_envs

from ..features import scripted

KINDS = "4C 4D 4H 9C 9D 9H KC KD 2S 7H JD"  # for card 41, three kinds of three
READY = "4C 4D 4H 9C 9D 9H KC KD KH"
ASKED = {"display": 34, "wild": "A", "phase": "ASK", "cur": 1, "stock": "5D 6D 7D 8D", "turns": 3,
         "hands": ["2C", KINDS, "3D"]}  # fmt: skip
REPLY = {**ASKED, "phase": "REPLY", "cur": 0, "requester": 1, "hands": [KINDS, "2C", "3S"]}
PEEK = {**REPLY, "phase": "PEEK", "discard": "2D"}
DRAW = {"display": 41, "wild": "A", "phase": "DRAW", "stock": "5D 6D", "turns": 3, "hands": [KINDS, "2C", "3S"]}
MAIN = {"display": 41, "wild": "A", "turns": 3}
LATE = {"laid_turn": [-1, 0, -1], "sets": [{"seat": 1, "slot": 0, "kind": "5", "cards": "5C 5D 5H"}]}
LAYS_OFF = {"display": 41, "wild": "A", "hands": ["9S KC", "2C", "3S"], "laid_turn": [0, 0, -1],
            "sets": [{"seat": 1, "slot": 0, "kind": "9", "cards": "9C 9D 9H"}]}  # fmt: skip


@pytest.mark.parametrize(("position", "words"), [
    ({**ASKED, "discard": "9S"}, ["buy"]),  # what the contract lacks
    ({**ASKED, "discard": "WILD"}, ["buy"]),
    ({**ASKED, "discard": "3D"}, ["pass"]),
    ({**REPLY, "discard": "3D"}, ["allow"]),  # it has no use for it
    ({**REPLY, "discard": "9S"}, ["refuse"]),
    ({**PEEK, "peeked": "9S"}, ["keep"]),
    ({**PEEK, "peeked": "3D"}, ["hand over"]),
    ({**DRAW, "discard": "KS"}, ["take"]),
    ({**DRAW, "discard": "3D"}, ["draw"]),
    ({**MAIN, "hands": [f"{KINDS} JK", "2C", "3S"]}, ["discard JK"]),  # dead jokers first
    ({**MAIN, "hands": [f"{KINDS} 2D", "2C", "3S"]}, ["discard JD", "discard 7H"]),  # cards without friends
    ({**MAIN, "hands": [f"{READY} 9S 2S", "2C", "3S"]}, ["lay down"]),  # to go out at once
    ({**MAIN, "hands": [f"{READY} 3S 2S", "2C", "3S"]}, ["discard 3S", "discard 2S"]),  # it is early
    ({**MAIN, "hands": [f"{READY} 3S 2S", "2C", "3S"], **LATE}, ["lay down"]),
    (LAYS_OFF, ["lay off on 1.0"]),
])  # fmt: skip
def test_it_does_what_a_sensible_player_would_do(position, words):
    game = tantra_envs.game("tantra", players=3)
    state = game.from_position(position)
    assert game.action_name(state, scripted(game, state)) in words
