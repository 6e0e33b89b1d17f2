"""Bounds of returns and of the length of a game, for solvers that need them."""

from __future__ import annotations

from ....core.options import Config
from ..material import COLOURS, TILES
from ..modes.solitaire import TOP_SCORE
from ..state import ENDLESS


def returns(config: Config) -> tuple[float, float]:
    """Return the lowest and the highest return of a seat (S17, T6, U5, V8, W9)."""
    mode, by_place = config["mode"], config["reward"] == "place"
    if mode == "solitaire":
        most = TILES // len(COLOURS) * config["loop_factor"]
        return 0.0, most / TOP_SCORE if by_place else float(most)
    if mode == "gobble" and config["players"] == 1:
        return -float(TILES), 0.0
    if mode in ("strategy", "gobble"):
        most = 1 if by_place else TILES * (config["loop_factor"] if mode == "strategy" else 1)
        return -float(most), float(most)
    return 0.0, 1.0  # a puzzle


def longest(config: Config) -> int:
    """Return the most actions of a game: a tile is placed once, unless it can be taken up or passed."""
    several = config["mode"] == "gobble" or config["allow_remove"]
    return int(config["max_steps"] or (ENDLESS if several else TILES))
