"""Tantrix, a game of hexagonal tiles with coloured lines for 1 to 6 players. `build(**config)` builds the game."""

from __future__ import annotations

from .. import game_of
from .agents.features import BY_MODE as FEATURES
from .puzzles.daily import puzzle_of
from .state import SEATS
from .words.boards import check_solution, score_board, scores
from .words.notation import actions as actions_of
from .words.placements import decode, encode, legal_placements, why_illegal

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

WINDOWED = ("strategy", "window")  # mode and encoding that may not show all placements

MOST_LEGAL = 256  # places in a list of legal actions; a million positions of Strategy had up to 206

build = game_of(
    __name__,
    seats=lambda config: tuple(SEATS.get(config["mode"], (1,))),
    cutoff="max_steps",
    actions=actions_of,
    most_legal=MOST_LEGAL,
    deal_options=lambda config: () if puzzle_of(config) else ("deck", "draw_order"),
    features=lambda config: FEATURES.get(config["mode"]),
    info_fields=lambda config: ("outside_window",) if (config["mode"], config["encoding"]) == WINDOWED else (),
    result_fields=lambda config: ("deadlock",) if config["mode"] == "strategy" else (),  # [S15, O4]
)
