"""Tarot for PettingZoo, as `from tantra_envs import tarot_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tarot")
raw_env = partial(make_raw, "tarot")
parallel_env = partial(make_parallel, "tarot")
