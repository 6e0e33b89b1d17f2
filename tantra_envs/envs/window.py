"""A window that shows pictures. It needs a display and pygame-ce."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

MODULES = ("pygame", "resvg_py", "PIL")
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")  # windows need one of these variables


class Window:
    """A window that opens with its first picture."""

    @staticmethod
    def possible() -> bool:
        """Return whether there is a display and the packages for drawing are installed."""
        display = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in DISPLAYS)
        return display and all(find_spec(module) for module in MODULES) and _opens()

    def __init__(self, title: str) -> None:
        self._title = title
        self._screen: Any = None

    def show(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Show a picture (height, width, 3)."""
        pygame = _pygame()
        size = pixels.shape[1], pixels.shape[0]
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode(size)
        self._screen.blit(pygame.surfarray.make_surface(pixels.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        """Close the window. A later picture opens it again."""
        _pygame().display.quit()
        self._screen = None


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    return importlib.import_module("pygame")


def _opens() -> bool:
    """Return whether the display can be opened."""
    pygame = _pygame()
    try:
        pygame.display.init()
    except pygame.error:
        return False
    return True
