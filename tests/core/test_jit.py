"""Compiled kernels among themselves."""

import numpy as np
import pytest

from tantra_envs.core.jit import PURE_PYTHON, kernel


@kernel
def twice(number):
    return 2 * number


@kernel
def caller(small):
    return twice(small[0]) + twice(100) + twice(int(small[0]) + 1)


def test_a_kernel_is_compiled_once_for_numbers_of_all_widths_and_constants():
    assert caller(np.array([100], np.int8)) == 200 + 200 + 202
    if PURE_PYTHON:
        pytest.skip("nothing is compiled")
    assert [str(kind) for signature in twice.signatures for kind in signature] == ["int64"]
