"""Redealing in all games: the unknown cards are drawn again, each as likely as any other, and so are decks to come."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import getitem

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .loop_bounds import bounded_while

DRAWS = 700
KARMA = {"hands": ["7 8", "4 9", "10"], "known": ["", "4", ""], "up": ["11 12", "13", ""], "down": ["1", "2", "3"],
         "pile": "5 6", "draw": "14 15 16", "cur": 1}  # fmt: skip
KANASTIC = {"hands": ["4H 6D 8C", "9C QH QD", "JS JC 5H 5D"], "known": ["", "9C", ""], "pile": "7H",
            "tables": [{"ranks": {"K": "KH KD KC"}}], "stock": "TP 10H 10D AC"}  # fmt: skip
TANTRA = {"display": 10, "wild": "A", "hands": ["2C 3C 4C", "5D 6D 7D", "8H 9H 10H"], "stock": "JS QS KS", "turn": 1,
          "discard": "2H 3H", "known": [["", "5D 6D", ""], ["", "", ""], ["", "5D", ""]], "dealer": 0}  # fmt: skip
UNKNOWN = [  # game, position, cards that seat 0 does not know, and how likely each of them is in a place or a hand
    ("karma", KARMA, "1 2 3 9 10 14 15 16",
     {("down", 0): 1 / 8, ("hands", 1): 1 / 8, ("hands", 2): 1 / 8, ("draw", 0): 1 / 8}),
    ("kanastic", KANASTIC, "QH QD JS JC 5H 5D 10H 10D AC", {("hands", 1): 2 / 9, ("hands", 2): 4 / 9}),
    ("kanastic", KANASTIC, "TP", {("stock", i): 1 / 4 for i in range(4)}),
    ("tantra", TANTRA, "7D 8H 9H 10H JS QS KS", {("hands", 1): 1 / 7, ("hands", 2): 3 / 7, ("stock", 0): 1 / 7}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "position", "cards", "places"), UNKNOWN, ids=str)
def test_every_unknown_card_is_equally_likely_everywhere(name, position, cards, places):
    game, cards = tantra_envs.game(name, players=3), cards.split()
    states, seeds = np.repeat(game.from_position(position), DRAWS), np.arange(DRAWS)
    game.drivers.redeal_rows(states, seeds, 0 * seeds)
    drawn = [game.position(states[i : i + 1]) for i in range(DRAWS)]
    for place, share in places.items():
        found = Counter(card for p in drawn for card in np.atleast_1d(reduce(getitem, place, p)).tolist())
        chi_square = sum((found[card] - DRAWS * share) ** 2 / (DRAWS * share * (1 - share)) for card in cards)
        assert chi_square < len(cards) + 4 * (2 * len(cards)) ** 0.5, place  # with seeds that never change
        assert sum(found[card] for card in cards) == round(DRAWS * share * len(cards)) or len(cards) == 1, place


@pytest.mark.parametrize("name", ["kanastic", "tantra", "tarot"])
def test_decks_to_come_are_forgotten(name):
    game = tantra_envs.game(name)
    state = game.new(1)
    state["decks"][:, 0], state["decks_n"] = 1, 1
    drawn = game.redeal(state, 3, 0)
    assert not drawn["decks"].any() and not drawn["decks_n"].any()


def test_hidden_face_up_cards_are_drawn_again_while_they_are_chosen():
    game = tantra_envs.game("karma", players=3)
    state = game.new(1)
    for _ in bounded_while(lambda: game.position(state)["setup_left"] == 3):
        game.apply_action(state, game.legal(state)[0])
    chosen = next(seat for seat in range(3) if game.position(state)["up"][seat])
    ups = {tuple(game.position(game.redeal(state, seed, int(state["seat"][0])))["up"][chosen]) for seed in range(20)}
    assert len(ups) > 5
    own = {tuple(game.position(game.redeal(state, seed, chosen))["up"][chosen]) for seed in range(20)}
    assert len(own) == 1


@pytest.mark.parametrize("stage", [0, 1500, 3000, 5000])
def test_a_seat_that_is_opening_keeps_a_hand_to_go_on_with(stage):
    game = tantra_envs.game("kanastic", players=2, episode="round", start_scores=(stage, stage))
    checked = 0
    for deal in range(60):
        for state in play(game, deal):
            position = game.position(state)
            cur = position["cur"]
            laid = bool(position["tables"][cur]["ranks"] or position["tables"][cur]["suit"])
            if position["phase"] == "PICKUP" or (laid and not position["opened"][cur]):
                for seed in range(3):
                    assert game.mask(game.redeal(state, seed, 1 - cur)).any()
                checked += 1
            if position["turn"] > 120 or checked > 20:
                break
    assert checked > 5
