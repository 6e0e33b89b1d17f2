"""What agents do by kind of action needs nothing of a game but its rules. Its figures are in golden.txt."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness import kinds
from benchmarks.study import behaviour
from tantra_envs.programs.results import read


def test_truncated_games_count_in_the_score_alone(recorded):
    record = recorded("karma", "scripted", deals=8, players=2, max_moves=60)
    games, cut = behaviour.counts(record.file), pl.Series(record.truncated)
    assert 0 < cut.sum() < len(games)
    counted = [name for name in games.columns if name.startswith(("done", "chosen", "possible"))]
    assert games.filter(cut).select(pl.col(counted).sum()).transpose()["column_0"].sum() == 0
    assert games["plies"].is_null().to_list() == games["decisions"].is_null().to_list() == cut.to_list()
    assert games["score"].is_null().sum() == 0


def test_kinds_have_the_names_of_blocks_and_of_features_that_tell_their_actions_apart():
    karma, tarot = tantra_envs.game("karma"), tantra_envs.game("tarot")
    assert kinds.names(karma) == [block.name for block in karma.actions]
    assert {"yes", "card, leads", "card, ruffs, is_trump"} <= set(kinds.names(tarot))
    states = np.concatenate([tarot.new(seed) for seed in range(3)])
    legal = kinds.legal(tarot, states)
    assert legal.actions.tolist() == [action for i in range(3) for action in tarot.legal(states[i : i + 1])]
    first = np.array([tarot.legal(states[i : i + 1])[0] for i in range(3)])
    assert kinds.of_actions(tarot, states, first) == [
        kinds.names(tarot)[legal.kinds[legal.rows == i][0]] for i in range(3)
    ]


@pytest.mark.usefixtures("nim")
def test_a_game_without_measures_is_studied_too(tmp_path, capsys):
    words = ["study", "nim", "--agents", "uniform", "scripted", "--deals", "8", "--shard", "8", "--runs", str(tmp_path)]
    assert main([*words, "--sections", "behaviour", "--name", "mine"]) == 0
    rows = read(tmp_path / "mine/results.csv").filter(measure="times in a game")
    assert set(rows["agent"]) == {"uniform", "scripted"} and (rows["value"] > 0).all()
    assert "How do agents play?" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([*words, "--sections", "worth", "--name", "other"])
    assert "nim has no measures; add the package tantra_envs/games/nim/measures" in capsys.readouterr().err
