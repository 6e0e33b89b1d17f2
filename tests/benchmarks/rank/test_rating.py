"""Ratings recover known strengths, and their intervals cover them; scores over seeds, partners and exploiters."""

import itertools

import numpy as np
import polars as pl
import pytest

from benchmarks.rank import ranking, suite

STRENGTHS = {"scripted": 1000.0, "weak": 700.0, "strong": 1250.0, "new": 1100.0}


def expected(one, other):
    return 1 / (1 + 10 ** ((STRENGTHS[other] - STRENGTHS[one]) / 400))


def rate(pairs):
    """The ratings of scores by table and pair."""
    frames = {
        table: pl.concat(
            pl.DataFrame({"first": one, "second": other, "deal": range(len(scores)), "score": scores})
            for (one, other), scores in own.items()
        )
        for table, own in pairs.items()
    }
    return ranking.rate(frames)


def simulated(seed, deals=400, tables=("karma", "karma-4", "tarot")):
    rng = np.random.default_rng(seed)
    pairs = list(itertools.combinations(STRENGTHS, 2))
    return {
        table: {pair: rng.binomial(2, expected(*pair), deals) / 2 for pair in pairs if pair != ("weak", "new")}
        for table in tables
    }


def test_games_have_equal_weight_whatever_their_tables_and_deals():
    """An agent that beats the other one in Karma as often as it loses in Tarot is as strong."""
    won, lost = np.tile([1.0, 1.0, 1.0, 0.0], 250), np.tile([0.0, 0.0, 0.0, 1.0], 250)
    pair = ("scripted", "other")
    rated = rate({"karma": {pair: won}, "karma-4": {pair: won}, "tarot": {pair: lost}})
    assert rated["other"]["mean"] == pytest.approx(1000, abs=1)


def test_an_agent_that_always_loses_has_a_finite_rating():
    rated = rate({"karma": {("scripted", "loser"): np.ones(1000)}})
    assert np.isfinite(list(rated["loser"].values())).all() and rated["loser"]["mean"] < -200


def test_fewer_deals_and_ratings_do_not_depend_on_the_order_of_a_pair():
    pairs = simulated(1)
    pairs["karma"][("weak", "strong")] = pairs["karma"][("weak", "strong")][:100]
    turned = {table: {(b, a): 1 - scores for (a, b), scores in own.items()} for table, own in pairs.items()}
    one, other = rate(pairs), rate(turned)
    for name in STRENGTHS:
        assert one[name] == pytest.approx(other[name])
    assert suite.game_of("karma-4") == "karma"


def test_the_interval_over_seeds_covers_the_deals_and_the_seeds():
    assert ranking.over_seeds([run_of(0.5)]) == run_of(0.5)
    equal = ranking.over_seeds([run_of(0.5)] * 3)
    assert (equal["low"], equal["high"]) == pytest.approx((0.4, 0.6))  # all seeds play the same deals
    different = ranking.over_seeds([run_of(0.4), run_of(0.5), run_of(0.6)])
    half = np.hypot(0.1, 4.30 * 0.1 / np.sqrt(3))
    assert (different["mean"], different["low"], different["n"]) == pytest.approx((0.5, 0.5 - half, 10))
    assert ranking.over_seeds([run_of(0.1), run_of(0.9)])["high"] == 1.0
    assert ranking.over_seeds([run_of(1000), run_of(1100)], ranking.NO_BOUNDS)["high"] > 1000


def run_of(mean, half=0.1):
    return {"mean": mean, "low": mean - half, "high": mean + half, "n": 10}


def test_the_score_with_partners_is_a_share_of_the_best_known_one():
    def of(digit):
        return {name: {"points": [[digit] * 50], "mean": digit / 8} for name in suite.PARTNERS}

    assert ranking.shares("kanastic", of(6), [of(6)])["mean"] == 1
    assert ranking.shares("kanastic", of(3), [of(6), of(3)])["mean"] == pytest.approx(0.5)
    assert ranking.shares("kanastic", of(2), [of(2)])["mean"] == pytest.approx(0.5)  # of the partner with itself
    own = {name: score for name, score in of(6).items() if name != "held-out:late"}
    assert ranking.shares("kanastic", own, [own])["mean"] == pytest.approx(1)


def test_the_best_of_the_exploiters_and_their_start_counts():
    trained, search = ({"mean": mean, "low": 0.5, "high": 0.8, "n": 2} for mean in (0.6, 0.7))
    won, lost = {"points": [[4, 4]]}, {"points": [[0, 0]]}  # points of the agent in two deals, of 4 each

    def best(trained, search, pair):
        exploiters = {name: score for name, score in (("trained", trained), ("search", search)) if score}
        pairs = {suite.LEARNED: pair} if pair else {}
        return ranking.best_exploiter("karma", {"exploiters": exploiters, "pairs": pairs})

    for pair, by, mean in ((won, "trained", 0.6), (lost, suite.LEARNED, 1.0), (None, "trained", 0.6)):
        assert (best(trained, None, pair)["by"], best(trained, None, pair)["mean"]) == (by, mean)
    assert best(trained, search, won)["by"] == "search" and best(None, search, won)["mean"] == 0.7
    beaten = {**trained, "mean": 0.4}
    assert best(beaten, None, None)["mean"] == suite.EVEN
    assert best(None, None, won) is None
