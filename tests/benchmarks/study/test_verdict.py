"""The opening of a study's page: plain answers that follow the figures, with charts, and nothing where figures lack."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.study.results import rows_of
from benchmarks.study.verdict import chart, opening

STUDIES = Path(__file__).parents[3] / "docs/results/study"
RESULTS = {"variants": ["as given"], "game": "karma", "title": "Karma"}


def row(section, measure, value, **other):
    facts = {"variant": "as given", "lineup": "search - greedy", "seat": 0, "part": "", "deals": 100}
    ends = {"low": value - 0.05, "high": value + 0.05}
    return {"section": section, "measure": measure, "value": value, **facts, **ends, **other}


def answers(*rows):
    return opening(RESULTS, rows).answers


@pytest.mark.parametrize(("value", "short"), [
    (0.95, "skill decides"), (0.65, "skill counts"), (0.56, "skill counts a little"), (0.52, "skill does not show"),
])  # fmt: skip
def test_skill_follows_the_best_score(value, short):
    (answer,) = answers(row("skill", "score of A", value), row("skill", "score of A", 0.4, lineup="greedy - uniform"))
    assert answer.short == short
    assert answer.sentence.startswith(f"Agent search beats {value * 100:.0f} of 100 opponents of the kind greedy.")


@pytest.mark.parametrize(("values", "short"), [
    ((0.51, 0.49), "no seat has a clear advantage"),
    ((0.60, 0.40), "the place at the table matters"),
])  # fmt: skip
def test_fairness_needs_an_interval_that_excludes_one_half(values, short):
    (answer,) = answers(*(row("seats", "score by seat", value, seat=i + 1) for i, value in enumerate(values)))
    assert answer.short == short
    assert answer.chart.count("<rect") == 2


@pytest.mark.parametrize(("value", "short"), [
    (0.45, "it stays open until late"), (0.25, "it can be turned"), (0.1, "the first half decides"),
])  # fmt: skip
def test_suspense_follows_the_comebacks(value, short):
    assert answers(row("tension", "comebacks", value))[0].short == short


def test_games_that_were_stopped_are_mentioned_with_the_length():
    length = row("length", "length", 157.0)
    assert answers(length)[0].sentence == "A game takes 157 actions on average, those of all players together."
    (stopped,) = answers(length, row("length", "truncated games", 0.04))
    assert stopped.sentence.endswith("4 of 100 games never ended and were stopped.")


def test_other_variants_and_missing_figures_say_nothing():
    assert answers(row("tension", "comebacks", 0.4, variant="copies=3")) == []
    assert opening(RESULTS, []).verdict == ""
    assert opening({**RESULTS, "game": "chess"}, []).picture == ""


def test_a_chart_draws_each_share_to_scale_and_names_it():
    svg = chart([("a<b", row("", "", 1.0)), ("half", row("", "", 0.5))])
    widths = [int(width) for width in re.findall(r'<rect [^>]*width="(\d+)"', svg)]
    assert widths[0] == 2 * widths[1] > 0
    assert 'aria-label="a&lt;b 100 of 100; half 50 of 100"' in svg


@pytest.mark.parametrize("game", ["karma", "tarot", "kanastic", "tantra", "tantrix"])
def test_every_study_of_the_project_opens_with_a_picture_a_verdict_and_four_answers(game):
    results = json.loads((STUDIES / f"{game}.json").read_text())
    first = opening(results, rows_of(results))
    assert first.picture.startswith("<svg") and len(first.answers) == 4
    assert first.verdict.startswith(f"{results['title']}: ") and first.verdict.endswith(".")
