"""Scratch of one call of a kernel."""

from unittest import mock

import numpy as np
import pytest

from tantra_envs.core.compiled import jit
from tantra_envs.core.compiled.jit import PURE_PYTHON, entry_point, kernel
from tantra_envs.core.compiled.stack import local_zeros
from tantra_envs.core.state import record

SIZE = 100
TALLY = record([("total", np.int64), ("largest", np.float64), ("numbers", np.int16, (3,))])

with mock.patch.object(jit, "cache_folder", lambda source: None):

    @kernel
    def note(tally, number):
        tally.total += number
        tally.largest = max(tally.largest, float(number))
        tally.numbers[number % 3] += 1

    @entry_point
    def tally_rows(rows, totals):
        for k in range(len(rows)):
            tally = local_zeros(1, TALLY)[0]
            for i in range(rows.shape[1]):
                note(tally, int(rows[k, i]))
            totals[k, 0] = tally.total
            totals[k, 1] = tally.largest
            totals[k, 2] = tally.numbers[1]

    @entry_point
    def zeros_of(sizes):
        return len(local_zeros(sizes[0], np.int8))


def test_a_record_on_the_stack_begins_empty():
    rows = np.random.default_rng(2).integers(SIZE, size=(200, 60))
    totals = np.zeros((len(rows), 3))
    tally_rows(rows, totals)
    assert totals.tolist() == [[sum(row), max(row), sum(n % 3 == 1 for n in row)] for row in rows.tolist()]


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_the_size_is_a_constant():
    with pytest.raises(Exception, match="local_zeros"):
        zeros_of(np.array([SIZE]))
