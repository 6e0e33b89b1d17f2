"""Karma: the shedding game of 2015, for 2 to 12 seats. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from .. import game_of

build = game_of(__name__, deal_options=("deck", "dealer"))
