"""The ways in which tables can be shown."""

from __future__ import annotations

from typing import Any

from ..core.game import Game

RENDER_MODES = ("human", "ansi")


class RenderModeError(TypeError, ValueError):
    """A way of drawing that an environment does not have.

    A TypeError as well: Gymnasium's callers (`make_vec_env` of Stable-Baselines3) then go on without pictures.
    """


def checked_render_mode(game: Game, render_mode: Any, allowed: tuple[str, ...] = RENDER_MODES) -> str | None:
    """The mode, if it is None or one of `allowed`; RenderModeError otherwise."""
    if render_mode is None or (isinstance(render_mode, str) and render_mode in allowed):
        return render_mode
    words = ", ".join(map(repr, allowed))
    raise RenderModeError(f"{game.name}: render_mode={render_mode!r} is not allowed; allowed: None, {words}")
