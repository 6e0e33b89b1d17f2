"""Karma for PettingZoo, as `from tantra_envs import karma_v0`. The arguments are those of `tantra_envs.make`."""

from .factory import of_game

env, raw_env, parallel_env = of_game("karma", __name__)
