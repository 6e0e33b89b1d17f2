"""Kernels that are only linked into their callers, and are not translated to machine code separately.

Numba prepares every function for calls from Python: it links in all called functions, optimises the whole, translates
it to machine code and wraps it. For kernels that only other kernels call, the last two steps are wasted. Without them
a cold compile takes a quarter less time. This uses parts of Numba that are not public. `jit.linked` tries them out and
falls back to ordinary functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # options of `numba.njit` that `LinkedOnly` needs


class LinkedOnly(Compiler):
    """A pipeline for `numba.njit` that ends with code to be linked."""

    def __init__(self, typing: Any, target: Any, library: None, *rest: Any) -> None:
        super().__init__(typing, target, _Library(target.codegen(), "kernel"), *rest)


class _Library(JITCodeLibrary):
    """Optimised code of a kernel and of the kernels it calls. Without it the callers would be slower."""

    def _finalize_final_module(self) -> None:
        """Do nothing: the code does not become machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: code that is only linked has no address."""
        return 0

    @property
    def codegen(self) -> Any:
        """Stub of the code generator. Only functions that Python calls need Numba's environments."""
        return _NoEnvironments


class _NoEnvironments:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Do nothing: kernels have no Numba environment."""


def call_instead(kernel: Any, whole: Callable[..., Any]) -> None:
    """Run `whole` when Python calls `kernel` directly, as tests do."""

    def keep(compiled: Any) -> None:
        kernel.overloads[tuple(compiled.signature.args)] = compiled

    kernel.add_overload = keep  # for callers to link, not for calls from Python
    kernel._compile_for_args = lambda *_: whole
