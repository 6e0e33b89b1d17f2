"""A whole game as an animated GIF. It needs the extra `render`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.game import Game
from ..core.state import States
from .drawings import draw
from .replays import played

FRAMES = 24  # tables of a game


def film(
    game: Game,
    start: States,
    actions: Sequence[int],
    names: Sequence[str] | None = None,
    *,
    seat: int | None = None,
    frames: int = FRAMES,
    width: int = 520,
    theme: str = "light",
    palette: str = "felt",
    seconds: float = 0.7,
) -> bytes:
    """Return tables of the game that `actions` play from `start`, evenly spread, as the bytes of a GIF.

    Args:
        game: The game.
        start: The first table, shape (1,). It is not changed.
        actions: All actions in playing order.
        names: Names of all seats.
        seat: The seat whose view is shown; None = all cards open.
        frames: The number of tables, with the first and the last one. A short game has fewer.
        width: Width in pixels.
        theme: light or dark.
        palette: plain, colour-blind or felt.
        seconds: Time of each table. The last one stays longer.

    Raises:
        ValueError: An action is illegal, or another argument is not allowed.
        ModuleNotFoundError: The extra `render` is not installed.
    """
    from .raster import gif

    game.check("frames", frames, frames >= 1, "1 or more")
    tables = list(played(game, start, actions))
    shown = [tables[i] for i in sorted(set(np.linspace(0, len(tables) - 1, frames).round().astype(int).tolist()))]
    drawings = [
        draw(game, state, seat, last=last, legal=False, names=names, theme=theme, palette=palette, bare=True)
        for state, last in shown
    ]
    return gif(drawings, width, seconds=seconds)
