"""One helper kernel, in another file than its callers."""

from ...core.compiled.jit import kernel

STEP = 1


@kernel
def counted(number):
    return number + STEP
