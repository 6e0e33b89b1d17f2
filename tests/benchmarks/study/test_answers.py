"""The answers of a study: one table, tested together, about changes or levels, and honest about what it cannot see."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.harness.figures import holm, p_value
from benchmarks.study.answers import NOTHING, Evidence, heading, headline
from benchmarks.study.report import overview, write_study_page
from benchmarks.study.results import SCHEMA, rows_of, to_act
from tantra_envs.games import SHIPPED

STUDIES = Path(__file__).parents[3] / "docs/results/study"
DISCARDS = Path(__file__).parent / "kept/tarot-discards.json"
EVENS = {"score by seat": 0.5, "score of A": 0.5, "score of the last at half": 0.5}
LAST, LENGTH = "score of the last at half", ("length", "median length")


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


def evidence(content):
    return Evidence(content, rows_of(content))


def lines(content):
    return headline(evidence(content))


def seats(*values, half=0.05, **other):
    return [figure("seats", "score by seat", value, half, seat=i, **other) for i, value in enumerate(values, start=1)]


def changed(measure, before, after, half=0.05, **other):
    """The figures of two variants."""
    return [
        figure(*measure, before, half, **other),
        figure(*measure, after, half, variant="a=2", change=after - before, **other),
    ]


def test_one_clear_seat_among_many_tests_is_chance():
    """One seat is clear on its own. It is not when four line-ups are tested, unless it is far from even."""
    (alone,) = evidence(results(*seats(0.44, 0.56), variants=["a=1"])).answers()
    assert (alone.is_clear, alone.value, alone.interval) == (True, "44 of 100", "[39, 49]")
    others = [row for agent in ("x", "y", "z") for row in seats(0.5, 0.5, lineup=agent)]
    for values, is_clear in (((0.44, 0.56), False), ((0.4, 0.6), True)):
        crowd = evidence(results(*others, *seats(*values), variants=["a=1"])).answers()
        assert {str(answer.row.lineup): answer.is_clear for answer in crowd} == {
            "x": False, "y": False, "z": False, "scripted": is_clear
        }  # fmt: skip


def test_questions_of_a_page_are_tested_together():
    """A length that is clear on its own is not when three other questions are asked with it."""
    length = changed(LENGTH, 75.0, 80.0, 4.9)
    assert evidence(results(*length)).answers()[0].is_clear
    more = [*changed(("tension", LAST), 0.5, 0.5), *changed(("skill", "score of A"), 0.7, 0.7, lineup="b - a")]
    assert not any(answer.is_clear for answer in evidence(results(*length, *more)).answers())


def test_under_a_change_that_changes_nothing_one_of_twenty_studies_claims_something():
    """300 studies of six questions, whose changes are drawn from what chance alone gives."""
    rng, claims = np.random.default_rng(0), 0
    for _ in range(300):
        rows = [
            row
            for i in range(6)
            for row in changed(("tension", LAST), 0.5, 0.5 + 0.05 / 1.96 * rng.standard_normal(), lineup=f"agent-{i}")
        ]
        claims += not lines(results(*rows))[0].startswith("Nothing")
    assert claims <= 300 / 20 * 1.4


def test_a_change_is_never_a_level():
    """The second variant is far from even, and so was the first: nothing changes."""
    rows = [*seats(0.3, 0.7), *seats(0.3, 0.7, variant="a=2", change=0.0)]
    (answer,) = evidence(results(*rows)).answers()
    assert (answer.is_clear, answer.value) == (False, "30 -> 30 of 100")
    assert lines(results(*rows)) == [NOTHING.format(about=" with a=2 instead of a=1")]


def test_a_clear_change_has_both_values_the_change_and_what_could_be_overlooked():
    content = results(*changed(LENGTH, 75.0, 134.0, 3.0))
    (answer,) = evidence(content).answers()
    assert (answer.value, answer.interval) == ("75 -> 134 actions", "+59 [+56, +62]")
    assert answer.limit == "less than 4"  # 1 + 0.84 / 1.96 half-widths are seen in four of five studies
    assert lines(content) == ["Clear with a=2 instead of a=1: How long is it? 75 -> 134 actions (scripted)."]
    assert heading(content) == "Chess with a=2 instead of a=1"


def test_small_shares_have_a_decimal():
    rows = changed(("length", "truncated games"), 0.001, 0.004, 0.001)
    (answer,) = evidence(results(*rows)).answers()
    assert (answer.value, answer.interval) == ("0.1 -> 0.4 of 100", "+0.3 [+0.2, +0.4]")


def test_agents_that_were_not_trained_under_a_variant_do_not_say_clearly():
    rows = changed(("skill", "score of A"), 0.7, 0.5, lineup="learned - scripted")
    content = results(*rows, untrained={"a=2": {"learned": ["a=2"]}})
    (answer,) = evidence(content).answers()
    assert answer.untrained and answer.is_clear
    (line,) = lines(content)
    assert "Clear" not in line and line.startswith("Agents that were not trained with a=2 show: ")
    assert line.endswith("Ask again with --retrain.")


@pytest.mark.parametrize(("agents", "is_clear"), [(2, False), (3, True)])
def test_fewer_than_three_trained_agents_are_never_clear(agents, is_clear):
    rows = changed(LENGTH, 75.0, 134.0, 3.0, lineup="trained") + changed(LENGTH, 70.0, 71.0, 3.0)
    found = evidence(results(*rows, training={"agents": agents, "decisions": 1000})).answers()
    assert [(str(answer.row.lineup), answer.is_clear) for answer in found] == [
        ("trained", is_clear),  # the strongest first
        ("scripted", False),
    ]


def test_the_strongest_agents_come_first_and_each_kind_has_a_row():
    pairs = [figure("skill", "score of A", 0.8, lineup="b - a"), figure("skill", "score of A", 0.2, lineup="a - b")]
    rows = [*pairs, *(figure("tension", LAST, value, lineup=name) for name, value in (("a", 0.5), ("b", 0.3)))]
    found = evidence(results(*rows, variants=["a=1"], agents=["b", "a"])).answers()
    assert [(answer.question.text, str(answer.row.lineup), answer.is_clear) for answer in found] == [
        ("Does skill matter?", "b - a", True),  # the pair the other way round is its mirror
        ("Does it stay open?", "b", True),
        ("Does it stay open?", "a", False),
    ]


def test_games_that_are_all_the_same_are_no_changes():
    rows = changed(LENGTH, 75.0, 75.0)
    every = results(*rows, same_games={"a=2": [1800, 1800]}, same_by_lineup={"a=2": {"scripted": [1800, 1800]}})
    assert lines(every) == ["All games with a=2 were the same as with a=1: the change never came up."]
    (answer,) = evidence(every).answers()
    assert (answer.interval, answer.limit, answer.is_clear) == ("the same games", "", False)


def test_of_many_variants_those_without_an_effect_are_one_sentence():
    names = [f"a={i}" for i in range(2, 8)]
    rows = [figure(*LENGTH, 75.0, 3.0)]
    for name in names:
        by = 50 * (name == "a=6")
        rows.append(figure(*LENGTH, 75.0 + by, 3.0, variant=name, change=by))
    same = {name: [600, 600] for name in names[:2]}
    content = results(*rows, variants=["a=1", *names], same_games=same)
    assert lines(content) == [
        "Clear with a=6 instead of a=1: How long is it? 75 -> 125 actions (scripted).",
        "All games with a=2 and a=3 were the same as with a=1: the change never came up.",
    ]
    assert [answer.row.variant for answer in evidence(content).answers()] == ["a=6"]


def test_a_figure_that_only_one_variant_has_is_not_compared():
    assert evidence(results(figure(*LENGTH, 75.0, variant="a=2"))).answers() == []


def test_without_figures_there_are_no_answers():
    content = results(figure("worth", "cards", 3.0), variants=["as given"])
    assert evidence(content).answers() == lines(content) == []
    assert heading(content) == "Chess"


@pytest.mark.parametrize("game", SHIPPED)
def test_every_study_of_the_project_has_answers(game):
    content = json.loads((STUDIES / f"{game}.json").read_text(encoding="utf-8"))
    assert {answer.question.text for answer in evidence(content).answers(every=True)} >= {
        "Does skill matter?",
        "How long is it?",
        "Does every game end?",
    }
    assert len(lines(content)) >= 1


def test_the_dealer_of_tarot_gains_nothing_by_a_mistake_of_weaker_agents():
    """A ban of trumps in the discards helps the dealer among scripted agents, and changes no game of trained ones."""
    found = evidence(json.loads(DISCARDS.read_text(encoding="utf-8"))).answers()
    by_agent = {str(answer.row.lineup): answer for answer in found if answer.question.text == "Is a seat better?"}
    assert by_agent["scripted"].is_clear and not by_agent["learned"].is_clear
    assert next(iter(by_agent)) == "learned"


def test_the_page_has_the_table_and_one_picture_of_the_strongest_agents(tmp_path):
    content = results(
        *changed(LENGTH, 75.0, 134.0, 3.0), command="c", table="chess", config={}, agents=[], seed=0, date=""
    )
    write_study_page(tmp_path / "a.html", content)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<td>75 -&gt; 134 actions</td><td>+59 [+56, +62]</td>" in page
    assert [axes.get_title() for axes in overview(evidence(content)).axes if axes.get_visible()] == ["How long is it?"]


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act" and to_act(1, "dealer") == "dealer"


def test_holm_rejects_step_by_step():
    assert holm({"a": 0.01, "b": 0.02, "c": 0.06}) == {"a", "b"}  # 0.05 / 3, 0.05 / 2, 0.05
    assert holm({"a": 0.02, "b": 0.02, "c": 0.02}) == set()
    assert holm({}) == set()


@pytest.mark.parametrize(("ends", "p"), [((0.05, 0.0, 0.1), 0.05), ((0.2, 0.2, 0.2), 0.0), ((0.0, -0.1, 0.1), 1.0)])
def test_p_values_follow_the_interval(ends, p):
    assert p_value(*ends) == pytest.approx(p, abs=1e-9)


def test_all_changes_of_a_map_are_tested_together():
    """In the tables, too. One change that is clear on its own is not when it is one of fifty."""
    rows = [figure("options", "median length", 75.0, 4.9)]
    rows += [
        figure("options", "median length", 80.0 - 5 * (i > 0), 4.9, variant=f"b={i}", change=5.0 * (i == 0))
        for i in range(50)
    ]
    content = results(*rows, variants=["a=1", *(f"b={i}" for i in range(50))])
    assert sum(row.changed for row in rows_of(content)) == 1
    assert sum(row.changed for row in rows_of({**content, "left_out": {}})) == 0
