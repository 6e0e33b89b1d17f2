"""Names of actions, and the table as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import notation as read
from ...core.game import Game
from ...core.state import States
from .material import MOST
from .positions import from_position, position
from .state import PHASES

__all__ = ["action_name", "deal_given", "from_position", "parse_action", "picture", "position"]


def action_name(game: Game, state: States, action: int) -> str:
    """Return the words for an action, such as `take 2`."""
    return f"take {action + 1}"


def parse_action(game: Game, state: States, text: str) -> int:
    """Return the id of an action in words; raise ValueError if there is none."""
    for action in range(MOST):
        if text == f"take {action + 1}":
            return action
    raise ValueError(f"{game.name}: {text!r} names no action; actions: take 1, take 2, take 3")


def picture(game: Game, state: States, seat: int | None) -> str:
    """Return the heap as text. `state` is what `seat` sees, and all of it if `seat` is None."""
    s = state[0]
    return f"Nim, move {s['plies']}, {PHASES[s['phase']]}, seat {s['seat']}: {'o' * int(s['left'])}"


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Raise ValueError: no part of a deal can be given."""
    read.check_deal_options(game.name, given, game.deal_options)
