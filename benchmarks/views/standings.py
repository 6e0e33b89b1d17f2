"""Show the standings of agents that played the same deals: scores, margins, ratings, and the score of every pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from tantra_envs.matches.intervals import Estimate, estimate_from
from tantra_envs.measures import mean
from tantra_envs.programs import results as files
from tantra_envs.programs.cli import UserError

from ..harness.figures import REWARD, SCORE, Row, average, figures, ratings, reward_of
from ..harness.pages import digits, line_with_ends, number
from ..harness.played import Played
from ..harness.records import means_of_deals

PAIR = "pair"  # part of the score of an agent against another one
WHOLE = -1.0, 1.0  # a margin is between these
MARGIN = mean("margin", "The score of an agent minus that of the next one, over the same deals.", bounds=WHOLE)
RATING = "rating"
GAME = ["match", "deal", "rotation"]


def results(played: Played) -> pl.DataFrame:
    """Return the score, the reward, the margin and the rating of every agent, best first, and the scores of pairs."""
    return files.table(_lines(played), "standings")


def _lines(played: Played) -> Iterator[dict[str, Any]]:
    cells = _cells(played.games)
    wanted = (average(SCORE, pl.col("score")), reward_of(played.games))
    scores, rewards = (
        {row["agent"]: row for row in figures(cells, [figure], ["agent"]).iter_rows(named=True)} for figure in wanted
    )
    facts = _facts(played)
    if len(scores) < 2:
        raise UserError("only one agent is ever alone among others, so there are no standings; show scores")
    order = sorted(scores, key=lambda name: -scores[name]["value"])  # the others were never alone
    rated = ratings(pairs := _pairs(played.games), [1.0] * len(pairs))
    for name, after in zip(order, [*order[1:], ""], strict=True):
        yield files.line(facts[name], SCORE.name, scores[name])
        yield files.line(facts[name], REWARD.name, rewards[name])
        if after:
            one, other = scores[name], scores[after]
            drawn = np.array(one["drawn"]) - np.array(other["drawn"])
            margin = estimate_from(one["value"] - other["value"], drawn, one["deals"], WHOLE)
            yield files.line({**facts[name], "others": after}, MARGIN.name, _ends(margin))
        yield files.line(facts[name], RATING, _ends(rated[name]))
    every = figures(cells, [average(SCORE, pl.col("score"))], ["match", "agent"]).iter_rows(named=True)
    yield from _of_pairs(played, facts, list(every))


def _facts(played: Played) -> dict[str, dict[str, Any]]:
    """Return the columns of results that all figures of an agent share, in the order of the agents."""
    every: dict[str, dict[str, Any]] = {}
    for row in played.rows:
        for name, digest in played.digests(row).items():
            every.setdefault(name, {**played.facts(row), "agent": name, "others": "", "digest": digest})
    return every


def _cells(games: pl.DataFrame) -> pl.DataFrame:
    """Return the scores that count by match, agent and deal: of lone agents where copies of another one play the rest.

    In a table of halves an agent would profit from its own copies. At a table of different agents all scores count.
    """
    entries = games.group_by("match").agg(teams=pl.col("team").n_unique(), agents=pl.col("agent").n_unique())
    copied = games.join(entries, on="match", maintain_order="left")
    counted = pl.col("alone") | (pl.col("teams") == 2) | (pl.col("agents") > 2)
    return means_of_deals(copied.filter(counted), "match", "agent")


def _ends(estimate: Estimate) -> dict[str, Any]:
    return {"value": estimate.mean, "low": estimate.low, "high": estimate.high, "deals": estimate.n}


def _pairs(games: pl.DataFrame) -> pl.DataFrame:
    """Return the score of every agent against every other at the same tables, over all line-ups."""
    both = games.join(games, on=GAME, suffix="_other").filter(pl.col("agent") < pl.col("agent_other"))
    beats = (pl.col("reward") > pl.col("reward_other")) + 0.5 * (pl.col("reward") == pl.col("reward_other"))
    played = both.select("deal", first="agent", second="agent_other", score=beats)
    return figures(played.sort("first", "second", "deal"), [average(SCORE, pl.col("score"))], ["first", "second"])


def _of_pairs(played: Played, facts: Mapping[str, Any], every: list[Row]) -> Iterator[dict[str, Any]]:
    """Yield the score of every agent that met copies of one other agent."""
    names = {row.name: played.names(row) for row in played.rows}
    for row in every:
        own, *others = facts[row["agent"]], *{*names[row["match"]]} - {row["agent"]}
        if len(others) == 1:
            digest = f"{own['digest']} {facts[others[0]]['digest']}"
            yield files.line({**own, "others": others[0], "digest": digest}, SCORE.name, row, PAIR)


def show(results: pl.DataFrame, screen: Console) -> None:
    """Print the standings, and the scores of pairs."""
    lines = results.to_dicts()
    agents = list(dict.fromkeys(line["agent"] for line in lines))
    table = Table("", "agent", "score", "margin to next", "reward", "rating", caption="brackets: 95 % intervals")
    for place, name in enumerate(agents, start=1):
        own = {line["measure"]: line for line in lines if line["agent"] == name and line["part"] != PAIR}
        cells = [_cell(own.get(measure)) for measure in (SCORE.name, MARGIN.name, REWARD.name)]
        table.add_row(str(place), name, *cells, _cell(own[RATING], 0))
    screen.print(table)
    pairs = {(line["agent"], line["others"]): line for line in lines if line["part"] == PAIR}
    if pairs:
        payoff = Table("score against", *agents)
        for name in agents:
            payoff.add_row(name, *(_cell(pairs.get((name, other))) for other in agents))
        screen.print(payoff)


def _cell(line: Mapping[str, Any] | None, places: int | None = None) -> str:
    if line and line["low"] == line["high"]:  # such as the rating that is fixed
        return number(line["value"], digits(line["value"]) if places is None else places)
    return line_with_ends(line, places).replace(" ", "\n", 1) if line else ""
