"""Karma for PettingZoo, as `from tantra_envs import karma_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from .factory import as_function, make, make_parallel, make_raw

env = as_function(partial(make, "karma"), f"{__name__}.env")
raw_env = as_function(partial(make_raw, "karma"), f"{__name__}.raw_env")
parallel_env = as_function(partial(make_parallel, "karma"), f"{__name__}.parallel_env")
