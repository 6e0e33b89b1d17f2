"""Tantra for PettingZoo, as `from tantra_envs import tantra_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tantra")
raw_env = partial(make_raw, "tantra")
parallel_env = partial(make_parallel, "tantra")
