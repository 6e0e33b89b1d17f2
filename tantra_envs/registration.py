"""Names others find games by: `tantra_envs/Karma-v0` in the registries, `tantra_envs.karma_v0` as a module."""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType

import gymnasium
import pettingzoo

from .factory import make, make_parallel, make_raw, make_seat, make_seat_vector
from .games import GAMES


def register_all() -> None:
    """Register every game, once."""
    for name, version in GAMES.items():
        _add_module(name, version)
        env_id = f"tantra_envs/{name.capitalize()}-{version}"
        if env_id in gymnasium.registry:
            continue
        gymnasium.register(
            env_id, entry_point=partial(make_seat, name), vector_entry_point=partial(make_seat_vector, name)
        )
        if hasattr(pettingzoo, "register"):  # since PettingZoo 1.26
            pettingzoo.register("aec", env_id, partial(make, name))
            pettingzoo.register("parallel", env_id, partial(make_parallel, name))


def _add_module(name: str, version: str) -> None:
    """A module of the game as PettingZoo users expect it: `from tantra_envs import karma_v0`."""
    package = __name__.rpartition(".")[0]
    module = ModuleType(f"{package}.{name}_{version}", f"`env`, `raw_env` and `parallel_env` of {name}.")
    module.__dict__.update(env=partial(make, name), raw_env=partial(make_raw, name))
    module.__dict__.update(parallel_env=partial(make_parallel, name))
    sys.modules[module.__name__] = module
    setattr(sys.modules[package], f"{name}_{version}", module)
