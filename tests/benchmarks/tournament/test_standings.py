"""Standings: bootstrap and ratings against what is known of small cases."""

import polars as pl
import pytest

from benchmarks.tournament.experiment import standings


def games(match, first, second, scores):
    """The games of two agents over some deals, one rotation each, with these scores of the first one."""
    rows = [(first, True, score) for score in scores] + [(second, False, 1 - score) for score in scores]
    columns = {"agent": pl.String, "alone": pl.Boolean, "score": pl.Float64}
    deals = [*range(len(scores))] * 2
    frame = pl.DataFrame(rows, columns, orient="row").with_columns(pl.Series("deal", deals), team=1 - pl.col("alone"))
    return frame.select(pl.lit(match).alias("match"), pl.all(), reward=2 * pl.col("score") - 1)


def test_standings_of_three_who_met_in_pairs():
    first, second = [1.0, 1.0, 0.5, 1.0], [0.5, 0.0, 1.0, 0.5]
    played = {"0-1": second, "0-2": first, "1-2": first}
    lineups = {match: (int(match[0]), int(match[-1])) for match in played}
    names = ["a", "b", "c"]
    every = pl.concat(games(match, *(names[i] for i in lineups[match]), scores) for match, scores in played.items())
    found = standings("one-vs-rest", names, lineups, every)
    means = {own.agent: own.score.mean for own in found.agents}
    assert means == pytest.approx({"a": (0.5 + 0.875) / 2, "b": (0.5 + 0.875) / 2, "c": 0.125})
    assert [own.agent for own in found.agents] == names
    assert found.payoff["c", "a"].mean == pytest.approx(1 - found.payoff["a", "c"].mean) == pytest.approx(0.125)
    assert found.agents[1].margin.mean == pytest.approx(means["b"] - means["c"])
    assert (found.agents[0].margin.mean, found.agents[2].margin) == (pytest.approx(0), None)
    assert found.agents[1].rating.mu > found.agents[2].rating.mu
    assert found.agents[0].reward.mean == pytest.approx(2 * means["a"] - 1)
