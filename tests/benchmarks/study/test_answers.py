"""The verdict of a study: its answers follow the figures, and chance is not taken for an effect."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.harness.figures import holm, p_value
from benchmarks.study.answers import COMPARED_SENTENCES, QUESTIONS, Evidence, answers, heading, headline
from benchmarks.study.report import overview, write_study_page
from benchmarks.study.results import SCHEMA, rows_of, to_act
from tantra_envs.games import SHIPPED

STUDIES = Path(__file__).parents[3] / "docs/results/study"
DISCARDS = Path(__file__).parent / "kept/tarot-discards.json"
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
    return headline(Evidence(content, rows_of(content)))


def of(text, content):
    """The sentences about one question."""
    return next(found for question, found in answers(Evidence(content, rows_of(content))) if question.text == text)


def seats(*values, half=0.05, **other):
    return [figure("seats", "score by seat", value, half, seat=i, **other) for i, value in enumerate(values, start=1)]


def template(text, result, kind="alone"):
    return next(getattr(question, kind)[result] for question in QUESTIONS if question.text == text)


def test_one_clear_seat_among_many_tests_is_chance():
    """One seat is clear on its own. It is not when four line-ups are tested, unless it is far from even."""
    (alone,) = of("Is a seat better?", results(*seats(0.44, 0.56), variants=["a=1"]))
    assert "2nd to act" in alone and "56 of 100" in alone
    others = [row for agent in ("x", "y", "z") for row in seats(0.5, 0.5, lineup=agent)]
    crowd = results(*others, *seats(0.44, 0.56), variants=["a=1"])
    nothing, _ = of("Is a seat better?", crowd)
    assert nothing.startswith(template("Is a seat better?", "none"))
    assert not any(row.differs for row in rows_of(crowd))
    far = results(*others, *seats(0.4, 0.6), variants=["a=1"])
    assert "60 of 100" in of("Is a seat better?", far)[0]
    assert [row.differs for row in rows_of(far)[-2:]] == [True, True]


def test_only_seats_are_tested_together():
    rows = [figure("skill", "score of A", 0.551, lineup=f"{agent} - greedy") for agent in "uvwxyz"]
    assert all(row.differs for row in rows_of(results(*rows)))


def test_both_seats_of_two_are_one_test():
    """Their scores add up to 1, so the seats of two line-ups are two tests, not four."""
    assert p_value(0.06, 0.01, 0.11) == pytest.approx(p_value(-0.06, -0.11, -0.01))
    limit = results(*seats(0.44, 0.56, half=0.052), *seats(0.44, 0.56, half=0.052, lineup="x"), variants=["a=1"])
    assert all(row.differs for row in rows_of(limit))  # p = 0.024, below 0.05 / 2, above 0.05 / 4


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
    assert "1,790 of 1,800" in some[0] and "75" in some[1] and "instead" not in some[1]  # nothing to compare
    assert len(none) == 1 and none[0] == some[1]
    assert lines(results(*rows)) == none  # results of older versions do not count them


def test_of_many_variants_those_without_an_effect_are_mentioned():
    rows = [figure("length", "median length", 75.0, variant=name) for name in ("a=1", "a=2", "a=3")]
    content = results(*rows, variants=["a=1", "a=2", "a=3"], same_games={"a=2": [5, 10], "a=3": [10, 10]})
    same, length, nothing = lines(content)
    assert "a=3" in same and "a=2" not in same and "instead" not in length
    assert "a=2" in nothing and "a=3" not in nothing
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
    main, silent, other = of("Does it stay open?", results(*rows))
    assert "scripted" in main and "60 instead of 50" in main
    assert "Uniform" in silent and "greedy" not in silent
    assert "greedy" in other and "40 instead of 50" in other


@pytest.mark.parametrize(("main", "by", "verb"), [(0.15, -0.06, "clearly less"), (-0.05, 0.06, "clearly more")])
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
    main, silent, equal = of("Does every game end?", results(*rows, variants=["a=1"]))
    assert "0.4 of 100 games of scripted" in main and "greedy" not in main
    assert "Uniform" in equal + silent and "greedy" in equal + silent


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


def test_a_figure_that_only_one_variant_has_is_not_compared():
    rows = [figure("tension", LAST, 0.4, lineup="greedy"), figure("tension", LAST, 0.3)]
    rows += [figure("tension", LAST, 0.4, lineup="greedy", variant="a=2", change=0.0)]
    (line,) = of("Does it stay open?", results(*rows))
    assert "greedy" in line and "40 of 100" in line and "instead" not in line
    assert lines(results(figure("skill", "explained", 0.2, lineup="search - greedy", part="by the deal"))) == []


def test_without_figures_there_are_no_answers():
    assert lines(results()) == []
    assert lines(results(figure("tension", LAST, 0.4, variant="a=2"))) == []


@pytest.mark.parametrize("game", SHIPPED)
def test_every_study_of_the_project_answers_every_question(game):
    content = json.loads((STUDIES / f"{game}.json").read_text())
    known = {(measure["section"], measure["name"]) for measure in content["measures"]}  # not all have every measure
    asked = {question.text for question in QUESTIONS if question.measure[:2] in known}
    assert {question.text for question, _ in answers(Evidence(content, rows_of(content)))} == asked and len(asked) >= 6
    assert not any("{" in line for line in lines(content))


def test_the_page_opens_with_one_picture_of_every_seat_and_answer(tmp_path):
    content = json.loads((STUDIES / "tantra.json").read_text())
    write_study_page(tmp_path / "page.html", content)
    opening = (tmp_path / "page.html").read_text(encoding="utf-8").partition('<details class="method">')[0]
    picture = opening[opening.index("<svg") :]
    assert opening.count("<svg") == 1
    assert all(to_act(seat + 1) in picture for seat in range(4))
    assert all(question.text in picture for question, _ in answers(Evidence(content, rows_of(content))))


# Agents compared with each other


def changes(effects, deals=None, **other):
    """Results of the score of the last at half, which changes by these numbers for each agent, weakest first."""
    rows = [figure("tension", LAST, 0.5, lineup=agent) for agent in effects]
    rows += [figure("tension", LAST, 0.5 + by, lineup=agent, variant="a=2", change=by) for agent, by in effects.items()]
    rows = [{**row, "deals": (deals or {}).get(row["lineup"], 100)} for row in rows]
    return results(*rows, agents=list(effects), **other)


def test_the_dealer_of_tarot_gains_nothing_by_a_mistake_of_weaker_agents():
    """May trumps and kings be laid away? It costs `scripted` some wins as the dealer, and `learned` never does it."""
    content = json.loads(DISCARDS.read_text())
    assert heading(content) == "Tarot, one hand with discard_rule=no_trumps_kings instead of discard_rule=none"
    same, *_ = lines(content)
    assert "2,000 games of learned" in same
    change, now, only = of("Is a seat better?", content)
    assert change.startswith(template("Is a seat better?", "none", "change")) and "learned" in change
    assert "dealer" in now and "61 of 100" in now and "1st to act" not in change + now + only
    assert only.startswith("Only scripted agents") and "62 instead of 58" in only and "mistake" in only
    assert "2,000 games of learned agents were the same" in only
    for question in ("Does the deal decide?", "Does skill matter?"):
        assert "comes from scripted agents" in of(question, content)[-1]


def test_what_only_weaker_agents_show_is_their_mistake_or_style():
    main, only = (
        of("Does it stay open?", changes({"greedy": 0.1, "scripted": 0.01, "learned": 0.0}))[:1]
        + of("Does it stay open?", changes({"greedy": 0.1, "scripted": 0.01, "learned": 0.0}))[-1:]
    )
    assert "learned" in main and main.startswith(template("Does it stay open?", "none", "change"))
    assert "greedy" in only and "mistake" in only and "60 instead of 50" in only and "scripted" not in only


def test_stronger_agents_with_few_deals_are_no_headline_and_make_no_mistakes():
    content = changes({"scripted": 0.0, "search": 0.1}, {"search": 20})
    main, other = of("Does it stay open?", content)
    assert "scripted" in main and "search" in other.lower() and "20 deals" in other and "mistake" not in other
    enough = changes({"scripted": 0.0, "search": 0.1}, {"search": 25})
    assert "search" in of("Does it stay open?", enough)[0]
    silent = changes({"scripted": 0.1, "search": 0.0}, {"search": 20})
    assert len(of("Does it stay open?", silent)) == 1  # too few deals to disagree


def test_agents_are_as_strong_as_their_scores_say():
    def order(*pairs, agents=("a", "b", "c")):
        rows = [figure("skill", "score of A", value, lineup=pair) for pair, value in pairs]
        content = results(*rows, variants=["a=1"], agents=list(agents))
        return list(Evidence(content, rows_of(content)).strength)

    assert order() == ["a", "b", "c"]
    assert order(("c - b", 0.3)) == ["a", "c", "b"]
    assert order(("c - b", 0.49)) == ["a", "b", "c"]
    assert order(("a - c", 0.8), ("b - a", 0.1)) == ["b", "c", "a"]
    assert order(("trained - b", 0.3)) == ["trained", "a", "b", "c"]
    assert order(("trained - b", 0.7)) == ["a", "b", "trained", "c"]


def test_trained_agents_may_be_those_of_the_headline():
    rows = [figure("skill", "score of A", value, lineup=pair) for pair, value in
            {"scripted - greedy": 0.7, "trained - scripted": 0.8}.items()]  # fmt: skip
    rows += [figure("tension", LAST, 0.5, lineup=agent) for agent in ("scripted", "trained")]
    content = results(*rows, variants=["a=1"], agents=["greedy", "scripted"])
    assert "with trained agents" in of("Does it stay open?", content)[0]


def test_three_versions_have_a_paragraph_each():
    base = [figure("length", "median length", 75.0)]
    others = [figure("length", "median length", 75 + by, variant=name, change=by) for name, by in
              {"a=2": 20.0, "a=3": -20.0, "a=4": 0.0}.items()]  # fmt: skip
    first, longer, shorter, nothing = lines(results(*base, *others, variants=["a=1", "a=2", "a=3", "a=4"]))
    assert "75 actions" in first and "a=" not in first
    assert longer.startswith("With a=2 instead of a=1: ") and "95 instead of 75" in longer
    assert shorter.startswith("With a=3 instead of a=1: ") and "55 instead of 75" in shorter
    assert nothing == f"With a=4 instead of a=1: {COMPARED_SENTENCES['nothing']}"


@pytest.mark.parametrize(
    ("by", "shown"), [(0.1, "60 instead of 50"), (0.003, "50.3 instead of 50.0"), (0.0004, "50.04 instead of 50.00")]
)
def test_a_clear_change_has_as_many_decimals_as_show_it(by, shown):
    rows = [figure("length", "truncated games", 0.5)]
    rows += [figure("length", "truncated games", 0.5 + by, by / 2, variant="a=2", change=by)]
    content = results(*rows)
    content["measures"][0]["even"] = 0.0
    base, other = rows_of(content)
    (line,) = answers(Evidence(content, [base, replace(other, changed=True)]))[0][1]
    assert shown in line


def test_the_page_warns_of_agents_that_were_not_trained_for_an_option(tmp_path):
    content = json.loads(DISCARDS.read_text())
    write_study_page(tmp_path / "page.html", content)
    opening = (tmp_path / "page.html").read_text(encoding="utf-8").partition('<details class="method">')[0]
    assert "<h1>Tarot, one hand" in opening
    assert "learned was not trained with episode=hand and discard_rule=no_trumps_kings" in opening
    without = tmp_path / "without.html"
    write_study_page(without, {**content, "untrained": {}})
    assert "not trained with" not in without.read_text(encoding="utf-8")


def test_the_first_picture_shows_the_agents_of_the_headline_on_axes_that_magnify_nothing():
    content = json.loads(DISCARDS.read_text())
    figure_of_answers = overview(Evidence(content, rows_of(content)))
    charts = {axes.get_title(): axes for axes in figure_of_answers.axes if axes.get_visible()}
    seats_chart, length = charts["Is a seat better?"], charts["How long is it?"]
    assert [label.get_text() for label in seats_chart.get_xticklabels()] == ["dealer", "2nd to act"]
    assert [label.get_text() for label in length.get_xticklabels()] == ["learned"]
    low, high = length.get_ylim()
    assert low < 58 < high and high - low > 0.15 * 58
    for axes in charts.values():
        assert axes.get_ylim()[1] - axes.get_ylim()[0] >= 0.19


# A map of options


def mapped(changes, left_out=("max_moves",), **other):
    """Results of a map of options: the change of the score of A by variant, with half an interval of 0.05."""
    rows = [figure("options", "score of A", 0.5, lineup="b - a")]
    rows += [figure("options", "score of A", 0.5 + by, variant=name, change=by, lineup="b - a") for name, by in
             changes.items()]  # fmt: skip
    head = {"variants": ["as given", *changes], "agents": ["a", "b"], **other}
    content = results(*[{**row, "variant": row["variant"].replace("a=1", "as given")} for row in rows], **head)
    return {**content, "left_out": dict.fromkeys(left_out, "it has no value")}


def test_all_changes_of_a_map_are_tested_together():
    """A change of 0.055 is clear alone (p = 0.03), and not among twenty options; one of 0.1 is (p = 0.0001)."""
    assert [row.changed for row in rows_of(mapped({"x=1": 0.055}))] == [False, True]
    many = mapped({"x=1": 0.055, "y=1": 0.1} | {f"z={i}": 0.01 for i in range(18)})
    assert [row.variant for row in rows_of(many) if row.changed] == ["y=1"]
    text = lines(many)
    assert text[0].startswith("With y=1: ") and "60 instead of 50" in text[0] and "x=1" in text[-1]
    usual = {name: value for name, value in many.items() if name != "left_out"}
    assert [row.variant for row in rows_of(usual) if row.changed] == ["x=1", "y=1"]


def test_options_of_a_map_that_never_come_up_are_one_sentence():
    same = {"x=1": [100, 100], "y=1": [40, 100], "z=1": [100, 100]}
    content = mapped({"x=1": 0.0, "y=1": 0.0, "z=1": 0.0}, same_games=same, same_by_lineup={})
    never, nothing = lines(content)
    assert "x=1 and z=1" in never and "y=1" not in never
    assert "y=1" in nothing and "x=1" not in nothing
