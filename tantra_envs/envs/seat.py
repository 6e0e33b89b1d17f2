"""A Gymnasium environment with one table: the learner plays one seat or team, and opponents play the other seats."""

from __future__ import annotations

from typing import Any, Generic, Literal, Unpack, overload

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from .. import drawing
from ..core.game import Game
from .episode import ILLEGAL_REWARD, checked_seed
from .render_modes import Renderer, render_modes
from .spaces import LegalActions
from .vector import Infos, Masks, Seating, SeatVectorEnv, Views
from .views import Lists, Numbers, View


class SeatEnv(gymnasium.Env[Views, np.int64], Generic[Views]):
    """One table where the learner plays one seat. It is a `SeatVectorEnv` of one table; see there for the arguments.

    `action_space.sample()` draws legal actions, so the usual loop of Gymnasium plays legal games. An illegal action
    ends the episode with `illegal_reward`. With None it raises ValueError.

    In "human" mode every reset and step prints the table as the learner sees it. The other modes are "ansi", "svg" and
    "rgb_array".
    """

    @overload
    def __init__(
        self: SeatEnv[Lists], game: Game, *, view: Literal["features"], **seating: Unpack[Seating]
    ) -> None: ...

    @overload
    def __init__(
        self: SeatEnv[Numbers], game: Game, *, view: Literal["observation"] = ..., **seating: Unpack[Seating]
    ) -> None: ...

    @overload
    def __init__(self: SeatEnv[Any], game: Game, *, view: View, **seating: Unpack[Seating]) -> None: ...

    def __init__(self, game: Game, *, view: View = "observation", **seating: Unpack[Seating]) -> None:
        self.game = game
        self._renderer = Renderer(game, seating.pop("render_mode", None))
        self.render_mode = self._renderer.mode
        seating.setdefault("illegal_reward", ILLEGAL_REWARD)
        self._tables: SeatVectorEnv[Any] = SeatVectorEnv(
            game, view=view, autoreset_mode=AutoresetMode.DISABLED, **seating
        )
        self.metadata = {"name": game.name, "render_modes": render_modes(game), "render_fps": 2}
        self.observation_space = self._tables.single_observation_space
        self.action_space = self._legal = LegalActions(self._tables.choices)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal a game. `seed` makes it and all later games reproducible. `options` are those of `SeatVectorEnv`."""
        seed = checked_seed(self.game, seed)
        views, infos = self._tables.reset(seed=seed, options=options)
        super().reset(seed=seed)
        return self._tables.first(views), self._told(infos)

    def step(self, action: Any) -> tuple[Views, float, bool, bool, Infos]:
        """Play `action`, then the opponents' actions until the learner decides again.

        Raises:
            ValueError: `action` is not an action id of the game, or the game is over. Nothing has changed.
        """
        views, rewards, terminated, truncated, infos = self._tables.step(self._row(action))
        return self._tables.first(views), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._told(infos)

    def action_masks(self) -> Masks:
        """Return the legal actions of the learner, shape (n of the action space,)."""
        mask: Masks = self._tables.action_masks()[0]
        return mask

    def round_info(self) -> dict[str, Any]:
        """Return facts about the round that ended last, see `game.round_info`.

        Raises:
            NoGameError: `reset` has not been called yet. It is a ValueError.
        """
        return self._tables.round_info()[0]

    def render(self) -> Any:
        """Return the learner's view: text, or pixels (height, width, 3) uint8.

        "human" mode prints it instead and returns None.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: {', '.join(render_modes(self.game))}")
            return None
        return self._tables.shown(self._renderer)[0]

    def _repr_svg_(self) -> str | None:
        """Return a drawing of the learner's view for a notebook."""
        if not self._tables.has_begun or not drawing.is_drawn(self.game):
            return None
        return str(self._tables.shown(Renderer(self.game, "svg"))[0])

    def _row(self, action: Any) -> Any:
        """Return the action as an array of shape (1,); raise ValueError if it is not an integer."""
        array = np.asarray(action)
        self.game.check("action", action, array.shape == () and array.dtype.kind in "iu", f"0..{self._legal.n - 1}")
        return array[None]

    def _told(self, infos: Infos) -> Infos:
        """Return the infos of the only table, and print the table in "human" mode."""
        single = {name: values[0] for name, values in infos.items() if not name.startswith("_")}
        self._legal.legal = single["action_mask"]
        if self.render_mode == "human":
            self.render()
        return single
