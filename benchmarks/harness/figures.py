"""Compute figures from outcomes, with 95 % intervals from a bootstrap over deals.

Deals are independent of each other, but the games of one deal are not. So a figure is computed from one row of sums
per deal. Its function `of` turns the totals into the value: by default the quotient of the first and the second.
Figures over the same deals are resampled together. The difference of two figures is therefore paired by deal.

All figures are rows of one kind. Their columns are the key (columns that the caller names), `measure`, `part`, and

    value, low, high    the value and its 95 % interval
    inner_low, .._high   the ends that the interval has at least, because some events never showed (`intervals.unseen`);
                        null without bounds
    deals               deals of the group
    counted             share of the resamples with a counted game: about 1 - exp(-k) with k such deals
    drawn               the value in every resample, NaN in those without a counted game
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.matches import intervals
from tantra_envs.matches.intervals import ALPHA, DRAWS, NORMAL, Estimate, interval, unseen, widened
from tantra_envs.measures import Measure, mean, score

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]
Key = tuple[object, ...]  # the values of the key of a row
Row = dict[str, Any]  # a row of a frame, by column

Test = TypeVar("Test", bound=Hashable)

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("measure", "part"), pl.String),
    **dict.fromkeys(("value", "low", "high", "inner_low", "inner_high", "counted"), pl.Float64),
    "deals": pl.Int64,
}
EVEN = 0.5  # score among equals
AT, SCALE = 1000.0, 400 / math.log(10)  # the rating of the anchor; points of rating for each unit of log odds
NOT_DRAWN = 500  # deals beside which one is drawn
LONGEST_STEP, ENOUGH, MOST_STEPS = 2.0, 1e-8, 100  # of Newton's method, in units of log odds
RIDGE = 1e-12  # fixes the sum of the ratings, which no score depends on
CHANGES = ("change", "change_low", "change_high")
SCORE = score("score", "The share of the other teams that an agent beats, ties counting half; 0.5 is even.")
REWARD = mean("reward", "The reward of an agent in a game.")


def ratio(over: Any, under: Any) -> Floats:
    """Return the first total divided by the second, NaN where the second is 0."""
    counted = np.asarray(under) != 0
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), np.nan), where=counted))


def slope_of(n: Any, x: Any, y: Any, xx: Any, xy: Any) -> Floats:
    """Return the least-squares slope of y over x from the sums n, x, y, x squared and x times y."""
    return ratio(xy - x * y / n, xx - x * x / n)


@dataclass(frozen=True)
class Figure:
    """One number: `sums` over the games of a deal, and `of`, which computes the value from their totals over all deals.

    The totals may be floats or arrays. With `measure.bounds` or `usual`, `of` must be the mean, and the second sum its
    count.
    """

    measure: Measure
    sums: tuple[pl.Expr, ...]
    part: str = ""
    of: Callable[..., Floats] = ratio
    usual: Bounds | None = None  # usual results of a game, of a measure without bounds: see `estimate_points`


@dataclass(frozen=True)
class Median:
    """The median of a column over all games."""

    measure: Measure
    column: str


def average(measure: Measure, value: pl.Expr, part: str = "", usual: Bounds | None = None) -> Figure:
    """Return the mean of a column, or the share of true values. Null values are not counted."""
    return Figure(measure, (value.sum(), value.count()), part, usual=usual)


def reward_of(games: pl.DataFrame) -> Figure:
    """Return the mean reward of games. Usual results are within a standard deviation of their mean."""
    center, spread = float(games["reward"].mean()), float(games["reward"].std(ddof=0))  # type: ignore[arg-type]
    return average(REWARD, pl.col("reward"), usual=(center - spread, center + spread))


def figures(
    games: pl.DataFrame,
    wanted: Sequence[Figure | Median],
    by: Sequence[str] = (),
    *,
    seed: int = 0,
    draws: int = DRAWS,
    together: bool = False,
) -> pl.DataFrame:
    """Return a row for every figure of every group of games that agree in the columns `by`, in their first order.

    With `together`, all groups use the same resampled deals, of which a group may have only the first ones.
    """
    plain = [figure for figure in wanted if isinstance(figure, Figure)]
    sums = [part.cast(pl.Float64).alias(f"{i}.{j}") for i, own in enumerate(plain) for j, part in enumerate(own.sums)]
    deals = _groups(games.group_by(*by, "deal", maintain_order=True).agg(sums), by)
    most = int(games["deal"].max() or 0) + 1 if together else 0  # type: ignore[arg-type]
    totals = {key: _by_deal(own, most) for key, own in deals.items()}
    drawn, whole = _drawn(totals, seed, draws), _groups(games, by)
    cuts = np.cumsum([len(figure.sums) for figure in plain])[:-1]
    every: list[Row] = []
    for key, own in deals.items():
        facts = {**dict(zip(by, key, strict=True)), "deals": len(own)}
        columns = zip(*(np.split(sums[key], cuts, axis=1) for sums in (totals, drawn)), strict=True)
        for figure in wanted:
            if isinstance(figure, Median):
                numbers = _median(figure, whole[key], seed, draws)
            else:
                numbers = _row(figure, *next(columns))
            every.append({**facts, "measure": figure.measure.name, **numbers})
    return _frame(every, {name: games.schema[name] for name in by}, draws)


def averaged(rows: pl.DataFrame, weights: Sequence[float], bounds: Bounds) -> pl.DataFrame:
    """Return one row, without a key, with the weighted mean of rows whose deals are resampled together."""
    drawn = np.average(rows["drawn"].to_numpy(), axis=0, weights=weights)
    names = ("value", "inner_low", "inner_high")
    value, *inner = (float(np.average(rows[name].to_numpy(), weights=weights)) for name in names)
    row = {"measure": rows["measure"][0], "part": "", "deals": rows["deals"].min()}
    return _frame([{**row, **_with_ends(value, drawn, inner, bounds)}], {}, len(drawn))


def constant(measure: Measure, value: float, deals: int) -> pl.DataFrame:
    """Return one row, without a key, of a value that is known."""
    row = {"measure": measure.name, "part": "", "deals": deals}
    return _frame([{**row, **_with_ends(value, np.full(DRAWS, value), (value, value), (value, value))}], {}, DRAWS)


def with_changes(rows: pl.DataFrame, base: pl.DataFrame, on: Sequence[str]) -> pl.DataFrame:
    """Add the changes from the rows `base` that agree in the columns `on`, paired by deal; null where there is none."""
    before = base.select(*on, value_before="value", drawn_before="drawn")
    paired = rows.join(before, on=list(on), how="left", maintain_order="left")
    changes = [
        (None,) * 3 if value is None else (own - value, *interval(np.subtract(own_drawn, drawn)))
        for own, own_drawn, value, drawn in paired.select("value", "drawn", r"^.*_before$").iter_rows()
    ]
    return rows.with_columns(
        pl.Series(name, [change[i] for change in changes], pl.Float64).fill_nan(None) for i, name in enumerate(CHANGES)
    )


def ratings(pairs: pl.DataFrame, weights: Sequence[float], anchor: str = "") -> dict[str, Estimate]:
    """Return the rating of every agent with its interval over the deals: that of fits to the resamples of the rows.

    A score of A against B is the probability 1 / (1 + 10 ** ((B - A) / 400)) of the ratings A and B, as in chess. Each
    score is moved towards even, as by one drawn deal beside 500, so ratings are finite.

    Args:
        pairs: Rows with the key (first, second): mean scores of the first agent, with equally many resamples.
        weights: The weight of every row.
        anchor: The agent whose rating is AT. Without it, that is the first agent by name.
    """
    names = sorted({*pairs["first"], *pairs["second"]})
    places = {name: place for place, name in enumerate(names)}
    means, drawn = pairs["value"].to_numpy()[None], pairs["drawn"].to_numpy().T
    scores = np.concatenate([means, np.where(np.isnan(drawn), means, drawn)])
    first, second = ([places[name] for name in pairs[side]] for side in ("first", "second"))
    scores = (scores * NOT_DRAWN + EVEN) / (NOT_DRAWN + 1)
    odds = bradley_terry(len(names), first, second, np.array(weights), scores) * SCALE
    odds = odds - odds[:, [places.get(anchor, 0)]] + AT
    deals = Counter[str]()
    for first, second, n in pairs.select("first", "second", "deals").iter_rows():
        deals.update({first: n, second: n})
    return {name: Estimate(float(odds[0, i]), *interval(odds[1:, i]), deals[name]) for i, name in enumerate(names)}


def bradley_terry(agents: int, first: Sequence[int], second: Sequence[int], weights: Floats, scores: Floats) -> Floats:
    """Return the log odds of every agent that make the scores most likely (Biometrika 1952), (fits, agents).

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


def p_value(value: float, low: float, high: float, deals: int | None = None) -> float:
    """Return the two-sided p-value of a difference from 0 with the resampled 95 % interval [low, high].

    With `deals` it is that of Student's t over so many deals (Abramowitz and Stegun, 26.7.8), else of the normal law.
    """
    half = wider_half(value, low, high)
    deviations = abs(value) / half * NORMAL if half else math.inf * bool(value)
    if deals is not None and deals > 1:
        t, freedom = deviations * math.sqrt((deals - 1) / deals), deals - 1
        scale = math.sqrt(1 + t * t / (2 * freedom)) if t < math.inf else math.inf
        deviations = t * (1 - 1 / (4 * freedom)) / scale if scale < math.inf else math.sqrt(2 * freedom)
    return 2 * NormalDist().cdf(-deviations) if value else 1.0


def wider_half(value: float, low: float, high: float) -> float:
    """Return the wider half of an interval: few deals give medians lopsided ones, whose narrow half says little."""
    return max(value - low, high - value)


def smallest_clear(half: float, deals: int, tests: int) -> float:
    """Return the smallest difference that is surely significant among so many tests; infinity if none is.

    Args:
        half: The wider half of the resampled 95 % interval of the difference.
        deals: The number of its deals.
        tests: The number of tests that are judged together.
    """
    needed, freedom = NormalDist().inv_cdf(1 - ALPHA / 2 / tests), max(1, deals - 1)
    room = (1 - 1 / (4 * freedom)) ** 2 - needed**2 / (2 * freedom)
    return half / NORMAL * math.sqrt((freedom + 1) / freedom) * needed / math.sqrt(room) if room > 0 else math.inf


def holm(tests: Mapping[Test, float]) -> set[Test]:
    """Return the tests that are significant at 5 % together, from their p-values (Holm, Scand. J. Statist. 1979)."""
    ordered = sorted(tests, key=lambda test: tests[test])
    for rank, test in enumerate(ordered):
        if tests[test] > ALPHA / (len(ordered) - rank):
            return set(ordered[:rank])
    return set(ordered)


def _groups(rows: pl.DataFrame, by: Sequence[str]) -> dict[Key, pl.DataFrame]:
    """Return the rows that agree in the columns `by`, without these columns, in their first order."""
    return rows.partition_by(by, as_dict=True, include_key=False) if by else {(): rows}


def _by_deal(sums: pl.DataFrame, most: int) -> Floats:
    """Return the sums of a group in the order of its deals; with `most`, a row for each of so many deals."""
    ordered = sums.sort("deal")
    values = ordered.drop("deal").to_numpy(order="c")  # another order would round sums otherwise
    if not most:
        return values
    whole = np.zeros((most, values.shape[1]))
    whole[ordered["deal"].to_numpy()] = values
    return whole


def _drawn(sums: Mapping[Key, Floats], seed: int, draws: int) -> dict[Key, Floats]:
    """Return the totals in every resample, (draws, sums). Groups with equally many deals are drawn at once."""
    drawn: dict[Key, Floats] = {}
    for size in {len(own) for own in sums.values()}:
        equal = {key: own for key, own in sums.items() if len(own) == size}
        every = intervals.resampled_sums(np.hstack(list(equal.values())), seed, draws)
        drawn |= zip(equal, np.split(every, len(equal), axis=1), strict=True)
    return drawn


def _row(figure: Figure, sums: Floats, drawn: Floats) -> Row:
    """Return the numbers of a figure from its sums by deal, (deals, sums), and its totals in the resamples."""
    value = float(figure.of(*sums.sum(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(figure.of(*drawn.T))
    inner, counted, ends = None, 0, figure.measure.bounds or figure.usual
    if ends and (counted := int(np.count_nonzero(sums[:, 1]))):  # deals with a counted game
        inner = [value + unseen(counted) * (end - value) for end in ends]
    points = counted if figure.usual else 0
    return {"part": figure.part, **_with_ends(value, values, inner, figure.measure.bounds, points)}


def _median(median: Median, games: pl.DataFrame, seed: int, draws: int) -> Row:
    games = games.sort(median.column)
    values, deals = games[median.column].to_numpy(), games["deal"].rank("dense").to_numpy().astype(np.int64) - 1
    weights = [np.ones((1, deals.max() + 1)), *intervals.resamples(deals.max() + 1, seed, draws)]
    totals = (np.cumsum(part[:, deals], axis=1) for part in weights)
    value, *drawn = np.concatenate([values[(2 * total >= total[:, -1:]).argmax(axis=1)] for total in totals])
    return {"part": "", **_with_ends(float(value), np.array(drawn, np.float64), None, None)}


def _with_ends(
    value: float, drawn: Floats, inner: Sequence[float] | None, bounds: Bounds | None, points: int = 0
) -> Row:
    """Return the numbers of a row: the interval is that of `drawn`, but at least `inner` and inside `bounds`.

    With `points` it is that of a mean of points over so many deals.
    """
    low, high = interval(drawn)
    if points:
        low, high = widened(value, (low, high), points)
    if inner:
        low, high = min(low, inner[0]), max(high, inner[1])
    if inner and bounds:
        low, high = max(bounds[0], low), min(bounds[1], high)
    least, most = inner or (None, None)
    ends = {"value": value, "low": low, "high": high, "inner_low": least, "inner_high": most}
    return {**ends, "counted": float(1 - np.isnan(drawn).mean()), "drawn": drawn}


def _frame(rows: Sequence[Row], key: Mapping[str, Any], draws: int) -> pl.DataFrame:
    drawn = np.array([row.pop("drawn") for row in rows]).reshape(-1, draws)
    return pl.DataFrame(rows, {**key, **SCHEMA}).with_columns(pl.Series("drawn", drawn, pl.Array(pl.Float64, draws)))
