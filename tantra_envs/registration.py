"""The entries of the games in the registries of Gymnasium and PettingZoo, such as `tantra_envs/Karma-v0`."""

from __future__ import annotations

import gymnasium
import pettingzoo

from .games import GAMES


def register_all() -> None:
    """Register every game that is not registered yet.

    Entry points are strings, not functions, so that `gymnasium.spec(id).to_json()` works. Data sets and loggers use it.
    """
    for name, version in GAMES.items():
        env_id = f"tantra_envs/{name.capitalize()}-{version}"
        if env_id in gymnasium.registry:
            continue
        gymnasium.register(
            env_id,
            entry_point="tantra_envs:make_seat",
            vector_entry_point="tantra_envs:make_seat_vector",
            kwargs={"name": name},
        )
        if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
            pettingzoo.register("aec", env_id, "tantra_envs:make", kwargs={"name": name})
            pettingzoo.register("parallel", env_id, "tantra_envs:make_parallel", kwargs={"name": name})
