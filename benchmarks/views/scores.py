"""Show the score of every row: the share of the other teams that an agent beats, with its reward and its games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from tantra_envs.programs import results as files

from ..harness.figures import REWARD, SCORE, figures, reward_of
from ..harness.pages import line_with_ends, number
from ..harness.played import Played
from ..harness.records import means_of_deals

SHARES = {"plies": "actions in a game", "truncated": "truncated games"}  # columns of outcomes, and names of measures


def results(played: Played) -> pl.DataFrame:
    """Return the scores, the rewards, the lengths and the truncated games of every row."""
    return files.table(_lines(played), "scores")


def _lines(played: Played) -> Iterator[dict[str, Any]]:
    scores = {row["match"]: row for row in played.scores.iter_rows(named=True)}
    for row in played.rows:
        games, facts, part = played.games.filter(match=row.name), played.facts(row), " ".join(row.tags)
        lone = means_of_deals(games.filter("alone"), "match")
        (rewards,) = figures(lone, [reward_of(games)]).iter_rows(named=True)
        yield files.line(facts, SCORE.name, scores[row.name], part)
        yield files.line(facts, REWARD.name, rewards, part)
        for column, measure in SHARES.items():
            yield files.line(facts, measure, {"value": games[column].mean(), "deals": row.deals}, part)


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print a line for every row."""
    table = Table("table", "agent", "against", "score", "reward", "deals", "actions", "truncated", caption=CAPTION)
    key = ["table", "agent", "others", "part"]
    for (where, agent, others, _), own in results.group_by(key, maintain_order=True):
        by_measure = {row["measure"]: row for row in own.iter_rows(named=True)}
        score, reward = by_measure[SCORE.name], by_measure[REWARD.name]
        length, truncated = (by_measure[measure]["value"] for measure in SHARES.values())
        cells = [*map(line_with_ends, (score, reward)), f"{score['deals']:,}", number(length, 0), f"{truncated:.1%}"]
        table.add_row(*map(str, (where, agent, others)), *cells)
    screen.print(table)


CAPTION = "score: share of the other teams that the agent beats, 0.5 is even; brackets: 95 % intervals"
