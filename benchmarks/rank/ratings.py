"""One rating over all games and opponents: a Bradley-Terry model of the scores of pairs.

A score of A against B is the probability 1 / (1 + 10 ** ((B - A) / 400)) of the ratings A and B, as in chess. The fit
is the maximum likelihood over all pairs. Every game has the same weight, whatever the number of its tables, pairs and
deals. Each score is moved towards even, as by one drawn deal beside `suite.DEALS`, so ratings are finite. Intervals
come from fits to resampled deals. Bradley and Terry, Biometrika 1952.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from tantra_envs.matches.intervals import interval
from tantra_envs.matches.playing import Floats

from ..harness.figures import SCORE, average, figures
from ..harness.pages import Row
from . import suite

ANCHOR, AT = "scripted", 1000.0  # the agent whose rating is fixed, and its rating
SCALE = 400 / math.log(10)
DRAWS = 400  # fits to resampled deals
LONGEST_STEP, ENOUGH, MOST_STEPS = 2.0, 1e-8, 100  # of Newton's method, in units of log odds
RIDGE = 1e-12  # fixes the sum of the ratings, which no score depends on


def rate(pairs: Mapping[str, pl.DataFrame]) -> dict[str, Row]:
    """Return the rating of every agent as {"mean", "low", "high", "n"}, where n is the number of its deals.

    The rating of an agent that no pair connects with the ANCHOR means nothing.

    Args:
        pairs: The games of every table, with the columns first, second, deal, and the score of the first agent.
    """
    rows = {table: _scores(table, games) for table, games in pairs.items()}
    names = sorted({name for own in rows.values() for name in (*own["first"], *own["second"])})
    drawn = fit(len(names), *_columns(rows, names)) * SCALE
    anchor = names.index(ANCHOR) if ANCHOR in names else 0
    drawn = drawn - drawn[:, anchor : anchor + 1] + AT
    deals = Counter[str]()
    for own in rows.values():
        for first, second, n in own.select("first", "second", "deals").iter_rows():
            deals.update({first: n, second: n})
    return {name: _row(drawn[:, i], deals[name]) for i, name in enumerate(names)}


def _scores(table: str, games: pl.DataFrame) -> pl.DataFrame:
    """Return the mean score of every pair at a table as rows of `harness.figures`."""
    return figures(games, [average(SCORE, pl.col("score"))], ["first", "second"], suite.bootstrap(table, DRAWS))


def fit(agents: int, first: Sequence[int], second: Sequence[int], weights: Floats, scores: Floats) -> Floats:
    """Return the log odds of every agent that make the scores most likely, (fits, agents), by Newton's method.

    Args:
        agents: Number of agents.
        first: The first agent of every pair.
        second: The second agent.
        weights: The weight of every pair, (pairs,).
        scores: The score of the first agent, (fits, pairs), inside 0..1.
    """
    sides = np.zeros((len(weights), agents))
    sides[np.arange(len(weights)), first], sides[np.arange(len(weights)), second] = 1, -1
    # The curvature of all fits is one matrix product with these. A sum over three arrays takes nine times as long.
    products = (sides[:, :, None] * sides[:, None, :]).reshape(len(sides), -1)
    strengths = np.zeros((len(scores), agents))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(-strengths @ sides.T))
        slopes = (weights * (scores - expected)) @ sides
        curves = (weights * expected * (1 - expected) @ products).reshape(-1, agents, agents)
        steps = np.linalg.solve(curves + RIDGE * np.eye(agents), slopes[:, :, None])[:, :, 0]
        steps -= steps.mean(axis=1, keepdims=True)
        strengths += np.clip(steps, -LONGEST_STEP, LONGEST_STEP)
        if np.abs(steps).max() < ENOUGH:
            break
    return strengths


def _columns(rows: Mapping[str, pl.DataFrame], names: Sequence[str]) -> tuple[list[int], list[int], Floats, Floats]:
    """Return the arguments of `fit` for all deals and then for DRAWS samples of them."""
    tables = Counter(suite.game_of(table) for table in rows)
    places = {name: place for place, name in enumerate(names)}
    first, second, weights, scores = [], [], [], []
    for table, own in rows.items():
        first += [places[name] for name in own["first"]]
        second += [places[name] for name in own["second"]]
        weights += [1 / len(tables) / tables[suite.game_of(table)] / len(own)] * len(own)
        means, drawn = own["value"].to_numpy()[None], own["drawn"].to_numpy().T
        whole = np.concatenate([means, np.where(np.isnan(drawn), means, drawn)])
        scores.append((whole * suite.DEALS + suite.EVEN) / (suite.DEALS + 1))
    return first, second, np.array(weights), np.concatenate(scores, axis=1)


def _row(drawn: Floats, deals: int) -> Row:
    low, high = interval(drawn[1:])
    return {"mean": float(drawn[0]), "low": low, "high": high, "n": deals}
