"""Kanastic as PettingZoo users expect it: `kanastic_v0.env(players=3)`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "kanastic")
raw_env = partial(make_raw, "kanastic")
parallel_env = partial(make_parallel, "kanastic")
