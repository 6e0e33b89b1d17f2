"""One table with one seat or team for a learner, the others played for it: a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from .. import drawing
from ..core.game import Game
from .episode import checked_seed
from .opponents import Opponents
from .render_modes import Renderer, render_modes
from .spaces import LegalActions
from .vector import Infos, Masks, SeatVectorEnv, Views


class SeatEnv(gymnasium.Env[Views, np.int64]):
    """One table with one seat for the learner: `SeatVectorEnv` with a single table, which explains the rest.

    `action_space.sample()` gives legal actions, so the usual loop of Gymnasium plays proper games. An action that
    is illegal forfeits: the episode ends with `illegal_reward`. None makes it a ValueError. In "human" mode every
    reset and step shows the table as the learner sees it: in a window where there is a display and pygame is
    installed, else as text. Other modes: "ansi", "svg" and "rgb_array".
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
        self._renderer = Renderer(game, render_mode)
        self.render_mode = self._renderer.mode
        self._tables = SeatVectorEnv(
            game,
            opponents=opponents,
            seat=seat,
            team=team,
            illegal_reward=illegal_reward,
            autoreset_mode=AutoresetMode.DISABLED,
        )
        self.metadata = {"name": game.name, "render_modes": render_modes(game), "render_fps": 2}
        self.observation_space = self._tables.single_observation_space
        self.action_space = self._legal = LegalActions(game.actions.size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal a game; `seed` makes it and those after it reproducible. `options` as in `SeatVectorEnv`."""
        seed = checked_seed(self.game, seed)
        views, infos = self._tables.reset(seed=seed, options=options)
        super().reset(seed=seed)
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
        """Return all about the round that ended last, see `game.round_info`; NoGameError before the first `reset`."""
        return self._tables.round_info()[0]

    def render(self) -> Any:
        """What the learner sees: text, or pixels (height, width, 3) uint8; None in "human" mode, which shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: {', '.join(render_modes(self.game))}")
            return None
        return self._tables.shown(self._renderer)[0]

    def _repr_svg_(self) -> str | None:
        """What the learner sees, in a notebook."""
        if not self._tables.has_begun or not drawing.is_drawn(self.game):
            return None
        return str(self._tables.shown(Renderer(self.game, "svg"))[0])

    def close(self) -> None:
        """Close the window of "human" mode."""
        self._renderer.close()

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
