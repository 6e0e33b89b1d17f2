"""Tantra: contract rummy with 44 Display Cards, for 3 to 9 players. `build(**config)` makes one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game, Rounds
from . import player, redeal, rules, view, words
from .actions import actions
from .material import MAX_SEATS, MIN_SEATS
from .state import OPTIONS, PHASES, blank, resolve
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal)


def build(**config: Any) -> Game:
    """The game under `config`; ValueError for a field or value the rules refuse."""
    full = resolve(config)
    return Game(
        id="tantra",
        version="v0",
        title="Tantra",
        seats=tuple(range(MIN_SEATS, MAX_SEATS + 1)),
        options=OPTIONS,
        config=full,
        cutoff="max_moves",
        deal_options=("deck", "dealer", "display", "wild"),
        phases=PHASES,
        blank=blank(full),
        actions=actions(full["players"]),
        view=view_blocks(full["players"]),
        drivers=DRIVERS,
        words=words,
        player=player,
        rounds=Rounds("round", words.round_facts),
        build=build,
    )
