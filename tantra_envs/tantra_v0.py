"""Tantra for PettingZoo, as `from tantra_envs import tantra_v0`. The arguments are those of `tantra_envs.make`."""

from .factory import of_game

env, raw_env, parallel_env = of_game("tantra", __name__)
