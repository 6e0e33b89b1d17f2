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


def _zeros(size: int) -> Any:
    """Return `size` int8 zeros, as kernels see them in pure Python."""
    return proxies.wrap(np.zeros(size, np.int8))


def _local_zeros(typing: Any, size: Any) -> Any:
    """Describe to Numba how to make int8 zeros on the stack of the calling kernel. `size` must be a constant."""
    if not isinstance(size, types.IntegerLiteral):
        return None  # Numba reports that no such call is known

    def code(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        count, one = (context.get_constant(types.intp, number) for number in (size.literal_value, 1))
        zeros = cgutils.alloca_once(builder, context.get_data_type(types.int8), size=size.literal_value)
        cgutils.memset(builder, zeros, count, 0)
        array = make_array(called.return_type)(context, builder)
        populate_array(array, data=zeros, shape=[count], strides=[one], itemsize=one, meminfo=None)
        return array._getvalue()

    return signature(types.Array(types.int8, 1, "C"), size), code


local_zeros: Any = _zeros if PURE_PYTHON else intrinsic(_local_zeros)
