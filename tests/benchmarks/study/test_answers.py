"""The answers of a study follow its figures, chance is not taken for an effect, and what was not seen is stated."""

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.harness.figures import holm, p_value, smallest_clear
from benchmarks.study.answers import QUESTIONS, Answers
from benchmarks.study.results import CHANGE, PLACE, SAME, SEEDS, UNTRAINED, VIEW, rows_of, to_act
from tantra_envs.games import SHIPPED
from tantra_envs.programs import results as files

STUDIES = Path(__file__).parents[3] / "docs/results/study"
DISCARDS = Path(__file__).parent / "stored_results/tarot-discards.csv"
GOLDEN = Path(__file__).with_name("answers.txt")
LAST = "score of the last at half"


def figure(section, measure, value, half=0.05, part="", variant="a=1", lineup="scripted", change=None, deals=100):
    """The lines of a figure whose interval has this half-width; its change, if there is one, has the same."""
    agent, _, others = lineup.partition(" - ")
    facts = {"view": f"study {section}", "table": f"karma, {variant}", "agent": agent, "others": others, "part": part}
    ends = [(measure, value)] + ([(measure + CHANGE, change)] if change is not None else [])
    return [{**facts, "measure": name, "value": own, "low": own - half, "high": own + half, "deals": deals}
            for name, own in ends]  # fmt: skip


def results(*rows, agents=(), facts=()):
    """The table of these figures, the order of the agents, and facts: (variant, measure, values)."""
    shared = {"view": VIEW, "game": "karma_v0", "agent": "", "others": "", "part": ""}
    first = rows[0][0]["table"]
    lines = [{**shared, "table": first, "agent": own, "measure": PLACE, "value": i} for i, own in enumerate(agents)]
    lines += [{**shared, "table": f"karma, {variant}", "measure": name, **own} for variant, name, own in facts]
    return files.table([*lines, *(line for row in rows for line in row)], VIEW)


def seats(*values, half=0.05, **other):
    return [figure("seats", "score by seat", value, half, part=to_act(i), **other) for i, value in enumerate(values, 1)]


def changes(effects, **other):
    """Results of the score of the last at half, which changes by these numbers for each agent, weakest first."""
    rows = [figure("tension", LAST, 0.5, lineup=agent) for agent in effects]
    rows += [figure("tension", LAST, 0.5 + by, lineup=agent, variant="a=2", change=by) for agent, by in effects.items()]
    return results(*rows, **{"agents": list(effects), **other})


def mapped(changes):
    """Results of a map of options: the change of the score of A by variant, with half an interval of 0.05."""
    rows = [figure("options", "score of A", 0.5, lineup="b - a")]
    rows += [figure("options", "score of A", 0.5 + by, variant=name, change=by, lineup="b - a") for name, by in
             changes.items()]  # fmt: skip
    return results(*rows, agents=["a", "b"])


def untrained(effects):
    """Results with an agent that was trained without the change of a."""
    unknown = [("a=1", "b=1"), ("a=2", "b=1"), ("a=2", "a=2")]
    facts = [(variant, UNTRAINED, {"agent": "learned", "part": option}) for variant, option in unknown]
    return changes(effects, facts=facts)


def same(games):
    """Results of 1,800 games of which some are the same with the change."""
    rows = [figure("length", "median length", 75.0), figure("length", "median length", 75.0, variant="a=2", change=0.0)]
    return results(*rows, facts=[("a=2", SAME, {"value": games, "deals": 1800})])


def retrained(seeds):
    facts = [("a=1", SEEDS, {"value": float(seeds)})]
    return changes({"scripted": 0.0, "trained": 0.3}, agents=["scripted"], facts=facts)


EVEN = [row for agent in "uvwxy" for row in seats(0.5, 0.5, lineup=agent)]
LEVEL = [*seats(0.38, 0.62), *seats(0.38, 0.62, variant="a=2", change=0.0)]
PAIRS = [figure("skill", "score of A", 0.56, lineup=f"{agent} - greedy") for agent in "uvwxyz"]
LONGER = [figure("length", "median length", 75.0, 3.0),
          figure("length", "median length", 134.0, 3.0, variant="a=2", change=59.0)]  # fmt: skip
LENGTHS = [figure("length", "median length", 75.0), *(
    figure("length", "median length", 75 + by, 3.0, variant=name, change=by) for name, by in
    {"a=2": 20.0, "a=3": -20.0, "a=4": 0.0}.items())]  # fmt: skip
SKILLS = [figure("skill", "score of A", value, lineup=pair) for pair, value in
          {"a - b": 0.3, "b - a": 0.7, "c - a": 0.9}.items()]  # fmt: skip
CASES = {
    "a seat that is clear alone": results(*seats(0.434, 0.566)),
    "the same seat is chance among six line-ups": results(*EVEN, *seats(0.434, 0.566)),
    "a seat that is far from even is clear among six": results(*EVEN, *seats(0.4, 0.6)),
    "six pairs are tested together": results(*PAIRS),
    "one pair is tested alone": results(PAIRS[0]),
    "with two variants only changes are judged, not the level of both": results(*LEVEL),
    "longer games": results(*LEVEL, *LONGER),
    "the strongest agents come first and decide the headline": changes({"greedy": 0.2, "scripted": 0.01, "learned": 0}),
    "an agent that was not trained with the change is marked and never clear": untrained(
        {"scripted": 0.2, "learned": 0.2}
    ),
    "such an agent without a large change": untrained({"scripted": 0.2, "learned": 0.0}),
    "two retrained agents are not clear": retrained(2),
    "three retrained agents are clear, and above all": retrained(3),
    "games that are all the same have no changes": same(1800.0),
    "one game is not the same": same(1799.0),
    "a pair has one row with the stronger agent alone": results(*SKILLS, agents=["b", "a", "c"]),
    "learned never breaks the rule that is gone, and scripted gains as the dealer": files.read(DISCARDS),
    "clear changes of several variants": results(*LENGTHS),
    "a change of 0.055 is clear alone": mapped({"x=1": 0.055, "y=1": 0.0}),
    "among twenty options it is not, and one of 0.1 is": mapped(
        {"x=1": 0.055, "y=1": 0.1} | {f"z={i}": 0.01 for i in range(18)}
    ),
    "an agent with a fifth of the deals comes last, however strong": results(
        figure("tension", LAST, 0.4),
        figure("tension", LAST, 0.6, lineup="search", deals=20),
        agents=["scripted", "search"],
    ),
    "a map without clear changes": mapped({"x=1": 0.0, "y=1": 0.01}),
}


def told(content):
    """Everything that a study answers."""
    found = Answers(content)
    yield found.headline
    yield from (" | ".join([own.question["text"], *own.cells]) for text in found.firsts for own in found.grouped[text])
    yield from (f"changed: {own.row.variant}" for own in found.changes)


def test_answers_are_golden():
    """The file was read line by line. It is written again where it is missing."""
    text = "".join(f"== {name}\n" + "".join(f"{line}\n" for line in told(case)) + "\n" for name, case in CASES.items())
    if not GOLDEN.exists():
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


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


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


@pytest.mark.parametrize("game", SHIPPED)
def test_every_study_of_the_project_answers_every_question(game):
    content = files.read(STUDIES / f"{game}.csv")
    known = {(row.section, row.measure) for row in rows_of(content)}  # not all have every measure
    asked = {question["text"] for question in QUESTIONS if tuple(question["measure"][:2]) in known}
    found = Answers(content)
    assert set(found.firsts) == asked and len(asked) >= 6
    assert "{" not in found.headline + str([own.cells for rows in found.grouped.values() for own in rows])
