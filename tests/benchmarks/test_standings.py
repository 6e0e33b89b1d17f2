"""Standings: bootstrap and ratings against what is known of small cases."""

import polars as pl
import pytest

from benchmarks.harness.plans import MatchSpec, Row
from benchmarks.harness.played import Played
from benchmarks.views.standings import results


def games(match, first, second, scores):
    """The games of two agents over some deals, one rotation each, with these scores of the first one."""
    rows = [(first, True, score) for score in scores] + [(second, False, 1 - score) for score in scores]
    columns = {"agent": pl.String, "alone": pl.Boolean, "score": pl.Float64}
    deals = [*range(len(scores))] * 2
    frame = pl.DataFrame(rows, columns, orient="row").with_columns(pl.Series("deal", deals), team=1 - pl.col("alone"))
    return frame.select(pl.lit(match).alias("match"), pl.all(), reward=2 * pl.col("score") - 1, rotation=0)


def test_standings_of_three_who_met_in_pairs():
    first, second = [1.0, 1.0, 0.5, 1.0], [0.5, 0.0, 1.0, 0.5]
    played = {"0-1": second, "0-2": first, "1-2": first}
    names = ["a", "b", "c"]
    seats = {match: [names[int(place)] for place in match.split("-")] for match in played}
    every = pl.concat(games(match, *seats[match], scores) for match, scores in played.items())
    rows = [Row(match, MatchSpec("karma", (), tuple(own), (0, 1), 0), 4) for match, own in seats.items()]
    facts = {"game": "karma_v0", "lineup": [0, 1], "origins": {}, "seed": 0, "package": "1.2.3"}
    labels = {match: {**facts, "agents": own} for match, own in seats.items()}
    found = {
        (line["agent"], line["others"], line["measure"], line["part"]): line["value"]
        for line in results(Played(rows, labels, every, [], {}, {})).iter_rows(named=True)
    }
    means = {name: found[name, "", "score", ""] for name in names}
    assert means == pytest.approx({"a": (0.5 + 0.875) / 2, "b": (0.5 + 0.875) / 2, "c": 0.125})
    assert list(dict.fromkeys(key[0] for key in found)) == names
    assert (
        found["c", "a", "score", "pair"] == pytest.approx(1 - found["a", "c", "score", "pair"]) == pytest.approx(0.125)
    )
    assert found["b", "c", "margin", ""] == pytest.approx(means["b"] - means["c"])
    assert found["a", "b", "margin", ""] == pytest.approx(0) and ("c", "", "margin", "") not in found
    assert found["b", "", "rating", ""] == pytest.approx(found["a", "", "rating", ""])  # a tie counts half
    assert found["b", "", "rating", ""] > found["c", "", "rating", ""]
    assert found["a", "", "reward", ""] == pytest.approx(2 * means["a"] - 1)
