"""Win probabilities are those of playouts, and the figures are right for games whose probabilities are known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Shard
from benchmarks.study import tension
from benchmarks.study.tension import TENTHS, playout_scores
from tantra_envs import Observation
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.playing import play_tables
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


def test_when_a_game_is_over_the_chance_is_its_score():
    outcome = play_tables(KARMA, [Scripted(KARMA)], np.zeros((4, 3), int), np.arange(4))
    for seat in range(3):
        found = playout_scores(KARMA, outcome.states, outcome.rewards, seat, 2, np.random.default_rng(0))
        assert found.tolist() == np.repeat(team_scores(outcome.rewards)[:, None], 2, axis=1).tolist()


def told(chance, score):
    """A row for games of two in which the first had these chances (n, tenths) and scored so."""
    columns = {"deal": np.arange(len(chance)), "score_0": np.array(score), "score_1": 1 - np.array(score)}
    for k in TENTHS:
        columns |= {f"chance_0_{k}": chance[:, k], f"chance_1_{k}": 1 - chance[:, k]}
        columns |= {f"first_0_{k}": chance[:, k], f"first_1_{k}": 1 - chance[:, k]}
        columns |= {f"ahead_0_{k}": chance[:, 0] - 0.5, f"ahead_1_{k}": 0.5 - chance[:, 0]}
    return tension.by_game(pl.DataFrame(columns))


def test_what_is_told_of_a_game_is_what_one_would_count():
    chance = np.array([
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # won: decided from tenth 6 on, won from behind
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # lost: never decided
        [0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],  # drawn
    ])  # fmt: skip
    won, lost, drawn = told(chance, [1.0, 0.0, 0.5]).iter_rows(named=True)
    assert [won[f"decided_{k}"] for k in TENTHS] == [0] * 6 + [1] * 4
    assert [lost[f"decided_{k}"] for k in TENTHS] == [0] * 10
    assert (won["lowest"], won["behind"], won["changes"]) == (0.1, 1, 2)
    assert (lost["lowest"], lost["behind"]) == (0.0, 1)
    assert (drawn["lowest"], drawn["behind"], drawn["winner_3"], drawn["changes"]) == (None, None, None, 0)
    assert [won["favourite_1"], won["favourite_4"], won["favourite_0"]] == [1.0, 0.0, None]
    assert (won["leader_5"], drawn["leader_5"]) == (None, 0.5)
    assert lost["winner_3"] == pytest.approx(0.6)


def test_a_team_is_locked_out_from_the_tenth_on_after_which_it_hardly_wins_any_playout():
    first = np.array([[0.5] * 10, [0.0] * 3 + [0.1] + [0.0] * 6, [0.5] * 8 + [0.05] * 2])  # of three teams
    columns = {"deal": [0], **{f"score_{team}": [0.5] for team in range(3)}}
    for team, tenth in np.ndindex(3, 10):
        columns |= {f"first_{team}_{tenth}": [first[team, tenth]], f"chance_{team}_{tenth}": [0.5]}
        columns |= {f"ahead_{team}_{tenth}": [0.0]}
    (game,) = tension.by_game(pl.DataFrame(columns)).iter_rows(named=True)
    assert [game[f"locked_{tenth}"] for tenth in TENTHS] == [0] * 4 + [1] * 6 and game["locked"] == 0.6
    both, one = (tension.figures(tantra_envs.game("karma", players=players)) for players in (3, 2))
    assert {figure.measure for figure in both} - {figure.measure for figure in one} == {
        tension.LOCKED, tension.LOCKED_BY_TENTH}  # fmt: skip


def test_positions_are_those_of_the_games(tmp_path):
    match, file = MatchSpec("karma", (), ("uniform",), (0, 0), 0, rotations=1), tmp_path / "games_0000000_2.parquet"
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, 2)))
    record = records.read(file)
    tables = tension.Watched(record, np.random.default_rng(0))
    records.replay(record, tables.observe)
    for row, actions in enumerate(record.games["actions"].to_list()):
        for tenth in TENTHS:
            at = tables.when[tenth, row]
            assert len(actions) * tenth // 10 <= at <= len(actions) * (tenth + 1) / 10
            state = record.game.new(record.games["deal"][row])
            for action in actions[:at]:
                record.game.apply_action(state, action)
            assert tables.states[tenth][row].tobytes() == state[0].tobytes()


def test_a_record_is_sampled_once_and_the_same_way(tmp_path):
    match, file = MatchSpec("karma", (), ("scripted",), (0, 0), 0, rotations=1), tmp_path / "games_0000000_3.parquet"
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, 3)))
    place = tension.keep(tmp_path / "sampled", 2, 0, file)
    assert pl.read_parquet(place).equals(tension.sampled(file, 2, 0))
    written = place.stat().st_mtime_ns
    assert tension.keep(tmp_path / "sampled", 2, 0, file) == place
    assert place.stat().st_mtime_ns == written
