"""Figures agree with direct computations, and their intervals say what they should."""

import itertools
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.harness import figures as harness
from benchmarks.harness.figures import Figure, Median, average, slope_of, with_changes
from benchmarks.study.tally import skill_figures
from tantra_envs.matches.intervals import Estimate, estimate_points, student
from tantra_envs.measures import mean, share

DEALS = 400
VALUE, SHARE = mean("value", "A value."), share("share", "A share.")
RNG = np.random.default_rng(5)


def table(**columns):
    return pl.DataFrame({"deal": np.arange(DEALS), **columns}, nan_to_null=True)


def rows(games, *wanted, by=(), **bootstrap):
    return harness.figures(games, wanted, by, **{"seed": 1, "draws": 1000, **bootstrap})


def samples(games, *wanted):
    """The figures of one group as objects."""
    return [SimpleNamespace(**row) for row in rows(games, *wanted).iter_rows(named=True)]


def test_points_have_the_interval_of_a_match():
    values, usual = RNG.normal(0, 2, 30), (-2.0, 2.0)
    games = pl.DataFrame({"deal": np.repeat(np.arange(30), 2), "reward": np.repeat(values, 2)})
    (found,) = samples(games, average(harness.REWARD, pl.col("reward"), usual=usual))
    expected = estimate_points(values, usual)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.1)
    assert found.high - found.low == pytest.approx(2 * student(29) * values.std(ddof=1) / 30**0.5, rel=0.1)
    (equal,) = samples(games, average(harness.REWARD, pl.lit(1.0), usual=usual))
    assert (equal.low, equal.high) == pytest.approx((1 - 3 * (1 - 0.05 ** (1 / 30)), 2 - 0.05 ** (1 / 30)))


STRENGTHS = {"strong": 1150.0, "usual": 1000.0, "weak": 800.0}


def pairs_of_agents(seed, deals=200):
    """Mean scores of all pairs over the same deals, each with a luck of its own that helps one side."""
    rng = np.random.default_rng(seed)
    frames = []
    for one, other in itertools.combinations(STRENGTHS, 2):
        even = 1 / (1 + 10 ** ((STRENGTHS[other] - STRENGTHS[one]) / 400))
        scores = rng.binomial(2, even, deals) / 2
        frames.append(pl.DataFrame({"first": one, "second": other, "deal": range(deals), "score": scores}))
    return rows(pl.concat(frames), average(harness.SCORE, pl.col("score")), by=["first", "second"], draws=200)


def test_ratings_have_intervals_that_cover_them_and_are_no_wider_than_their_spread():
    found = [harness.ratings(pairs_of_agents(seed), [1.0] * 3, "usual") for seed in range(60)]
    for name in ("strong", "weak"):
        means = [ratings[name].mean for ratings in found]
        held = [ratings[name].low <= STRENGTHS[name] <= ratings[name].high for ratings in found]
        half = np.mean([ratings[name].high - ratings[name].low for ratings in found]) / 2
        assert np.mean(means) == pytest.approx(STRENGTHS[name], abs=8)
        assert np.mean(held) >= 0.88
        assert half == pytest.approx(1.96 * np.std(means), rel=0.3)
    assert found[0]["usual"] == Estimate(1000.0, 1000.0, 1000.0, 400)


def test_a_median_is_that_of_all_games_and_ignores_how_long_the_longest_are():
    values = RNG.permutation(np.arange(DEALS)) + 1
    long = np.where(values > 0.9 * DEALS, 100 * values, values)
    usual, truncated = (rows(table(plies=column), Median(VALUE, "plies")) for column in (values, long))
    assert usual["value"][0] == truncated["value"][0] == DEALS / 2
    low, high = usual["low"][0], usual["high"][0]
    assert 170 < low < 190 and 210 < high < 230  # 200 and the interval of the median: 0.98 * sqrt(400)
    assert with_changes(usual, truncated, ["measure"]).select(harness.CHANGES).row(0) == (0, 0, 0)
    twice = pl.concat([table(plies=values), table(plies=values)])
    assert rows(twice, Median(VALUE, "plies"))["low"][0] == low
    (mean_of_values,) = samples(table(plies=values), average(VALUE, pl.col("plies")))
    assert np.corrcoef(usual["drawn"][0], mean_of_values.drawn)[0, 1] > 0.7  # the same resamples of deals


def test_null_is_not_counted():
    games = table(x=np.where(np.arange(DEALS) < 10, np.nan, np.where(np.arange(DEALS) < 40, 3.0, 1.0)))
    whole, part = samples(games, average(VALUE, pl.col("x")), average(SHARE, pl.col("x") == 1))
    assert whole.value == pytest.approx((30 * 3 + 360) / 390)
    assert part.value == pytest.approx(360 / 390)


def test_what_never_happened_may_still_happen():
    (never,) = samples(table(x=np.zeros(DEALS)), average(SHARE, pl.col("x") > 0))
    assert (never.value, never.low) == (0, 0)
    assert never.high == pytest.approx(1 - 0.05 ** (1 / DEALS))
    few = np.where(np.arange(DEALS) < 3, 1.0, np.nan)
    (thrice,) = samples(table(x=few), average(SHARE, pl.col("x")))
    assert thrice.low < 0.5  # three deals say little, however many others do not count
    assert thrice.counted == pytest.approx(1 - np.exp(-3), abs=0.03)
    (nothing,) = samples(table(x=np.full(DEALS, np.nan)).cast({"x": pl.Float64}), average(VALUE, pl.col("x")))
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()


def test_slope_is_least_squares():
    x, y = RNG.integers(0, 4, DEALS), RNG.normal(0, 1, DEALS)
    games = table(n=np.ones(DEALS), x=x, y=y + 0.5 * x, xx=x * x, xy=x * (y + 0.5 * x))
    sums = tuple(pl.col(name).sum() for name in ("n", "x", "y", "xx", "xy"))
    (found,) = samples(games, Figure(VALUE, sums, of=slope_of))
    assert found.value == pytest.approx(np.polyfit(x, y + 0.5 * x, 1)[0])


def rotated(scores):
    """A tally of `scores` (deals, rotations, teams); the lone agent sits at place r in rotation r."""
    deals, rotations, teams = scores.shape
    deal, rotation, place = (axis.ravel() for axis in np.indices(scores.shape))
    columns = {"deal": deal, "place": place + 1, "alone": place == rotation, "score": scores.ravel()}
    assert rotations == teams and deals == DEALS
    return pl.DataFrame(columns)


def placed(strength):
    """The share of the others that each beats, from strengths along the last axis."""
    return (strength[..., :, None] > strength[..., None, :]).sum(-1) / (strength.shape[-1] - 1)


@pytest.mark.parametrize("teams", [2, 3])
@pytest.mark.parametrize(("agent", "deal", "chance"), [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_skill_and_luck_are_told_apart(teams, agent, deal, chance):
    lone = np.eye(teams)[None] * 9.0
    of_deal, of_game = RNG.random((DEALS, 1, teams)), RNG.random((DEALS, teams, teams))
    tied = agent * RNG.random((DEALS, teams, teams)) * 1e-9  # the others draw lots
    scores = placed(agent * lone + deal * of_deal + chance * of_game + tied)
    game = tantra_envs.game("karma", players=teams)
    score, agents, deals, rest = samples(rotated(scores), *skill_figures(game))
    assert score.value == pytest.approx(1.0 if agent else 0.5, abs=0.05)
    assert agents.value + deals.value + rest.value == pytest.approx(1.0)
    assert deals.value == pytest.approx(deal, abs=0.1)
    if teams == 2 or not agent:  # among more, the others' order is left to chance
        assert [agents.value, rest.value] == pytest.approx([agent, chance], abs=0.1)


def test_groups_have_their_own_rows_in_their_first_order_and_their_changes_are_paired():
    values = RNG.normal(0, 1, DEALS)
    games = pl.concat(table(agent=[name] * DEALS, x=values + more) for name, more in (("b", 0.0), ("a", 0.25)))
    found = rows(games, average(VALUE, pl.col("x")), by=["agent"])
    assert found["agent"].to_list() == ["b", "a"] and found["deals"].to_list() == [DEALS] * 2
    changed = with_changes(found, found.filter(agent="b").drop("agent"), ["measure", "part"])
    assert changed.select(harness.CHANGES).rows() == [(0, 0, 0), pytest.approx((0.25,) * 3)]
    apart = with_changes(found, found.filter(agent="b"), ["agent"])
    assert apart["change"].to_list() == [0, None]


def test_groups_drawn_together_share_their_deals_also_where_some_have_fewer():
    values = RNG.normal(0, 1, DEALS)
    whole = table(agent=["a"] * DEALS, x=values)
    games = pl.concat([whole, whole[: DEALS // 4].with_columns(agent=pl.lit("b"))])
    together, apart = (rows(games, average(VALUE, pl.col("x")), by=["agent"], together=flag) for flag in (True, False))
    assert together["value"].to_list() == pytest.approx([values.mean(), values[: DEALS // 4].mean()])
    assert together["deals"].to_list() == [DEALS, DEALS // 4]
    related, unrelated = (np.corrcoef(found["drawn"].to_numpy())[0, 1] for found in (together, apart))
    assert abs(unrelated) < 0.2  # other samples
    assert related > 0.4  # a quarter of the deals is the same
    few = rows(pl.concat([whole, whole[:1].with_columns(agent=pl.lit("b"))]), average(VALUE, pl.col("x")), by=["agent"],
               together=True)  # fmt: skip
    assert few["counted"].to_list() == [1.0, pytest.approx(1 - np.exp(-1), abs=0.05)]


def test_averages_keep_what_rare_events_may_hide():
    games = pl.concat(table(agent=[name] * DEALS, x=np.full(DEALS, float(name == "a"))) for name in "ab")
    both = rows(games, average(SHARE, pl.col("x")), by=["agent"])
    (row,) = harness.averaged(both, [0.5, 0.5], (0.0, 1.0)).iter_rows(named=True)
    rare = (1 - 0.05 ** (1 / DEALS)) / 2
    assert (row["value"], row["low"], row["high"]) == pytest.approx((0.5, 0.5 - rare, 0.5 + rare))
    (known,) = harness.constant(SHARE, 0.5, 7).iter_rows(named=True)
    assert (known["value"], known["low"], known["high"], known["deals"]) == (0.5, 0.5, 0.5, 7)
