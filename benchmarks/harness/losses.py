"""Find the game that an agent lost by most in some records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tantra_envs.core.playouts import standings
from tantra_envs.matches.playing import Floats

from . import records
from .records import Record


@dataclass(frozen=True)
class Loss:
    """A seat of a recorded game and its reward."""

    record: Record
    game: int  # row of the record
    seat: int
    reward: float
    behind: float  # distance to the best other seat at the end, in the standings of the game


def worst(files: Sequence[Path], agent: str) -> Loss:
    """Return the seat and game with the lowest reward of `agent`; of several the one furthest behind at the end.

    Raises:
        ValueError: A file is not a record, or no game contains the agent.
    """
    losses = [loss for file in files for loss in _losses(records.read(file), agent)]
    if not losses:
        raise ValueError(f"agent={agent!r} is not allowed; allowed: {', '.join(_agents(files))}")
    return min(losses, key=lambda loss: (loss.reward, -loss.behind))


def _losses(record: Record, agent: str) -> Iterator[Loss]:
    """Yield the worst game of the agent for each of its seats."""
    states, rewards = records.replay(record)
    seats = np.array(record.games["seats"].to_list())
    behind = _behind(standings(record.game, states)) if record.game.player else 0 * rewards
    for seat in range(record.game.players):
        mine = np.flatnonzero(seats[:, seat] == agent)
        if len(mine):
            game = mine[np.lexsort((-behind[mine, seat], rewards[mine, seat]))[0]]
            yield Loss(record, int(game), seat, float(rewards[game, seat]), float(behind[game, seat]))


def _behind(standing: Floats) -> Floats:
    """Return the best other standing minus the seat's own, (n, players); with one player minus its own standing."""
    if standing.shape[1] == 1:
        return -standing
    others = [np.delete(standing, seat, axis=1).max(axis=1) for seat in range(standing.shape[1])]
    return np.asarray(np.stack(others, axis=1) - standing)


def _agents(files: Sequence[Path]) -> list[str]:
    return sorted({name for file in files for seats in records.read(file).games["seats"] for name in seats})
