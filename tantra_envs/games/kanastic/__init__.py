"""Kanastic: team canasta with golden suits, for 2 to 4 players. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import consistency, features, redeal, rules, scripted, view, words
from .actions import BLOCKS as ACTIONS
from .state import FIELDS, OPTIONS, PHASES, blank, partners, resolve
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted)


def build(**config: Any) -> Game:
    """Return the game with these options; raise ValueError for an option or value that the rules refuse."""
    full = resolve(config)
    return Game(
        id="kanastic",
        version=GAMES["kanastic"],
        title="Kanastic",
        seats=(2, 3, 4),
        options=OPTIONS,
        config=full,
        cutoff="max_moves",
        deal_options=("deck", "dealer"),
        phases=PHASES,
        blank=blank(full),
        actions=ACTIONS,
        view=view_blocks(full),
        drivers=DRIVERS,
        words=words,
        player=scripted,
        features=features,
        build=build,
        consistent=consistency.check,
        partners=partners(full["players"]),
        fields=FIELDS,
    )
