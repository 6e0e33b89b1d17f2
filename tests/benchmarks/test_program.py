"""The program `python -m benchmarks`: its commands, and what became of the old modules."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import benchmarks
from benchmarks.__main__ import COMMANDS, main


def test_without_words_it_lists_its_commands(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert tuple(COMMANDS) == benchmarks.COMMANDS


def test_an_unknown_command_is_refused(capsys):
    assert main(["balance"]) == 2
    assert (
        "unknown command 'balance'; allowed: speed, tournament, ladder, study, tune, records" in capsys.readouterr().err
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"python -m benchmarks {name}" in capsys.readouterr().out
    assert callable(importlib.import_module(COMMANDS[name][0]).main)


def test_modules_are_no_commands():
    words = [sys.executable, "-m", "benchmarks.tournament", "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "benchmarks.tournament is no command; commands of benchmarks: benchmarks speed" in done.stderr
