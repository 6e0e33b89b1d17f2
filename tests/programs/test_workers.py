"""Executors: every job once, errors told, a dead worker told, nobody left behind."""

import multiprocessing
import os
import signal
import warnings

import pytest

from tantra_envs.core.asking import AgentWarning
from tantra_envs.programs.workers import WorkerError, executor


def double(job):
    return 2 * job


def refuse(job):
    raise ValueError(f"job {job} is refused")


def die(job):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("workers", [1, 2])
def test_every_job_is_done_once_and_errors_come_through(workers):
    with executor(workers) as run:
        assert sorted(run(double, [1, 2, 3])) == [(1, 2), (2, 4), (3, 6)]
        assert list(run(double, [])) == []
    with pytest.raises(ValueError, match="job 1 is refused"), executor(workers) as run:
        list(run(refuse, [1]))
    assert not multiprocessing.active_children()


def annoy(job):
    """Send this worker what its group gets, and warn."""
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(os.getpid(), number)
    warnings.warn("an agent of an unusual table", AgentWarning, stacklevel=1)
    return job


def test_signals_to_a_worker_are_left_to_its_parent_which_has_warned_of_agents(capfd):
    with executor(2) as run:
        assert sorted(run(annoy, [1, 2, 3])) == [(1, 1), (2, 2), (3, 3)]
    assert "unusual" not in capfd.readouterr().err


def test_a_killed_worker_is_told():
    with pytest.raises(WorkerError, match="a worker died: it was killed, or memory ran out"), executor(2) as run:
        list(run(die, [1]))
    assert not multiprocessing.active_children()
