"""How long is a game?"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import Figure, Floats, mean
from ..question import Question


def question(game: Game) -> Question:
    """Actions of a game, and how much they vary."""
    plies = pl.col("plies").cast(pl.Float64)
    return Question(
        "How long is a game?",
        "Actions of all seats until the end, and their standard deviation from game to game.",
        "actions",
        [mean("mean length", plies), Figure("deviation", (pl.len(), plies.sum(), (plies * plies).sum()), _deviation)],
    )


def _deviation(n: Any, x: Any, xx: Any) -> Floats:
    return np.asarray(np.sqrt(np.maximum(xx - x * x / n, 0.0) / n))
