"""Slices played side by side: every row once, errors surface, and no thread outlives its batch."""

import gc
import multiprocessing
import os
import threading

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled.jit import PURE_PYTHON
from tantra_envs.envs.threads import Slices


def helpers():
    return [thread for thread in threading.enumerate() if thread.name.startswith("tantra_envs")]


def gone(threads):
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize(("n", "threads"), [(1, 1), (1, 4), (10, 3), (7, 7), (5, 2)])
def test_every_row_belongs_to_one_slice(n, threads):
    slices, rows, players, count = Slices(threads), np.zeros(n, int), set(), min(n, threads)
    together = threading.Barrier(count, timeout=60)  # all slices are played at the same time

    def job(lo, hi):
        together.wait()
        rows[lo:hi] += 1
        players.add(threading.get_ident())

    for _ in range(5):
        slices.run(job, n)
    assert rows.tolist() == [5] * n
    assert threading.get_ident() in players
    assert len(players) == count
    slices.close()


@pytest.mark.parametrize("where", [0, 4])
def test_the_error_of_any_slice_surfaces_after_all_slices_and_the_next_job_is_done(where):
    slices, done, failing = Slices(2), [], where

    def job(lo, hi):
        if lo == where:
            raise KeyError("lost")
        done.append(lo)

    for _ in range(3):
        with pytest.raises(KeyError, match="lost"):
            slices.run(job, 8)
    where = -1
    slices.run(job, 8)
    assert sorted(done) == sorted([4 - failing] * 3 + [0, 4])
    slices.close()


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_the_loops_of_a_batch_release_the_gil():
    drivers = tantra_envs.game("karma").drivers
    assert all(loop.targetoptions["nogil"] for loop in (drivers.step_batch, drivers.sample_legal))


def test_threads_end_with_their_batch():
    before = set(helpers())
    with tantra_envs.make_batch("karma", 8, threads=3) as batch:
        batch.step(batch.sample())
        mine = set(helpers()) - before
        assert len(mine) == 2
    assert gone(mine)
    batch.step(batch.sample())  # they start again
    mine = set(helpers()) - before
    assert len(mine) == 2
    del batch
    gc.collect()
    assert gone(mine)


def _plays(batch, answers):
    batch.step(batch.sample())
    answers.put((batch.states.tobytes(), len(helpers())))
    batch.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_process_starts_its_own_threads():
    batch = tantra_envs.make_batch("karma", 8, threads=2)
    batch.step(batch.sample())
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_plays, args=(batch, answers))
    child.start()
    played, threads = answers.get(timeout=60)
    child.join(60)
    batch.step(batch.sample())
    assert (played, threads) == (batch.states.tobytes(), 1)
    assert child.exitcode == 0
