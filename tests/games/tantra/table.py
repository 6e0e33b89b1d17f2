"""A Tantra table set up by a position and played in words."""

from __future__ import annotations

from typing import Any

import tantra_envs


class Table:
    """`Table(config, display=10, hands=["7C 7D", ..], stock="..")`; then `do("draw")`, `legal`, `table["discard"]`.

    The number of players is that of the hands. With `seed` the table is dealt instead, from what may be given.
    """

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int | None = None, **position: Any) -> None:
        config = dict(config or {})
        if seed is None:
            self.game = tantra_envs.game("tantra", **{"players": len(position["hands"]), **config})
            self.state = self.game.from_position(position)
        else:
            self.game = tantra_envs.game("tantra", **config)
            self.state = self.game.new(seed, **position)

    def do(self, *words: str) -> Table:
        for text in words:
            self.game.apply_action(self.state, self.game.parse_action(self.state, text))
        return self

    @property
    def legal(self) -> set[str]:
        return {self.game.action_name(self.state, action) for action in self.game.legal(self.state)}

    def legal_after(self, verb: str) -> set[str]:
        """What may follow a word: `place` gives cards."""
        return {words.removeprefix(f"{verb} ") for words in self.legal if words.startswith(f"{verb} ")}

    def __getitem__(self, field: str) -> Any:
        return self.game.position(self.state)[field]

    def hand(self, seat: int) -> list[str]:
        return self["hands"][seat]

    def seen(self, seat: int, block: str) -> list[float]:
        return self.game.observation(self.state, seat)[self.game.view[block].slice].tolist()
