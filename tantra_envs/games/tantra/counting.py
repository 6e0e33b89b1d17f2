"""Counting the cards of tables that come from outside."""

from __future__ import annotations

import numpy as np

from ...core.consistency import Array, Tables
from ...core.game import Game
from .material import CARD_NAMES, JOKER, NATURALS, PLACES, RANKS, SUITS, TYPES, WILD
from .state import KIND_CLASS, KindClass, Role, SetType


def _in_sets(tables: Tables) -> Array:
    """Return the number of cards of each type in sets, shape (n, TYPES)."""
    sets, counts = tables["sets"], np.zeros(tables.n * TYPES)
    first = TYPES * np.arange(tables.n)[:, None]
    for card_class in KindClass:
        counted = np.where(sets["kind"] == SetType.KIND, sets["fill"][..., card_class], 0)
        natural = card_class < SUITS
        card = card_class * RANKS + sets["rank"] if natural else np.flatnonzero(card_class == KIND_CLASS)[0]
        counts += np.bincount((first + card + 0 * counted).ravel(), counted.ravel(), len(counts))
    runs = sets["kind"] == SetType.RUN
    for place in range(1, PLACES + 1):
        role = np.where(runs, sets["fill"][..., place - 1], Role.EMPTY)
        away = (role == Role.UPPER_MATE).astype(int) - (role == Role.LOWER_MATE)
        card = sets["suit"].astype(int) * RANKS + (place + away - 1) % RANKS
        card = np.where(role == Role.JOKER, JOKER, np.where(role == Role.WILD, WILD, card))
        counts += np.bincount((first + card).ravel(), (role != Role.EMPTY).ravel(), len(counts))
    return counts.reshape(tables.n, TYPES)


def check_cards(game: Game, tables: Tables) -> None:
    """Check that every card is counted and that none occurs more often than in the packs."""
    opt = game.blank["opt"][0]
    stock, discard = (tables.counted(pile, TYPES) for pile in ("stock", "discard"))
    tables.follows("discarded", discard)
    tables.follows("tabled", _in_sets(tables))
    peeked = np.arange(TYPES) == tables["peeked"][:, None]
    used = tables["hands"].sum(1) + tables["tabled"] + stock + discard + peeked
    packs, wild = int(opt["n_packs"]), tables["wild"][:, None]
    most = np.where(np.arange(TYPES) == WILD, SUITS * packs * (wild >= 0), packs)
    most = np.where(np.arange(TYPES) == JOKER, packs * int(opt["jokers_per_pack"]), most)
    natural = np.arange(TYPES) < NATURALS
    most = np.where(natural & (np.arange(TYPES) % RANKS == wild), 0, most)
    for card in np.flatnonzero((used > most).any(axis=0))[:1]:
        places = "in hands, stock, discard, sets, peeked and build together"
        tables.require(
            used[:, card] <= most[:, card], "hands", f"at most {most[:, card].min()} of {CARD_NAMES[card]} {places}"
        )
