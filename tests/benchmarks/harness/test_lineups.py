"""The teams of a match follow from the form of its line-ups."""

import pytest

from benchmarks.presets import tournament


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
    assert tournament.lineups(form, agents, teams) == expected
