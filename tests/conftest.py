"""Settings and fixtures for the whole suite. Hypothesis draws the same examples every time and sets no time limit."""

import contextlib
import os
import subprocess
import sys

# Before anybody imports torch: threads that share a core with other tests wait for each other many times as long as
# they compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")


LOCKS = """
import sys, time
from pathlib import Path
from tantra_envs.files import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def locked_by_another():
    """A function that locks a folder in another process, which is killed at the end of the block."""

    @contextlib.contextmanager
    def hold(folder):
        with subprocess.Popen([sys.executable, "-c", LOCKS, str(folder)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "locked\n"
            try:
                yield process
            finally:
                process.kill()

    return hold
