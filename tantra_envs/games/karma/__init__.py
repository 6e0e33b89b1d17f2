"""Karma: the shedding game of 2015, for 2 to 12 seats. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import consistency, features, redeal, rules, scripted, view, words
from .actions import actions
from .material import MAX_SEATS
from .state import FIELDS, OPTIONS, PHASES, blank, resolve
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted)


def build(**config: Any) -> Game:
    """Return the game with these options; raise ValueError for an option or value that the rules refuse."""
    full = resolve(config)
    state = blank(full)
    opt = state["opt"][0]
    return Game(
        id="karma",
        version=GAMES["karma"],
        title="Karma",
        seats=tuple(range(2, MAX_SEATS + 1)),
        options=OPTIONS,
        config=full,
        cutoff="max_moves",
        deal_options=("deck", "dealer"),
        phases=PHASES,
        blank=state,
        actions=actions(full["players"], int(opt["clear_set"])),
        view=view_blocks(full["players"], opt),
        drivers=DRIVERS,
        words=words,
        player=scripted,
        features=features,
        build=build,
        consistent=consistency.check,
        fields=FIELDS,
    )
