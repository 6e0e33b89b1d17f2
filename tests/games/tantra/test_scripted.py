"""The scripted Tantra player: better than chance and greed, and sensible in plain cases."""

import numpy as np
import pytest

import tantra_envs
from agents import load_all
from tantra_envs.matches.playing import play_tables

from ..features import scripted


@pytest.mark.parametrize("other", ["uniform", "greedy"])
def test_it_goes_out_more_often_and_scores_more(other):
    game = tantra_envs.game("tantra", reward="score")
    seating = np.tile(1 - np.eye(4, dtype=np.int64), (4, 1))
    rewards = play_tables(game, load_all(["scripted", other], game), seating, np.repeat(np.arange(4), 4)).rewards
    scripted, others = rewards[seating == 0], rewards[seating == 1]
    assert (scripted > 0).mean() > 0.7 and (others > 0).mean() < 0.1
    assert scripted.mean() > others.mean() + 1


def decide(**position):
    """Return the words of what the scripted agent does in a position of three."""
    game = tantra_envs.game("tantra", players=3)
    state = game.from_position(position)
    return game.action_name(state, scripted(game, state))


KINDS = "4C 4D 4H 9C 9D 9H KC KD 2S 7H JD"  # for card 41, three kinds of three
ASKED = {"display": 34, "wild": "A", "phase": "ASK", "cur": 1, "stock": "5D 6D 7D 8D", "turns": 3}


@pytest.mark.parametrize(("discard", "words"), [("9S", "buy"), ("WILD", "buy"), ("3D", "pass")])
def test_it_buys_what_the_contract_lacks(discard, words):
    assert decide(**ASKED, discard=discard, hands=["2C", KINDS, "3D"]) == words


def test_it_sells_what_it_has_no_use_for_and_keeps_what_it_needs():
    reply = {**ASKED, "phase": "REPLY", "cur": 0, "requester": 1}
    assert decide(**reply, discard="3D", hands=[KINDS, "2C", "3S"]) == "allow"
    assert decide(**reply, discard="9S", hands=[KINDS, "2C", "3S"]) == "refuse"
    peek = {**reply, "phase": "PEEK", "discard": "2D"}
    assert decide(**peek, peeked="9S", hands=[KINDS, "2C", "3S"]) == "keep"
    assert decide(**peek, peeked="3D", hands=[KINDS, "2C", "3S"]) == "hand over"


def test_it_takes_the_discard_it_needs_and_draws_otherwise():
    draw = {"display": 41, "wild": "A", "phase": "DRAW", "stock": "5D 6D", "turns": 3}
    assert decide(**draw, discard="KS", hands=[KINDS, "2C", "3S"]) == "take"
    assert decide(**draw, discard="3D", hands=[KINDS, "2C", "3S"]) == "draw"


def test_it_throws_cards_without_friends_and_dead_jokers_first():
    assert decide(display=41, wild="A", turns=3, hands=[f"{KINDS} JK", "2C", "3S"]) == "discard JK"
    assert decide(display=41, wild="A", turns=3, hands=[f"{KINDS} 2D", "2C", "3S"]) in ("discard JD", "discard 7H")


def test_it_lays_down_to_go_out_at_once_and_waits_for_that_while_it_is_early():
    ready = "4C 4D 4H 9C 9D 9H KC KD KH"
    assert decide(display=41, wild="A", turns=3, hands=[f"{ready} 9S 2S", "2C", "3S"]) == "lay down"
    assert decide(display=41, wild="A", turns=3, hands=[f"{ready} 3S 2S", "2C", "3S"]).startswith("discard")
    late = {"laid_turn": [-1, 0, -1], "sets": [{"seat": 1, "slot": 0, "kind": "5", "cards": "5C 5D 5H"}]}
    assert decide(display=41, wild="A", turns=3, hands=[f"{ready} 3S 2S", "2C", "3S"], **late) == "lay down"


def test_it_lays_off_what_it_can():
    sets = [{"seat": 1, "slot": 0, "kind": "9", "cards": "9C 9D 9H"}]
    assert decide(display=41, wild="A", hands=["9S KC", "2C", "3S"], laid_turn=[0, 0, -1], sets=sets) == (
        "lay off on 1.0"
    )
