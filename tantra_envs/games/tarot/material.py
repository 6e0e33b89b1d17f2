"""The cards: 78, numbered as everywhere in states, actions and observations (T-01).

 0           the Fool            T0
 1 .. 21     the trumps          T1 .. T21: the Juggler is 1, the Universe 21
22 .. 35     Wands               WA W2 .. W10 WKv WKn WQ WK
36 .. 49     Cups                CA ..
50 .. 63     Swords              SA ..
64 .. 77     Pentacles           PA ..
"""

from __future__ import annotations

import numpy as np

CARDS, TRUMPS, SUIT_CARDS = 78, 22, 14
FOOL, JUGGLER, UNIVERSE = 0, 1, 21
ACE, TEN, KNAVE, KNIGHT, QUEEN, KING = 0, 9, 10, 11, 12, 13  # ranks; Ace to Ten are the pips

RANK_NAMES = ("A", *map(str, range(2, 11)), "Kv", "Kn", "Q", "K")
CARD_NAMES = (*(f"T{number}" for number in range(TRUMPS)), *(suit + rank for suit in "WCSP" for rank in RANK_NAMES))

# Suits that can be led: 0 trumps, 1 W, 2 C, 3 S, 4 P. The Fool has no suit (T-53).
SUITS, NO_SUIT = 5, 5
FIRST_OF_SUIT = (1, 22, 36, 50, 64, 78)
SUIT_OF = np.array([NO_SUIT, *(suit for suit in range(SUITS) for _ in range(21 if suit == 0 else SUIT_CARDS))], np.int8)
RANK_OF = np.array([-1] * TRUMPS + list(range(SUIT_CARDS)) * 4, np.int8)  # -1 = a trump
IS_PIP = np.array((RANK_OF >= ACE) & (RANK_OF <= TEN), np.int8)
KINGS = (35, 49, 63, 77)
TAROTS = (FOOL, JUGGLER, UNIVERSE, *KINGS)  # the seven honours (T-02)
IS_TAROT = np.array([card in TAROTS for card in range(CARDS)], np.int8)

# Points of a card in a trick (T-61); the Fool counts separately.
WORTH_BY_RANK = {KNAVE: 2, KNIGHT: 3, QUEEN: 4, KING: 5}
TRICK_WORTH = np.array(
    [5 if card in (JUGGLER, UNIVERSE) else WORTH_BY_RANK.get(int(RANK_OF[card]), 0) for card in range(CARDS)], np.int8
)
PLAIN_TRICK = 1  # a trick without any of those cards (T-64)
FOOL_WORTH = 5  # to the seat that plays it, unless `fool_points` says otherwise (T-62)
KING_CUT = 5  # a King taken by a trump, unless `king_points` says otherwise (T-50)
CALL_WORTH = 5  # a call that nobody can answer, unless `call_points` says otherwise (T-45)
MOST_WORTH = 20  # of each of these three

MAX_SEATS = 3
HAND = TRICKS = 25
PACKET, TALON_SIZE = 5, 3  # dealt by fives; the last three cards are the talon (T-11)
MAX_HANDS = 100  # most hands whose scores a table stores
MAX_DECKS = 4  # most decks that can be given beforehand
MOST_POINTS = 400  # of a seat in one hand, more than all classes, cards, calls and Kings at MOST_WORTH give


def _small(names: str) -> list[bool]:
    """Return which of all cards are in a smaller deck."""
    return [name in names.split() for name in CARD_NAMES]


# The cards of smaller decks and the cards of a hand, by the option `deck_cards`; row 0 is not used (T-13).
SMALL_DECKS = np.array([_small(""), _small("T0 T1 T9 T21 WQ WK W7 CQ CK C7"), _small("T0 T1 T9 WA WK CK CA")], np.int8)
SMALL_HANDS = np.array([0, 4, 2], np.int64)
