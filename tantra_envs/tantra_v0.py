"""Tantra as PettingZoo users expect it: `tantra_v0.env(players=3)`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tantra")
raw_env = partial(make_raw, "tantra")
parallel_env = partial(make_parallel, "tantra")
