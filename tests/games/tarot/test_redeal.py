"""Redealing: exactly the unknown cards are drawn again, as all that is known allows, each way as likely as any."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import tantra_envs

from ..loop_bounds import bounded_while
from .contract import invariants

THREE = tantra_envs.game("tarot", players=3)
OPEN = {  # seat 1 shows WK; seat 2 has failed to follow trumps and Swords and holds a gift of seat 0
    "hands": ["W2 P2 P3", "WK C2 S2", "CQ P5 W9"],
    "dealer": 0,
    "cur": 1,
    "leader": 1,
    "exposed": "WK",
    "void": [[0] * 5, [0] * 5, [1, 0, 0, 1, 0]],
    "giver": {"CQ": 0, "P2": 2},
    "discards": "W3 T7 S5",
}


def redealt(seat: int, seed: int, position: dict | None = None, config: dict | None = None) -> dict:
    game = tantra_envs.game("tarot", players=3, **(config or {}))
    return game.position(game.redeal(game.from_position(position or OPEN), seed, seat))


CROSSED = {  # seat 0 has failed to follow Swords, and seat 2 to follow Cups: neither may hold what the other may
    "hands": ["C2 C3 W2", "WK W9 P4", "S2 S3 P2"],
    "dealer": 0,
    "cur": 1,
    "leader": 1,
    "void": [[0, 0, 0, 1, 0], [0] * 5, [0, 0, 1, 0, 0]],
    "discards": "S5 C5 P3",
}


@pytest.mark.parametrize(("position", "never"), [(OPEN, ("", "TS")), (CROSSED, ("S", "C"))], ids=["nested", "crossed"])
def test_every_way_that_fits_is_equally_likely(position, never):
    """Seat 1 sees nothing of 9 cards in three places; all ways to lay them are listed and counted."""
    hands, discards = position["hands"], position["discards"]
    cards = [*hands[0].split(), *hands[2].split(), *discards.split()]
    ways = set()
    for order in permutations(cards):
        first, second, away = order[:3], order[3:6], order[6:]
        if not any(card[0] in suits for hand, suits in zip((first, second), never, strict=True) for card in hand):
            ways.add((frozenset(first), frozenset(second), frozenset(away)))
    draws = 40 * len(ways)
    found = Counter()
    state = THREE.from_position(position)
    states = np.repeat(state, draws)
    THREE.drivers.redeal_rows(states, np.arange(draws), np.full(draws, 1))
    names = np.array([THREE.action_name(state, card) for card in range(78)])
    for loc in states["loc"]:
        found[tuple(frozenset(names[loc == place].tolist()) for place in (0, 2, 5))] += 1
    assert set(found) == ways
    chi_square = sum((found[way] - 40) ** 2 / 40 for way in ways)
    freedom = len(ways) - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5  # four standard deviations, with seeds that never change


@pytest.mark.parametrize("rule", ["no_tarots", "no_trumps_kings"])
def test_protected_cards_are_never_among_the_discards(rule):
    position = {"hands": ["T1 T2 WK", "T21 PK CQ", "T5 T6 C3"], "dealer": 0, "discards": "W3 W4 W5"}
    for seed in range(40):
        away = redealt(1, seed, position, {"discard_rule": rule})["discards"]
        assert not {"T1", "WK", "T21", "PK"} & set(away)
        assert rule == "no_tarots" or not any(card[0] == "T" for card in away)


def test_who_had_no_tarot_trump_when_asked_gets_none():
    position = {"hands": ["T1 W2", "C3 C4", "T0 WK"], "no_tarot": [0, 1, 0], "discards": "SK S2 S3", "dealer": 2}
    for seed in range(40):
        assert not {"T1", "T0", "WK", "SK"} & set(redealt(0, seed, position)["hands"][1])


@pytest.mark.parametrize("phase", ["DECLARE", "CALL", "ANSWER", "RETURN"])
@pytest.mark.parametrize("players", [2, 3])
def test_the_question_asked_fits_the_hand_drawn_for_others(players, phase):
    game = tantra_envs.game("tarot", players=players)
    found, seed, rng = 0, 0, np.random.default_rng(0)
    for _ in bounded_while(lambda: found < 5):
        state, seed = game.new(seed), seed + 1
        for _ in bounded_while(lambda: game.phases[state["phase"][0]] not in ("PLAY", phase)):
            asked = game.parse_action(state, "yes")
            legal = game.legal(state)
            game.apply_action(state, asked if asked in legal else legal[int(rng.integers(len(legal)))])
        if game.phases[state["phase"][0]] == phase:
            found += 1
            for seat in range(players):
                drawn = game.redeal(state, seed, seat)
                invariants(game, drawn)
                assert game.position(game.from_position(game.position(drawn)))["phase"] == phase
                assert len(game.legal(drawn)) >= 2
