"""A Tantrix table set up by a position and played in words."""

from __future__ import annotations

from typing import Any

import tantra_envs
from tantra_envs.games.tantrix import legal_placements


class Table:
    """`Table(config, board=[[1, 0, 0, 0]], hands=[[7], [8]])`; then `do("7:1,0/2")`, `legal`, `table["board"]`.

    The number of players is that of the hands. With `seed` the table is dealt instead, from what may be given.
    """

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int | None = None, **position: Any) -> None:
        config = dict(config or {})
        if seed is None:
            if "hands" in position:
                config = {"players": len(position["hands"]), **config}
            self.game = tantra_envs.game("tantrix", **config)
            self.state = self.game.from_position(position)
        else:
            self.game = tantra_envs.game("tantrix", **config)
            self.state = self.game.new(seed, **position)

    def do(self, *words: str) -> Table:
        for text in words:
            self.game.apply_action(self.state, self.game.parse_action(self.state, text))
        return self

    def play_on(self) -> Table:
        """First legal actions to the end."""
        while not self.state["over"][0]:
            self.game.apply_action(self.state, self.game.legal(self.state)[0])
        return self

    @property
    def legal(self) -> set[str]:
        return {self.game.action_name(self.state, action) for action in self.game.legal(self.state)}

    @property
    def placements(self) -> list[tuple[int, int, int, int]]:
        return legal_placements(self.state)

    def __getitem__(self, field: str) -> Any:
        return self.game.position(self.state)[field]

    def seen(self, seat: int, block: str) -> list[float]:
        return self.game.observation(self.state, seat)[self.game.view[block].slice].tolist()
