"""Tantra: contract rummy with 44 Display Cards, for 3 to 9 players. `build(**config)` returns the game."""

from __future__ import annotations

from .. import game_of
from .material import MAX_SEATS, MIN_SEATS
from .words.notation import rounds

SEATS = tuple(range(MIN_SEATS, MAX_SEATS + 1))

build = game_of(__name__, seats=SEATS, deal_options=("deck", "dealer", "display", "wild"), rounds=rounds)
