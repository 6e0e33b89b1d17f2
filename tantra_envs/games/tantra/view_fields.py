"""What the numbers of the view's larger blocks mean, by their place: for who fills it in and for who reads it."""

from __future__ import annotations

from .material import SUITS

# Of a player, `players`.
HAND_SIZE, LAID_DOWN, BUYS_USED, BUYS_LEFT, SCORE, IS_DEALER, IN_TURN, IS_REQUESTER = range(8)

# Of a tabled set, `sets`.
IS_KIND, IS_RUN, RANK, SUIT = range(4)
FIRST_PLACE, LAST_PLACE, SIZE, LOW_FREE, HIGH_FREE = range(SUIT + SUITS, SUIT + SUITS + 5)

# Of a set of the Display Card, `contract`: IS_KIND, IS_RUN and
CARDS, CONTRACT_SET = 2, 3  # so many numbers in all

# `counters`
STOCK, DISCARD_PILE, TURNS_DONE, TURNS_LEFT, ROUND, ROUNDS_LEFT, RECYCLES, OWN_HAND, PACKS, PLAYERS = range(10)
