"""The render modes of tables: text, SVG and pixels."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from .. import drawing
from ..core.game import Game
from ..core.state import States

NEEDS = {"rgb_array": ("resvg_py", "PIL")}  # required modules by mode
INSTALL = 'pip install "tantra_envs[render]"'
WIDTH = 600  # pixels


class RenderModeError(TypeError, ValueError):
    """Raised for a render mode that an environment does not have.

    It is also a TypeError, so that Gymnasium's callers (`make_vec_env` of Stable-Baselines3) continue without pictures.
    """


def render_modes(game: Game, human: bool = True) -> list[str]:
    """Return the modes that work with the installed packages. A game without a drawing has only text."""
    modes = ["human", "ansi"] if human else ["ansi"]
    return [*modes, *(mode for mode in ("svg", "rgb_array") if drawing.is_drawn(game) and not _missing(mode))]


def _missing(mode: str) -> list[str]:
    return [module for module in NEEDS.get(mode, ()) if find_spec(module) is None]


class Renderer:
    """Shows tables of a game in one mode: None, "human", "ansi", "svg" or "rgb_array".

    Raises:
        RenderModeError: The mode is not available.
    """

    def __init__(self, game: Game, mode: Any, human: bool = True) -> None:
        self.game = game
        self.mode = _checked(game, mode, human)
        self.draws = self.mode in ("svg", "rgb_array")

    def show(
        self, state: States, seat: int | None, last: drawing.Move | None = None, names: Sequence[str] | None = None
    ) -> Any:
        """Return a table as `seat` sees it: text, or pixels (height, WIDTH, 3) uint8.

        "human" mode prints the text instead and returns None.
        """
        if not self.draws:
            text = self.game.picture(state, seat)
            return print(text) if self.mode == "human" else text
        svg = drawing.draw(self.game, state, seat, last=last, legal=False, names=names)
        if self.mode == "svg":
            return svg
        from ..drawing.raster import rgb_array

        return rgb_array(svg, WIDTH)


def _checked(game: Game, mode: Any, human: bool) -> str | None:
    """Return the mode; raise RenderModeError if it is unknown, or if a package for it is not installed."""
    if mode is None:
        return None
    if isinstance(mode, str) and mode in NEEDS and _missing(mode):
        raise RenderModeError(f"{game.name}: render_mode={mode!r} needs {', '.join(_missing(mode))}: {INSTALL}")
    allowed = render_modes(game, human)
    if isinstance(mode, str) and mode in allowed:
        return mode
    words = ", ".join(map(repr, allowed))
    raise RenderModeError(f"{game.name}: render_mode={mode!r} is not allowed; allowed: None, {words}")
