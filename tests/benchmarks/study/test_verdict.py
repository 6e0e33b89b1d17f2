"""The verdict of a study: its answers follow the figures, and chance is not taken for an effect."""

import json
from pathlib import Path

import pytest

from benchmarks.harness.figures import holm, p_value
from benchmarks.study.figures import SCHEMA
from benchmarks.study.page import write_study_page
from benchmarks.study.results import rows_of
from benchmarks.study.tally import to_act
from benchmarks.study.verdict import QUESTIONS, answers, heading, headline
from tantra_envs.games import SHIPPED

STUDIES = Path(__file__).parents[3] / "docs/results/study"
EVENS = {"score by seat": 0.5, "score of A": 0.5, "score of the last at half": 0.5}
LAST = "score of the last at half"


def figure(section, measure, value, half=0.05, **other):
    """A figure whose interval has this half-width; its change, if there is one, has the same."""
    row = {"section": section, "measure": measure, "part": "", "variant": "a=1", "lineup": "scripted", "seat": 0}
    row |= {"value": value, "low": value - half, "high": value + half, "deals": 100, **other}
    if "change" in other:
        row |= {"change_low": other["change"] - half, "change_high": other["change"] + half}
    return row


def results(*rows, variants=("a=1", "a=2"), **other):
    names = dict.fromkeys((row["section"], row["measure"]) for row in rows)
    measures = [{"section": section, "name": name, "even": EVENS.get(name)} for section, name in names]
    figures = [[row.get(column) for column in SCHEMA] for row in rows]
    head = {"title": "Chess", "game": "chess", "players": 2, "teams": 2, "variants": list(variants)}
    return {**head, "measures": measures, "columns": list(SCHEMA), "figures": figures, **other}


def lines(content):
    return headline(content, rows_of(content))


def of(text, content):
    """The sentences about one question."""
    return next(found for question, found in answers(content, rows_of(content)) if question["text"] == text)


def seats(*values, half=0.05, **other):
    return [figure("seats", "score by seat", value, half, seat=i, **other) for i, value in enumerate(values, start=1)]


def template(text, result, kind="alone"):
    return next(question[kind][result] for question in QUESTIONS if question["text"] == text)


def test_one_clear_seat_among_many_tests_is_chance():
    """One seat is clear on its own. It is not when four line-ups are tested, unless it is far from even."""
    (alone,) = of("Is a seat better?", results(*seats(0.44, 0.56), variants=["a=1"]))
    assert "2nd to act" in alone and "56 of 100" in alone
    others = [row for agent in ("x", "y", "z") for row in seats(0.5, 0.5, lineup=agent)]
    crowd = results(*others, *seats(0.44, 0.56), variants=["a=1"])
    assert of("Is a seat better?", crowd) == [template("Is a seat better?", "none") + "."]
    assert not any(row["differs"] for row in rows_of(crowd))
    far = results(*others, *seats(0.4, 0.6), variants=["a=1"])
    assert "60 of 100" in of("Is a seat better?", far)[0]
    assert [row["differs"] for row in rows_of(far)[-2:]] == [True, True]


def test_only_seats_are_tested_together():
    rows = [figure("skill", "score of A", 0.551, lineup=f"{agent} - greedy") for agent in "uvwxyz"]
    assert all(row["differs"] for row in rows_of(results(*rows)))


def test_both_seats_of_two_are_one_test():
    """Their scores add up to 1, so the seats of two line-ups are two tests, not four."""
    assert p_value(0.06, 0.01, 0.11) == pytest.approx(p_value(-0.06, -0.11, -0.01))
    limit = results(*seats(0.44, 0.56, half=0.052), *seats(0.44, 0.56, half=0.052, lineup="x"), variants=["a=1"])
    assert all(row["differs"] for row in rows_of(limit))  # p = 0.024, below 0.05 / 2, above 0.05 / 4


def test_holm_rejects_step_by_step():
    assert holm({"a": 0.01, "b": 0.02, "c": 0.06}) == {"a", "b"}  # 0.05 / 3, 0.05 / 2, 0.05
    assert holm({"a": 0.02, "b": 0.02, "c": 0.02}) == set()
    assert holm({}) == set()


@pytest.mark.parametrize(("ends", "p"), [((0.05, 0.0, 0.1), 0.05), ((0.2, 0.2, 0.2), 0.0), ((0.0, -0.1, 0.1), 1.0)])
def test_p_values_follow_the_interval(ends, p):
    assert p_value(*ends) == pytest.approx(p, abs=1e-9)


def test_with_two_variants_the_change_comes_first():
    rows = [*seats(0.5, 0.5), figure("length", "median length", 75.0, lineup="scripted")]
    rows += [
        *seats(0.3, variant="a=2", change=-0.2),
        *[{**row, "seat": 2} for row in seats(0.7, variant="a=2", change=0.2)],
        figure("length", "median length", 134.0, 3.0, variant="a=2", change=59.0),
    ]
    content = results(*rows)
    change, level = of("Is a seat better?", content)
    assert change.startswith(template("Is a seat better?", "above", "change").format(seat="2nd to act"))
    assert "70 instead of 50" in change
    assert "a=2" in level and "70 of 100" in level
    (length,) = of("How long is it?", content)
    assert length.startswith(template("How long is it?", "above", "change")) and "134 instead of 75" in length
    assert heading(content) == "Chess with a=2 instead of a=1"


def test_games_that_are_all_the_same_are_mentioned_first_and_have_no_changes():
    rows = [figure("length", "median length", 75.0), figure("length", "median length", 75.0, variant="a=2", change=0.0)]
    every, some, none = (lines(results(*rows, same_games={"a=2": [equal, 1800]})) for equal in (1800, 1790, 0))
    assert "1,800 games" in every[0] and "a=1" in every[0] and "a=2" in every[0]
    assert "instead" not in every[1] and "75" in every[1]
    assert "1,790 of 1,800" in some[0] and "75 instead of 75" in some[1]
    assert len(none) == 1 and "75 instead of 75" in none[0]
    assert lines(results(*rows)) == none  # results of older versions do not count them


def test_of_many_variants_those_without_an_effect_are_mentioned():
    rows = [figure("length", "median length", 75.0, variant=name) for name in ("a=1", "a=2", "a=3")]
    content = results(*rows, variants=["a=1", "a=2", "a=3"], same_games={"a=2": [5, 10], "a=3": [10, 10]})
    same, length = lines(content)
    assert "a=3" in same and "a=2" not in same and "instead" not in length
    assert heading(content) == "Chess with a=1"


@pytest.mark.parametrize(("value", "result"), [(0.65, "above"), (0.52, "none"), (0.35, "below")])
def test_an_answer_follows_the_interval(value, result):
    for question, section, measure in (
        ("Does skill matter?", "skill", "score of A"),
        ("Does it stay open?", "tension", LAST),
    ):
        content = results(figure(section, measure, value, lineup="search - greedy"), variants=["a=1"])
        assert of(question, content)[0].startswith(template(question, result))
        assert f"{100 * value:.0f} of 100" in of(question, content)[0]


def test_skill_and_deal_are_about_the_closest_pair_with_a_clear_difference():
    pairs = {"search - uniform": 0.99, "search - greedy": 0.65, "search - scripted": 0.52}
    rows = [figure("skill", "score of A", value, lineup=pair) for pair, value in pairs.items()]
    rows += [figure("skill", "explained", 0.2, lineup=pair, part="by the deal") for pair in pairs]
    content = results(*rows, variants=["a=1"])
    for question in ("Does skill matter?", "Does the deal decide?"):
        (line,) = of(question, content)
        assert "search" in line and "greedy" in line and "scripted" not in line


def test_agents_that_change_in_another_direction_are_named():
    effects = {"uniform": 0.0, "greedy": -0.1, "scripted": 0.1}
    rows = [figure("tension", LAST, 0.5, lineup=agent) for agent in effects]
    rows += [figure("tension", LAST, 0.5 + by, lineup=agent, variant="a=2", change=by) for agent, by in effects.items()]
    main, other = of("Does it stay open?", results(*rows))
    assert "scripted" in main and "60 instead of 50" in main
    assert "greedy" in other and "uniform" not in other


@pytest.mark.parametrize(("main", "by", "verb"), [(0.15, -0.06, "falls"), (-0.05, 0.06, "rises")])
def test_pairs_that_change_in_another_direction_are_named_if_the_first_agent_is_not_worse(main, by, verb):
    """The closest clear pair changes the other way. Of the others one ends even, one ahead, and one behind."""
    ends = {"search - random": 0.7, "random - greedy": 0.5, "search - greedy": 0.9, "greedy - random": 0.44}
    changes = {**dict.fromkeys(ends, by), "search - random": main}
    measure, half = ("skill", "score of A"), {"half": 0.01}
    rows = [figure(*measure, end - changes[pair], **half, lineup=pair) for pair, end in ends.items()]
    for pair, end in ends.items():
        rows.append(figure(*measure, end, **half, lineup=pair, variant="a=2", change=changes[pair]))
    closest, others = of("Does skill matter?", results(*rows))
    assert "search, alone among random" in closest and f"70 instead of {70 - 100 * main:.0f}" in closest
    assert verb in others and "random against greedy" in others and "search against greedy" in others
    assert "greedy against random" not in others


def test_games_stopped_at_a_limit_are_listed_by_agent():
    rows = [figure("length", "truncated games", value, 0.003, lineup=agent) for agent, value in
            {"uniform": 0.0, "greedy": 0.2, "scripted": 0.004}.items()]  # fmt: skip
    (line,) = of("Does every game end?", results(*rows, variants=["a=1"]))
    assert "20 of 100 games of greedy" in line and "0.4 of 100 games of scripted" in line and "uniform" not in line


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


def test_a_figure_that_only_one_variant_has_is_not_compared():
    rows = [figure("tension", LAST, 0.4, lineup="greedy"), figure("tension", LAST, 0.3)]
    rows += [figure("tension", LAST, 0.4, lineup="greedy", variant="a=2", change=0.0)]
    (line,) = of("Does it stay open?", results(*rows))
    assert "30 of 100" in line and "instead" not in line
    assert lines(results(figure("skill", "explained", 0.2, lineup="search - greedy", part="by the deal"))) == []


def test_without_figures_there_are_no_answers():
    assert lines(results()) == []
    assert lines(results(figure("tension", LAST, 0.4, variant="a=2"))) == []


@pytest.mark.parametrize("game", SHIPPED)
def test_every_study_of_the_project_answers_every_question(game):
    content = json.loads((STUDIES / f"{game}.json").read_text())
    sections = {measure["section"] for measure in content["measures"]}  # not all have every section
    asked = {question["text"] for question in QUESTIONS if question["measure"][0] in sections}
    assert len(lines(content)) == len(asked) >= 6
    assert not any("{" in line for line in lines(content))


def test_the_page_opens_with_one_picture_of_every_seat_and_answer(tmp_path):
    content = json.loads((STUDIES / "tantra.json").read_text())
    write_study_page(tmp_path / "page.html", content)
    opening = (tmp_path / "page.html").read_text(encoding="utf-8").partition('<details class="method">')[0]
    picture = opening[opening.index("<svg") :]
    assert opening.count("<svg") == 1
    assert all(to_act(seat + 1) in picture for seat in range(4))
    assert all(question["text"] in picture for question, _ in answers(content, rows_of(content)))
