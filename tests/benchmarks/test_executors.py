"""Executors: every job once, errors told, a dead worker told, nobody left behind."""

import multiprocessing
import os
import signal

import pytest

from benchmarks.executors import WorkerError, executor


def double(job):
    return 2 * job


def refuse(job):
    raise ValueError(f"job {job} is refused")


def die(job):
    os.kill(os.getpid(), signal.SIGKILL)


def test_every_job_is_done_once():
    for workers in (1, 2):
        with executor(workers) as run:
            assert sorted(run(double, [1, 2, 3])) == [(1, 2), (2, 4), (3, 6)]
            assert list(run(double, [])) == []


def test_errors_come_through_and_the_workers_end():
    with pytest.raises(ValueError, match="job 1 is refused"), executor(2) as run:
        list(run(refuse, [1]))
    assert not multiprocessing.active_children()


def test_a_killed_worker_is_told():
    with pytest.raises(WorkerError, match="a worker died: it was killed, or memory ran out"), executor(2) as run:
        list(run(die, [1]))
    assert not multiprocessing.active_children()
