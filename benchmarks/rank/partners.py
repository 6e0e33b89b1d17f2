"""Play with partners: an agent in one seat, and a held-out agent whose copies play all other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tantra_envs.matches.match import team_scores
from tantra_envs.matches.playing import Ints

from ..harness import records
from ..harness.formatting import Row
from . import points, suite

UNITS = 2  # half points of a win of the team


def points_of(files: Sequence[Path], place: int) -> Ints:
    """Return the half points of every deal, (deals,): those of the team of the agent, summed over its seats.

    Args:
        files: Records of `suite.partnership`.
        place: The number of the agent in the match.
    """
    return np.concatenate([_of_record(records.read(file), place) for file in files])


def units(table: str) -> int:
    """Return the largest half points of a deal: the agent plays it once in every seat."""
    return UNITS * suite.rules(table).players


def shares(table: str, partners: Mapping[str, Row | None], known: Sequence[Mapping[str, Row | None]]) -> Row:
    """Return the mean over the partners of the score, divided by that of the best known agent with the same partner.

    The interval is that of the scores, divided by the same numbers. A partner with itself has `suite.EVEN`.

    Args:
        table: The table.
        partners: The results of an agent with each partner.
        known: The results of all agents, with this one.
    """
    best = {name: max([suite.EVEN, *(score["mean"] for row in known if (score := row.get(name)))]) for name in partners}
    played = {name: points.scores(row["points"], units(table)) / best[name] for name, row in partners.items() if row}
    itself = {name: np.full(suite.DEALS, suite.EVEN / best[name]) for name in partners if name not in played}
    return points.mean([*played.values(), *itself.values()], len(partners), table).row()


def _of_record(record: records.Record, place: int) -> Ints:
    seats = (record.seating == place).argmax(axis=1)
    teams = np.array(record.game.team_numbers)[seats]
    scores = team_scores(record.paid)[np.arange(len(teams)), teams]
    halves = np.rint(UNITS * scores).astype(np.int64)
    return np.asarray(halves.reshape(-1, record.game.players).sum(axis=1))
