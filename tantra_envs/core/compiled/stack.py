"""Arrays that live as long as one call of a kernel: scratch that has no place in a state.

Compiled code cannot allocate memory on the heap, because kernels run without Numba's reference counting.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import proxies
from .jit import PURE_PYTHON, numba_private


def plain_zeros(size: int, dtype: Any) -> Any:
    """Return an array of `size` zeros or empty records, as kernels see it in pure Python."""
    return proxies.wrap(np.zeros(size, dtype))


local_zeros: Any = plain_zeros if PURE_PYTHON else numba_private.stack_zeros
