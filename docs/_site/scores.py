"""Scores of agents in docs/results. Pages quote one score for one game, table size, agent and opponent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from benchmarks.rank import entries, ranking, suite
from tantra_envs.matches.intervals import Estimate

from . import results
from .results import RESULTS, ROOT

Key = tuple[str, int, str, str]
RANKED = (suite.LEARNED, "scripted", "greedy", "uniform")  # agents


@cache
def scores() -> dict[Key, Estimate]:
    """Return the score by game, number of players, agent and opponent; of several the one over the most deals."""
    best: dict[Key, Estimate] = {}
    for key, score in [*_trained(), *_ranked(), *_ladders()]:
        if key not in best or best[key].n < score.n:
            best[key] = score
    return best


def best_search(game: str, players: int) -> tuple[str, Estimate] | None:
    """Return the search with the highest score against the scripted agent, over 100 deals or more if there is one."""
    found = [
        (agent, score)
        for (name, seats, agent, opponent), score in scores().items()
        if (name, seats, opponent) == (game, players, "scripted") and agent.removeprefix("search:").isdigit()
    ]
    return max(found, key=lambda row: (row[1].n >= 100, row[1].mean), default=None)


def _trained() -> Iterator[tuple[Key, Estimate]]:
    content = _read("trained-agents")
    for row in [*content["rows"], *content["others"]]:
        key = row["game"], row["players"], row.get("agent", "learned"), row.get("opponent", "scripted")
        yield key, Estimate(row["score"], row["low"], row["high"], row["deals"])


def _ranked() -> Iterator[tuple[Key, Estimate]]:
    """Yield the scores of agents in the benchmark, alone or in one team against copies of the opponent."""
    for ranked in (row for row in entries.read() if row["agent"] in RANKED):
        for table, row in ranked["tables"].items():
            pairs = {
                name: {"points": row["pairs"][name]["points"][:1]} for name in suite.PUBLIC if name in row["pairs"]
            }
            alone = ranking.scores(pairs, suite.units(table))
            for opponent, score in ranking.estimates(alone, table).items():
                yield (*suite.TABLES[table], ranked["agent"], opponent), _score(score)


def _ladders() -> Iterator[tuple[Key, Estimate]]:
    for ladder in results.read("ladder").values():
        table = {"against": "scripted", "game": ladder["table"], "players": ladder["players"]}
        for row in [{**table, **row} for row in (*ladder["comparisons"], *ladder["rungs"]) if row["score"]]:
            yield (row["game"], row["players"], row["agent"], row["against"].split(":")[0]), _score(row["score"])


def _score(row: dict[str, Any]) -> Estimate:
    return Estimate(row["mean"], row["low"], row["high"], row["n"])


def _read(name: str) -> Any:
    return json.loads((ROOT / RESULTS / f"{name}.json").read_text(encoding="utf-8"))
