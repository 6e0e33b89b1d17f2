"""Kingmaking is counted where the last player decides between two others at no cost, and hardly ever by chance."""

import numpy as np
import polars as pl
import pytest

from benchmarks.harness import judged
from benchmarks.harness.figures import figures
from benchmarks.study import decisions
from tantra_envs import game as game_of

THREE = game_of("karma", players=3)
SAMPLES = 64


def decided(*actions, team=0, tried=None):
    """The result of one decision of a team. An action has a mean score for each of three teams."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.1, (1, len(actions), SAMPLES, 3))
    scores = np.array(actions)[None, :, None, :] + noise
    tried = np.ones((1, len(actions)), np.bool_) if tried is None else np.array([tried])
    (found,) = judged.decided(scores, np.array([team]), tried)
    return found


def test_two_equal_actions_that_put_one_or_the_other_ahead_are_kingmaking():
    assert decided((0, 1, 0.5), (0, 0.5, 1)) == 1
    assert decided((0, 0.7, 0.7), (0, 1, 0.5), (0, 0.5, 1)) == 1


@pytest.mark.parametrize(
    "actions",
    [
        ((0, 1, 0.5), (0, 0.9, 0.6)),  # the same team is ahead after both
        ((0, 1, 0.5), (0.2, 0.6, 0.7)),  # the second action is better for itself
        ((0, 0.75, 0.75), (0, 0.75, 0.75)),  # neither is ahead
    ],
)
def test_other_decisions_of_the_last_team_are_not(actions):
    assert decided(*actions) == 0


def test_only_decisions_of_the_last_team_of_three_or_more_are_counted():
    assert np.isnan(decided((0.6, 1, 0), (0.6, 0, 1)))  # it stands better than one of the others on average
    assert np.isnan(judged.decided(np.zeros((1, 2, 4, 2)), np.array([0]), np.ones((1, 2), np.bool_)))[0]
    assert decided((0, 1, 0.5), (9, 9, 9), (0, 0.5, 1), tried=(True, False, True)) == 1  # the second is no action


def test_equal_actions_are_hardly_ever_kingmaking_by_chance():
    rng = np.random.default_rng(1)
    order = rng.permuted(np.tile([1.0, 0.5], (400, 8, 32, 1)), axis=3)
    scores = np.concatenate([np.zeros((400, 8, 32, 1)), order], axis=3)
    found = judged.decided(scores, np.zeros(400, np.int64), np.ones((400, 8), np.bool_))
    assert found.mean() < 0.005


def test_deals_with_one_such_decision_are_counted():
    rows = [(0, "1", None), (0, "4", 1.0), (0, "10", 0.0), (1, "4", 0.5), (1, "5", 0.0), (2, "6", None)]
    games = pl.DataFrame(rows, {"deal": pl.Int64, "tenth": pl.String, "king": pl.Float64}, orient="row")
    values = {(row["measure"], row["part"]): row["value"] for row in
              figures(games, decisions.figures(THREE)[-2:]).iter_rows(named=True)}  # fmt: skip
    assert values[decisions.KINGMAKING.name, ""] == pytest.approx(1.5 / 4)
    assert values[decisions.KINGMAKING_DEALS.name, ""] == pytest.approx(1 / 2)
    measures = [{figure.measure for figure in decisions.figures(game)} for game in (THREE, game_of("karma", players=2))]
    assert [decisions.KINGMAKING in own for own in measures] == [True, False]
