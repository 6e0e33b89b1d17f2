"""Atomic access to one word of memory that two threads share, in compiled code."""

from __future__ import annotations

import platform
import threading
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import PURE_PYTHON

WORD = ir.IntType(64)
X86 = platform.machine().lower() in ("x86_64", "amd64")
_LOCK = threading.Lock()


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the address of an entry of an int64 array (n, m), given by row and column."""
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, kind, array, arguments[1:3], wraparound=False)


def _compiled_exchange(typing: Any, words: Any, row: Any, column: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _address(context, builder, signature, arguments)
        return builder.atomic_rmw("xchg", pointer, arguments[3], "acq_rel")

    return types.int64(words, types.int64, types.int64, types.int64), generate


def _compiled_replace(typing: Any, words: Any, row: Any, column: Any, before: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _address(context, builder, signature, arguments)
        pair = builder.cmpxchg(pointer, arguments[3], arguments[4], "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return types.int64(words, types.int64, types.int64, types.int64, types.int64), generate


def _compiled_load(typing: Any, words: Any, row: Any, column: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if X86:  # give way to a thread that shares the processor core
            function = builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), ir.FunctionType(ir.VoidType(), ()))
            builder.call(function, ())
        return builder.load_atomic(_address(context, builder, signature, arguments), "acquire", WORD.width // 8)

    return types.int64(words, types.int64, types.int64), generate


def _plain_exchange(words: Any, row: int, column: int, value: int) -> int:
    with _LOCK:
        before: int = words[row, column]
        words[row, column] = value
    return before


def _plain_replace(words: Any, row: int, column: int, before: int, value: int) -> int:
    with _LOCK:
        found: int = words[row, column]
        if found == before:
            words[row, column] = value
    return found


def _plain_load(words: Any, row: int, column: int) -> int:
    found: int = words[row, column]
    return found


# exchange(words, row, column, value): store `value` and return what was there.
# replace(words, row, column, before, value): store `value` where `before` is, and return what was there.
# poll(words, row, column): return what is there; made to be called again and again.
exchange: Any = _plain_exchange if PURE_PYTHON else intrinsic(_compiled_exchange)
replace: Any = _plain_replace if PURE_PYTHON else intrinsic(_compiled_replace)
poll: Any = _plain_load if PURE_PYTHON else intrinsic(_compiled_load)
