"""Intervals: right nineteen times out of twenty, and never surer than the number of deals allows."""

import numpy as np
import pytest

from tantra_envs.matches import intervals
from tantra_envs.matches.intervals import (
    estimate,
    estimate_from,
    estimate_points,
    interval,
    resampled,
    resampled_sums,
    resamples,
    student,
)


def estimates(samples, least, most):
    """`estimate` for every column of `samples` (n, k), all from one drawing of the deals."""
    means, drawn = samples.mean(axis=0), resampled(samples)
    found = [estimate_from(means[i], drawn[:, i], len(samples), (least, most)) for i in range(samples.shape[1])]
    alone = estimate(samples[:, 0], least, most)
    assert (alone.low, alone.high) == pytest.approx((found[0].low, found[0].high))
    return found


@pytest.mark.parametrize(
    ("draw", "truth", "least", "most"),
    [
        (lambda rng, n: rng.normal(2.0, 3.0, n), 2.0, -10.0, 14.0),
        (lambda rng, n: rng.random(n), 0.5, 0.0, 1.0),
        (lambda rng, n: rng.random(n) < 0.5, 0.5, 0.0, 1.0),
        (lambda rng, n: rng.random(n) < 0.9, 0.9, 0.0, 1.0),
    ],
    ids=["normal", "uniform", "even coin", "uneven coin"],
)
@pytest.mark.parametrize("n", [30, 100])
def test_intervals_hold_the_truth_about_as_often_as_they_say(draw, truth, least, most, n):
    rng = np.random.default_rng(1)
    found = estimates(np.array([draw(rng, n) for _ in range(2000)], float).T, least, most)
    held = np.mean([e.low <= truth <= e.high for e in found])
    assert held >= 0.93
    assert n < 100 or held <= 0.99


def long_tailed(rng, n):
    """Points of hands: most are small, a few are ten times as large, on both sides."""
    return rng.normal(0.1, np.where(rng.random(n) < 0.05, 1.0, 0.1))


@pytest.mark.parametrize("draw", [lambda rng, n: rng.normal(0.1, 3.0, n), long_tailed], ids=["normal", "long tails"])
@pytest.mark.parametrize("n", [10, 50, 200])
def test_intervals_of_points_hold_the_mean_as_often_as_they_say(monkeypatch, draw, n):
    """The largest result of any game does not matter: a least width that is a share of it would hold 99.9 %."""
    rng = np.random.default_rng(3)
    deals, drawn = [draw(rng, n) for _ in range(300)], list(resamples(n, 0, intervals.DRAWS))
    monkeypatch.setattr(intervals, "resamples", lambda *_: drawn)  # they are the same for all
    found = [estimate_points(values, (-values.std(), values.std())) for values in deals]
    held = np.mean([e.low <= 0.1 <= e.high for e in found])
    assert 0.91 <= held <= 0.98
    widths = [
        (e.high - e.low) / (2 * 1.96 * values.std(ddof=1) / n**0.5) for e, values in zip(found, deals, strict=True)
    ]
    assert np.mean(widths) == pytest.approx(student(n - 1) / 1.96, rel=0.05)


def test_points_without_spread_leave_room_for_a_usual_result():
    """Where games are won or lost, points say what the scores say."""
    points, scores = estimate_points(np.ones(100), (-1.0, 1.0)), estimate(np.ones(100), 0.0, 1.0)
    assert (points.low, points.high) == pytest.approx((2 * scores.low - 1, 1.0))
    above = estimate_points(np.full(100, 7.0), (-1.0, 1.0))
    assert above.low == pytest.approx(7 - 8 * (1 - 0.05 ** (1 / 100))) and above.high == 7.0


@pytest.mark.parametrize("empty", [lambda: estimate_points([], (-1.0, 1.0)), lambda: estimate([], 0.0, 1.0)])
def test_no_deal_at_all_is_refused(empty):
    with pytest.raises(ValueError, match="at least one deal"):
        empty()


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.71), (4, 2.78), (10, 2.2281), (30, 2.0423), (1000, 1.9623)])
def test_student(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, rel=2e-3)


def test_rare_losses_are_not_taken_for_none():
    """Of 50 deals with one loss in a hundred, six in ten samples show no loss at all."""
    rng = np.random.default_rng(2)
    found = estimates((rng.random((50, 2000)) < 0.99).astype(float), 0.0, 1.0)
    assert np.mean([e.low <= 0.99 <= e.high for e in found]) >= 0.95


@pytest.mark.parametrize(("deals", "bounds", "mean", "low", "high"), [
    ([0.5], (0.0, 1.0), 0.5, 0.025, 0.975),  # says nothing but its own mean
    (np.ones(100), (0.0, 1.0), 1.0, 0.05 ** (1 / 100), 1.0),  # leave room for what was not seen
    (np.zeros(100), (-1.0, 1.0), 0.0, 0.05 ** (1 / 100) - 1, 1 - 0.05 ** (1 / 100)),
])  # fmt: skip
def test_deals_without_spread_leave_room_for_what_was_not_seen(deals, bounds, mean, low, high):
    e = estimate(deals, *bounds)
    assert (e.n, e.mean) == (len(deals), mean) and (e.low, e.high) == pytest.approx((low, high))


def test_no_end_lies_outside_what_is_possible():
    e = estimate_from(0.5, [-2.0, 3.0], 40, (0.0, 1.0))
    assert (e.low, e.high) == (0.0, 1.0)


def test_values_that_are_no_numbers_are_left_out():
    drawn = np.arange(1000.0)
    assert (
        interval(np.concatenate([drawn, np.full(500, np.nan)])) == interval(drawn) == pytest.approx((24.975, 974.025))
    )
    assert np.isnan(interval([np.nan])).all()


@pytest.mark.parametrize("draws", [1, 100, 250])
def test_every_number_of_a_sample_comes_from_the_same_deals(draws):
    """So differences are paired. The weight of a deal is the same for all columns."""
    weights = np.concatenate(list(resamples(7, 3, draws)))
    assert weights.shape == (draws, 7) and (weights.sum(axis=1) == 7).all()
    assert (resampled_sums(np.eye(7), 3, draws) == weights).all()
    values = np.random.default_rng(1).random((7, 2))
    assert resampled(values, 3, draws) == pytest.approx(weights @ values / 7)
    assert (weights == np.random.default_rng(3).multinomial(7, np.full(7, 1 / 7), draws)).all()
