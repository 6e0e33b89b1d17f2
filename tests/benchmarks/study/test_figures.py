"""Figures agree with direct computations, and their intervals say what they should."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.harness import figures as harness
from benchmarks.harness.figures import Figure, mean, share, slope_of
from benchmarks.study import skill
from tantra_envs.matches.intervals import estimate

DEALS = 400
RNG = np.random.default_rng(5)


def table(**columns):
    return pl.DataFrame({"deal": np.arange(DEALS), **columns}, nan_to_null=True)


def samples(games, *figures):
    return harness.samples(games, figures, seed=1)


def test_a_mean_has_the_interval_of_its_deals():
    values = RNG.normal(3, 2, DEALS)
    (found,) = samples(table(x=values), mean(pl.col("x")))
    expected = estimate(values, -np.inf, np.inf)
    assert found.value == pytest.approx(expected.mean)
    assert (found.low, found.high) == pytest.approx((values.mean() - 0.196, values.mean() + 0.196), abs=0.03)


def test_a_median_is_that_of_all_games_and_ignores_how_long_the_longest_are():
    values = RNG.permutation(np.arange(DEALS)) + 1
    long = np.where(values > 0.9 * DEALS, 100 * values, values)
    usual, truncated = (harness.median(table(plies=column), "plies", seed=1) for column in (values, long))
    assert usual.value == truncated.value == DEALS / 2
    assert 170 < usual.low < 190 and 210 < usual.high < 230  # 200 and the interval of the median: 0.98 * sqrt(400)
    assert usual.less(truncated) == (0, 0, 0)
    twice = pl.concat([table(plies=values), table(plies=values)])
    assert harness.median(twice, "plies", seed=1).low == usual.low
    (mean_of_values,) = samples(table(plies=values), mean(pl.col("plies")))
    assert np.corrcoef(usual.drawn, mean_of_values.drawn)[0, 1] > 0.7  # the same resamples of deals


def test_null_is_not_counted():
    games = table(x=np.where(np.arange(DEALS) < 10, np.nan, np.where(np.arange(DEALS) < 40, 3.0, 1.0)))
    average, part = samples(games, mean(pl.col("x")), share(pl.col("x") == 1))
    assert average.value == pytest.approx((30 * 3 + 360) / 390)
    assert part.value == pytest.approx(360 / 390)


def test_games_of_one_deal_count_as_one():
    values = RNG.normal(0, 1, DEALS)
    once = table(x=values)
    (single,), (double,) = (samples(games, mean(pl.col("x"))) for games in (once, pl.concat([once, once])))
    assert (double.low, double.high) == pytest.approx((single.low, single.high))


def test_what_never_happened_may_still_happen():
    (never,) = samples(table(x=np.zeros(DEALS)), share(pl.col("x") > 0))
    assert (never.value, never.low) == (0, 0)
    assert never.high == pytest.approx(1 - 0.05 ** (1 / DEALS))
    few = np.where(np.arange(DEALS) < 3, 1.0, np.nan)
    (thrice,) = samples(table(x=few), mean(pl.col("x"), bounds=(0.0, 1.0)))
    assert thrice.low < 0.5  # three deals say little, however many others do not count
    assert thrice.counted == pytest.approx(1 - np.exp(-3), abs=0.03)
    (nothing,) = samples(table(x=np.full(DEALS, np.nan)).cast({"x": pl.Float64}), mean(pl.col("x")))
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()


def test_slope_is_least_squares():
    x, y = RNG.integers(0, 4, DEALS), RNG.normal(0, 1, DEALS)
    games = table(n=np.ones(DEALS), x=x, y=y + 0.5 * x, xx=x * x, xy=x * (y + 0.5 * x))
    sums = tuple(pl.col(name).sum() for name in ("n", "x", "y", "xx", "xy"))
    (found,) = samples(games, Figure(sums, slope_of))
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


def test_figures_of_finished_games_leave_truncated_games_out():
    scores = np.where(np.arange(DEALS)[:, None, None] < 100, 0.5, np.eye(2))
    scores[100:150, 0] = 0.5  # ties in one game of a deal, whose other game is finished
    one_of_two = pl.col("deal").is_between(100, 149) & (pl.col("score") == 0.5)
    games = rotated(scores).with_columns(truncated=(pl.col("deal") < 100) | one_of_two)
    game = tantra_envs.game("karma")
    score, agents, deals, rest = samples(games, *(figure for _, _, figure in skill.finished(game)))
    assert (score.value, agents.value, deals.value, rest.value) == pytest.approx((1.0, 1.0, 0.0, 0.0))
    assert samples(games, skill.figures(game)[1][2])[0].value < 0.9


@pytest.mark.parametrize("teams", [2, 3])
@pytest.mark.parametrize(("agent", "deal", "chance"), [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_skill_and_luck_are_told_apart(teams, agent, deal, chance):
    lone = np.eye(teams)[None] * 9.0
    of_deal, of_game = RNG.random((DEALS, 1, teams)), RNG.random((DEALS, teams, teams))
    tied = agent * RNG.random((DEALS, teams, teams)) * 1e-9  # the others draw lots
    scores = placed(agent * lone + deal * of_deal + chance * of_game + tied)
    game = tantra_envs.game("karma", players=teams)
    score, agents, deals, rest = samples(rotated(scores), *(figure for _, _, figure in skill.figures(game)))
    assert score.value == pytest.approx(1.0 if agent else 0.5, abs=0.05)
    assert agents.value + deals.value + rest.value == pytest.approx(1.0)
    if teams == 2 or not agent:  # among more, the others' order is left to chance
        assert [agents.value, deals.value, rest.value] == pytest.approx([agent, deal, chance], abs=0.1)
