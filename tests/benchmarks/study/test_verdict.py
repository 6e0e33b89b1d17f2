"""The opening of a study's page: plain answers that follow the figures, with charts, and nothing where figures lack."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.study.results import rows_of
from benchmarks.study.verdict import chart, lines, opening, to_act

STUDIES = Path(__file__).parents[3] / "docs/results/study"
RESULTS = {"variants": ["as given"], "game": "chess", "title": "Chess", "players": 2, "teams": 2}
PAIR = {**RESULTS, "variants": ["copies=2", "copies=3"], "agents": ["uniform", "greedy", "scripted"]}
LAST = "score of the last at half"


def row(section, measure, value, **other):
    facts = {"variant": "as given", "lineup": "search - greedy", "seat": 0, "part": "", "deals": 100}
    ends = {"low": value - 0.05, "high": value + 0.05, **dict.fromkeys(("change", "change_low", "change_high"))}
    return {"section": section, "measure": measure, "value": value, **facts, **ends, **other}


def headline(*rows, results=RESULTS):
    return lines(opening(results, rows))


@pytest.mark.parametrize(("value", "short"), [
    (0.95, "Skill decides"), (0.65, "Skill counts"), (0.56, "Skill counts a little"), (0.52, "Skill does not show"),
])  # fmt: skip
def test_skill_follows_the_closest_pair_that_differs_clearly(value, short):
    others = {"search - uniform": 0.99, "greedy - greedy:x": 0.5, "uniform - greedy": 0.3}
    pairs = [row("skill", "score of A", score, lineup=lineup) for lineup, score in others.items()]
    rows = [*(pairs if value > 0.55 else []), row("skill", "score of A", value)]
    assert headline(*rows) == [
        f"{short}: search scores {value * 100:.0f} of 100 against greedy, where a tie counts half."
    ]


def test_an_advantage_of_a_seat_is_named_with_its_agents():
    even = [row("seats", "score by seat", 0.5, seat=seat, lineup="scripted") for seat in (1, 2)]
    uneven = [row("seats", "score by seat", value, seat=i + 1, lineup="uniform") for i, value in enumerate((0.4, 0.6))]
    better = "he 2nd to act is clearly better in games of uniform agents and beats 60 of 100 opponents."
    assert headline(*even) == ["No seat is clearly better or worse."]
    assert headline(*uneven, *even) == [f"No seat is clearly better or worse in games of scripted agents; t{better}"]
    assert headline(*uneven) == [f"T{better}"]
    assert opening(RESULTS, even).boxes[0].charts["as given"].count("<rect") == 2


@pytest.mark.parametrize(("value", "short"), [
    (0.45, "A game stays open until late"), (0.25, "A game can still turn in its second half"),
    (0.1, "The first half decides most games"),
])  # fmt: skip
def test_suspense_follows_the_final_score_of_the_last(value, short):
    assert headline(row("tension", LAST, value))[0].startswith(
        f"{short}: with search - greedy agents, the seat that is last"
    )


@pytest.mark.parametrize(("value", "short"), [(0.05, "little"), (0.15, "a part"), (0.4, "much")])
def test_the_share_of_the_deal_has_a_verdict_and_an_interval(value, short):
    parts = {"by the agents": 0.18, "by the deal": value}
    rows = [row("skill", "score of A", 0.6), *(row("skill", "explained", v, part=part) for part, v in parts.items())]
    ends = f"[{100 * value - 5:.0f}, {100 * value + 5:.0f}]"
    words = f"The deal decides {short}: {100 * value:.0f} % {ends} of the differences between "
    words += "results of search against greedy."
    assert headline(*rows)[0] == words


def test_the_typical_length_is_the_median_and_stopped_games_are_named():
    own = {"lineup": "scripted"}
    median, mean = row("length", "median length", 75.0, **own), row("length", "length", 157.0, **own)
    stopped = row("length", "truncated games", 0.04, **own)
    takes = "A typical game of scripted agents takes 75 actions."
    assert headline(median, mean) == [takes]
    assert headline(median, mean, stopped) == [
        f"{takes} Some games do not end and are stopped at a limit: 4 of 100 games of scripted agents."
    ]
    box = opening(RESULTS, [mean, stopped]).boxes[0]  # results of older versions have no median
    assert "157 actions on average" in box.line and "Stopped games raise the average" in box.note


def test_among_more_players_the_highest_score_is_less_and_finished_games_have_their_own():
    results = {**RESULTS, "players": 4, "teams": 4, "most": 2 / 3}
    pair = [row("skill", "score of A", 0.6), row("skill", "score of A in finished games", 0.63)]
    box = opening(results, [*pair, row("skill", "truncated games", 0.1)]).boxes[0]
    assert box.line == "skill decides: search, alone among greedy agents, beats 60 of 100 opponents"  # 0.6 of 0.667
    assert box.note.startswith("50 is even, and 67 is the most.")
    assert box.note.endswith("Among finished games the score is 63 of 100.")


def changed(section, measure, value, change, wide, **other):
    ends = {"change": change, "change_low": change - wide, "change_high": change + wide}
    return row(section, measure, value, variant="copies=3", **ends, **other)


def test_with_two_variants_the_headline_is_about_the_change_and_names_both():
    own = {"lineup": "scripted"}
    rows = [
        row("seats", "score by seat", 0.51, variant="copies=2", seat=1, **own),
        changed("seats", "score by seat", 0.50, -0.01, 0.04, seat=1, **own),
        row("length", "median length", 75.0, variant="copies=2", **own),
        changed("length", "median length", 134.0, 59.0, 3.0, **own),
    ]
    first = opening(PAIR, rows)
    assert first.title == "Chess with copies=3 instead of copies=2"
    assert lines(first) == [
        "No seat is clearly better or worse.",
        "Games are clearly longer. A typical game of scripted agents takes 134 actions instead of 75.",
    ]
    fair, length = first.boxes
    assert list(fair.charts) == list(length.charts) == ["copies=2", "copies=3"]
    assert fair.changes == {"copies=3": [("scripted, 1st to act: -1.0 [-5.0, +3.0], not clear", False)]}
    assert length.changes == {"copies=3": [("scripted: +59 [+56, +62], clear", True)]}


def test_a_headline_names_the_agents_that_disagree():
    effects = {"uniform": 0.0, "greedy": -0.1, "scripted": 0.1}
    base = [row("tension", LAST, 0.5, variant="copies=2", lineup=agent) for agent in effects]
    other = [changed("tension", LAST, 0.5 + by, by, 0.05, lineup=agent) for agent, by in effects.items()]
    (line,) = headline(*base, *other, results=PAIR)
    assert "half rises clearly with scripted agents, falls clearly with greedy agents, does not change clearly" in line
    assert line.endswith(
        "with uniform agents. With scripted agents, the seat that is last after half of the actions beats 60 of 100 "
        "opponents in the end, instead of 50."
    )


def test_pairs_that_change_in_another_direction_are_named():
    pairs = {
        "search - greedy": (0.6, 0.1),
        "learned - greedy": (0.8, -0.1),
        "greedy - learned": (0.4, -0.1),  # the better agent gains
        "greedy - uniform": (0.998, -0.002),  # too small to name
    }
    base = [row("skill", "score of A", value, variant="copies=2", lineup=pair) for pair, (value, _) in pairs.items()]
    other = [
        changed("skill", "score of A", value + by, by, abs(by) / 2, lineup=pair) for pair, (value, by) in pairs.items()
    ]
    (line,) = headline(*base, *other, results=PAIR)
    assert line.startswith("The score of the better agent rises clearly: search scores 70 instead of 60")
    assert line.endswith("Other pairs disagree: the gap narrows clearly for learned against greedy.")


def test_with_many_variants_the_opening_is_about_the_first_one_and_names_it():
    results = {**RESULTS, "variants": ["copies=2", "copies=3", "decks=2", "dealer=0"]}
    rows = [row("length", "median length", 157.0, variant=name) for name in results["variants"]]
    first = opening(results, rows)
    assert first.title == "Chess with copies=2"
    assert list(first.boxes[0].charts) == ["copies=2"] and not first.boxes[0].changes


def test_agents_are_described():
    agents = opening({**RESULTS, "agents": ["greedy", "search:8", "mine.py:Mine"]}, []).agents
    assert list(agents) == ["greedy", "search:8"] and "looks best at once" in agents["greedy"]


@pytest.mark.parametrize(("seat", "name"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (12, "12th")])
def test_seats_are_named_by_the_order_of_play(seat, name):
    assert to_act(seat) == f"{name} to act"


def test_other_variants_and_missing_figures_say_nothing():
    assert opening(RESULTS, [row("tension", LAST, 0.4, variant="copies=3")]).boxes == []
    assert headline() == []
    assert opening(RESULTS, []).picture == ""


def test_a_chart_draws_each_figure_to_scale_with_its_number():
    svg = chart([("a<b", row("", "", 40.0), 40), ("half", row("", "", 20.0), 20)], None, 50.0)
    widths = [int(width) for width in re.findall(r'<rect [^>]*width="(\d+)"', svg)]
    assert widths[0] == 2 * widths[1] > 0
    assert 'aria-label="a&lt;b 40; half 20"' in svg and svg.count("stroke-dasharray") == 0
    assert chart([("half", row("", "", 0.5), 50)]).count("stroke-dasharray") == 1


@pytest.mark.parametrize(
    ("game", "seats"), [("karma", 2), ("tarot", 2), ("kanastic", 2), ("tantra", 4), ("tantrix", 2)]
)
def test_every_study_of_the_project_opens_with_its_table_and_five_answers(game, seats):
    results = json.loads((STUDIES / f"{game}.json").read_text())
    first = opening(results, rows_of(results))
    named = set(re.findall(r"\d(?:st|nd|rd|th) to act", first.picture))
    assert first.picture.startswith("<svg") and named == {to_act(seat + 1) for seat in range(seats)}
    assert first.title == results["title"] and len(first.boxes) == len(lines(first)) == 5
