"""What a study notes about a game agrees with golden numbers, and win probabilities are those of playouts.

The golden numbers were checked against positions, hand by hand. `python -m tests.benchmarks.study.golden` writes them
again.
"""

import numpy as np
import pytest

import tantra_envs
from benchmarks.study import tension
from benchmarks.study.tension import TENTHS, playout_scores
from tantra_envs.core.playouts import Playouts
from tantra_envs.games import SHIPPED
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import of_game

from . import golden

KARMA = tantra_envs.game("karma", players=3)


def test_a_chance_is_the_mean_score_of_worlds_played_on():
    states = np.concatenate([KARMA.new(1), KARMA.new(2)])
    paid = np.array([[0.0, 0, 0], [5.0, 0, 0]])
    found = playout_scores(KARMA, states, paid, 1, 6, np.random.default_rng(3))[:, :, 1]
    seeds = np.random.default_rng(3).integers(np.iinfo(np.int64).max, size=12, dtype=np.int64)
    worlds = np.concatenate([KARMA.redeal(states[i // 6 : i // 6 + 1], int(seed), 1) for i, seed in enumerate(seeds)])
    scores = team_scores(Playouts(KARMA).run(worlds) + np.repeat(paid, 6, axis=0))[:, 1]
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


@pytest.mark.parametrize("name", golden.GAMES)
def test_notes_are_golden(name, tmp_path):
    """Every sum of every measure, by place."""
    known = golden.FILE.read_text(encoding="utf-8").splitlines()
    kept = [line for line in known if line.startswith(f"{name}, ")]
    assert len(kept) > 50 and golden.lines(name, tmp_path) == kept


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
