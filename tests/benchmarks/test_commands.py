"""The program `python -m benchmarks`: its commands, and what became of the old modules."""

from __future__ import annotations

import re
import subprocess
import sys

import benchmarks
from benchmarks.__main__ import COMMANDS, main


def test_without_words_it_lists_its_commands(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert all(re.search(rf"\b{name}\b", shown) for name in COMMANDS)
    assert tuple(COMMANDS) == benchmarks.COMMANDS


def test_an_unknown_command_is_refused(capsys):
    assert main(["balance"]) == 2
    error = capsys.readouterr().err
    assert "balance" in error
    assert all(name in error for name in COMMANDS)


def test_modules_are_no_commands():
    words = [sys.executable, "-m", "benchmarks.study", "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "benchmarks.study is not a command; commands of benchmarks: benchmarks play" in done.stderr
