"""A Kanastic table set up by a position and played by the names of actions."""

from __future__ import annotations

from ..table import GameTable


class Table(GameTable):
    """`Table(config, hands=["7H 7D 7S", ..], pile="KC")`; then `do("NEW 7 {HDS}")`, `legal`, `table["tables"]`."""

    id = "kanastic"
    a_hand_for_every_seat = False

    @property
    def placements(self) -> set[str]:
        return {words for words in self.legal if words.startswith(("NEW", "ADD", "SUIT"))}

    @property
    def discards(self) -> set[str]:
        return self.legal_after("DISCARD")

    def ranks(self, team: int) -> dict[str, list[str]]:
        return self["tables"][team]["ranks"]

    def suit(self, team: int) -> list[str]:
        return (self["tables"][team]["suit"] or [None, []])[1]
