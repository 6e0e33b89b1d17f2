"""Pure-Python stand-ins for compiled rows: the strictest debug mode.

With `NUMBA_DISABLE_JIT=1` kernels run as ordinary Python. Plain NumPy scalars would then overflow silently and mix
types. With these proxies every read is a Python int or float, and a value that does not fit its field raises an error.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function`, a kernel called from outside, with its array arguments behind proxies."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return function(*map(_argument, arguments))

    return call


def _argument(value: Any) -> Any:
    """Return an argument as kernels use it: arrays behind proxies, also those in tuples."""
    if isinstance(value, tuple):
        parts = tuple(map(_argument, value))
        return type(value)(*parts) if hasattr(value, "_fields") else parts
    return wrap(value) if isinstance(value, np.ndarray) else value


def wrap(array: npt.NDArray[Any]) -> Any:
    """Return `array` as kernels use it: rows of records, rows of numbers, or numbers."""
    if array.dtype.names:
        return Rows(array)
    return Matrix(array) if array.ndim > 1 else memoryview(array)  # type: ignore[arg-type]


class Rows:
    """An array of records: `rows[i].field`."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array
        self._row = row_class(array.dtype)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, i: int) -> Any:
        if not 0 <= i < len(self._array):
            raise IndexError(f"row {i} of {len(self._array)}")
        return self._row(self._array[i : i + 1])

    def __setitem__(self, i: int, row: Any) -> None:
        self._array[i] = row._array[0]


class Matrix:
    """An array of numbers with rows: `matrix[i, j]`, and `matrix[i]` for a row."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array
        self._view = memoryview(array)  # type: ignore[arg-type]
        self.shape = array.shape

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        return self._view[index] if isinstance(index, tuple) else wrap(self._array[index])

    def __setitem__(self, index: tuple[int, ...], value: Any) -> None:
        self._view[index] = value

    def reshape(self, size: int) -> memoryview:
        """Return all numbers one after another."""
        return memoryview(self._array.reshape(size))  # type: ignore[arg-type]


@functools.cache
def row_class(dtype: np.dtype[Any]) -> type:
    """Return the class whose attributes are the fields of `dtype`."""
    body: dict[str, Any] = {"__slots__": ("_array", "_views"), "__init__": _row_init}
    for name in dtype.names or ():
        field = dtype[name]
        if field.names:
            body[name] = property(_nested(name))
        elif field.shape:
            body[name] = property(_array_of(name))
        else:
            body[name] = property(_load(name), _store(name))
    return type("Row", (), body)


def _row_init(self: Any, array: npt.NDArray[Any]) -> None:
    self._array = array  # shape (1,), a view of the batch
    self._views = {}


def _nested(name: str) -> Callable[[Any], Any]:
    def get(self: Any) -> Any:
        if name not in self._views:
            nested = self._array[name]
            self._views[name] = Rows(nested) if nested.ndim > 1 else row_class(nested.dtype)(nested)
        return self._views[name]

    return get


def _array_of(name: str) -> Callable[[Any], Any]:
    def get(self: Any) -> Any:
        if name not in self._views:
            self._views[name] = wrap(self._array[name][0])
        return self._views[name]

    return get


def _scalar(self: Any, name: str) -> memoryview:
    if name not in self._views:
        self._views[name] = memoryview(self._array[name])
    view: memoryview = self._views[name]
    return view


def _load(name: str) -> Callable[[Any], Any]:
    return lambda self: _scalar(self, name)[0]


def _store(name: str) -> Callable[[Any, Any], None]:
    def store(self: Any, value: Any) -> None:
        _scalar(self, name)[0] = value

    return store
