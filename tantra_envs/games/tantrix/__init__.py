"""Tantrix, a game of hexagonal tiles with coloured lines for 1 to 6 players. `build(**config)` builds the game."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import consistency, redeal, rules, scripted, view, words
from .actions import actions
from .features import BY_MODE as FEATURES
from .notation.boards import check_solution, score_board, scores
from .notation.placements import decode, encode, legal_placements, why_illegal
from .puzzle_view import puzzle_blocks
from .puzzles.daily import puzzle_of
from .state import FIELDS, OPTIONS, SEATS, blank, phases, resolve
from .view import view_blocks

__all__ = [
    "build",
    "check_solution",
    "decode",
    "encode",
    "legal_placements",
    "puzzle_of",
    "score_board",
    "scores",
    "why_illegal",
]

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted)


def build(**config: Any) -> Game:
    """Build the game with these options.

    Raises:
        ValueError: An option is unknown, or its value is not allowed.
    """
    full = resolve(config)
    mode, puzzle = full["mode"], puzzle_of(full)
    table = actions(full, puzzle)
    return Game(
        id="tantrix",
        version=GAMES["tantrix"],
        title="Tantrix",
        seats=tuple(SEATS.get(mode, (1,))),
        options=OPTIONS,
        config=full,
        cutoff="max_steps",
        deal_options=() if puzzle else ("deck", "draw_order"),
        phases=phases(mode),
        blank=blank(full, puzzle, table["place"].size),
        actions=table,
        view=puzzle_blocks(puzzle) if puzzle else view_blocks(full),
        drivers=DRIVERS,
        words=words,
        player=scripted,
        features=FEATURES.get(mode),
        build=build,
        consistent=consistency.check,
        settle=consistency.settle_all,
        fields=FIELDS,
        info_fields=("outside_window",) if (mode, full["encoding"]) == ("strategy", "window") else (),
        result_fields=("deadlock",) if mode == "strategy" else (),  # [S15, O4]
    )
