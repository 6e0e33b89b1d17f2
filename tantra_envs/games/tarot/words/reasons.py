"""The reasons of the points of a hand: cards shown, calls, the Fool, kings cut, and tricks (T-30 to T-64)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.fields import Array
from ....core.game import Game
from ....core.state import States
from ....drawing import Move
from ..material import FOOL, KING, RANK_OF, SUIT_OF, TRUMPS
from ..state import HandClass, KingCut, Phase
from .sentences import finished_trick, winner_of

NAMES = ("earlier", "honours", "trumps", "cards in a row", "cards shown", "calls", "the Fool", "kings cut", "tricks")
CLASSES = {
    HandClass.TAROTS: "honours",
    HandClass.GREATER: "trumps",
    HandClass.LESSER: "trumps",
    HandClass.TRUMPS: "trumps",
}


def reasons(game: Game, moves: Sequence[Move], end: States) -> list[tuple[str, list[int]]]:
    """Return the reasons of the points of a finished hand, each with the points of every seat.

    Args:
        game: The game.
        moves: The actions of the hand.
        end: The table at the end of the hand. The last action also dealt the next one.
    """
    rows = {name: np.zeros(game.players, np.int64) for name in NAMES}
    if moves:
        rows["earlier"] += moves[0].before["points"][0, : game.players]  # before the first action that is known
    for i, move in enumerate(moves):
        was, after = move.before[0], end[0] if i == len(moves) - 1 else move.after[0]
        made = (after["points"] - was["points"])[: game.players].astype(np.int64)
        _share(game, rows, was, move.action, made)
    return [(name, points.tolist()) for name, points in rows.items() if points.any()]


def _share(game: Game, rows: dict[str, Array], was: Any, action: int, made: Array) -> None:
    """Add the points that an action made to their reasons."""
    actor, phase = int(was["seat"]), Phase(int(was["phase"]))
    if phase == Phase.PLAY:
        fool = int(was["opt"]["fool_points"]) if action == FOOL else 0
        kings, winner = _kings_cut(game, was, action)
        rows["the Fool"][actor] += fool
        rows["kings cut"][winner] += kings
        rows["tricks"] += made
        rows["tricks"][actor] -= fool
        rows["tricks"][winner] -= kings
    elif phase == Phase.DECLARE:
        cls = int(was["cls"])
        rows[CLASSES[HandClass(cls)] if cls < HandClass.SEQ_TRUMPS else "cards in a row"] += made
    elif phase == Phase.CALL and made[actor]:
        rows["calls"] += made
    else:
        rows["cards shown"] += made  # without questions [T-32]


def _kings_cut(game: Game, was: Any, card: int) -> tuple[int, int]:
    """Return the points for kings in the trick that a card ends, and the seat that gets them [T-50]."""
    trick = finished_trick(game, was, card)
    if not trick:
        return 0, 0
    winner = winner_of(trick, int(was["leader"]), game.players)
    led = next(SUIT_OF[c] for c in trick if c != FOOL)
    if not led or trick[(winner - int(was["leader"])) % game.players] >= TRUMPS:
        return 0, winner
    kings = [c for c in trick if RANK_OF[c] == KING and (was["opt"]["king_cut"] != KingCut.LED or SUIT_OF[c] == led)]
    return len(kings) * int(was["opt"]["king_points"]), winner
