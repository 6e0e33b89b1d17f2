"""Compile drivers of a game in a process of their own, the program `starting.AHEAD`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..game import Game
from .drivers import LOOK
from .starting import wait_for_code


def main(package: str, names: Sequence[str]) -> None:
    """Compile drivers of the game in a package, so that their machine code is kept on the disk."""
    wait_for_code()
    game = importlib.import_module(package).build()
    for name in names:
        compile_driver(game, name)


def compile_driver(game: Game, name: str) -> None:
    """Compile a driver: call it at a new table, with array types that environments use."""
    driver, examples = getattr(game.drivers, name), _examples(game)
    driver(*(examples[argument] for argument in inspect.signature(driver).parameters))


def _examples(game: Game) -> dict[str, Any]:
    """Return an example of each argument of drivers, by its name."""
    states, view = game.new(), game.view
    mask, narrow = np.zeros(game.actions.size, np.int8), np.zeros(view.size, view.dtype)
    observation = np.zeros(view.size, np.float32)
    game.drivers.step_row(states, 0, LOOK, narrow, view.factors, observation, mask)
    action, one = int(mask.argmax()), np.zeros(1, np.int64)
    flag, rewards = np.zeros(1, bool), np.zeros((1, game.players))
    return {
        "states": states,
        "i": 0,
        "seat": 0,
        "action": action,
        "actions": np.array([action]),
        "check": 1,
        "lo": 0,
        "hi": 1,
        "rows": one,
        "seats": one,
        "firsts": one,
        "teams": one + 1,
        "seeds": one.copy(),
        "streams": np.zeros((1, 4), np.int64),
        "narrow": narrow,
        "narrows": narrow[None].copy(),
        "factors": view.factors,
        "view": observation,
        "views": observation[None].copy(),
        "mask": mask,
        "masks": mask[None].copy(),
        "legal": mask[None].copy(),
        "rewards": rewards,
        "gained": np.zeros(1),
        "totals": rewards,
        "terminations": flag,
        "truncations": flag.copy(),
        "known": np.zeros_like(states),
        "values": np.zeros(game.actions.size),
        "work": game.player and game.player.prepare(game),
    }
