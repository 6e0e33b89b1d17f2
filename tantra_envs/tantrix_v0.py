"""Tantrix for PettingZoo, as `from tantra_envs import tantrix_v0`. The arguments are those of `tantra_envs.make`."""

from .factory import make, make_parallel, make_raw, of_game

env = of_game(make, "tantrix", f"{__name__}.env")
raw_env = of_game(make_raw, "tantrix", f"{__name__}.raw_env")
parallel_env = of_game(make_parallel, "tantrix", f"{__name__}.parallel_env")
