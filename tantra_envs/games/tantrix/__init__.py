"""Tantrix: hexagonal tiles with coloured lines, for 1 to 4. `build(**config)` makes one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core import drivers
from ...core.game import Game
from . import redeal, rules, view, words
from .actions import actions
from .material import MAX_SEATS
from .placements import decode, encode, legal_placements, score_board, scores, why_illegal
from .state import OPTIONS, PHASES, blank, hand_size, resolve
from .view import view_blocks

__all__ = ["build", "decode", "encode", "legal_placements", "score_board", "scores", "why_illegal"]

DRIVERS = drivers.bind(rules, view, redeal)


def build(**config: Any) -> Game:
    """The game under `config`; ValueError for a field or value the rules refuse."""
    full = resolve(config)
    mode, players = full["mode"], full["players"]
    alone = mode == "solitaire"
    return Game(
        id="tantrix",
        version="v0",
        title="Tantrix",
        seats=(1,) if alone else tuple(range(2, MAX_SEATS + 1)),
        fields=OPTIONS,
        config=full,
        cutoff="max_steps",
        given=("deck", "draw_order"),
        phases=PHASES,
        blank=blank(full),
        actions=actions(mode),
        view=view_blocks(mode, players, hand_size(mode)),
        drivers=DRIVERS,
        words=words,
        build=build,
    )
