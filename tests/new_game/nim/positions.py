"""Tables as dicts, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.game import Game
from ...core.positions import Positions
from ...core.state import States
from .material import MOST
from .state import FIELDS


def from_position(game: Game, given: Mapping[str, Any]) -> States:
    """Return the table of a position; raise ValueError with the field that is wrong."""
    state = game.blank.copy()
    state["left"], state["last"] = game.config["heap"], MOST
    NOTATION.read(game, given, state)
    return state


NOTATION = Positions(FIELDS, "config phase cur rewards truncated left last moves")
position = NOTATION.write
