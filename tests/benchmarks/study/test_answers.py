"""The answers of a study follow its figures, chance is not taken for an effect, and what was not seen is stated."""

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.harness.figures import holm, p_value, smallest_clear
from benchmarks.study.answers import HEADLINES, QUESTIONS, Answers
from benchmarks.study.results import CHANGE, PLACE, SAME, SEEDS, UNTRAINED, VIEW, rows_of, to_act
from tantra_envs.games import SHIPPED
from tantra_envs.programs import results as files

STUDIES = Path(__file__).parents[3] / "docs/results/study"
DISCARDS = Path(__file__).parent / "stored_results/tarot-discards.csv"
LAST = "score of the last at half"
OPEN, SEATS, SKILL, LONG = "Does it stay open?", "Is a seat better?", "Does skill matter?", "How long is it?"


def figure(section, measure, value, half=0.05, part="", variant="a=1", lineup="scripted", change=None):
    """The lines of a figure whose interval has this half-width; its change, if there is one, has the same."""
    agent, _, others = lineup.partition(" - ")
    facts = {"view": f"study {section}", "table": f"karma, {variant}", "agent": agent, "others": others, "part": part}
    ends = [(measure, value)] + ([(measure + CHANGE, change)] if change is not None else [])
    return [{**facts, "measure": name, "value": own, "low": own - half, "high": own + half, "deals": 100}
            for name, own in ends]  # fmt: skip


def results(*rows, agents=(), facts=()):
    """The table of these figures, the order of the agents, and facts: (variant, measure, values)."""
    shared = {"view": VIEW, "game": "karma_v0", "agent": "", "others": "", "part": ""}
    first = rows[0][0]["table"]
    lines = [{**shared, "table": first, "agent": own, "measure": PLACE, "value": i} for i, own in enumerate(agents)]
    lines += [{**shared, "table": f"karma, {variant}", "measure": name, **own} for variant, name, own in facts]
    return files.table([*lines, *(line for row in rows for line in row)], VIEW)


def answers_of(content):
    return Answers(content)


def rows_about(text, content):
    """The cells of the rows about a question: agents, value, change or difference, result, and what was not seen."""
    return [own.cells for own in answers_of(content).table if own.question["text"] == text]


def seats(*values, half=0.05, **other):
    return [figure("seats", "score by seat", value, half, part=to_act(i), **other) for i, value in enumerate(values, 1)]


def changes(effects, **other):
    """Results of the score of the last at half, which changes by these numbers for each agent, weakest first."""
    rows = [figure("tension", LAST, 0.5, lineup=agent) for agent in effects]
    rows += [figure("tension", LAST, 0.5 + by, lineup=agent, variant="a=2", change=by) for agent, by in effects.items()]
    return results(*rows, **{"agents": list(effects), **other})


def test_one_clear_seat_among_many_questions_is_chance():
    """A seat is clear on its own. It is not when six line-ups are tested, unless it is far from even."""
    alone = results(*seats(0.434, 0.566))
    assert rows_about(SEATS, alone) == [
        ("scripted", "2nd to act: 57", "+7 [+2, +12]", "clear", "a difference of less than 5 of 100")
    ]
    assert answers_of(alone).headline == "clearly a better seat, the 2nd to act."
    others = [row for agent in "uvwxy" for row in seats(0.5, 0.5, lineup=agent)]
    crowd = results(*others, *seats(0.434, 0.566))
    assert (
        not any(own.is_clear for own in answers_of(crowd).table) and answers_of(crowd).headline == "nothing is clear."
    )
    far = answers_of(results(*others, *seats(0.4, 0.6)))
    assert [own.agents for own in far.table if own.is_clear] == ["scripted"]


def test_questions_are_tested_together():
    rows = [figure("skill", "score of A", 0.56, lineup=f"{agent} - greedy") for agent in "uvwxyz"]
    assert not any(own.is_clear for own in answers_of(results(*rows)).table)
    assert answers_of(results(rows[0])).table[0].is_clear


@pytest.mark.parametrize("deals", [20, 100])
def test_of_studies_of_nothing_about_one_in_twenty_claims_something(deals):
    """Simulated: eight line-ups, whose changes are means over few deals."""
    rng, claims, studies = np.random.default_rng(1), 0, 600
    for _ in range(studies):
        means = rng.normal(0, 1, (8, deals))
        half = 1.96 * means.std(axis=1) / math.sqrt(deals)
        tests = {
            i: p_value(m, m - h, m + h, deals) for i, (m, h) in enumerate(zip(means.mean(axis=1), half, strict=True))
        }
        claims += bool(holm(tests))
    assert 0.02 <= claims / studies <= 0.07


@pytest.mark.parametrize(("deals", "tests"), [(20, 1), (100, 30), (1000, 5)])
def test_the_smallest_clear_difference_is_just_clear(deals, tests):
    least = smallest_clear(0.05, deals, tests)
    for factor, clear in ((1.001, True), (0.999, False)):
        value = factor * least
        p_values = {0: p_value(value, value - 0.05, value + 0.05, deals), **dict.fromkeys(range(1, tests), 1.0)}
        assert (0 in holm(p_values)) == clear
    assert smallest_clear(0.05, 2, 1) == math.inf


@pytest.mark.parametrize(("ends", "p"), [((0.05, 0.0, 0.1), 0.05), ((0.2, 0.2, 0.2), 0.0), ((0.0, -0.1, 0.1), 1.0)])
def test_p_values_follow_the_interval(ends, p):
    assert p_value(*ends) == pytest.approx(p, abs=1e-9)


def test_with_two_variants_only_changes_are_judged():
    """The level of both variants is far from even, and that is no answer."""
    rows = [*seats(0.38, 0.62), *seats(0.38, 0.62, variant="a=2", change=0.0)]
    same = answers_of(results(*rows))
    assert same.table[0].cells[1:] == (
        "2nd to act: 62 → 62",
        "+0 [-5, +5]",
        "not clear",
        "a change of less than 5 of 100",
    )
    assert same.headline == HEADLINES["nothing"]
    length = [
        figure("length", "median length", 75.0, 3.0),
        figure("length", "median length", 134.0, 3.0, variant="a=2", change=59.0),
    ]
    longer = answers_of(results(*rows, *length))
    assert rows_about(LONG, results(*rows, *length)) == [
        ("scripted", "75 → 134", "+59 [+56, +62]", "clear", "a change of less than 4 actions")
    ]
    assert longer.headline == "clearly longer games." and longer.heading == "Karma with a=2 instead of a=1"


def test_the_strongest_agents_come_first_and_are_those_of_the_headline():
    content = changes({"greedy": 0.2, "scripted": 0.01, "learned": 0.0})
    assert [cells[0] for cells in rows_about(OPEN, content)] == ["learned", "scripted", "greedy"]
    assert [cells[3] for cells in rows_about(OPEN, content)] == ["not clear", "not clear", "clear"]
    assert answers_of(content).headline == HEADLINES["nothing"]


def test_agents_that_were_not_trained_with_the_change_are_marked_and_never_clear():
    unknown = [("a=1", "b=1"), ("a=2", "b=1"), ("a=2", "a=2")]
    facts = [(variant, UNTRAINED, {"agent": "learned", "part": option}) for variant, option in unknown]
    content = changes({"scripted": 0.2, "learned": 0.2}, facts=facts)
    learned, scripted = rows_about(OPEN, content)
    assert (learned[0], learned[3]) == ("learned (not trained with a=2)", "not clear") and scripted[3] == "clear"
    assert answers_of(content).headline == HEADLINES["retrain"]
    small = answers_of(changes({"scripted": 0.2, "learned": 0.0}, facts=facts))
    assert small.headline == HEADLINES["nothing"]


@pytest.mark.parametrize(("agents", "result"), [(2, "not clear"), (3, "clear")])
def test_retrained_agents_are_above_all_and_clear_from_three_seeds_on(agents, result):
    facts = [("a=1", SEEDS, {"value": float(agents)})]
    first, _ = rows_about(OPEN, changes({"scripted": 0.0, "trained": 0.3}, agents=["scripted"], facts=facts))
    assert first[0].startswith(f"{agents} retrained") and first[3] == result
    assert ("fewer than three seeds" in first[0]) == (agents == 2)


def test_games_that_are_all_the_same_have_no_changes():
    rows = [figure("length", "median length", 75.0), figure("length", "median length", 75.0, variant="a=2", change=0.0)]
    content, some = (results(*rows, facts=[("a=2", SAME, {"value": n, "deals": 1800})]) for n in (1800.0, 1799.0))
    assert answers_of(content).headline == "all 1,800 games are the same, so the change never came up."
    assert not any("→" in cell for cells in rows_about(LONG, content) for cell in cells)
    assert answers_of(some).headline == HEADLINES["nothing"]


def test_a_pair_has_one_row_with_the_stronger_agent_alone():
    pairs = {"a - b": 0.3, "b - a": 0.7, "c - a": 0.9}
    rows = [figure("skill", "score of A", value, lineup=pair) for pair, value in pairs.items()]
    content = results(*rows, agents=["b", "a", "c"])
    assert [cells[0] for cells in rows_about(SKILL, content)] == ["c among a", "a among b"]


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


def test_the_dealer_of_tarot_gains_nothing_by_a_rule_that_learned_never_breaks():
    """May trumps and kings be laid away? It costs `scripted` some wins as the dealer, and `learned` never does it."""
    content = files.read(DISCARDS)
    assert (
        answers_of(content).heading == "Tarot, one hand with discard_rule=no_trumps_kings instead of discard_rule=none"
    )
    learned, scripted = rows_about(SEATS, content)
    assert learned[2:] == ("+0 [+0, +0]", "the same", "") and "not trained with discard_rule" in learned[0]
    assert scripted[:2] == ("scripted", "dealer: 58.3 → 61.9") and scripted[3] == "clear"
    assert answers_of(content).headline == HEADLINES["retrain"]


@pytest.mark.parametrize("game", SHIPPED)
def test_every_study_of_the_project_answers_every_question(game):
    content = files.read(STUDIES / f"{game}.csv")
    known = {(row.section, row.measure) for row in rows_of(content)}  # not all have every measure
    asked = {question["text"] for question in QUESTIONS if tuple(question["measure"][:2]) in known}
    found = answers_of(content)
    assert set(found.firsts) == asked and len(asked) >= 6
    assert "{" not in found.headline + str([own.cells for own in found.table])


# Several variants


def mapped(changes):
    """Results of a map of options: the change of the score of A by variant, with half an interval of 0.05."""
    rows = [figure("options", "score of A", 0.5, lineup="b - a")]
    rows += [figure("options", "score of A", 0.5 + by, variant=name, change=by, lineup="b - a") for name, by in
             changes.items()]  # fmt: skip
    return results(*rows, agents=["a", "b"])


def test_clear_changes_of_several_variants_follow_and_others_are_not_named():
    base = [figure("length", "median length", 75.0)]
    others = [figure("length", "median length", 75 + by, 3.0, variant=name, change=by) for name, by in
              {"a=2": 20.0, "a=3": -20.0, "a=4": 0.0}.items()]  # fmt: skip
    found = answers_of(results(*base, *others))
    assert [own.row.variant for own in found.changes] == ["a=2", "a=3"]
    assert found.headline == "2 of 3 changes of the rules change something clearly: a=2 and a=3."


def test_all_changes_of_a_map_are_tested_together():
    """A change of 0.055 is clear alone (p = 0.03), and not among twenty options; one of 0.1 is (p = 0.0001)."""
    assert answers_of(mapped({"x=1": 0.055, "y=1": 0.0})).changes == []
    many = mapped({"x=1": 0.055, "y=1": 0.1} | {f"z={i}": 0.01 for i in range(18)})
    assert answers_of(many).headline == "1 of 20 changes of the rules change something clearly: y=1."
    assert answers_of(mapped({"x=1": 0.0, "y=1": 0.01})).headline == HEADLINES["map_nothing"].format(variants=2)
