"""The ways in which tables can be shown: as text, as a drawing, as pixels, in a window."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from .. import drawing
from ..core.game import Game
from ..core.state import States
from .window import Window

NEEDS = {"rgb_array": ("resvg_py", "PIL")}  # modules, by mode
INSTALL = 'pip install "tantra_envs[render]"'
WIDTH = 600  # pixels


class RenderModeError(TypeError, ValueError):
    """A way of drawing that an environment does not have.

    A TypeError as well: Gymnasium's callers (`make_vec_env` of Stable-Baselines3) then go on without pictures.
    """


def render_modes(game: Game, human: bool = True) -> list[str]:
    """The modes that work with what is installed; only text for a game that nobody has drawn."""
    drawn = ("svg", "rgb_array") if drawing.is_drawn(game) else ()
    modes = (*(("human",) if human else ()), "ansi", *drawn)
    return [mode for mode in modes if not _missing(mode)]


def _missing(mode: str) -> list[str]:
    return [module for module in NEEDS.get(mode, ()) if find_spec(module) is None]


class Renderer:
    """Shows tables of a game in one mode: None, "human", "ansi", "svg" or "rgb_array"; RenderModeError for another."""

    def __init__(self, game: Game, mode: Any, human: bool = True) -> None:
        self.game = game
        self.mode = _checked(game, mode, human)
        self.draws = self.mode in ("svg", "rgb_array") or (
            self.mode == "human" and drawing.is_drawn(game) and Window.possible()
        )
        self._human = human
        self._window: Window | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Renderer, (self.game, self.mode, self._human)  # a copy opens a window of its own

    def show(
        self, state: States, seat: int | None, last: drawing.Move | None = None, names: Sequence[str] | None = None
    ) -> Any:
        """A table as `seat` sees it: text, or pixels (height, WIDTH, 3) uint8; None in "human" mode, which shows it."""
        if not self.draws:
            text = self.game.picture(state, seat)
            return print(text) if self.mode == "human" else text
        svg = drawing.draw(self.game, state, seat, last=last, legal=False, names=names)
        if self.mode == "svg":
            return svg
        from ..drawing.raster import rgb_array

        pixels = rgb_array(svg, WIDTH)
        return self._open().show(pixels) if self.mode == "human" else pixels

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _open(self) -> Window:
        if self._window is None:
            self._window = Window(self.game.title)
        return self._window


def _checked(game: Game, mode: Any, human: bool) -> str | None:
    """The mode; RenderModeError if there is none of this name, or something that it needs is not installed."""
    if mode is None:
        return None
    if isinstance(mode, str) and mode in NEEDS and _missing(mode):
        raise RenderModeError(f"{game.name}: render_mode={mode!r} needs {', '.join(_missing(mode))}: {INSTALL}")
    allowed = render_modes(game, human)
    if isinstance(mode, str) and mode in allowed:
        return mode
    words = ", ".join(map(repr, allowed))
    raise RenderModeError(f"{game.name}: render_mode={mode!r} is not allowed; allowed: None, {words}")
