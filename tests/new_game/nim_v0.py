"""Nim for PettingZoo, as `from tantra_envs import nim_v0`. The arguments are those of `tantra_envs.make`."""

from functools import partial

from tantra_envs.factory import make, make_parallel, make_raw

env = partial(make, "nim")
raw_env = partial(make_raw, "nim")
parallel_env = partial(make_parallel, "nim")
