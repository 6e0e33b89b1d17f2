"""Tarot: the trick-taking game of 1888, for 2 and 3 seats. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from .. import game_of

build = game_of(__name__, deal_options=("deck", "dealer"))
