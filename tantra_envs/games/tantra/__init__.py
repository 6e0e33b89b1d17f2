"""Tantra: contract rummy with 44 Display Cards, for 3 to 9 players. `build(**config)` returns the game."""

from __future__ import annotations

from .. import game_of
from .words import rounds

build = game_of(__name__, deal_options=("deck", "dealer", "display", "wild"), rounds=rounds)
