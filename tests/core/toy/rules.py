"""Count up to three: the only action adds one."""

import numpy as np

from ...core.compiled.jit import kernel
from ...core.fields import Field, Fields, header
from ...core.rng import seed_stream
from .material import counted

FIELDS = Fields("toy", *header(2), Field("count", np.int8, seen_by="all", doc="count"))
STATE = FIELDS.dtype


@kernel
def deal(s, seed):
    seed_stream(s.rng, seed)
    s.count = 0
    s.plies = 0
    s.over = 0


@kernel
def legal_actions(s, mask):
    mask[0] = 1 - s.over


@kernel
def apply(s, action):
    s.count = counted(int(s.count))
    s.plies += 1
    s.over = s.count >= 3


@kernel
def observe(s, seat, view):
    view[0] = s.count


@kernel
def redeal(s, seed, seat):
    seed_stream(s.rng, seed)
