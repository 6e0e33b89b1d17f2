"""A Tantra table set up by a position and played by the names of actions."""

from __future__ import annotations

from ..table import GameTable


class Table(GameTable):
    """`Table(config, display=10, hands=["7C 7D", ..], stock="..")`; then `do("draw")`, `legal`, `table["discard"]`."""

    id = "tantra"
