"""The game that an agent lost by most, found in records."""

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
    """A seat of a game in a record, and what it was paid."""

    record: Record
    game: int  # which row of the record
    seat: int
    reward: float
    behind: float  # how far it stood behind the best of the others at the end, as its game counts


def worst(files: Sequence[Path], agent: str) -> Loss:
    """Where a seat of `agent` was paid least, and of several such games where it stood furthest behind.

    ValueError for a file that is no record, and if no game of theirs has the agent.
    """
    losses = [loss for file in files for loss in _losses(records.read(file), agent)]
    if not losses:
        raise ValueError(f"agent={agent!r} is not allowed; allowed: {', '.join(_agents(files))}")
    return min(losses, key=lambda loss: (loss.reward, -loss.behind))


def _losses(record: Record, agent: str) -> Iterator[Loss]:
    """The worst game of each seat that the agent had."""
    states, rewards = records.replay(record)
    seats = np.array(record.games["seats"].to_list())
    behind = _behind(standings(record.game, states)) if record.game.player else 0 * rewards
    for seat in range(record.game.players):
        mine = np.flatnonzero(seats[:, seat] == agent)
        if len(mine):
            game = mine[np.lexsort((-behind[mine, seat], rewards[mine, seat]))[0]]
            yield Loss(record, int(game), seat, float(rewards[game, seat]), float(behind[game, seat]))


def _behind(standing: Floats) -> Floats:
    """(n, players): the best of the others less the own; in a game for one the own less than nothing."""
    if standing.shape[1] == 1:
        return -standing
    others = [np.delete(standing, seat, axis=1).max(axis=1) for seat in range(standing.shape[1])]
    return np.asarray(np.stack(others, axis=1) - standing)


def _agents(files: Sequence[Path]) -> list[str]:
    return sorted({name for file in files for seats in records.read(file).games["seats"] for name in seats})
