"""Kanastic: team canasta with golden suits, for 2 to 4 players. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from .. import game_of
from .state import partners

build = game_of(__name__, deal_options=("deck", "dealer"), partners=partners)
