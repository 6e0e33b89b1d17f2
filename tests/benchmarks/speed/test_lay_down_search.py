"""How long the search for a lay-down takes."""

from __future__ import annotations

from benchmarks.speed import lay_down_search as lay_down


def test_the_time_of_the_search_is_printed(capsys):
    assert lay_down.main(["--rounds", "2", "--agent", "uniform"]) == 0
    assert "hands of 2 rounds, microseconds: 50 %:" in capsys.readouterr().out
