"""A Karma table set up by a position and played by the names of actions."""

from __future__ import annotations

from ..table import GameTable


class Table(GameTable):
    """`Table(config, hands=["7 9", "3"], pile="7")`; then `do("play 7")`, `legal`, `table["pile"]`."""

    id = "karma"

    @property
    def cards_legal(self) -> set[str]:
        """What may be played, without the word `play`."""
        return self.legal_after("play")
