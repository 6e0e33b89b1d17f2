"""Kanastic for PettingZoo, as `from tantra_envs import kanastic_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from .factory import make, make_parallel, make_raw

env = partial(make, "kanastic")
raw_env = partial(make_raw, "kanastic")
parallel_env = partial(make_parallel, "kanastic")
