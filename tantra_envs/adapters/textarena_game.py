"""A game of ours behind TextArena's interface, which Verifiers and OpenEnv play as well.

Every player is asked in words, as `adapters.text` has it. `env.state` holds what those who read TextArena's states look
for: `done`, `rewards` and `game_info`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import textarena as ta

from ..core.game import Game
from .text import TextTable, Turn


class TextArenaTable(ta.Env):
    """One table; all seats are the players', or those in `seats`, and the others are played by `opponents`."""

    def __init__(self, game: Game, opponents: str = "scripted", seats: int | None = None, retries: int = 2) -> None:
        self.game = game
        self._players = game.players if seats is None else seats
        self._table = TextTable(game, range(self._players), opponents, retries)

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Deal a game. ValueError unless `num_players`, where given, are as many as were announced."""
        wanted = self._players if num_players is None else num_players
        self.game.check("num_players", num_players, wanted == self._players, f"{self._players}")
        self.state = ta.State(num_players=self._players)
        self.state.standard_resets(role_mapping={})
        drawn = int(np.random.default_rng().integers(1 << 31)) if seed is None else seed
        self._tell(self._table.reset(drawn))

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the reply of the player who was asked: is it over, and what there is to tell of the reply."""
        player = self.state.current_player_id
        turn = self._table.step(action)
        self.state.game_info[player]["turn_count"] += 1
        self.state.game_info[player]["invalid_move"] |= turn.drawn
        self._tell(turn)
        self.state.turn += 1
        return self.state.done, {"error": turn.error, "drawn": turn.drawn}

    def _tell(self, turn: Turn) -> None:
        """Put the question, or the end, before the players."""
        self.state.current_player_id = turn.seat
        kind = ta.ObservationType.GAME_BOARD if turn.done else ta.ObservationType.PROMPT
        self.state.add_observation(turn.prompt, kind, to_id=turn.seat)
        if turn.done:
            self.state.done, self.state.rewards = True, turn.rewards
            for player, reward in turn.rewards.items():
                self.state.game_info[player]["reason"] = f"{turn.prompt.splitlines()[0]} Paid: {reward:g}."
