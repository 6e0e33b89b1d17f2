"""Settings and fixtures for the whole suite. Hypothesis draws the same examples every time and sets no time limit."""

import contextlib
import faulthandler
import os
import subprocess
import sys
from pathlib import Path

# Before anybody imports torch: threads that share a core with other tests wait for each other many times as long as
# they compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from tantra_envs.core.compiled.starting import wait_for_code

wait_for_code()  # tests are about machine code, also at single tables and in a new cache
ROOT = Path(__file__).resolve().parent  # of all tests
settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")


EARLY = ("test_site.py", "test_new_game.py")  # what their tests share takes a minute to make


def pytest_collection_modifyitems(config, items):
    """Leave tests marked `whole` out, unless their file, all of tests/, or the marker itself is named.

    Those of EARLY come first, where no other worker steals half of them and makes the same again.
    """
    items.sort(key=lambda item: item.path.name not in EARLY)
    if "whole" in config.option.markexpr:
        return
    named = {Path(word.partition("::")[0]).resolve() for word in config.args}
    everything = named & {ROOT, *ROOT.parents}
    left_out = [
        item
        for item in items
        if item.get_closest_marker("whole") and not everything and item.path.resolve() not in named
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_sessionstart(session):
    """Let a worker write where it dies into a file: on the screen that stands among thousands of lines."""
    worker, folder = os.environ.get("PYTEST_XDIST_WORKER"), faults(session.config)
    if not worker:
        for file in folder.iterdir():
            file.unlink()
    else:
        file = (folder / f"{worker}.txt").open("w")
        session.config.add_cleanup(lambda: (faulthandler.disable(), file.close()))
        faulthandler.enable(file)


def pytest_terminal_summary(terminalreporter, config):
    """Show at the end where workers died."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        for file in sorted(faults(config).iterdir()):
            if text := file.read_text():
                terminalreporter.section(f"{file.stem} died")
                terminalreporter.write(text)


def faults(config):
    """Return the folder with a file for each worker."""
    folder = config.rootpath / ".pytest_cache" / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


LOCKS = """
import sys, time
from pathlib import Path
from tantra_envs.programs.files import locked
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


@pytest.fixture
def refusal(capsys):
    """Return a function that runs a program which ends with an exit code, and returns its line on stderr."""

    def refused(main, words, code=2):
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        assert ended.value.code == code
        *notices, line = capsys.readouterr().err.splitlines()
        assert all(notice.startswith("tantra_envs: compiling ") for notice in notices), notices
        return line

    return refused
