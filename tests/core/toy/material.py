"""One helper kernel, in another file than its callers."""

from ...core.jit import kernel

STEP = 1


@kernel
def counted(number):
    return number + STEP
