"""A Kanastic table set up by a position and played in words."""

from __future__ import annotations

from typing import Any

import tantra_envs


class Table:
    """`Table(config, hands=["7H 7D 7S", ..], pile="KC")`; then `do("NEW 7 {HDS}")`, `legal`, `table["tables"]`.

    With `seed` the table is dealt instead, from what may be given.
    """

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int | None = None, **position: Any) -> None:
        self.game = tantra_envs.game("kanastic", **(config or {}))
        self.state = self.game.from_position(position) if seed is None else self.game.new(seed, **position)

    def do(self, *words: str) -> Table:
        for text in words:
            self.game.apply_action(self.state, self.game.parse_action(self.state, text))
        return self

    @property
    def legal(self) -> set[str]:
        return {self.game.action_name(self.state, action) for action in self.game.legal(self.state)}

    @property
    def placements(self) -> set[str]:
        return {words for words in self.legal if words.startswith(("NEW", "ADD", "SUIT"))}

    @property
    def discards(self) -> set[str]:
        return {words.removeprefix("DISCARD ") for words in self.legal if words.startswith("DISCARD")}

    def __getitem__(self, field: str) -> Any:
        return self.game.position(self.state)[field]

    def hand(self, seat: int) -> list[str]:
        return self["hands"][seat]

    def ranks(self, team: int) -> dict[str, list[str]]:
        return self["tables"][team]["ranks"]

    def suit(self, team: int) -> list[str]:
        return (self["tables"][team]["suit"] or [None, []])[1]

    def seen(self, seat: int, block: str) -> list[float]:
        return self.game.observation(self.state, seat)[self.game.view[block].slice].tolist()
