"""What a study notes about a game agrees with the same game replayed action by action, and with golden numbers.

The golden numbers were checked against positions, hand by hand. `python -m tests.benchmarks.study.golden` writes them
again.
"""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from benchmarks.study import tension
from benchmarks.study.tally import LENGTH, measures_of, tally
from tantra_envs.games import SHIPPED
from tantra_envs.measures import of_game

from . import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_notes_are_golden(name, tmp_path):
    """Every sum of every measure, by place."""
    golden.assert_same(name, golden.lines(name, tmp_path))


def karma(position):
    """Minus the cards of each seat."""
    zones = zip(position["hands"], position["up"], position["down"], strict=True)
    return [-sum(len(zone) for zone in seat) for seat in zones]


def tarot(position):
    points, over = position["points"], position["phase"] == "OVER"
    ahead = [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
    return [total + (0 if over else max(0, gain)) for total, gain in zip(position["totals"], ahead, strict=True)]


@pytest.mark.parametrize(("name", "standing"), [("karma", karma), ("tarot:quick", tarot)])
def test_games_agree_with_their_positions(name, standing, recorded):
    record = recorded(name, "uniform", deals=3, rotations=1, players=3)
    table, game = tally(record.file), record.game
    length = [table[f"{measures_of(game).index(LENGTH)}.0.{i}"].to_numpy().reshape(3, 3).tolist() for i in (0, 1)]
    for row, actions in enumerate(record.games["actions"]):
        state, paid = game.new(int(record.games["deal"][row])), np.zeros(3)
        first = int(state["seat"][0])
        for action in actions:
            game.apply_action(state, action)
            paid += state["rewards"][0, :3]
        seats = [(first + place) % 3 for place in range(3)]
        scores = [sum((paid[a] > paid[b]) + 0.5 * (paid[a] == paid[b]) for b in seats if b != a) / 2 for a in seats]
        own, final = table[3 * row : 3 * row + 3], standing(game.position(state))
        assert own["score"].to_list() == pytest.approx(scores)
        assert own["final"].to_list() == [final[seat] for seat in seats]
        assert [sums[row] for sums in length] == [[len(actions), 0, 0], [1, 0, 0]]


def test_a_level_table_leaves_the_lead_where_it_was():
    standings = np.array([[[0, 0]], [[1, 0]], [[1, 1]], [[1, 2]], [[3, 2]], [[3, 2]]])
    holders = tension.holders(tension.sole_best(standing) for standing in standings)
    assert holders[:, 0].tolist() == [tension.NOBODY, 0, 0, 1, 0, 0]
    scores = np.array([[1.0, 0.0]])
    assert np.isnan(tension.score_of(holders[0], scores)[0])  # nobody has led at the deal
    assert [tension.score_of(holders[moment], scores)[0] for moment in (2, 3, 4)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_has_measures_with_names_of_their_own(name):
    game = tantra_envs.game(name)
    names = [measure.name for measure in of_game(game).measures(game)]
    assert names and len(set(names)) == len(names)
