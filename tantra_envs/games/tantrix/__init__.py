"""Tantrix: hexagonal tiles with coloured lines, for 1 to 4. `build(**config)` makes one configuration of it."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game
from .. import GAMES
from . import player, redeal, rules, view, words
from .actions import actions
from .daily import puzzle_of
from .placements import check_solution, decode, encode, legal_placements, score_board, scores, why_illegal
from .puzzle_view import puzzle_blocks
from .state import OPTIONS, SEATS, blank, phases, resolve
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

DRIVERS = drivers.bind(rules, view, redeal)


def build(**config: Any) -> Game:
    """The game under `config`; ValueError for a field or value the rules refuse."""
    full = resolve(config)
    mode, puzzle = full["mode"], puzzle_of(full)
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
        blank=blank(full, puzzle),
        actions=actions(full, puzzle),
        view=puzzle_blocks(puzzle) if puzzle else view_blocks(full),
        drivers=DRIVERS,
        words=words,
        player=player,
        build=build,
        info_fields=_info_fields(full),
    )


def _info_fields(config: dict[str, Any]) -> tuple[str, ...]:
    """What infos tell of a table of Strategy [S15, O4]."""
    if config["mode"] != "strategy":
        return ()
    return ("deadlock", "cut_off") if config["encoding"] == "window" else ("deadlock",)
