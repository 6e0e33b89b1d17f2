"""What the checks for all games need to know about Tantra: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantra import actions

JOKER, WILD = 52, 53
EASY = [41, 27, 34, 12]  # Display Cards that random players lay down now and then
# Reaches every phase: many jokers among four packs, so that sets come together by chance.
BASE = {
    "players": 3,
    "jokers_per_pack": 4,
    "n_packs": 4,
    "display_cards": [10, 12, 34],
    "max_turns_per_player": 20,
    "n_rounds": 2,
    "auto_forced": False,
}
LONGER = ("n_rounds",)  # more rounds are more of the same
TABLES = [
    *({"players": n, "max_turns_per_player": 10} for n in (3, 4, 6, 9)),
    {"players": 3, "display_order": "numeric", "display_carry": False, "n_rounds": 44,
     "max_turns_per_player": 3},  # all Display Cards
    {"players": 3, "n_packs": 4, "jokers_per_pack": 4, "display_cards": [4, 9, 25, 30, 39], "n_rounds": 3,
     "max_turns_per_player": 15},  # identical pairs beside jokers
    {"players": 4, "n_packs": 2, "display_cards": EASY, "n_rounds": 4, "max_turns_per_player": 20},
]  # fmt: skip

LAY_OFF = {  # half done, beside a kind and a run
    **{"display": 35, "hands": ["3H 4C", "3D", "3S"], "phase": "PLACE", "laid_turn": [8, 0, -1]},
    "build": {"mode": "lay off", "on": "1.1 low", "placed": ["5H"]},
    "sets": [{"seat": 1, "slot": 1, "run": "H", "start": 5, "cards": "5H 6H 7H 8H"},
             {"seat": 1, "slot": 0, "kind": "K", "cards": "KC KD KH KS"}],
}  # fmt: skip
# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({**BASE, "max_turns_per_player": 8}, 1), ({"players": 3, "max_moves": 30}, 1)]
SET_UP = [({"players": 3, "auto_forced": False}, LAY_OFF)]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.config["reward"] != "score" and game.config["shaping"] == "none"


def goes_on(game: Game, ended: States) -> dict[str, int]:
    """Display Cards by number are carried on to the next game."""
    if game.config["display_order"] == "shuffled" or not game.config["display_carry"]:
        return {}
    pile = game.config["display_cards"] or tuple(range(1, 45))
    return {"display": pile[(pile.index(ended["display"][0]) + 1) % len(pile)]}


def invariants(game: Game, state: States) -> None:
    """Check that the zones hold the whole deck, and facts that hold after every action but not in every position."""
    s, n = state[0], game.players
    packs, jokers, wild = int(s["opt"]["n_packs"]), int(s["opt"]["jokers_per_pack"]), int(s["wild"])
    expected = np.full(54, packs)
    expected[JOKER], expected[WILD] = packs * jokers, 0
    if wild >= 0:
        expected[[wild, wild + 13, wild + 26, wild + 39]] = 0
        expected[WILD] = 4 * packs
    if game.config["deck_cards"] == "mini":  # 5C, 9C, KC and a joker, with Kings wild
        expected = np.zeros(54, int)
        expected[[4, 8, WILD, JOKER]] = 4, 4, 2, 1
    more = game.fields.cards(state) - expected
    assert not more.any(), f"cards too many by type: {more}"
    if game.phases[s["phase"]] in ("ASK", "DRAW", "REPLY"):
        apart, owed = s["laid_turn"][:n] < 0, int(s["opt"]["hand_size"]) + 2 * s["buys_used"][:n]
        assert (s["hand_n"][:n][apart] == owed[apart]).all(), "hands are not 11 + 2 buys between turns"
    building = game.phases[s["phase"]] in ("TEMPLATE", "PLACE")
    bits = int(game.mask(state)[actions.KIND : actions.LAY_OFF].sum()) if building else 0
    assert int(s["choices"]).bit_count() == bits, "the table keeps a bit for every choice of a set, and nothing else"


def winners(game: Game, state: States) -> list[int]:
    """The seats with the best total; in a game of one round that ended by going out, the seat that went out."""
    s, low = state[0], game.config["low_score_wins"]
    if game.config["n_rounds"] == 1 and s["last"]["out"] >= 0:
        return [int(s["last"]["out"])]
    low = game.config["variation"] == 1 if low is None else low
    totals = s["scores"][: game.players] * (-1 if low else 1)
    return [int(seat) for seat in np.flatnonzero(totals == totals.max())]
