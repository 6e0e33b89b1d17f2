"""The cards of Tantra: packs of 52 cards and jokers, and the 44 Display Cards.

Card types, numbered in this way in states, actions and observations (R-02, R-20):

              A   2   3   4   5   6   7   8   9  10   J   Q   K
    clubs     0   1   2   3   4   5   6   7   8   9  10  11  12
    diamonds 13  14 ..                                       25
    hearts   26  27 ..                                       38
    spades   39  40 ..                                       51        52 JOKER   53 WILD, any card of the wild rank

Places of a run (R-11):   1 = A, 2 .. 10, 11 = J, 12 = Q, 13 = K, 14 = A again
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class SetType(IntEnum):
    """The type of set in a slot of the table."""

    NONE = 0
    KIND = 1
    RUN = 2


RANKS, SUITS = 13, 4
NATURALS = RANKS * SUITS
JOKER, WILD = NATURALS, NATURALS + 1
TYPES = NATURALS + 2
PLACES = 14  # of a run

RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_NAMES = ("C", "D", "H", "S")
CARD_NAMES = (*(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES), "JK", "WILD")

MIN_SEATS, MAX_SEATS = 3, 9
MAX_PACKS = 4
MAX_OF_RANK = SUITS * MAX_PACKS  # natural cards
MAX_JOKERS = 4  # per pack
MAX_CARDS = MAX_PACKS * (NATURALS + MAX_JOKERS)

# The contract of each Display Card: sizes of the kinds and sizes of the runs in printed order (kinds always come
# first), and the special rules.
NO_BUYING, NO_JOKERS, NO_WILD_CARDS, IDENTICAL, NINETEEN = 1, 2, 4, 8, 16
DISPLAY_CARDS = (
    ((), (5, 5), 0),  # 1
    ((3, 3), (4,), NO_BUYING | NO_JOKERS),  # 2
    ((3, 3, 3, 3), (), 0),  # 3
    ((), (3, 4, 5), NO_WILD_CARDS | IDENTICAL),  # 4
    ((5, 5), (4,), 0),  # 5
    ((4, 4), (), NO_BUYING | NO_JOKERS | NO_WILD_CARDS),  # 6
    ((3, 3), (3, 3, 3), NINETEEN),  # 7
    ((), (4, 4, 4, 4), NINETEEN),  # 8
    ((5,), (4, 4), NO_WILD_CARDS | IDENTICAL),  # 9
    ((4, 4, 4), (), 0),  # 10
    ((), (2, 3, 4), NO_BUYING | NO_JOKERS),  # 11
    ((4, 4), (3,), 0),  # 12
    ((6, 6), (), 0),  # 13
    ((3, 3), (3, 3), NO_WILD_CARDS),  # 14
    ((), (4, 4, 4), 0),  # 15
    ((4,), (3, 3), NO_BUYING | NO_JOKERS),  # 16
    ((3, 3, 3, 3, 3), (), NINETEEN),  # 17
    ((), (2, 3, 4, 5), NO_WILD_CARDS),  # 18
    ((3, 3, 3), (4,), 0),  # 19
    ((5, 5, 5), (), NINETEEN),  # 20
    ((), (4, 4), NO_BUYING | NO_JOKERS | NO_WILD_CARDS | IDENTICAL),  # 21
    ((4, 4), (4, 4), NINETEEN),  # 22
    ((3, 4, 5), (), NO_WILD_CARDS),  # 23
    ((4, 4), (5,), 0),  # 24
    ((), (4, 5, 6), NO_WILD_CARDS | IDENTICAL | NINETEEN),  # 25
    ((5,), (5,), 0),  # 26
    ((2, 3, 4), (), NO_BUYING | NO_JOKERS),  # 27
    ((3, 3, 3), (3, 3), NINETEEN),  # 28
    ((), (6, 6), 0),  # 29
    ((4,), (5, 5), NO_WILD_CARDS | IDENTICAL),  # 30
    ((4, 5, 6), (), NINETEEN),  # 31
    ((), (3, 3, 3), NO_BUYING | NO_JOKERS),  # 32
    ((3, 3), (4, 4), 0),  # 33
    ((5, 5), (), 0),  # 34
    ((4,), (4,), NO_BUYING | NO_JOKERS | NO_WILD_CARDS | IDENTICAL),  # 35
    ((), (3, 3, 3, 3), 0),  # 36
    ((3,), (4, 4), 0),  # 37
    ((4, 4, 4, 4), (), NINETEEN),  # 38
    ((), (5, 5, 5), NO_WILD_CARDS | IDENTICAL | NINETEEN),  # 39
    ((6,), (6,), 0),  # 40
    ((3, 3, 3), (), NO_BUYING | NO_JOKERS),  # 41
    ((), (3, 3, 3, 3, 3), NINETEEN),  # 42
    ((3,), (4, 4, 4), NINETEEN),  # 43
    ((2, 3, 4, 5), (), NO_WILD_CARDS),  # 44
    ((3,), (), 0),  # 45, only with a smaller deck
)
CONTRACTS = len(DISPLAY_CARDS)
DISPLAYS = CONTRACTS - 1  # the Display Cards of the game
MAX_SETS = 5  # on one Display Card
LARGEST_RUN = 6  # on a Display Card

# Display Cards as tables for kernels. Row d is Display Card d, 1 .. 45; row 0 stays empty.
KINDS = np.zeros(CONTRACTS + 1, np.int64)  # kinds on the card
SETS = np.zeros(CONTRACTS + 1, np.int64)  # sets on the card
SIZES = np.zeros((CONTRACTS + 1, MAX_SETS), np.int64)
TOTAL = np.zeros(CONTRACTS + 1, np.int64)  # cards in all sets together
FLAGS = np.zeros(CONTRACTS + 1, np.int64)
for _number, (_kinds, _runs, _flags) in enumerate(DISPLAY_CARDS, start=1):
    KINDS[_number], SETS[_number], FLAGS[_number] = len(_kinds), len(_kinds) + len(_runs), _flags
    SIZES[_number, : SETS[_number]] = _kinds + _runs
    TOTAL[_number] = sum(_kinds + _runs)

# Points of a card left in hand (R-53 and the variations): by rank A .. K, then JOKER, then WILD.
CARD_POINTS = ("standard", "original", "canasta", "face")
POINTS = np.array(
    [
        (10, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 25, 100),
        (10, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 10, 25, 100),
        (20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 50, 100),
        (15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25, 100),
    ],
    np.int64,
)
# The cards of each type in a smaller deck, by the option `deck_cards`; row 0 is not used.
SMALL_DECKS = np.zeros((2, NATURALS + 1), np.int64)
SMALL_DECKS[1, [4, 8, 12, JOKER]] = 4, 4, 2, 1  # mini: 5C 9C KC JK
SMALL_DISPLAY = CONTRACTS  # its Display Card
GOING_OUT = (50, 100, 300)  # later, at once, Grand Slam
GOING_OUT_ORIGINAL = (-20, -100, -500)
