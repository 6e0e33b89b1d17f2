"""Kernels that are linked into their callers and do not become machine code by themselves.

Numba makes every function ready to be called: it links in all the function calls, optimises the whole, translates it
to machine code and wraps it for Python. Of kernels that only other kernels call, the last two are thrown away; without
them a cold compile takes a quarter less. What is used of Numba here is not public: `jit.linked` tries it out, and does
without it where it is not as here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # for `numba.njit`, beside `LinkedOnly`


class LinkedOnly(Compiler):
    """A pipeline for `numba.njit` that ends with code to be linked."""

    def __init__(self, typing: Any, target: Any, library: None, *rest: Any) -> None:
        super().__init__(typing, target, _Library(target.codegen(), "kernel"), *rest)


class _Library(JITCodeLibrary):
    """Optimised code, with that of the kernels it calls. Left to its callers alone, it ends up slower."""

    def _finalize_final_module(self) -> None:
        """Nothing becomes machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code, no address."""
        return 0

    @property
    def codegen(self) -> Any:
        """What Numba puts the environments of functions into, which only what Python calls has a use for."""
        return _NoEnvironments


class _NoEnvironments:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Nothing to keep."""


def call_instead(kernel: Any, whole: Callable[..., Any]) -> None:
    """Let a call of `kernel` from Python, as tests and the curious make it, run `whole` in its place."""

    def keep(compiled: Any) -> None:
        kernel.overloads[tuple(compiled.signature.args)] = compiled

    kernel.add_overload = keep  # for callers to link, not for Python to jump to
    kernel._compile_for_args = lambda *_: whole
