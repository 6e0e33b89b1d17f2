"""What teams may hope for at a table: what is hidden is drawn again, and the scripted player of every seat plays on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.playouts import Playouts
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores

from .transitions import Ints

Floats = npt.NDArray[np.float64]
ROOM = 1 << 26  # bytes of tables that are played on side by side


def hopes(game: Game, states: States, paid: Floats, observer: int, worlds: int, rng: np.random.Generator) -> Floats:
    """The mean scores of all teams (n, teams) in worlds in which what the observer cannot know is drawn again.

    paid: what all seats have been paid so far, (n, players). observer: a seat, or ALL_SEATS.
    """
    each = worlds * game.blank.dtype.itemsize
    parts = np.array_split(np.arange(len(states)), -(-len(states) * each // ROOM))
    playouts = Playouts(game)

    def mean(part: Ints) -> Floats:
        copies = np.repeat(states[part], worlds)
        seeds: Ints = rng.integers(np.iinfo(np.int64).max, size=len(copies), dtype=np.int64)
        game.drivers.redeal_rows(copies, seeds, np.full(len(copies), observer))
        scores = played_on(game, copies, np.repeat(paid[part], worlds, axis=0), playouts)
        return np.asarray(scores.reshape(len(part), worlds, -1).mean(axis=1))

    return np.concatenate([mean(part) for part in parts])


def played_on(game: Game, states: States, paid: Floats, playouts: Playouts) -> Floats:
    """The scores of all teams (n, teams) after scripted play; `states` are played on in place."""
    totals = playouts.run(states) + paid
    return team_scores(totals[:, game.speakers])
