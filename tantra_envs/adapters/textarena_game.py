"""Our games with TextArena's interface, which Verifiers and OpenEnv can also play.

Every player gets prompts of `adapters.text`. `env.state` has the fields of TextArena's states: `done`, `rewards` and
`game_info`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import textarena as ta

from ..core.game import Game, is_whole
from .text import TextTable, Turn


class TextArenaTable(ta.Env):
    """One table. The models play the first `seats` seats, or all seats, and `opponents` play the others."""

    def __init__(self, game: Game, opponents: str = "scripted", seats: int | None = None, retries: int = 2) -> None:
        self.game = game
        players = game.players if seats is None else seats
        game.check("seats", seats, is_whole(players) and 1 <= players <= game.players, f"1..{game.players}")
        self._players = int(players)
        self._table = TextTable(game, range(self._players), opponents, retries)

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Deal a game.

        Raises:
            ValueError: `num_players` is neither None nor the number of seats of the models.
        """
        players = self._players if num_players is None else num_players
        self.game.check("num_players", num_players, players == self._players, f"{self._players}")
        self.state = ta.State(num_players=self._players)
        self.state.standard_resets(role_mapping={})
        number = int(np.random.default_rng().integers(1 << 31)) if seed is None else seed
        self._tell(self._table.reset(number))

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the reply of the current player; return whether the game is over, and facts about the reply."""
        player = self.state.current_player_id
        turn = self._table.step(action)
        self.state.game_info[player]["turn_count"] += 1
        self.state.game_info[player]["invalid_move"] |= turn.drawn
        self._tell(turn)
        self.state.turn += 1
        return self.state.done, {"error": turn.error, "drawn": turn.drawn}

    def _tell(self, turn: Turn) -> None:
        """Send the prompt, or the result of the game, to the players."""
        self.state.current_player_id = turn.seat
        kind = ta.ObservationType.GAME_BOARD if turn.done else ta.ObservationType.PROMPT
        self.state.add_observation(turn.prompt, kind, to_id=turn.seat)
        if turn.done:
            self.state.done, self.state.rewards = True, turn.rewards
            for player, reward in turn.rewards.items():
                self.state.game_info[player]["reason"] = f"{turn.prompt.splitlines()[0]} Paid: {reward:g}."
