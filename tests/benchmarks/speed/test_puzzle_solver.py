"""The times of the solver: a table, and users' errors in one line."""

from __future__ import annotations

import pytest

from benchmarks.speed import puzzle_solver as puzzles


def test_a_table_of_times(capsys):
    puzzles.main(["--puzzles", "5,blue", "--nodes", "100000"])
    told = capsys.readouterr().out
    assert told.count("yes") == 2 and "blue" in told


@pytest.mark.parametrize("word", ["2", "black"])
def test_unknown_puzzles(word, capsys):
    with pytest.raises(SystemExit):
        puzzles.main(["--puzzles", word])
    assert "is not allowed" in capsys.readouterr().err
