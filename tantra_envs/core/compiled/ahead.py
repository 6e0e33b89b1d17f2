"""Compile drivers of a game: `python -m tantra_envs.core.compiled.ahead PACKAGE DRIVER..`. `starting.py` runs it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import numpy as np

from ..playouts import chosen
from .driver_calls import driver_calls
from .starting import wait_for_code


def main(package: str, names: Sequence[str]) -> None:
    """Call drivers of the game in a package, so that their machine code is kept on the disk."""
    wait_for_code()
    game = importlib.import_module(package).build()
    calls = driver_calls(game.drivers, game.blank.copy(), game.view.dtype, game.view.factors, game.actions.size)
    calls["choose_rows"] = lambda: chosen(game, game.blank.copy(), np.zeros((1, game.actions.size), np.int8))
    for name in dict.fromkeys(("deal_rows", *names)):
        calls[name]()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
