"""Records of positions: their dtype and their common fields.

A position is one NumPy record. `states` is an array of records, shape (n,). A single table is a batch of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Record = Any  # one row of `states`: a Numba record when compiled, a proxy in pure Python
States = npt.NDArray[np.void]
Fields = list[tuple[Any, ...]]


def record(fields: Fields) -> np.dtype[np.void]:
    """Return a record dtype that Numba reads fast: widest fields first, and no unnamed padding.

    Padding bytes have no defined value when records are copied. What is left at the end is therefore a named field that
    stays zero, so that equal positions have equal bytes.
    """
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).alignment)
    dtype = np.dtype(ordered, align=True)
    used = sum(dtype[name].itemsize for name in dtype.names or ())
    if dtype.itemsize > used:
        dtype = np.dtype([*ordered, ("padding", np.int8, (dtype.itemsize - used,))], align=True)
    return dtype


def flat(states: States) -> npt.NDArray[np.float32]:
    """Return every number of a position except the random stream, shape (n, size)."""
    columns = [_columns(states[name]) for name in states.dtype.names or () if name != "rng"]
    return np.concatenate(columns, axis=1).astype(np.float32)


def _columns(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if field.dtype.names:
        return np.concatenate([_columns(field[name]) for name in field.dtype.names], axis=1)
    return field.reshape(len(field), -1)
