"""Redealing: exactly the unknown cards are drawn again, and who is in the middle of something can go on."""

from collections import Counter

import pytest

import tantra_envs
from tantra_envs.testing import play

GAME = tantra_envs.game("kanastic", players=3)
OPEN = {  # seat 1 has shown a 9C
    "hands": ["4H 6D 8C", "9C QH QD", "JS JC 5H 5D"],
    "known": ["", "9C", ""],
    "tables": [{"ranks": {"K": "KH KD KC"}}],
    "pile": "7H",
    "stock": "TP 10H 10D AC",
}


def redealt(seed, seat=0):
    return GAME.position(GAME.redeal(GAME.from_position(OPEN), seed, seat))


def test_every_unknown_card_is_equally_likely():
    draws = 900
    first = Counter(next(card for card in redealt(seed)["hands"][1] if card != "9C") for seed in range(draws))
    assert len(first) >= 8
    order = Counter(redealt(seed)["stock"].index("TP") for seed in range(draws))
    assert len(order) == 4
    assert sum((n - draws / 4) ** 2 / (draws / 4) for n in order.values()) < 16.3  # 3 degrees of freedom, 1 in 1000


@pytest.mark.parametrize("stage", [0, 1500, 3000, 5000])
def test_who_is_opening_keeps_a_hand_to_go_on_with(stage):
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


def test_decks_to_come_are_forgotten():
    plain = [f"{r}{s}" for r in ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] for s in "HHDDSCCG"]
    deck = [*plain, *["SW"] * 8, *["AR"] * 4, *["SH"] * 4, *["TP"] * 4]
    state = GAME.new(1, deck=[deck, deck])
    assert len(GAME.position(state, full=True)["decks"]) == 1
    drawn = GAME.redeal(state, 3, 0)
    assert GAME.position(drawn, full=True)["decks"] == [] and not drawn["decks"].any()
