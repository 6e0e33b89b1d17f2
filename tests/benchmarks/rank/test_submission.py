"""Files of results are accepted with figures that are worked out by hand, and refused with any others."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

import tantra_envs
from benchmarks.rank import submission, suite
from benchmarks.rank.submission import validate

SHIPPED = Path(__file__).parents[3] / "docs/results/rank/scripted.json"
UNITS = 4  # largest points in Karma for two: two half points in each of the two games of a deal


def missed(deals):
    """Return the largest probability of an event that this many deals did not show, at 95 %."""
    return 1 - 0.05 ** (1 / deals)


def score(mean, low, high, n):
    return {"mean": mean, "low": low, "high": high, "n": n}


@pytest.fixture
def content():
    """Return the results of the scripted agent at the table of Karma for two."""
    results = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {**results, "tables": {"karma": results["tables"]["karma"]}, "scores": None}


@pytest.fixture
def submit(tmp_path):
    """Return a function that validates results in a file."""

    def check(content):
        file = tmp_path / "theirs.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        return validate(file)

    return check


def pairs(content):
    return {name: row for name, row in content["tables"]["karma"]["pairs"].items() if row is not None}


def set_points(content, points_of):
    """Give every pair the points `points_of` returns for its deals, and the score of equal points on all deals."""
    for row in pairs(content).values():
        row["points"] = [points_of(row["n"])]
        mean, least = int(row["points"][0][0]) / UNITS, missed(row["n"])
        row.update(score(mean, mean - least * mean, mean + least * (1 - mean), row["n"]))
    for panel, names in suite.PANELS.items():
        even = score(suite.EVEN, suite.EVEN, suite.EVEN, suite.DEALS)  # the agent itself
        rows = [pairs(content).get(name, even) for name in names]
        means = {column: math.fsum(row[column] for row in rows) / len(rows) for column in ("mean", "low", "high")}
        content["tables"]["karma"][panel] = {**means, "n": min(row["n"] for row in rows)}


@pytest.mark.parametrize("digit", range(UNITS + 1))
def test_equal_points_on_all_deals_have_the_interval_of_what_the_deals_could_miss(content, submit, digit):
    """Resampled deals show no spread, so every end is that of the rule of three; a mean has the mean of the ends."""
    set_points(content, lambda deals: str(digit) * deals)
    assert "is valid" in submit(content)


@pytest.mark.parametrize("column", ["mean", "low", "high"])
@pytest.mark.parametrize("panel", [None, *suite.PANELS])
def test_figures_that_differ_in_the_sixth_decimal_are_refused(content, submit, panel, column):
    set_points(content, lambda deals: "1" * deals)
    table = content["tables"]["karma"]
    row = table[panel] if panel else table["pairs"][suite.LEARNED]
    row[column] += 1e-6
    with pytest.raises(ValueError, match=rf"{panel or suite.LEARNED}.*: {column}=.* which follows from the points"):
        submit(content)


def follows(content, submit, row, column):
    """Return the figure that the points lead to, from the refusal of another one."""
    row[column] = 0.0 if column == "low" else 1.0
    with pytest.raises(ValueError, match="which follows from the points") as refused:
        submit(content)
    name, value = re.search(r": (\w+)=\S+ is not allowed; allowed: (\S+), which", str(refused.value)).groups()
    assert name == column
    return float(value)


def test_different_points_have_the_interval_of_resampled_deals(content, submit):
    """Half of 500 deals are won and half are lost: a standard error of 0.5 / sqrt(500), far above what is missed."""
    set_points(content, lambda deals: "2" * deals)
    row, half = pairs(content)[suite.LEARNED], 1.96 * 0.5 / math.sqrt(500)
    row["points"] = ["04" * 250]
    row["low"] = follows(content, submit, row, "low")
    row["high"] = follows(content, submit, row, "high")
    assert 0.5 - row["low"] == pytest.approx(half, rel=0.1)
    assert row["high"] - 0.5 == pytest.approx(half, rel=0.1)


def test_a_panel_has_the_interval_of_the_same_resampled_deals(content, submit):
    """Every opponent wins and loses in turn. Opponents share their deals: 500 with three of them, 50 with the search.

    The mean over five opponents, one of them even, has the variance (3/5)^2 v + (1/5)^2 10 v + 2 (3/5) (1/5) v, with
    v = 0.25 / 500: opponents over the same deals add up, the search has a tenth of the deals, and shares all of them.
    """
    set_points(content, lambda deals: "2" * deals)
    for row in pairs(content).values():
        row["points"] = ["04" * (row["n"] // 2)]
        row["low"] = follows(content, submit, row, "low")
        row["high"] = follows(content, submit, row, "high")
    panel = content["tables"]["karma"]["public"]
    half = 1.96 * math.sqrt(0.25 / 500 * (0.36 + 0.4 + 0.24))
    assert 0.5 - follows(content, submit, panel, "low") == pytest.approx(half, rel=0.1)


@pytest.mark.parametrize(
    ("training", "allowed"),
    [
        ({"decisions": 10**9, "cpu_minutes": 0}, False),
        ({"decisions": 1, "cpu_minutes": 0}, False),
        ({"decisions": 10**9, "cpu_minutes": 0.5}, False),
        ({"decisions": 10**9, "cpu_minutes": 1}, True),
        ({"decisions": 10**9, "cpu_minutes": None}, True),
        ({"decisions": 0, "cpu_minutes": 0}, True),
    ],
)
def test_a_training_makes_no_more_decisions_than_its_time_allows(content, submit, training, allowed):
    content["training"] |= training
    if allowed:
        assert "is valid" in submit(content)
    else:
        with pytest.raises(ValueError, match=r"training: cpu_minutes=\S+ is not allowed with decisions="):
            submit(content)


def test_this_version_may_submit():
    assert tantra_envs.__version__ in submission.VERSIONS


def test_points_are_the_digits_of_the_table_one_for_each_deal(content, submit):
    """Every digit may occur. A further deal, a digit that is too large and digits of other scripts are refused."""
    set_points(content, lambda deals: "2" * deals)
    row = pairs(content)[suite.LEARNED]
    row["points"] = ["01234" * 100]
    with pytest.raises(ValueError, match=r"low=.* which follows from the points"):
        submit(content)
    for text in ("2" * 501, "2" * 499, "2" * 498 + "05", "2" * 499 + "٢", "", [2] * 500):
        row["points"] = [text]
        with pytest.raises(ValueError, match=r"panel:learned: points=.* allowed: 1 texts of 500 digits 0\.\.4$"):
            submit(content)
    row["points"] = ["2" * 500] * 2  # a second line-up
    with pytest.raises(ValueError, match="points="):
        submit(content)
    row["points"] = ["2" * 500]
    assert "is valid" in submit(content)
