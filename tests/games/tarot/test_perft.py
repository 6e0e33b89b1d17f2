"""Counting: how many sequences of legal actions there are from some tables, and how random games go."""

import numpy as np
import pytest

import tantra_envs

from ..perft import random_games, sequences
from .table import SUITS, Table

ONE_HAND = {"episode": "hand"}  # what ends earlier counts nothing
HANDS = [
    ["W2 W3", "W4 W5"],
    ["W2 T0", "C4 T5"],
    ["W2 C3 T0", "W4 T5 CQ", "C9 WK T1"],
    ["W2 W9 T4 T0", "WQ C5 T11 C7", "CK WA T2 W10"],
    ["WK CQ T21 S2 S9", "W3 T0 T7 P4 PK"],
]
# Sequences of 1, 2, 3 .. actions, counted by hand: T0 or PK is given for W2 or W3, or nobody calls, or the other does.
RECKONING = ({"hands": ["T21 WK W2 W3", "T0 PK S3"], "phase": "CALL"}, [2, 4, 10, 36])
RANDOM = [(2, 8.7, 494), (3, 12.3, 1025)]  # players, and what the specification reports: hands and actions of a game


@pytest.mark.parametrize("must_trump", [False, True])
@pytest.mark.parametrize("hands", HANDS)
def test_sequences_of_play_against_slow_counting(hands, must_trump):
    table, slow = Table({**ONE_HAND, "must_trump": must_trump}, hands=hands), [hand.split() for hand in hands]
    counts = [slow_sequences(slow, 0, [], must_trump, depth) for depth in range(1, 8)]
    assert sequences(table.game, table.state, len(counts)) == counts


def test_sequences_of_the_reckoning():
    position, counts = RECKONING
    table = Table(ONE_HAND, **position)
    assert sequences(table.game, table.state, len(counts)) == counts


def slow_sequences(hands, leader, trick, must_trump, depth):
    """The same count with lists of names: the trick is (seat, card) in order of play."""
    if not depth:
        return 1
    if len(trick) == len(hands):
        leader, trick = slow_winner(trick), []
    seat = (leader + len(trick)) % len(hands)
    total = 0
    for card in slow_legal(hands[seat], [card for _, card in trick if card != "T0"], must_trump):
        left = [[c for c in hand if c != card] for hand in hands]
        total += slow_sequences(left, leader, [*trick, (seat, card)], must_trump, depth - 1)
    return total


def slow_legal(hand, led, must_trump):
    if not led:
        return hand
    for suit in [led[0][0], *(["T"] if must_trump else [])]:
        follow = [card for card in hand if card[0] == suit and card != "T0"]
        if follow:
            return follow + [card for card in hand if card == "T0"]
    return hand


def slow_winner(trick):
    suit = next(card[0] for _, card in trick if card != "T0")
    order = [*SUITS[suit], *SUITS["T"][1:]]
    return max((order.index(card), seat) for seat, card in trick if card in order)[1]


@pytest.mark.parametrize(("players", "hands", "actions"), RANDOM)
def test_length_of_random_games(players, hands, actions):
    game, tables = tantra_envs.game("tarot", players=players), 600
    states, played = random_games(game, tables)
    assert played == states["plies"].sum()
    for found, expected in ((states["hand_no"], hands), (states["plies"], actions)):
        error = found.std() / tables**0.5
        assert abs(found.mean() - expected) < 4 * error + 0.01 * expected  # the reference is rounded
    wins = np.bincount(states["winner"], minlength=players) / tables
    assert np.abs(wins - 1 / players).max() < 0.08


def test_longest_hand_a_record_can_hold():
    assert tantra_envs.game("tarot", max_hands=100).config["max_hands"] == 100
    with pytest.raises(ValueError, match="max_hands=101"):
        tantra_envs.game("tarot", max_hands=101)
