"""Scores of agents in docs/results. Pages quote one score for one game, table size, agent and opponent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from benchmarks.rank import entries, ranking, suite
from tantra_envs.matches.intervals import Estimate
from tantra_envs.programs.results import SCORE, estimate

from .results import lines

Key = tuple[str, int, str, str]
RANKED = (suite.LEARNED, "scripted", "greedy", "uniform")  # agents


@cache
def scores() -> dict[Key, Estimate]:
    """Return the score by game, number of players, agent and opponent; of several the one over the most deals."""
    best: dict[Key, Estimate] = {}
    for key, score in [*_trained(), *_ranked()]:
        if key not in best or best[key].n < score.n:
            best[key] = score
    return best


def _trained() -> Iterator[tuple[Key, Estimate]]:
    for line in lines("trained-agents", measure=SCORE).iter_rows(named=True):
        game, _, players = line["table"].partition(" players=")
        if line["view"] != "exploited":
            yield (game, int(players), line["agent"], line["others"]), estimate(line)


def _ranked() -> Iterator[tuple[Key, Estimate]]:
    """Yield the scores of agents in the benchmark, alone or in one team against copies of the opponent."""
    for ranked in (row for row in entries.read() if row["agent"] in RANKED):
        for table, row in ranked["tables"].items():
            pairs = {
                name: {"points": row["pairs"][name]["points"][:1]} for name in suite.PUBLIC if name in row["pairs"]
            }
            alone = ranking.scores(pairs, suite.units(table))
            for opponent, score in ranking.estimates(alone, table).items():
                yield (*suite.TABLES[table], ranked["agent"], opponent), Estimate(**score)
