"""Arrays that live as long as one call of a kernel: scratch that has no place in a state.

Compiled code cannot allocate memory on the heap, because kernels run without Numba's reference counting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from . import proxies
from .jit import PURE_PYTHON

ALIGNMENT = 16  # bytes, enough for every field of a record


def _zeros(size: int, dtype: Any) -> Any:
    """Return an array of `size` zeros or empty records, as kernels see it in pure Python."""
    return proxies.wrap(np.zeros(size, dtype))


def _local_zeros(typing: Any, size: Any, dtype: Any) -> Any:
    """Describe to Numba how to make an array on the stack of the calling kernel. Both arguments must be constants."""
    if not isinstance(size, types.IntegerLiteral):
        return None  # Numba reports that no such call is known

    def code(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        entry = context.get_abi_sizeof(context.get_data_type(dtype.dtype))
        length, width, room = (
            context.get_constant(types.intp, n) for n in (size.literal_value, entry, size.literal_value * entry)
        )
        zeros = cgutils.alloca_once(builder, context.get_data_type(types.int8), size=room)
        zeros.align = ALIGNMENT
        cgutils.memset(builder, zeros, room, 0)
        array = make_array(called.return_type)(context, builder)
        data = builder.bitcast(zeros, array.data.type)
        populate_array(array, data=data, shape=[length], strides=[width], itemsize=width, meminfo=None)
        return array._getvalue()

    return signature(types.Array(dtype.dtype, 1, "C"), size, dtype), code


local_zeros: Any = _zeros if PURE_PYTHON else intrinsic(_local_zeros)
