"""Tantra: contract rummy with 44 Display Cards, for 3 to 9 players. `build(**config)` returns the game."""

from __future__ import annotations

from typing import Any

from ...core.compiled import drivers
from ...core.game import Game, RoundInfo
from .. import GAMES
from . import consistency, features, redeal, rules, scripted, view, words
from .actions import actions
from .material import MAX_SEATS, MIN_SEATS
from .state import FIELDS, OPTIONS, PHASES, blank, resolve
from .view import view_blocks

DRIVERS = drivers.bind(rules, view, redeal, FIELDS.conceal, scripted)


def build(**config: Any) -> Game:
    """Return the game with the options `config`; raise ValueError for an unknown option or a forbidden value."""
    full = resolve(config)
    return Game(
        id="tantra",
        version=GAMES["tantra"],
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
        player=scripted,
        features=features,
        rounds=RoundInfo("round", _round_numbers(full["players"]), words.round_info),
        build=build,
        consistent=consistency.check,
        settle=consistency.settle_all,
        fields=FIELDS,
    )


def _round_numbers(players: int) -> dict[str, str]:
    """Return the numbers about the last finished round: each key of `infos` with the state field that holds it."""
    fields = ("display", "wild", "out", "ending", "turns", "sales", "refusals")
    scores = {f"round_score_{seat}": f"last.scores.{seat}" for seat in range(players)}
    return {**{f"round_{name}": f"last.{name}" for name in fields}, **scores}
