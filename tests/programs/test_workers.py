"""Executors: every job once, errors told, a dead worker told, nobody left behind."""

import importlib.util
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


def doubled_by_who_dies_first(job):
    number, mark = job
    if number == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


without_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")


@pytest.mark.parametrize("how", [(1,), (2,), pytest.param((2, True), marks=without_ray)], ids=["here", "2", "ray"])
def test_every_job_is_done_once_and_errors_come_through(how):
    with executor(*how) as run:
        assert sorted(run(double, [1, 2, 3])) == [(1, 2), (2, 4), (3, 6)]
        assert list(run(double, [])) == []
    with pytest.raises(ValueError, match="job 1 is refused"), executor(*how) as run:
        list(run(refuse, [1]))
    assert not multiprocessing.active_children()


def end_the_group(job):
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGINT)
    return job


def test_signals_to_a_worker_are_left_to_its_parent():
    with executor(2) as run:
        assert sorted(run(end_the_group, [1, 2, 3])) == [(1, 1), (2, 2), (3, 3)]


def warn(job):
    warnings.warn("an agent of an unusual table", AgentWarning, stacklevel=1)


def test_the_parent_has_warned_of_agents_so_workers_do_not(capfd):
    with executor(2) as run:
        list(run(warn, [1, 2, 3]))
    assert "unusual" not in capfd.readouterr().err


def test_a_killed_worker_is_told():
    with pytest.raises(WorkerError, match="a worker died: it was killed, or memory ran out"), executor(2) as run:
        list(run(die, [1]))
    assert not multiprocessing.active_children()


@without_ray
def test_jobs_on_ray_outlive_a_worker(tmp_path):
    with executor(2, ray=True) as run:
        done = run(doubled_by_who_dies_first, [(number, tmp_path / "mark") for number in range(4)])
        assert sorted(result for _, result in done) == [0, 2, 4, 6]


@without_ray
@pytest.mark.parametrize(("address", "error", "told"), [
    ("127.0.0.1:1", OSError, "no answer from 127.0.0.1:1, which should be the head of a Ray cluster: .*refused"),
    ("10.0.0.1", ValueError, "address='10.0.0.1' is not allowed; allowed: HOST:PORT, or auto"),
])  # fmt: skip
def test_a_ray_that_is_not_there_is_told(address, error, told, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(error, match=told), executor(2, ray=True):
        pass
