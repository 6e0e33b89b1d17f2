"""The reasons of the points: cards laid, canastas, golden suit, pots, cards in hand (KN-25, KN-33, KN-70 to KN-73)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing import Move
from ..material import (
    ACE,
    ARTIFACT_POINTS,
    CANASTA,
    COMPLETE_SUIT,
    HAND_POINTS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    NATURAL_ACES,
    NATURAL_CANASTA,
    POT_POINTS,
    RANK_POINTS,
    RANKS,
    ROYAL_SUIT,
    SHIELD,
    SWORD_POINTS,
)

LAID = ("cards laid", "canastas", "golden suit", "pots")
CANASTAS = {True: (NATURAL_CANASTA, NATURAL_ACES), False: (MIXED_CANASTA, MIXED_ACES)}  # by whether all are naturals


def reasons(game: Game, moves: Sequence[Move], end: States) -> list[tuple[str, list[int]]]:
    """Return the reasons of the scores of a finished round, each with the points of every team. Their sum is the score.

    Args:
        game: The game.
        moves: The actions of the round. The table at its end says everything.
        end: The table at the end of the round.
    """
    s, teams = end[0], range(len(game.teams))
    laid = [laid_points(s, team) for team in teams]
    rows = [(name, [points.get(name, 0) for points in laid]) for name in LAID]
    rows.append(("cards in hand", [-sum(held_points(s, seat) for seat in members) for members in game.teams]))
    out = int(s["last_out"])
    rows.append(("going out", [int(s["opt"]["go_out_bonus"]) * (out in members) for members in game.teams]))
    sums = np.sum([points for _, points in rows], axis=0)
    doubled = s["last_scores"][: len(game.teams)] - sums  # a wild card as the last discard doubles all scores [KN-62]
    rows.append(("doubled by the last discard", doubled.tolist()))
    return [(name, points) for name, points in rows if any(points)]


def laid_points(s: Any, team: int) -> dict[str, int]:
    """Return the points of a team on the table by their reason; reasons without points are left out."""
    cards = int(s["n"][team] @ RANK_POINTS + s["sw"][team].sum() * SWORD_POINTS + s["ar"][team].sum() * ARTIFACT_POINTS)
    sizes = s["n"][team] + s["w"][team]
    canastas = sum(CANASTAS[not s["w"][team][r]][r == ACE] for r in range(RANKS) if sizes[r] >= CANASTA)
    low, high, artifacts = int(s["suit_lo"][team]), int(s["suit_hi"][team]), int(s["suit_art"][team])
    suit = range(low, high + 1) if low >= 0 else range(0)
    cards += sum(ARTIFACT_POINTS if artifacts >> r & 1 else int(RANK_POINTS[r]) for r in suit)
    royal = (MIXED_SUIT if artifacts else ROYAL_SUIT) if len(suit) >= COMPLETE_SUIT else 0
    points = cards, canastas, royal, int(POT_POINTS[s["pots"][team]])
    return {name: value for name, value in zip(LAID, points, strict=True) if value}


def held_points(s: Any, seat: int) -> int:
    """Return the points that the cards of a hand cost, as far as they are known [KN-70, KN-71]."""
    prices = HAND_POINTS.copy()
    prices[SHIELD] = s["opt"]["shield_penalty"]
    return int(s["hand"][seat] @ prices)
