"""Bounds of returns and of the length of a game, for solvers that need them."""

from __future__ import annotations

from ....core.options import Config
from ..material import MOST_POINTS, TALON_SIZE, TRICKS
from ..state import CLASSES


def returns(config: Config) -> tuple[float, float]:
    """Return the lowest and the highest return of a seat (T-70 to T-73)."""
    others = config["players"] - 1
    if config["reward"] == "win":
        return -1.0 / others, 1.0
    hands = 1 if config["episode"] == "hand" else config["max_hands"]
    most = min(hands * MOST_POINTS, config["target"] - 1 + MOST_POINTS)
    lost = most / others if hands == 1 else (most + (others - 1) * (config["target"] - 1)) / others  # one other wins
    return -lost / 100.0, most / 100.0


def longest(config: Config) -> int:
    """Return the most actions of a game (T-73)."""
    seats = config["players"]
    calls = 1 + seats  # a call, the answers, and the card in return
    each = TALON_SIZE + seats * (len(CLASSES) + calls + TRICKS)
    whole = each * (1 if config["episode"] == "hand" else config["max_hands"])
    return int(min(whole, config["max_moves"] or whole))
