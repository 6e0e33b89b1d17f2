"""Slices played side by side: every row once, errors surface, and no thread outlives its batch."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import time

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled.gate import ASLEEP, AT_WORK, LATE, READY, STATE, new_gate, open_gate
from tantra_envs.envs.threads import Slices


def helpers():
    return [thread for thread in threading.enumerate() if thread.name == "tantra_envs" and thread.is_alive()]


def gone(threads):
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize(("n", "threads"), [(1, 1), (1, 4), (10, 3), (7, 7), (5, 2)])
def test_every_row_belongs_to_one_slice(n, threads):
    slices, rows, players = Slices(n, threads), np.zeros(n, int), set()

    def job(lo, hi, gate):
        open_gate(gate)
        rows[lo:hi] += 1
        players.add(threading.get_ident())
        return lo

    for _ in range(5):
        assert slices.run(job) == 0
    assert rows.tolist() == [5] * n
    assert threading.get_ident() in players
    assert len(players) == min(n, threads)
    slices.close()


@pytest.mark.parametrize("where", [0, 4])
def test_the_error_of_any_slice_surfaces_and_the_next_job_is_done(where):
    slices, done, failing = Slices(8, 2), [], where

    def job(lo, hi, gate):
        open_gate(gate)
        if lo == where:
            raise KeyError("lost")
        done.append(lo)

    for _ in range(3):
        with pytest.raises(KeyError, match="lost"):
            slices.run(job)
    where = -1
    slices.run(job)
    assert sorted(done) == sorted([4 - failing] * 3 + [0, 4])
    slices.close()


def test_a_job_that_leaves_the_gate_closed_is_done_on_the_first_slice_only():
    slices, done = Slices(8, 3), []

    def job(lo, hi, gate):
        done.append(lo)
        return 7

    assert [slices.run(job) for _ in range(3)] == [7, 7, 7]
    assert done == [0, 0, 0]
    slices.close()


def test_helpers_sleep_when_no_job_comes_and_wake_up_for_the_next_one():
    slices, rows = Slices(6, 3), np.zeros(6, int)

    def job(lo, hi, gate):
        open_gate(gate)
        rows[lo:hi] += 1
        return 0

    for turn in range(1, 4):
        slices.run(job)
        assert rows.tolist() == [turn] * 6
        asleep(slices)
    slices.close()


def test_a_helper_that_falls_asleep_just_before_the_gate_opens_does_its_slice_all_the_same():
    slices, done = Slices(4, 2), []

    def job(lo, hi, gate):
        if len(gate):
            asleep(slices)  # after `run` has woken the helper up
            open_gate(gate)
            assert gate[0, STATE] == AT_WORK
            assert gate[0, LATE] == 1
        done.append(lo)
        return 0

    slices.run(job)
    assert done == [0, 2]
    slices.close()


def test_opening_a_gate_starts_those_who_poll_and_marks_those_who_sleep():
    gate = new_gate(2)
    gate[0, STATE] = READY
    open_gate(gate)
    assert gate[:, STATE].tolist() == [AT_WORK, AT_WORK]
    assert gate[:, LATE].tolist() == [0, 1]


def asleep(slices):
    """Wait until all helpers sleep."""
    for _ in range(5000):
        if (slices._gate[:, STATE] == ASLEEP).all():
            return
        time.sleep(0.002)
    raise AssertionError("a helper still polls after ten seconds")


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
    answers.put(batch.states.tobytes())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_process_starts_its_own_threads():
    batch = tantra_envs.make_batch("karma", 8, threads=2)
    batch.step(batch.sample())
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_plays, args=(batch, answers))
    child.start()
    played = answers.get(timeout=60)
    child.join(60)
    batch.step(batch.sample())
    assert played == batch.states.tobytes()
    assert child.exitcode == 0
