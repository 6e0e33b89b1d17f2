"""Compiled kernels among themselves."""

import numpy as np
import pytest

from tantra_envs.core.compiled.jit import PURE_PYTHON, entry, kernel


@kernel
def twice(number):
    return 2 * number


@kernel
def caller(small):
    return twice(small[0]) + twice(100) + twice(int(small[0]) + 1)


def test_python_may_call_a_kernel_before_and_after_its_callers_do():
    assert twice(3) == 6
    assert caller(np.array([1])) == 2 + 200 + 4
    assert twice(3) == 6


@entry
def last_of(numbers, end):
    return _at(numbers, end - 1)


@kernel
def _at(numbers, i):
    return numbers[i]


def test_an_entry_holds_all_it_calls_and_kernels_are_no_machine_code():
    assert last_of(np.array([7, 8, 9]), 3) == 9
    if PURE_PYTHON:
        pytest.skip("nothing is compiled")
    (linked,) = _at.overloads.values()
    assert linked.library.get_pointer_to_function(linked.fndesc.llvm_func_name) == 0


def test_a_kernel_is_compiled_once_for_numbers_of_all_widths_and_constants():
    if PURE_PYTHON:
        pytest.skip("nothing is compiled")
    assert caller(np.array([100], np.int8)) == 200 + 200 + 202
    assert [str(kind) for signature in twice.signatures for kind in signature] == ["int64"]
