"""The 108 cards in 59 kinds. States, actions and observations use the same numbers (KN-01, KN-02).

The option `shields` changes the number of cards.

kind = 5 r + j      rank r     0 1 2 3 4 5 6  7 8 9 10
                               4 5 6 7 8 9 10 J Q K A
                    variant j  0 hearts  1 diamonds  2 spades  3 clubs  4 gold, the second spade
55 Sword   56 Artifact   57 Shield   58 Treasure Pot
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np


class SuitRule(IntEnum):
    """The cards that can begin a rank formation (KN-03)."""

    THREE_SUITS = 0
    ANY = 1


RANKS = 11
VARIANTS = 5
HEARTS, DIAMONDS, SPADES, CLUBS, GOLD = range(VARIANTS)
NATURALS = RANKS * VARIANTS
SWORD, ARTIFACT, SHIELD, POT = range(NATURALS, NATURALS + 4)
HAND_KINDS = POT  # a pot is never in a hand (KN-12)
KINDS = POT + 1

RANK_NAMES = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARD_NAMES = (*(f"{rank}{suit}" for rank in RANK_NAMES for suit in "HDSCG"), "SW", "AR", "SH", "TP")

# Copies of a kind. With suit_rule "any" the seven plain cards of a rank are one kind (KN-03).
SPECIALS = (8, 4, 4, 4)
THREE_SUITS_COPIES = (*((2, 2, 1, 2, 1) * RANKS), *SPECIALS)
ANY_COPIES = (*((7, 0, 0, 0, 1) * RANKS), *SPECIALS)
COPIES = np.array([THREE_SUITS_COPIES, ANY_COPIES], np.int64)  # by suit rule
CARDS = 108
MOST_SHIELDS = 8  # `shields`
MOST_CARDS = CARDS + MOST_SHIELDS - SPECIALS[2]

# Points of a card on the table, and of a card left in a hand.
RANK_POINTS = np.array([5] * 5 + [10] * 5 + [20], np.int64)
SWORD_POINTS, ARTIFACT_POINTS, SHIELD_PENALTY = 25, 50, 100
HAND_POINTS = np.array([*np.repeat(RANK_POINTS, VARIANTS), SWORD_POINTS, ARTIFACT_POINTS, SHIELD_PENALTY], np.int64)
SMALLEST_POINTS = 5  # all points are multiples of this
POT_POINTS = np.array([0, 100, 200, 300, 1200], np.int64)  # KN-72

# Formations
NEW_SIZE = 3  # naturals that begin a rank formation (KN-20), golds that begin a suit (KN-31)
CANASTA, FULL = 7, 8  # KN-23
MOST_WILDS = 3  # in a rank formation (KN-20), Artifacts in a suit (KN-30)
COMPLETE_SUIT = 7  # KN-31
ACE = RANKS - 1
NATURAL_CANASTA, MIXED_CANASTA = 600, 300  # KN-25
NATURAL_ACES, MIXED_ACES = 1000, 500
ROYAL_SUIT, MIXED_SUIT = 5000, 2500  # KN-33

# The requirement of the initial meld in stages I to IV (KN-40, KN-41). Stage IV needs a canasta instead of points.
STAGE_SCORES = (1500, 3000, 5000)
STAGES = 4
CANASTA_STAGE = 4
REQUIRED_POINTS = np.array([0, 45, 90, 120, 0], np.int64)  # by stage 1..4
UNLIMITED = 99
WILD_CAPS = np.array([0, UNLIMITED, 1, 2, UNLIMITED], np.int64)

# The deal and the stack
MAX_SEATS = 4
MAX_TEAMS = 3
DEALT = 14  # KN-11; the first seat gets one more
STACK_MINIMUM = 4  # cards in the hand and in the stock that taking the stack requires (KN-53)
GAME_SCORE = 10000  # KN-75


# The cards of each kind in a smaller deck, by the option `deck_cards`, with one kind for the plain cards of a rank; row
# 0 is not used (KN-04).
SMALL_DECKS = np.zeros((2, KINDS), np.int64)
SMALL_DECKS[1, [VARIANTS * (RANKS - 2), VARIANTS * (RANKS - 1), SWORD, ARTIFACT, SHIELD]] = 4, 4, 2, 1, 1  # K A wilds
SMALL_SIZES = SMALL_DECKS.sum(axis=1)


@cache
def deck(suit_rule: int, shields: int, small: int = 0) -> tuple[int, ...]:
    """Return how many cards of each kind a deck has (KN-02, KN-03, KN-04)."""
    if small:
        return tuple(SMALL_DECKS[small].tolist())
    return tuple(shields if kind == SHIELD else int(number) for kind, number in enumerate(COPIES[suit_rule]))
