"""Line-ups are read from the text that they write, and the teams of a match follow from their form."""

from __future__ import annotations

import pytest

from benchmarks.harness import lineups
from benchmarks.harness.lineups import Lineup


@pytest.mark.parametrize(
    ("text", "lineup"),
    [
        ("scripted", Lineup("scripted")),
        ("search:16,base=learned - scripted", Lineup("search:16,base=learned", "scripted")),
        ("trained", Lineup(None, None, 0)),
        ("trained-2 - scripted", Lineup(None, "scripted", 2)),
        ("half-trained", Lineup(None, None, 0, half=True)),
        ("half-trained-12 - x", Lineup(None, "x", 12, half=True)),
        ("scripted - trained.py:Mine", Lineup("scripted", "trained.py:Mine")),
    ],
)
def test_a_line_up_is_read_from_its_text(text, lineup):
    assert Lineup.parse(text) == lineup and str(lineup) == text
    assert lineup.is_pair == (" - " in text)


def test_a_trained_agent_belongs_to_the_mean_of_its_kind():
    one = Lineup.parse("trained-2 - scripted")
    assert one.is_trained and one.is_detail and not one.is_mean
    assert str(one.mean) == "trained - scripted" and one.mean.is_mean and not one.mean.is_detail
    assert str(one.mean.after_half) == "half-trained - scripted" and one.mean.after_half.is_detail
    assert str(one.alone) == "trained-2"


@pytest.mark.parametrize("name", ["trained.py:Mine", "trained.py:Mine - scripted", "half-trained-bot", "trained-x"])
def test_agents_of_the_user_whose_names_begin_alike_are_no_trained_agents(name):
    assert not Lineup.parse(name).is_trained and not Lineup.parse(name).is_detail


@pytest.mark.parametrize(
    ("form", "agents", "teams", "expected"),
    [
        ("one-vs-rest", 3, 2, [(0, 1), (0, 2), (1, 2)]),
        ("one-vs-rest", 2, 3, [(0, 1, 1), (1, 0, 0)]),
        ("distinct", 3, 2, [(0, 1), (0, 2), (1, 2)]),
        ("distinct", 4, 3, [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        ("distinct", 2, 3, [(0, 0, 1), (0, 1, 1)]),
        ("distinct", 2, 4, [(0, 0, 1, 1)]),
    ],
)
def test_the_teams_of_all_line_ups_of_a_form(form, agents, teams, expected):
    assert lineups.lineups(form, agents, teams) == expected
