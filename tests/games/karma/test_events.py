"""Events of Karma on known positions; sentences have the piles of the tables."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.karma.material import CARD_NAMES
from tantra_envs.games.karma.words.events import EVENT, events
from tantra_envs.words.sentences import log_line

NONE = {"card": "", "count": 0, "cleared": 0, "taker": -1, "taken": 0}
HANDS = {"hands": [["7", "9", "GIVE"], ["8", "9", "10"], ["2", "3", "4"]], "pile": ["3", "7"], "draw": []}
DOWN = {"hands": [[], ["8", "9"], ["2"]], "up": [[], [], []], "down": [["4"], ["3"], ["5"]], "pile": ["6", "7"]}


@pytest.mark.parametrize(("position", "actions", "facts"), [
    (HANDS, ["play 9"], {"card": "9", "count": 1}),
    (HANDS, ["play 7"], {"card": "7", "count": 1, "cleared": 3}),  # K-40
    (HANDS, ["pickup"], {"taker": 0, "taken": 2}),  # K-31
    (HANDS, ["play GIVE"], {"card": "GIVE", "count": 1}),  # whom, is still asked
    (HANDS, ["play GIVE", "give 2"], {"taker": 2, "taken": 2}),  # K-60
    ({**HANDS, "pile": []}, ["play GIVE"], {"card": "GIVE", "count": 1}),
    (DOWN, ["flip"], {"card": "4", "count": 0, "taker": 0, "taken": 3}),  # K-33
    ({**DOWN, "pile": ["6", "3"]}, ["flip"], {"card": "4", "count": 1}),
    ({**DOWN, "pile": ["6", "4"]}, ["flip"], {"card": "4", "count": 1, "cleared": 3}),
])  # fmt: skip
def test_what_an_action_did(position, actions, facts):
    game = tantra_envs.game("karma", players=3)
    after = game.from_position(position)
    for word in actions:
        before, action = after.copy(), game.parse_action(after, word)
        game.apply_action(after, action)
    event = events(before, action, after)[0]
    card = CARD_NAMES[event["card"]] if event["card"] >= 0 else ""
    assert {**{name: event[name] for name in EVENT.names}, "card": card} == {**NONE, "padding": 0, **facts}


def test_the_only_other_seat_gets_the_pile_at_once():
    game = tantra_envs.game("karma", players=2)
    before = game.from_position({**HANDS, "hands": HANDS["hands"][:2]})
    after, action = before.copy(), game.parse_action(before, "play GIVE")
    game.apply_action(after, action)
    event = events(before, action, after)[0]
    assert (event["taker"], event["taken"], event["cleared"]) == (1, 2, 0)


def test_events_and_sentences_have_the_piles_of_the_tables():
    game, rng, words = tantra_envs.game("karma", players=3), np.random.default_rng(5), {"up": 0, "leaves the game": 0}
    taken = cleared = 0
    for seed in range(6):
        after = game.new(seed)
        while not after["over"][0] and after["plies"][0] < 400:
            before, action = after.copy(), rng.choice(game.legal(after))
            game.apply_action(after, action)
            event = events(before, action, after)[0]
            assert event["taker"] < 0 or after["pile_n"][0] == 0
            assert event["cleared"] <= after["gone"].sum() - before["gone"].sum()
            taken += event["taker"] == 0
            cleared += before["seat"][0] == 0 and event["cleared"] > 0
            line = log_line(game, before, action, after, None, ["Ann", "Bob", "Cy"])
            words["up"] += "Ann picks up" in line or line.startswith("Ann takes the pile")
            words["leaves the game"] += line.startswith("Ann") and "leaves the game" in line
    assert taken == words["up"] > 20
    assert cleared == words["leaves the game"] > 5
