"""Standings: bootstrap and ratings against what is known of small cases."""

import numpy as np
import pytest

from benchmarks.tournament.standings import half_widths, standings
from tantra_envs.matches.match import Match


def match(*scores):
    columns = np.array(scores, float).T
    return Match(columns, 2 * columns - 1, -1.0, 1.0, 10.0, 0.0)


def test_standings_of_three_who_met_in_pairs():
    first, second = [1.0, 1.0, 0.5, 1.0], [0.5, 0.0, 1.0, 0.5]
    matches = {
        (0, 1): match(second, 1 - np.array(second)),
        (0, 2): match(first, 1 - np.array(first)),
        (1, 2): match(first, 1 - np.array(first)),
    }
    found = standings("one-vs-rest", 3, matches)
    means = {own.agent: own.score.mean for own in found.agents}
    assert means == pytest.approx({0: (0.5 + 0.875) / 2, 1: (0.5 + 0.875) / 2, 2: 0.125})
    assert [own.agent for own in found.agents] == [0, 1, 2]
    assert found.payoff[2, 0].mean == pytest.approx(1 - found.payoff[0, 2].mean) == pytest.approx(0.125)
    assert found.agents[1].margin.mean == pytest.approx(means[1] - means[2])
    assert found.agents[1].rating.mu > found.agents[2].rating.mu
    widths = half_widths("one-vs-rest", 3, matches)
    assert widths == pytest.approx([(own.score.high - own.score.low) / 2 for own in found.agents])
