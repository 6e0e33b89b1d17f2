"""Tantrix: hexagonal tiles with coloured lines, for 1 to 4. `build(**config)` makes one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core import drivers
from ...core.game import Game
from . import redeal, rules, view, words
from .actions import actions
from .placements import decode, encode, legal_placements, score_board, scores, why_illegal
from .state import OPTIONS, SEATS, blank, hand_size, phases, resolve
from .view import view_blocks

__all__ = ["build", "decode", "encode", "legal_placements", "score_board", "scores", "why_illegal"]

DRIVERS = drivers.bind(
    rules.__name__,
    rules.__file__,
    {
        "deal": rules.deal,
        "legal_actions": rules.legal_actions,
        "apply": rules.apply,
        "observe": view.observe,
        "redeal": redeal.redeal,
    },
)


def build(**config: Any) -> Game:
    """The game under `config`; ValueError for a field or value the rules refuse."""
    full = resolve(config)
    mode, players = full["mode"], full["players"]
    return Game(
        id="tantrix",
        version="v0",
        title="Tantrix",
        seats=tuple(SEATS.get(mode, (1,))),
        fields=OPTIONS,
        config=full,
        cutoff="max_steps",
        given=("deck", "draw_order"),
        phases=phases(mode),
        blank=blank(full),
        actions=actions(mode, players),
        view=view_blocks(mode, players, hand_size(mode)),
        drivers=DRIVERS,
        words=words,
        build=build,
    )
