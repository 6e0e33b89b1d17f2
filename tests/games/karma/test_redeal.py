"""Redealing: exactly the unknown cards are drawn again, each as likely as any other."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import tantra_envs

from ..loop_bounds import bounded_while

KARMA = tantra_envs.game("karma", players=3)
OPEN = {  # seat 1 has shown its 4, and the rest of the deck is gone
    "hands": ["7 8", "4 9", "10"],
    "known": ["", "4", ""],
    "up": ["11 12", "13", ""],
    "down": ["1", "2", "3"],
    "pile": "5 6",
    "draw": "14 15 16",
    "cur": 1,
}


def redealt(seat: int, seed: int) -> dict:
    return KARMA.position(KARMA.redeal(KARMA.from_position(OPEN), seed, seat))


@pytest.mark.parametrize("place", ["own face-down card", "hand of seat 1", "hand of seat 2", "first card to draw"])
def test_every_unknown_card_is_equally_likely_everywhere(place):
    look = {
        "own face-down card": lambda p: p["down"][0][0],
        "hand of seat 1": lambda p: next(card for card in p["hands"][1] if card != "4"),
        "hand of seat 2": lambda p: p["hands"][2][0],
        "first card to draw": lambda p: p["draw"][0],
    }[place]
    draws = 800
    counts = np.array(list(Counter(look(redealt(0, seed)) for seed in range(draws)).values()))
    assert len(counts) == 8
    chi_square = ((counts - draws / 8) ** 2 / (draws / 8)).sum()
    assert chi_square < 24.3  # 7 degrees of freedom: one in a thousand, with seeds that never change


def test_hidden_face_up_cards_are_drawn_again_while_they_are_chosen():
    state = KARMA.new(1)
    for _ in bounded_while(lambda: KARMA.position(state)["setup_left"] == 3):
        KARMA.apply_action(state, KARMA.legal(state)[0])
    chosen = next(seat for seat in range(3) if KARMA.position(state)["up"][seat])
    ups = {tuple(KARMA.position(KARMA.redeal(state, seed, int(state["seat"][0])))["up"][chosen]) for seed in range(20)}
    assert len(ups) > 5
    own = {tuple(KARMA.position(KARMA.redeal(state, seed, chosen))["up"][chosen]) for seed in range(20)}
    assert len(own) == 1
