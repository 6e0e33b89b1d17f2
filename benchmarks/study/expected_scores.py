"""Estimate expected scores: sample everything hidden from a seat, and let the scripted agent play on in every seat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.playouts import Playouts
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Ints

Floats = npt.NDArray[np.float64]
ROOM = 1 << 26  # bytes of tables that are played at once


def expected_scores(
    game: Game, states: States, paid: Floats, observer: int, samples: int, rng: np.random.Generator
) -> Floats:
    """Return the mean scores of all teams (n, teams) over sampled deals that fit the observer's knowledge.

    Args:
        game: The game.
        states: Tables, shape (n,).
        paid: Rewards of all seats so far, shape (n, players).
        observer: A seat, or ALL_SEATS.
        samples: Playouts of each table.
        rng: Draws the seeds of the deals.
    """
    each = samples * game.blank.dtype.itemsize
    parts = np.array_split(np.arange(len(states)), -(-len(states) * each // ROOM))
    playouts = Playouts(game)

    def mean(part: Ints) -> Floats:
        copies = np.repeat(states[part], samples)
        seeds: Ints = rng.integers(np.iinfo(np.int64).max, size=len(copies), dtype=np.int64)
        game.drivers.redeal_rows(copies, seeds, np.full(len(copies), observer))
        totals = playouts.run(copies) + np.repeat(paid[part], samples, axis=0)
        scores = team_scores(totals[:, game.team_representatives])
        return np.asarray(scores.reshape(len(part), samples, -1).mean(axis=1))

    return np.concatenate([mean(part) for part in parts])
