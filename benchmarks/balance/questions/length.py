"""How long games are, whether they end, and which phases they reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import Figure, Floats, mean, share
from ..question import Question


def length(game: Game) -> Question:
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


def cut_offs(game: Game) -> Question:
    """The share of games that were cut off."""
    return Question(
        "How many games are cut off?",
        f"The share of games that reach `{game.cutoff}` or another limit before they are over. "
        "Players without chance of their own may go round in circles; such games weigh heavily in the mean length.",
        "share of games",
        [share("cut off", pl.col("truncated"))],
    )


def phases(game: Game) -> Question:
    """In how many games each phase asks for a decision."""
    return Question(
        "Which phases are hardly ever reached?",
        "The share of games in which each phase of the rules asks somebody for a decision.",
        "share of games",
        [share(phase, pl.col(f"decisions_{phase}") > 0) for phase in game.phases[:-1]],
    )
