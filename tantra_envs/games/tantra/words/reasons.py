"""The reasons of the points of a round: the cards that are left in hands, and going out (R-50 to R-53)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing import Move
from ..material import JOKER, NATURALS, POINTS, RANKS, WILD
from ..state import Ending

OUT = {Ending.LATER: "going out", Ending.AT_ONCE: "going out at once", Ending.GRAND_SLAM: "Grand Slam"}


def reasons(game: Game, moves: Sequence[Move], end: States) -> list[tuple[str, list[int]]]:
    """Return the reasons of the scores of a finished round, each with the points of every seat. Their sum is the score.

    Args:
        game: The game.
        moves: The actions of the round. The table at its end says everything.
        end: The table at the end of the round.
    """
    s, seats = end[0], game.players
    prices = POINTS[int(s["opt"]["card_points"])]
    sign = 1 if s["opt"]["low_score_wins"] else -1
    hands, out = s["hands"][:seats].astype(np.int64), int(s["last"]["out"])
    naturals = hands[:, :NATURALS] @ np.tile(prices[:RANKS], NATURALS // RANKS)
    scores = s["last"]["scores"][:seats].astype(np.int64)
    rows = {
        f"wild cards, {prices[RANKS + 1]} each": sign * hands[:, WILD] * prices[RANKS + 1],
        f"Jokers, {prices[RANKS]} each": sign * hands[:, JOKER] * prices[RANKS],
        "other cards in hand": sign * naturals,
    }
    if out >= 0:
        rows[OUT[Ending(int(s["last"]["ending"]))]] = np.where(np.arange(seats) == out, scores, 0)
    elif not scores.any():  # a round that was stopped may count for nobody
        rows = {}
    return [(name, points.tolist()) for name, points in rows.items() if points.any()]
