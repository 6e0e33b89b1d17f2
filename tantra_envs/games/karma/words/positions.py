"""Karma tables as dicts: the table of fields has the notation, here is what follows from other fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.decks import Decks
from ....core.game import Game
from ....core.notation import read_card
from ....core.positions import Entry, Positions, fill_in
from ....core.state import States
from ..material import CARD_NAMES, SMALL_DECKS, TYPES
from ..state import FIELDS, Phase


def _copies(s: Any) -> list[int]:
    """Return how many cards of each type the deck has (K-02, K-06)."""
    small = int(s["opt"]["deck_cards"])
    return SMALL_DECKS[small].tolist() if small else [int(s["opt"]["copies"])] * TYPES


DECKS = Decks(CARD_NAMES, _copies)


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    state = game.blank.copy()
    s, n = state[0], game.players
    s["phase"] = Phase.PLAY
    NOTATION.read(game, position, state)
    s["hand_n"], s["up_n"] = s["hands"].sum(1), s["up"].sum(1)
    s["piled"] = np.bincount(s["pile"][: s["pile_n"]], minlength=TYPES)
    s["gone"] = np.maximum(int(s["opt"]["copies"]) - FIELDS.cards(state)[0], 0)  # too many are refused afterwards
    run = int(s["pile_n"] > 0 and s["phase"] != Phase.TARGET)
    fill_in(position, s, dealer=(int(s["seat"]) - 1) % n, run=run)
    if s["phase"] == Phase.SETUP:
        fill_in(position, s, setup_left=(int(s["dealer"]) - int(s["seat"])) % n + 1)  # up to the dealer (K-10)
    if "out" not in position:
        empty = [seat for seat in range(n) if not s["hand_n"][seat] + s["up_n"][seat] + s["down_n"][seat]]
        out = [seat for seat in empty if s["phase"] != Phase.TARGET or seat != s["seat"]]  # not out yet (K-80)
        s["out"][: len(out)], s["out_n"] = out, len(out)
    NOTATION.compare(position, state)
    return state


def _tidy(gone: Any) -> Any:
    """Return cards that are gone with their names, ascending."""
    if not isinstance(gone, Mapping):
        return gone
    counts = {read_card("gone", card, CARD_NAMES): count for card, count in gone.items()}
    return {CARD_NAMES[card]: count for card, count in sorted(counts.items()) if type(count) is not int or count}


NOTATION = Positions(
    FIELDS,
    "config phase cur dealer hands up down known pile run draw out setup_left moves gone loser rewards truncated",
    Entry("gone", lambda s: {CARD_NAMES[card]: int(n) for card, n in enumerate(s["gone"]) if n}, tidy=_tidy),
)
position = NOTATION.write
