"""One table with one seat or team for a learner, the others played for it: a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from ..core.game import Game
from .opponents import Opponents
from .render_modes import RENDER_MODES, checked_render_mode
from .spaces import LegalActions
from .vector import Infos, Masks, SeatVectorEnv, Views


class SeatEnv(gymnasium.Env[Views, np.int64]):
    """One table with one seat for the learner: `SeatVectorEnv` with a single table, which explains the rest.

    `action_space.sample()` gives legal actions, so the usual loop of Gymnasium plays proper games. An action that
    is illegal forfeits: the episode ends with `illegal_reward`. None makes it a ValueError. In "human" mode every
    reset and step prints the table as the learner sees it.
    """

    def __init__(
        self,
        game: Game,
        *,
        opponents: Opponents = None,
        seat: int | None = None,
        team: bool = False,
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.render_mode = checked_render_mode(game, render_mode)
        self._tables = SeatVectorEnv(
            game,
            opponents=opponents,
            seat=seat,
            team=team,
            illegal_reward=illegal_reward,
            autoreset_mode=AutoresetMode.DISABLED,
            render_mode=None if render_mode is None else "ansi",
        )
        self.metadata = {"name": game.name, "render_modes": list(RENDER_MODES), "render_fps": 2}
        self.observation_space = self._tables.single_observation_space
        self.action_space = self._legal = LegalActions(game.actions.size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal a game; `seed` makes it and those after it reproducible. `options` as in `SeatVectorEnv`."""
        views, infos = self._tables.reset(seed=seed, options=options)
        super().reset(seed=None if seed is None else int(seed))
        return views[0], self._told(infos)

    def step(self, action: Any) -> tuple[Views, float, bool, bool, Infos]:
        """Play `action`, then the others until the learner decides again.

        ValueError, with nothing changed, if it is no action id of the game, or if the game is over.
        """
        views, rewards, terminated, truncated, infos = self._tables.step(self._row(action))
        return views[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._told(infos)

    def action_masks(self) -> Masks:
        """What the learner may do, shape (actions.size,)."""
        mask: Masks = self._tables.action_masks()[0]
        return mask

    def round_info(self) -> dict[str, Any]:
        """All about the round that ended last, see `game.round_info`."""
        return self._tables.round_info()[0]

    def render(self) -> str | None:
        """The table as the learner sees it; printed in "human" mode."""
        pictures = self._tables.render()
        if pictures is not None and self.render_mode == "human":
            print(pictures[0])
            return None
        return None if pictures is None else pictures[0]

    def _row(self, action: Any) -> Any:
        """The action as the tables take it."""
        given = np.asarray(action)
        self.game.check("action", action, given.shape == () and given.dtype.kind in "iu", f"0..{self._legal.n - 1}")
        return given[None]

    def _told(self, infos: Infos) -> Infos:
        """What the infos say of the only table; it is drawn for people who watch."""
        told = {name: values[0] for name, values in infos.items() if not name.startswith("_")}
        self._legal.legal = told["action_mask"]
        if self.render_mode == "human":
            self.render()
        return told
