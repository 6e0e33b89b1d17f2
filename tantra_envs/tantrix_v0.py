"""Tantrix for PettingZoo, as `from tantra_envs import tantrix_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "tantrix")
raw_env = partial(make_raw, "tantrix")
parallel_env = partial(make_parallel, "tantrix")
