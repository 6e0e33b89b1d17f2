"""Win probabilities are those of playouts, and the figures are right for games whose probabilities are known."""

import numpy as np
import pytest

import tantra_envs
from benchmarks.study import tension
from benchmarks.study.tension import TENTHS, playout_scores
from tantra_envs import Observation
from tantra_envs.matches.match import team_scores
from tantra_envs.opponents.scripted import Scripted

KARMA = tantra_envs.game("karma", players=3)


def played_on(game, states):
    """Totals of scripted play, asked decision by decision."""
    states, totals = states.copy(), np.zeros((len(states), game.players))
    while len(live := np.flatnonzero(states["over"] == 0)):
        actions = Scripted(game).act(Observation(game, states, live), None)
        game.drivers.apply_rows(states, live, actions)
        totals[live] += states["rewards"][live, : game.players]
    return totals


def test_a_chance_is_the_mean_score_of_worlds_played_on():
    states = np.concatenate([KARMA.new(1), KARMA.new(2)])
    paid = np.array([[0.0, 0, 0], [5.0, 0, 0]])
    found = playout_scores(KARMA, states, paid, 1, 6, np.random.default_rng(3))[:, :, 1]
    seeds = np.random.default_rng(3).integers(np.iinfo(np.int64).max, size=12, dtype=np.int64)
    worlds = np.concatenate([KARMA.redeal(states[i // 6 : i // 6 + 1], int(seed), 1) for i, seed in enumerate(seeds)])
    scores = team_scores(played_on(KARMA, worlds) + np.repeat(paid, 6, axis=0))[:, 1]
    assert found.ravel().tolist() == scores.tolist()
    assert 0 < found[0].mean() < 1


def test_what_is_told_of_a_game_is_what_one_would_count():
    chance = np.array([
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # won: decided from tenth 6 on
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # lost: never decided
        [0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],  # drawn
    ])  # fmt: skip
    both = np.stack([chance, 1 - chance], axis=1)
    found = tension.by_game(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]), both, both)
    decided = [[found[f"decided_{k}"][game] for k in TENTHS] for game in (0, 1)]
    assert decided == [[0] * 6 + [1] * 4, [0] * 10] and found["winner_3"][1] == pytest.approx(0.6)
    assert np.isnan([found["winner_3"][2], found["decided_9"][2]]).all()


def test_a_team_is_locked_out_from_the_tenth_on_after_which_it_hardly_wins_any_playout():
    first = np.array([[0.5] * 10, [0.0] * 3 + [0.1] + [0.0] * 6, [0.5] * 8 + [0.05] * 2])  # of three teams
    assert tension.by_game(np.full((1, 3), 0.5), np.full((1, 3, 10), 0.5), first[None])["locked"] == 0.6
    both, one = (tension.figures(tantra_envs.game("karma", players=players)) for players in (3, 2))
    assert {figure.measure for figure in both} - {figure.measure for figure in one} == {tension.LOCKED}


def test_positions_are_those_of_the_games(recorded):
    record = recorded("karma", "uniform", deals=2, rotations=1)
    states, paid, following = tension.tables_by_tenth(record, np.random.default_rng(0))
    assert paid.shape == (10, 2, 2) and not paid.any()  # Karma is paid at the end
    for row, actions in enumerate(record.games["actions"].to_list()):
        for tenth in TENTHS:
            at = int(states[tenth, row]["plies"])
            assert following[tenth, row] == actions[at]
            assert len(actions) * tenth // 10 <= at <= len(actions) * (tenth + 1) / 10
            state = record.game.new(record.games["deal"][row])
            for action in actions[:at]:
                record.game.apply_action(state, action)
            assert states[tenth, row].tobytes() == state[0].tobytes()
