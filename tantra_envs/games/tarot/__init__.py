"""Tarot: the trick-taking game of 1888, for 2 and 3 seats. `build(**config)` returns one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import consistency, features, redeal, rewind, rules, scripted, view, words
from .actions import ACTIONS
from .state import FIELDS, OPTIONS, PHASES
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted, rewind)


def build(**config: Any) -> Game:
    """Return the game with these options; raise ValueError for an option or value that the rules refuse."""
    full = OPTIONS.resolve(config)
    return Game(
        id="tarot",
        version=GAMES["tarot"],
        title="Tarot",
        seats=(2, 3),
        options=OPTIONS,
        config=full,
        cutoff="max_moves",
        deal_options=("deck", "dealer"),
        phases=PHASES,
        blank=FIELDS.blank(OPTIONS, full),
        actions=ACTIONS,
        view=view_blocks(full["players"], full["target"], full["max_hands"]),
        drivers=DRIVERS,
        words=words,
        player=scripted,
        features=features,
        fields=FIELDS,
        build=build,
        consistent=consistency.check,
        settle=consistency.settle_all,
    )
