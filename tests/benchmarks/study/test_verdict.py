"""The opening of a study's page: plain answers that follow the figures, with charts, and nothing where figures lack."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.study.results import rows_of
from benchmarks.study.verdict import chart, opening, to_act

STUDIES = Path(__file__).parents[3] / "docs/results/study"
RESULTS = {"variants": ["as given"], "game": "karma", "title": "Karma"}


def row(section, measure, value, **other):
    facts = {"variant": "as given", "lineup": "search - greedy", "seat": 0, "part": "", "deals": 100}
    ends = {"low": value - 0.05, "high": value + 0.05}
    return {"section": section, "measure": measure, "value": value, **facts, **ends, **other}


def answers(*rows):
    return [box.answers[""] for box in opening(RESULTS, rows).boxes]


@pytest.mark.parametrize(("value", "short"), [
    (0.95, "skill decides"), (0.65, "skill counts"), (0.56, "skill counts a little"), (0.52, "skill does not show"),
])  # fmt: skip
def test_skill_follows_the_closest_pair_that_differs_clearly(value, short):
    others = {"search - uniform": 0.99, "greedy - greedy:x": 0.5, "uniform - greedy": 0.3}
    pairs = [row("skill", "score of A", score, lineup=lineup) for lineup, score in others.items()]
    (answer,) = (
        answers(*pairs, row("skill", "score of A", value))
        if value > 0.55
        else answers(row("skill", "score of A", value))
    )
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
    assert (
        answers(length)[0].sentence
        == "A game takes 157 actions on average, those of all seats together (search - greedy)."
    )
    (stopped,) = answers(length, row("length", "truncated games", 0.04))
    assert stopped.sentence.endswith("4 of 100 games never ended and were stopped.")


def test_skill_names_the_highest_score_and_what_explains_the_results():
    parts = {"by the agents": 0.18, "by the deal": 0.15, "by neither": 0.67}
    rows = [row("skill", "score of A", 0.6), *(row("skill", "explained", v, part=part) for part, v in parts.items())]
    answer = opening({**RESULTS, "most": 2 / 3}, rows).boxes[0].answers[""]
    assert answer.short == "skill decides"  # 0.6 of 0.667
    assert "50 is even, and 67 is the most. The agents explain 18 % of the differences" in answer.sentence
    assert answer.sentence.endswith("the deal 15 %, and chance during play 67 %.")


def changed(section, measure, value, change, wide, **other):
    ends = {"change": change, "change_low": change - wide, "change_high": change + wide}
    return row(section, measure, value, variant="copies=3", **ends, **other)


def test_with_two_variants_the_opening_is_about_the_change_and_names_both():
    results = {**RESULTS, "variants": ["copies=2", "copies=3"]}
    rows = [
        row("seats", "score by seat", 0.51, variant="copies=2", seat=1),
        changed("seats", "score by seat", 0.50, -0.01, 0.04, seat=1),
        row("length", "length", 157.0, variant="copies=2"),
        changed("length", "length", 230.0, 73.0, 40.0),
    ]
    first = opening(results, rows)
    assert first.verdict == (
        "Karma with copies=3 instead of copies=2: no seat is clearly better or worse off and games are clearly longer "
        "(230 actions instead of 157)."
    )
    fair, length = first.boxes
    assert list(fair.answers) == list(length.answers) == ["copies=2", "copies=3"]
    assert fair.changes[0].sentence == "1st to act: -0.010 [-0.050, +0.030], no clear change"
    assert length.changes[0].sentence == "+73.0 [+33.0, +113.0], a clear change"


def test_with_many_variants_the_opening_is_about_the_first_one_and_names_it():
    results = {**RESULTS, "variants": ["copies=2", "copies=3", "decks=2", "dealer=0"]}
    rows = [row("length", "length", 157.0, variant=name) for name in results["variants"]]
    first = opening(results, rows)
    assert first.verdict == "Karma with copies=2: a game takes about 157 actions."
    assert list(first.boxes[0].answers) == ["copies=2"] and not first.boxes[0].changes


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


def test_other_variants_and_missing_figures_say_nothing():
    assert opening(RESULTS, [row("tension", "comebacks", 0.4, variant="copies=3")]).boxes == []
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
    assert first.picture.startswith("<svg") and len(first.boxes) == 4
    assert first.verdict.startswith(f"{results['title']}: ") and first.verdict.endswith(".")
