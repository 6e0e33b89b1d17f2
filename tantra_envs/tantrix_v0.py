"""Tantrix as PettingZoo users expect it: `tantrix_v0.env(players=3)`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tantrix")
raw_env = partial(make_raw, "tantrix")
parallel_env = partial(make_parallel, "tantrix")
