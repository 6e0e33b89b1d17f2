"""A Tantrix table set up by a position and played by the names of actions."""

from __future__ import annotations

from tantra_envs.games.tantrix import legal_placements

from ..loop_bounds import bounded_while
from ..table import GameTable


class Table(GameTable):
    """`Table(config, board=[[1, 0, 0, 0]], hands=[[7], [8]])`; then `do("7:1,0/2")`, `legal`, `table["board"]`."""

    id = "tantrix"

    def play_on(self) -> Table:
        """First legal actions to the end."""
        for _ in bounded_while(lambda: not self.state["over"][0]):
            self.game.apply_action(self.state, self.game.legal(self.state)[0])
        return self

    @property
    def placements(self) -> list[tuple[int, int, int, int]]:
        return legal_placements(self.state)
