"""One heap as a record, and the configuration fields."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ...core.fields import Field, Fields, header
from ...core.notation import Number
from ...core.options import Option, Options
from ...core.state import record
from .material import MOST


class Phase(IntEnum):
    """The phases of a game."""

    TAKE = 0
    OVER = 1


PHASES = tuple(Phase.__members__)
OPTIONS = Options(
    "nim",
    Option("players", 2, range(2, 3), "seats at the heap"),
    Option("heap", 12, range(1, 100), "tokens in the beginning"),
    Option("max_moves", 100, range(1, 1000), "actions until the cut-off"),
)
# The options that kernels read, also switches. For `players` they read `s.seats`.
OPT = record([("heap", np.int16), ("max_moves", np.int16)])
FIELDS = Fields(
    "nim",
    *header(2),
    Field("opt", OPT, seen_by="all", doc="the options of the game"),
    Field("left", np.int16, within=(0, "heap"), notation=Number(), seen_by="all", doc="tokens left"),
    Field("last", np.int8, within=(1, MOST), notation=Number(), seen_by="all", doc="tokens taken last"),
)
clear = FIELDS.clear
