"""Nim where nobody may take as many as were taken last: the smallest game that shows what a game consists of."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import redeal, rules, scripted, view, words
from .actions import ACTIONS
from .state import FIELDS, OPTIONS, PHASES
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted)


def build(**config: Any) -> Game:
    """Return the game with these options; raise ValueError for an option or value that is not allowed."""
    full = OPTIONS.resolve(config)
    return Game(
        id="nim",
        version=GAMES["nim"],
        title="Nim",
        seats=(2,),
        options=OPTIONS,
        config=full,
        cutoff="max_moves",
        deal_options=(),
        phases=PHASES,
        blank=FIELDS.blank(OPTIONS, full),
        actions=ACTIONS,
        view=view_blocks(full),
        drivers=DRIVERS,
        words=words,
        player=scripted,
        fields=FIELDS,
        build=build,
    )
