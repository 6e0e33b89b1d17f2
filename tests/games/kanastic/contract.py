"""What the checks for all games need to know about Kanastic: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.material import deck

SWORD, POT = 55, 58
BASE = {"episode": "round"}  # reaches every phase
TABLES = [
    {"episode": "round"},
    {"players": 3, "episode": "round"},
    {"players": 2, "episode": "round", "suit_rule": "any"},
    {"players": 4, "episode": "round", "suit_rule": "any"},
    {"players": 3, "episode": "round", "suit_rule": "any", "start_scores": (0, 2000, 6000)},
    {"players": 2, "episode": "round", "shield_penalty": 35, "stack_minimum": 8, "dense": True, "auto_draw": True},
    {"target_score": 1000, "max_rounds": 3, "dense": True},
    {"episode": "round", "shields": 8, "dealt": 20},
    {"players": 3, "episode": "round", "shields": 1, "dealt": 5},
]

TURN_WITH_THE_STACK = {
    "hands": ["KH QD 4C", "AH"],
    "known": ["KH"],
    "pile": "4H 5H",
    "stock": "3*7H AR",
    "tables": [{"ranks": {"8": "8H 8D 8C SW"}, "suit": ["6", "6G 7G AR 9G"]}],
    "taken": 2,
    "top_taken": "8C",
    "pick": "8",
}
# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"episode": "round", "dense": True}, 3)]
RARE_FACTS = ("suit", "doubled")  # of `EVENT`: random players hardly ever complete a suit, or go out with a wild card
SET_UP = [({"episode": "round", "dense": True}, TURN_WITH_THE_STACK)]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.config["reward"] != "score"


def invariants(game: Game, state: States) -> None:
    """Check that the zones hold the whole deck, and facts that hold after every action but not in every position."""
    rule = ("three_suits", "any").index(game.config["suit_rule"])
    small = ("all", "mini").index(game.config["deck_cards"])
    missing = deck(rule, game.config["shields"], small) - game.fields.cards(state)
    assert not missing.any(), f"cards missing by kind: {missing}"
    if game.phases[state["phase"][0]] == "DRAW":
        _check_draw(state[0], game.players)


def _check_draw(s: np.void, n: int) -> None:
    unopened = [seat for seat in range(n) if not s["opened"][seat % s["opt"]["teams"]]]
    assert all(s["hand_n"][seat] == s["opt"]["dealt"] for seat in unopened), "an unopened hand has not the cards dealt"
    assert s["pile_n"] >= 1 and s["turn"] >= 1, "no stack at the start of a turn"
    if not s["reshuffles"]:
        stops = [i for i, kind in enumerate(s["pile"][: s["pile_n"]][::-1]) if SWORD <= kind < POT]
        if s["pile_n"] >= n - 1:
            assert s["block_left"] == max([0, *(n - 1 - i for i in stops)]) or s["turn"] >= s["pile_n"]


def winners(game: Game, state: States) -> list[int]:
    """The seats of the teams with the highest total, or the highest score of a single round."""
    field = "last_scores" if game.config["episode"] == "round" else "score"
    scores = state[0][field][: len(game.teams)]
    return [seat for seat in range(game.players) if scores[seat % len(game.teams)] == scores.max()]
