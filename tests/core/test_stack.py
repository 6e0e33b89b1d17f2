"""Scratch of one call of a kernel."""

from unittest import mock

import numpy as np
import pytest

from tantra_envs.core.compiled import jit
from tantra_envs.core.compiled.jit import PURE_PYTHON, entry_point, kernel
from tantra_envs.core.compiled.stack import local_zeros

SIZE = 100

with mock.patch.object(jit, "cache_folder", lambda source: None):

    @kernel
    def count(notes, number):
        notes[number % SIZE] += 1

    @kernel
    def numbers_of(numbers):
        """Return how many different numbers there are."""
        notes = local_zeros(SIZE)
        for i in range(len(numbers)):
            count(notes, int(numbers[i]))
        different = 0
        for number in range(SIZE):
            different += notes[number] > 0
        return different

    @entry_point
    def numbers_of_rows(rows, counts):
        for k in range(len(rows)):
            counts[k] = numbers_of(rows[k])

    @entry_point
    def zeros_of(sizes):
        return len(local_zeros(sizes[0]))


def test_every_call_begins_with_zeros():
    rows = np.random.default_rng(1).integers(SIZE, size=(2000, 60))
    counts = np.zeros(len(rows), np.int64)
    numbers_of_rows(rows, counts)
    assert counts.tolist() == [len(set(row)) for row in rows.tolist()]


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_the_size_is_a_constant():
    with pytest.raises(Exception, match="local_zeros"):
        zeros_of(np.array([SIZE]))
