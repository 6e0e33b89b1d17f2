"""Tarot as PettingZoo users expect it: `tarot_v0.env(players=3)`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tarot")
raw_env = partial(make_raw, "tarot")
parallel_env = partial(make_parallel, "tarot")
