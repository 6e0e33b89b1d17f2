"""Karma as PettingZoo users expect it: `karma_v0.env(players=3)`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "karma")
raw_env = partial(make_raw, "karma")
parallel_env = partial(make_parallel, "karma")
