"""The speed benchmark counts moves rightly and pairs rounds rightly; how fast anything is, is no test."""

import json
import sys
import time

import pytest

from benchmarks.speed import __main__ as speed
from benchmarks.speed import engines, timing
from benchmarks.speed.timing import Engine, Measured
from tantra_envs.games import game


@pytest.mark.parametrize(
    "engine", [e for e in engines.engines(game("karma")) if "4096" not in e.name], ids=lambda e: e.name
)
def test_engines_play_at_least_as_many_moves_as_asked(engine):
    assert 300 <= engine.run(300) < 300 + 60000


def test_every_engine_is_timed_in_every_round():
    played = {"a": 0, "b": 0}

    def run(name):
        def count(moves):
            time.sleep(moves * 1e-5)
            played[name] += moves
            return moves

        return count

    ticks = []
    found = timing.measure([Engine(name, run(name)) for name in played], 0.001, lambda: ticks.append(1))
    assert len(ticks) == 2 * timing.ROUNDS
    assert all(len(measured.rates) == timing.ROUNDS for measured in found.values())
    assert min(played.values()) > 0


def test_ratios_are_paired_by_round():
    fast, slow = Measured("fast", [10.0, 30.0, 80.0]), Measured("slow", [5.0, 10.0, 20.0])
    found = timing.ratio(fast, slow)
    assert (found.low, found.median, found.high) == (2.0, 3.0, 4.0)


def test_rates_are_medians_with_half_their_range():
    measured = Measured("engine", [8.0, 10.0, 14.0])
    assert (measured.rate, measured.spread) == (10.0, 0.3)


def test_only_what_was_measured_is_compared():
    ours = {name: Measured(name, [90.0]) for name in (engines.SINGLE, engines.PLAYOUTS, engines.batch_name(1024))}
    assert speed.ratios(ours) == []
    theirs = {name: Measured(name, [rate]) for name, rate in (("PettingZoo a", 9.0), ("PettingZoo b", 3.0))}
    assert {r.name for r in speed.ratios({**ours, **theirs})} == {
        "raw_env / PettingZoo a",
        "BatchEnv(1024) / PettingZoo a",
    }


def test_trees_are_compared_with_trees():
    ours = {name: Measured(name, [90.0]) for name in (engines.SINGLE, engines.PLAYOUTS, engines.RANDOM_TREE)}
    theirs = {name: Measured(name, [9.0]) for name in ("OpenSpiel chess", "OpenSpiel's search hex MCTSBot")}
    assert [r.name for r in speed.ratios({**ours, **theirs})] == [
        "playouts / OpenSpiel chess",
        "ismcts simulations, random playouts / OpenSpiel's search hex MCTSBot",
    ]


def test_a_run_prints_markdown_and_keeps_every_round(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["speed"])
    words = ["--seconds", "0.01", "--no-startup", "--runs", str(tmp_path)]
    speed.main(words)
    assert "| engine | moves / s | +- |" in capsys.readouterr().out
    kept = json.loads((tmp_path / "speed-karma" / "results.json").read_text())
    assert kept["game"] == "karma_v0"
    assert {len(rates) for rates in kept["engines"].values()} == {timing.ROUNDS}


@pytest.mark.parametrize(
    "words", [["--seconds", "0"], ["--game", "chess"], ["--config", "none.toml"], ["--players", "99"]]
)
def test_users_errors_end_in_one_line(words, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        speed.main([*words, "--runs", str(tmp_path)])
    assert stop.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_ctrl_c_ends_in_one_line(tmp_path, capsys, monkeypatch):
    def press(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(timing, "measure", press)
    with pytest.raises(SystemExit) as stop:
        speed.main(["--runs", str(tmp_path)])
    assert stop.value.code == 130 and capsys.readouterr().err == "stopped\n"
