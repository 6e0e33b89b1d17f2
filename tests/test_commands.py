"""`python -m tantra_envs` and its commands: what they print, and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs import __main__ as command
from tantra_envs import warmup


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_without_words_it_lists_the_games_their_seats_and_variants_and_what_is_next(capsys):
    assert command.main([]) == 0
    told = capsys.readouterr().out
    for name in tantra_envs.GAMES:
        assert f"{name} " in told
        assert all(variant in told for variant in tantra_envs.variants(name))
    assert "doctor" in told
    assert "warmup" in told


def test_an_unknown_word_is_refused(capsys):
    assert command.main(["doktor"]) == 2
    assert "unknown: doktor; allowed: nothing, doctor, warmup" in capsys.readouterr().err


def test_the_doctor_finds_all_well(capsys, monkeypatch):
    monkeypatch.setattr(command, "CHECKED_SECONDS", 0.01)
    assert command.doctor() == 0
    told = capsys.readouterr().out
    for name in ("numba", "numpy", "gymnasium", "pettingzoo", "compiler: ", "cache: ", *tantra_envs.GAMES):
        assert name in told
    assert "all is well" in told


def test_the_doctor_names_what_is_wrong(capsys, monkeypatch):
    def broken(*_):
        raise OSError("no table")

    monkeypatch.setattr(command, "BatchEnv", broken)
    monkeypatch.setattr(command, "_required", lambda: {"numba": ">=0.1,<0.2", "no-such-package": ">=1"})
    assert command.doctor() == 1
    told = capsys.readouterr().out
    assert "<- not supported" in told
    assert "no-such-package not installed" in told
    assert "karma: OSError: no table" in told
    assert f"something is wrong with numba, no-such-package, {', '.join(tantra_envs.GAMES)}: see above" in told


@pytest.mark.parametrize(("version", "bound", "right"), [
    ("0.68.1", ">=0.61", True), ("0.60.9", ">=0.61", False), ("0.69.0", "<0.69", False), ("0.100", "<0.69", False),
    ("2.0", ">=2", True),
])  # fmt: skip
def test_versions_are_compared_as_numbers(version, bound, right):
    assert command._meets(version, bound) == right


def test_warmup_is_a_command_of_its_own_and_a_word_of_the_other(capsys):
    for main, words in ((warmup.main, ["--help"]), (command.main, ["warmup", "--help"])):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert "example: python -m tantra_envs.warmup karma" in capsys.readouterr().out


@pytest.mark.parametrize(("error", "code", "told"), [
    (KeyboardInterrupt(), 130, "warmup: interrupted"),
    (OSError(28, "No space left on device"), 1, "No space left on device"),
    (warmup.BrokenProcessPool(), 1, "a process ended early"),
])  # fmt: skip
def test_what_stops_warmup_is_told_in_a_line(capsys, error, code, told):
    def stopped() -> None:
        raise error

    assert warmup._told(stopped) == code
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert told in lines[0]


PLAYERS = """
import tantra_envs
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.greedy import Greedy
from tantra_envs.opponents.scripted import Scripted

game = tantra_envs.game("karma")
play_tables(game, [Scripted(game), Greedy(game)], [[0, 1]], [1])
"""


def test_after_warmup_no_opponent_compiles_anything(tmp_path: Path):
    if os.environ.get("NUMBA_DISABLE_JIT"):
        pytest.skip("nothing is compiled")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run("-m", "tantra_envs.warmup", "karma", "--jobs", "1", **cache).returncode == 0
    done = run("-c", PLAYERS, **cache)
    assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr
