"""Bounds of returns and of the length of a game, for solvers that need them."""

from __future__ import annotations

from ....core.options import Config
from ..state import MOVES_PER_CARD, deck_size


def returns(config: Config) -> tuple[float, float]:
    """Return the lowest and the highest return of a seat (K-82, K-83)."""
    best = 1.0 / (config["players"] - 1) if config["reward"] == "zerosum" else 1.0
    truncated = float(config["truncation_reward"])
    return min(-1.0, truncated), max(best, truncated)


def longest(config: Config) -> int:
    """Return the most actions of a game (K-83)."""
    return int(config["max_moves"] or MOVES_PER_CARD * deck_size(config))
