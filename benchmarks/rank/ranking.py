"""Scores and ratings of the benchmark, from the points of every deal. `entries` has the results of an agent.

All agents play the same deals. So one resampling of the deals of a table serves everything on it. There is one rating
over all games and opponents. Every game has the same weight, whatever the number of its tables, pairs and deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.matches.intervals import DRAWS, student
from tantra_envs.matches.playing import Floats
from tantra_envs.programs.files import Json
from tantra_envs.programs.results import estimate

from ..harness.figures import SCORE, average, averaged, constant, figures, ratings
from . import suite

SHARE = (0.0, 1.0)  # bounds of a score
ANCHOR = "scripted"  # the agent whose rating is fixed
NO_BOUNDS = (-math.inf, math.inf)
FITS = 400  # ratings that are fitted to resampled deals
Rows = Mapping[str, list[Json]]  # the results of every label


# From points to scores


def scores(results: Mapping[str, Json | None], units: int, *, turned: bool = False) -> pl.DataFrame:
    """Return opponent, deal and score of each deal as a share of `units` points; with `turned`, the other's score."""
    played = {opponent: _scores(row, units, turned) for opponent, row in results.items() if row is not None}
    return _games({"opponent": list(played)}, list(played.values()))


def _scores(row: Json, units: int, turned: bool) -> Floats:
    own = np.mean(row["points"], axis=0)
    return np.asarray((units - own if turned else own) / units)


def _games(names: Mapping[str, Sequence[str]], columns: Sequence[Floats]) -> pl.DataFrame:
    """Return columns of scores by deal below each other, each with its names."""
    schema: dict[str, Any] = {**dict.fromkeys(names, pl.String), "score": pl.List(pl.Float64)}
    rows = pl.DataFrame({**names, "score": list(columns)}, schema)
    return rows.with_columns(deal=pl.int_ranges(pl.col("score").list.len())).explode("deal", "score")


def means(games: pl.DataFrame, table: str, by: Sequence[str] = ("opponent",), draws: int = DRAWS) -> pl.DataFrame:
    """Return the mean score by opponent as rows of `harness.figures`, all over the same samples of a table's deals."""
    seed = list(suite.TABLES).index(table)  # samples of different tables are independent
    return figures(games, [average(SCORE, pl.col("score"))], by, seed=seed, draws=draws, together=True)


def estimates(games: pl.DataFrame, table: str) -> dict[str, Json]:
    """Return the mean score against every opponent with its interval."""
    rows = means(games, table).drop("drawn").iter_rows(named=True)
    return {row["opponent"]: asdict(estimate(row)) for row in rows}


def panel_scores(table: str, pairs: Mapping[str, Json | None]) -> dict[str, Json]:
    """Return the mean score against each panel at a table, where the agent has EVEN against itself."""
    return {panel: _as_row(_panel_mean(table, pairs, panel)) for panel in suite.PANELS}


def suite_scores(tables: Mapping[str, Json]) -> dict[str, Json] | None:
    """Return the mean scores against the panels over the games, equally weighted; None unless all were played."""
    if set(tables) != set(suite.TABLES):
        return None
    games = [suite.game_of(table) for table in tables]
    weights = [1 / len(suite.GAMES) / games.count(game) for game in games]
    rows = {panel: [_panel_mean(table, row["pairs"], panel) for table, row in tables.items()] for panel in suite.PANELS}
    return {panel: _as_row(averaged(pl.concat(own), weights, SHARE)) for panel, own in rows.items()}


def shares(table: str, partners: Mapping[str, Json], known: Sequence[Mapping[str, Json]]) -> Json:
    """Return the mean over the partners of the score, divided by that of the best known agent with the same partner.

    The interval is that of the scores, divided by the same numbers. A partner with itself has `suite.EVEN`.
    `known` are the results of all agents, with this one.
    """
    best = {name: max([suite.EVEN, *(row[name]["mean"] for row in known if name in row)]) for name in suite.PARTNERS}
    units = suite.units(table, suite.TOGETHER)
    itself = {"points": [np.full(suite.DEALS, int(suite.EVEN * units))]}
    played = scores({name: partners.get(name) or itself for name in suite.PARTNERS}, units)
    played = played.with_columns(score=pl.col("score") / pl.col("opponent").replace_strict(best))
    return _as_row(_mean([means(played, table)]))


def best_exploiter(table: str, row: Json) -> Json | None:
    """Return the highest score of an exploiter alone among copies of an agent, with its name as `by`.

    `suite.LEARNED`, the start of the exploiters, counts too. None if no exploiter was measured.
    """
    if not row["exploiters"]:
        return None
    measured = {**row["exploiters"], suite.LEARNED: dict.fromkeys(("mean", "low", "high"), suite.EVEN)}
    if pair := row["pairs"].get(suite.LEARNED):
        alone = {suite.LEARNED: {"points": pair["points"][-1:]}}
        measured |= estimates(scores(alone, suite.units(table), turned=True), table)
    by = max(measured, key=lambda name: float(measured[name]["mean"]))
    return {**measured[by], "by": by}


def _panel_mean(table: str, pairs: Mapping[str, Json | None], panel: str) -> pl.DataFrame:
    """Return the mean over the opponents of a panel as one row without a key. Those that were not met count EVEN."""
    opponents = suite.PANELS[panel]
    games = scores({name: pairs.get(name) for name in opponents}, suite.units(table))
    unmet = sum(pairs.get(name) is None for name in opponents)
    met = [means(games, table)] if len(games) else []
    return _mean([*met, *[constant(SCORE, suite.EVEN, suite.DEALS)] * unmet])


def _mean(rows: Sequence[pl.DataFrame]) -> pl.DataFrame:
    every = pl.concat([own.drop("opponent", strict=False) for own in rows])
    return averaged(every, [1 / len(every)] * len(every), SHARE)


def _as_row(mean: pl.DataFrame) -> Json:
    return asdict(estimate(mean.row(0, named=True)))


# Results of many agents, and their ratings


def contestant(results: Json) -> str:
    """Return the name of an agent in the ratings: its own in the panels, else its label and its training seed."""
    if results["agent"] in suite.PANEL:
        return str(results["agent"])
    seed = results["training"].get("seed")
    return str(results["label"]) if seed is None else f"{results['label']}, seed {seed}"


def by_label(results: Iterable[Json]) -> Rows:
    """Return results by their label: those of several games and training seeds have one row together."""
    rows: dict[str, list[Json]] = {}
    for row in results:
        label = row["agent"] if row["agent"] in suite.PANEL else row["label"]
        rows.setdefault(label, []).append(row)
    return rows


def rated(rows: Rows) -> dict[str, Json]:
    """Return the ratings of all labels and of the agents of the panels, best first. Seeds of one label are averaged."""
    if not rows:
        return {}
    found = rate(_pairs([row for group in rows.values() for row in group]))
    names = {name: [name] for name in suite.PANEL if name in found}
    names |= {label: list(dict.fromkeys(map(contestant, group))) for label, group in rows.items()}
    every = {label: over_seeds([found[name] for name in own], NO_BOUNDS) for label, own in names.items()}
    return dict(sorted(every.items(), key=lambda item: -item[1]["mean"]))


def in_points(rating: Json) -> str:
    """Return a rating with its interval in whole points."""
    return f"{rating['mean']:.0f} [{rating['low']:.0f}, {rating['high']:.0f}]"


def over_seeds(rows: Sequence[Json], bounds: tuple[float, float] = SHARE) -> Json:
    """Return the mean over the seeds of training, with a 95 % interval inside `bounds`.

    The interval of one seed covers the deals. All seeds play the same deals, so the luck of these deals does not shrink
    with more seeds. The interval of several seeds also covers the seeds, by Student's t.
    """
    if len(rows) == 1:
        return dict(rows[0])
    every = [row["mean"] for row in rows]
    mean = float(np.mean(every))
    deals = float(np.mean([row["high"] - row["low"] for row in rows])) / 2
    seeds = student(len(every) - 1) * float(np.std(every, ddof=1)) / math.sqrt(len(every))
    half = math.hypot(deals, seeds)
    least = min(row["n"] for row in rows)
    return {"mean": mean, "low": max(bounds[0], mean - half), "high": min(bounds[1], mean + half), "n": least}


def _pairs(results: Sequence[Json]) -> dict[str, pl.DataFrame]:
    """Return the scores of all pairs by table, each pair once and in an order that the files do not decide."""
    pairs: dict[str, dict[tuple[str, str], Floats]] = {}
    for row in results:
        own = contestant(row)
        for table, played in row["tables"].items():
            for other, score in played["pairs"].items():
                if other != own:
                    first, second = sorted((own, other))
                    if (first, second) not in pairs.setdefault(table, {}):
                        pairs[table][first, second] = _scores(score, suite.units(table), own != first)
    ordered = {table: dict(sorted(pairs[table].items())) for table in suite.TABLES if table in pairs}
    return {
        table: _games({"first": [first for first, _ in own], "second": [second for _, second in own]}, [*own.values()])
        for table, own in ordered.items()
    }


def rate(pairs: Mapping[str, pl.DataFrame]) -> dict[str, Json]:
    """Return the rating of every agent as {"mean", "low", "high", "n"}, where n is the number of its deals.

    The rating of an agent that no pair connects with the ANCHOR means nothing.

    Args:
        pairs: The games of every table, with the columns first, second, deal, and the score of the first agent.
    """
    rows = {table: means(games, table, ["first", "second"], FITS) for table, games in pairs.items()}
    tables = Counter(suite.game_of(table) for table in rows)
    shares = {table: 1 / len(tables) / tables[suite.game_of(table)] / len(own) for table, own in rows.items()}
    weights = [shares[table] for table, own in rows.items() for _ in range(len(own))]
    return {name: asdict(rating) for name, rating in ratings(pl.concat(list(rows.values())), weights, ANCHOR).items()}
