"""Count the cards of sets on the table, and check all cards of tables that come from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.consistency import Tables
from ....core.fields import Array
from ....core.game import Game
from ..material import JOKER, NATURALS, PLACES, RANKS, SUITS, TYPES, WILD, SetType
from ..state import KIND_CLASS, KindClass, Role


def cards_in(sets: Any) -> Array:
    """Return how many cards of each type sets (..) on the table hold, shape (.., TYPES)."""
    flat: Array = np.asarray(sets).reshape(-1)
    counts, row = np.zeros((len(flat), TYPES), np.int64), np.arange(len(flat))
    for card_class in KindClass:
        natural = card_class < SUITS
        card = card_class * RANKS + flat["rank"] if natural else np.flatnonzero(card_class == KIND_CLASS)[0]
        counts[row, card] += np.where(flat["kind"] == SetType.KIND, flat["fill"][:, card_class], 0)
    runs = flat["kind"] == SetType.RUN
    for place in range(1, PLACES + 1):
        role = np.where(runs, flat["fill"][:, place - 1], Role.EMPTY)
        away = (role == Role.UPPER_MATE).astype(int) - (role == Role.LOWER_MATE)
        card = flat["suit"].astype(int) * RANKS + (place + away - 1) % RANKS
        card = np.where(role == Role.JOKER, JOKER, np.where(role == Role.WILD, WILD, card))
        counts[row, card] += role != Role.EMPTY
    return counts.reshape(*np.shape(sets), TYPES)


def check_cards(game: Game, tables: Tables) -> None:
    """Check that every card is counted and that none occurs more often than in the packs."""
    opt = game.blank["opt"][0]
    tables.follows("discarded", tables.counted("discard", TYPES))
    tables.follows("tabled", cards_in(tables["sets"]).sum(1))
    packs, wild = int(opt["n_packs"]), tables["wild"][:, None]
    most = np.where(np.arange(TYPES) == WILD, SUITS * packs * (wild >= 0), packs)
    most = np.where(np.arange(TYPES) == JOKER, packs * int(opt["jokers_per_pack"]), most)
    natural = np.arange(TYPES) < NATURALS
    tables.cards(np.where(natural & (np.arange(TYPES) % RANKS == wild), 0, most))
