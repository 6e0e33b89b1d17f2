"""A table of any game, set up by a position and played by the names of actions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import tantra_envs


class GameTable:
    """`Table(config, hands=[..])`; then `do("play 7")`, `legal`, `table["pile"]`. A game adds what its tests ask for.

    The number of players is that of the hands, unless the game lets positions leave some out. With `seed` the table
    is dealt instead, from what may be given.
    """

    id: ClassVar[str]
    a_hand_for_every_seat: ClassVar[bool] = True

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int | None = None, **position: Any) -> None:
        config = dict(config or {})
        if self.a_hand_for_every_seat and seed is None and "hands" in position:
            config.setdefault("players", len(position["hands"]))
        self.game = tantra_envs.game(self.id, **config)
        self.state = self.game.from_position(position) if seed is None else self.game.new(seed, **position)

    def do(self, *words: str) -> Self:
        for text in words:
            self.game.apply_action(self.state, self.game.parse_action(self.state, text))
        return self

    @property
    def legal(self) -> set[str]:
        return {self.game.action_name(self.state, action) for action in self.game.legal(self.state)}

    def legal_after(self, verb: str) -> set[str]:
        """What may follow a word: `play` gives cards."""
        return {words.removeprefix(f"{verb} ") for words in self.legal if words.startswith(f"{verb} ")}

    def __getitem__(self, field: str) -> Any:
        return self.game.position(self.state)[field]

    def hand(self, seat: int) -> list[str]:
        return self["hands"][seat]

    def seen(self, seat: int, block: str) -> list[float]:
        return self.game.observation(self.state, seat)[self.game.view[block].slice].tolist()
