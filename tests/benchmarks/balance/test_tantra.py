"""What is asked about Tantra alone: who goes out, and how long the search takes."""

from __future__ import annotations

import pytest

from benchmarks.balance import going_out
from benchmarks.speed import lay_down_search as lay_down


def test_the_count_of_going_out_is_printed(capsys):
    assert going_out.main(["--agents", "scripted,uniform", "--deals", "2", "--players", "3"]) == 0
    told = capsys.readouterr().out
    assert "2 deals, 6 rounds of 3 players, seed 0" in told and "scripted on seat 2:" in told


def test_one_agent_is_too_few(capsys):
    with pytest.raises(SystemExit):
        going_out.main(["--agents", "scripted"])
    assert "allowed are two agents" in capsys.readouterr().err


def test_the_time_of_the_search_is_printed(capsys):
    assert lay_down.main(["--rounds", "2", "--agent", "uniform"]) == 0
    assert "hands of 2 rounds, microseconds: 50 %:" in capsys.readouterr().out
