"""The same source plays the same games compiled, as ordinary Python, and with every index checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .digest import digests
from .games import GAMES

ROOT = Path(__file__).resolve().parents[2]


# Ordinary Python refuses an index beyond an array as well. To compile every game again with checks takes minutes.
WAYS = [*((name, "NUMBA_DISABLE_JIT") for name in GAMES), ("karma", "NUMBA_BOUNDSCHECK")]


@pytest.mark.parametrize(("name", "setting"), WAYS)
def test_other_ways_to_run_the_kernels_play_the_same_games(name, setting):
    command = [sys.executable, "-m", "tests.contract.digest", name]
    settings = {**os.environ, setting: "1"}
    run = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == digests(name)
