"""Cards as positions and decks write them, and the cards on the table."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...core.fields import Array
from ...core.notation import named, read_card, refuse
from .material import ARTIFACT, CARD_NAMES, CARDS, GOLD, KINDS, NATURALS, POT, RANKS, SWORD, VARIANTS, SuitRule

_REPEATED = re.compile(r"(\d+)\*(.+)")


def cards_of(label: str, value: Any, s: Any) -> list[int]:
    """Return the kinds of cards in a list or a string, where `6*8S` is six cards."""
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)):
        raise refuse(label, value, "a list of cards or a string with blanks")
    cards: list[int] = []
    for word in words:
        repeated = _REPEATED.fullmatch(word) if isinstance(word, str) else None
        count, name = (int(repeated[1]), repeated[2]) if repeated else (1, word)
        if count > CARDS:
            raise refuse(label, word, f"at most {CARDS} cards")
        cards += [kind_of(read_card(label, name, CARD_NAMES), s)] * count
    return cards


def kind_of(card: int, s: Any) -> int:
    """Return the kind of a card: with suit rule "any" all plain cards of a rank are one kind."""
    plain = card in range(NATURALS) and card % VARIANTS != GOLD
    return card - card % VARIANTS if plain and s["opt"]["suit_rule"] == SuitRule.ANY else card


def cards_in_hand(label: str, value: Any, s: Any) -> list[int]:
    """Return the kinds of cards in a hand."""
    cards = cards_of(label, value, s)
    if POT in cards:
        raise refuse(label, named(cards, CARD_NAMES), "no TP: a pot is laid at once (KN-12)")
    return cards


def on_table(s: Any) -> Array:
    """Return how many cards of each kind every team has on the table, shape (.., teams, KINDS); `s` is one or many."""
    ranks, low, high = np.arange(RANKS), s["suit_lo"][..., None], s["suit_hi"][..., None]
    in_suit = (low < high) & (low <= ranks) & (ranks <= high)  # equal ends: a team that nobody has
    artifacts = s["suit_art"][..., None] >> ranks & 1 == 1
    cards = np.zeros((*s["pots"].shape, KINDS), np.int64)
    cards[..., :NATURALS] = s["nat"]
    cards[..., GOLD:NATURALS:VARIANTS] += in_suit & ~artifacts
    cards[..., SWORD] = s["sw"].sum(axis=-1)
    cards[..., ARTIFACT] = s["ar"].sum(axis=-1) + (in_suit & artifacts).sum(axis=-1)
    cards[..., POT] = s["pots"]
    return cards
