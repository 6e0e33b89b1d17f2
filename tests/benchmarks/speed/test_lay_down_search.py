"""The times of Tantra's search: one for every hand that might lay down."""

from __future__ import annotations

import pytest

from benchmarks.speed import lay_down_search


def test_a_line_of_times(capsys):
    lay_down_search.main(["--rounds", "2"])
    assert "hands of 2 rounds, microseconds: 50 %: " in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--agent", "uniform,scripted"], ["--players", "12"]])
def test_users_errors_end_in_one_line(words, capsys):
    with pytest.raises(SystemExit) as stop:
        lay_down_search.main(words)
    assert stop.value.code == 2 and capsys.readouterr().err.count("\n") == 1
