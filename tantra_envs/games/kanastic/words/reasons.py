"""The reasons of the points: cards laid, canastas, golden suit, pots, cards in hand (KN-25, KN-33, KN-70 to KN-73).

`s` is one table or many: their shape is the first part, (..), of each shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.fields import Array
from ....core.game import Game
from ....core.state import States
from ....drawing import Move
from ....words.english import PLURALS, counted
from ..cards import on_table
from ..material import (
    ACE,
    CANASTA,
    COMPLETE_SUIT,
    HAND_KINDS,
    HAND_POINTS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    NATURAL_ACES,
    NATURAL_CANASTA,
    POT_POINTS,
    RANK_NAMES,
    RANKS,
    ROYAL_SUIT,
    SHIELD,
)

LAID = ("cards laid", "canastas", "golden suit", "pots")
REASONS = (*LAID, "cards in hand", "going out", "doubled by the last discard")
CANASTA_POINTS = NATURAL_CANASTA, MIXED_CANASTA, NATURAL_ACES, MIXED_ACES
CANASTA_WORDS = ("without wild cards", "with wild cards") * 2
SUIT_POINTS = 0, MIXED_SUIT, ROYAL_SUIT  # begun, mixed, royal
SUIT_WORDS = "begun", "with Artifacts", "without Artifacts"


def reasons(game: Game, moves: Sequence[Move], end: States) -> list[tuple[str, list[int]]]:
    """Return the reasons of the scores of a finished round, each with the points of every team. Their sum is the score.

    Args:
        game: The game.
        moves: The actions of the round. The table at its end says everything.
        end: The table at the end of the round.
    """
    rows = zip(REASONS, round_points(game, end)[0].T.tolist(), strict=True)
    return [(name, points) for name, points in rows if any(points)]


def parts(game: Game, end: States, names: Sequence[str]) -> dict[str, list[list[tuple[str, int]]]]:
    """Return the parts of some reasons: for every team the words and points of each part. Their sum is that of the row.

    Args:
        game: The game.
        end: The table at the end of the round.
        names: The names of the seats.
    """
    s, teams = end[0], range(len(game.teams))
    held, kinds, suit = held_points(s), canastas(s), suits(s)
    return {
        "canastas": [
            [
                (f"{PLURALS[RANK_NAMES[r]]} {CANASTA_WORDS[kind]}", CANASTA_POINTS[kind])
                for r, kind in np.argwhere(kinds[team])
            ]
            for team in teams
        ],
        "golden suit": [
            [(SUIT_WORDS[kind], SUIT_POINTS[kind]) for kind in np.flatnonzero(suit[team]) if SUIT_POINTS[kind]]
            for team in teams
        ],
        "pots": [[(counted(n, "pot"), int(POT_POINTS[n]))] if (n := int(s["pots"][team])) else [] for team in teams],
        "cards in hand": [[(names[seat], -int(held[seat])) for seat in team if held[seat]] for team in game.teams],
    }


def round_points(game: Game, ends: States) -> Array:
    """Return the points of finished rounds by team, in the order of REASONS, shape (k, teams, reasons)."""
    teams = np.arange(len(game.teams))
    hands = held_points(ends)[:, np.array(game.teams)].sum(axis=2)
    out, scores = ends["last_out"][:, None], ends["last_scores"][:, teams].astype(np.int64)
    bonus = ends["opt"]["go_out_bonus"][:, None] * ((out >= 0) & (out % len(teams) == teams))
    points = np.concatenate([laid_points(ends)[:, teams], np.stack([-hands, bonus], axis=2)], axis=2)
    doubled = scores - points.sum(axis=2)  # a wild card as the last discard doubles all scores [KN-62]
    return np.concatenate([points, doubled[:, :, None]], axis=2)


def laid_points(s: Any) -> Array:
    """Return the points on the table by team, in the order of LAID, shape (.., teams, 4)."""
    bonuses = canastas(s).sum(axis=-2) @ np.array(CANASTA_POINTS), suits(s) @ np.array(SUIT_POINTS)
    return np.stack([card_points(s), *bonuses, POT_POINTS[s["pots"]]], axis=-1)


def card_points(s: Any) -> Array:
    """Return the points of the cards on the table without bonuses, shape (.., teams)."""
    return np.asarray(on_table(s)[..., :HAND_KINDS] @ HAND_POINTS)


def canastas(s: Any) -> Array:
    """Return whether each rank is a canasta of each kind of CANASTA_POINTS, shape (.., teams, ranks, kinds)."""
    canasta, mixed = s["n"] + s["w"] >= CANASTA, (s["w"] > 0).astype(np.int64)
    kind = mixed + 2 * (np.arange(RANKS) == ACE)
    return np.asarray(canasta[..., None] & (kind[..., None] == np.arange(len(CANASTA_POINTS))))


def suits(s: Any) -> Array:
    """Return whether there is a golden suit of each kind of SUIT_POINTS, shape (.., teams, kinds)."""
    complete, royal = s["suit_hi"] - s["suit_lo"] + 1 >= COMPLETE_SUIT, s["suit_art"] == 0
    kind = np.select([s["suit_lo"] < 0, ~complete, ~royal], [-1, 0, 1], 2)
    return np.asarray(kind[..., None] == np.arange(len(SUIT_POINTS)))


def held_points(s: Any) -> Array:
    """Return the points that the hands cost, as far as their cards are known, shape (.., seats) [KN-70, KN-71]."""
    shields = s["hand"][..., SHIELD] * s["opt"]["shield_penalty"][..., None].astype(np.int64)
    return np.asarray(s["hand"][..., :SHIELD] @ HAND_POINTS[:SHIELD] + shields)
