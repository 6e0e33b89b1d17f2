"""Names in the registries of Gymnasium and PettingZoo: `tantra_envs/Karma-v0`."""

from __future__ import annotations

from functools import partial

import gymnasium
import pettingzoo

from .factory import make, make_parallel, make_seat, make_seat_vector
from .games import GAMES


def register_all() -> None:
    """Register every game, once."""
    for name, version in GAMES.items():
        env_id = f"tantra_envs/{name.capitalize()}-{version}"
        if env_id in gymnasium.registry:
            continue
        gymnasium.register(
            env_id, entry_point=partial(make_seat, name), vector_entry_point=partial(make_seat_vector, name)
        )
        if hasattr(pettingzoo, "register"):  # since PettingZoo 1.26
            pettingzoo.register("aec", env_id, partial(make, name))
            pettingzoo.register("parallel", env_id, partial(make_parallel, name))
