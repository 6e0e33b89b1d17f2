"""The cards: 20 types, numbered as everywhere in states, actions and observations (K-01).

0 1 2 .. 15     the numbers 1 2 3 .. 16
16 GIVE         Give The Pile To A Friend
17 TABLE        Play A Table Card
18 BOTTOMS      Bottoms Up
19 FIVE         Five or Below
"""

from __future__ import annotations

import numpy as np

TYPES = 20
GIVE, TABLE, BOTTOMS, FIVE = 16, 17, 18, 19
FIRST_KARMA = GIVE  # the first karma card; all later types are karma cards
FIVE_LIMIT = 5  # highest number on FIVE, unless `five_limit` says otherwise (K-21)

CARD_NAMES = (*(str(number) for number in range(1, 17)), "GIVE", "TABLE", "BOTTOMS", "FIVE")

TABLE_CARDS = 3  # most face-down cards of a seat, and face-up cards chosen: `table_cards` (K-05, K-10)
HAND = 3  # cards dealt to a seat that stay in its hand: `hand_size` (K-05)
MOST_HAND = 9
HAND_MINIMUM = 3  # size up to which hands are refilled after every play (K-12)

MAX_SEATS = 12  # two 60-card games (K-02)
MAX_COPIES = 6  # cards of a type: copies 3, decks 2
MAX_CARDS = TYPES * MAX_COPIES

# The cards of each type in a smaller deck, by the option `deck_cards`; row 0 is not used (K-06).
SMALL_DECKS = np.zeros((3, TYPES), np.int8)
SMALL_DECKS[1, [4, 8, 11, GIVE, TABLE, BOTTOMS, FIVE]] = 1, 2, 1, 1, 1, 1, 1  # mini: 5 9 9 12 and the karma cards
SMALL_DECKS[2, [4, 8, 11, GIVE, FIVE]] = 1, 2, 1, 1, 1  # tiny: 5 9 9 12 GIVE FIVE
