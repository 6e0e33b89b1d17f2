"""Load the agents that commands may name: those of the checkout if there is one, otherwise those of the wheel."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable

from ..core.game import Game
from ..core.observation import Agent
from ..extras import CHECKOUT
from ..opponents import opponent


def load(spec: str, game: Game) -> Agent:
    """Return the agent of this name, ready to play `game`.

    Raises:
        ValueError: There is no such agent, its options are not allowed, or it does not suit the game.
    """
    make: Callable[[str, Game], Agent] = importlib.import_module("agents").load if _has_lab() else opponent
    return make(spec, game)


def _has_lab() -> bool:
    """Return whether `agents` is the package of this checkout, and not another package of that name."""
    if CHECKOUT is None:
        return False
    found = importlib.util.find_spec("agents")
    return found is not None and found.origin == str(CHECKOUT / "agents" / "__init__.py")
