"""The scripted player of every mode: which file of `players/` plays it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.game import Game
from ...core.observation import Actions
from .players import gobble, lines, puzzle

PLAYERS: dict[str, Any] = {
    "strategy": lines,
    "solitaire": lines,
    "gobble": gobble,
    "discovery": puzzle,
    "rainbow": puzzle,
    "daily": puzzle,
}


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    check_compact(game)
    actions: Actions = PLAYERS[game.config["mode"]].choose(game, views, masks)
    return actions


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """How good each view is for who sees it: what greedy goes by."""
    values: npt.NDArray[np.float64] = PLAYERS[game.config["mode"]].worth(game, views)
    return values


def check_compact(game: Game) -> None:
    """ValueError unless placements are numbered as players here know them; puzzles have one numbering only."""
    encoding = game.config["encoding"]
    if encoding != "compact" and PLAYERS[game.config["mode"]] is not puzzle:
        raise ValueError(f"{game.name}: encoding={encoding!r} is not allowed with this player; allowed: 'compact'")
