"""SIGTERM does what Ctrl-C does; in workers both do nothing."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tantra_envs.programs.cli import run_program
from tantra_envs.programs.signals import asked_to_stop, terminating

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


def test_sigterm_interrupts_and_the_handler_before_comes_back():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminating():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_handler_of_the_caller_is_kept():
    arrived = []
    before = signal.signal(signal.SIGTERM, lambda *_: arrived.append(1))
    try:
        with terminating():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert arrived == [1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_can_wait_is_asked_to_stop_and_a_second_ctrl_c_interrupts_at_once(number):
    with pytest.raises(KeyboardInterrupt), terminating(), asked_to_stop() as stop:
        assert not stop()
        for again in (number, signal.SIGTERM):
            signal.raise_signal(again)
            assert stop()
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)


def test_a_program_in_a_thread_changes_no_signals():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(run_program, "a", {"b": (f"{__name__}:nothing", "")}, ["b"]).result() == 0


def nothing(words):
    """Do nothing: a command for the test above."""


SLEEPS = """
import sys, time
from tantra_envs.programs import cli, workers
def sleep(job):
    time.sleep(job)
def main(words):
    with cli.work("finished parts are kept"), workers.executor(2) as run:
        print("begun", flush=True)
        list(run(sleep, [600, 600]))
if __name__ == "__main__":
    sys.exit(cli.run_program("a", {"sleep": ("__main__", "")}, ["sleep"]))
"""


def test_a_program_with_workers_ends_in_one_line_when_all_its_processes_get_sigterm(tmp_path):
    """As Slurm does it."""
    file = tmp_path / "sleeps.py"
    file.write_text(SLEEPS)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, str(file)], start_new_session=True, **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        os.killpg(process.pid, signal.SIGTERM)
        _, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaints == "stopped; finished parts are kept\n"
