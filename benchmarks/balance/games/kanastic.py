"""Kanastic: points on the table, and what suits, canastas, pots and doubling are worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.actions import DISCARD
from tantra_envs.games.kanastic.material import (
    ACE,
    ARTIFACT,
    CANASTA,
    COMPLETE_SUIT,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    NATURAL_ACES,
    NATURAL_CANASTA,
    POT_POINTS,
    ROYAL_SUIT,
    SWORD,
)
from tantra_envs.games.kanastic.melds import table_points

from ...harness.figures import Figure, mean, share, slope
from ...harness.transitions import Ints, Transitions
from ..question import Question, places
from . import Observer

UNIT = "points"
HAVING = {
    "royal_suit": "a royal suit",
    "mixed_suit": "a mixed suit",
    "natural": "a natural canasta",
    "mixed": "a mixed canasta",
    "two_pots": "two pots or more",
    "went_out": "going out",
    "doubled": "going out doubled",
}
COUNTED = {
    "naturals": "natural canasta",
    "mixeds": "mixed canasta",
    "pots": "pot",
    "suit_length": "card of a golden suit",
}
SOURCES = {
    "suit_points": "golden suits",
    "canasta_points": "canastas",
    "pot_points": "pots",
    "card_points": "cards, less those in hand",
    "doubling_points": "doubling",
}


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The totals, and while a round is played what lies on the table."""
    laid = np.zeros((len(states), len(game.teams)), np.int64)
    _table_points_rows(np.ascontiguousarray(states), laid)
    laid[states["over"] == 1] = 0  # it is among the totals already
    return np.asarray(states["score"][:, : len(game.teams)] + laid)


@entry_point
def _table_points_rows(states: Any, points: Any) -> None:
    for i in range(len(states)):
        for team in range(states[i].opt.teams):
            points[i, team] = table_points(states[i], team)


class GameObserver(Observer):
    """What lies on the table when the last round ends, and how it ended."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        super().__init__(game, dealt, places)
        self._last = np.zeros(len(dealt), np.int64)

    def observe(self, t: Transitions) -> None:
        """The last action shows whether going out doubled the round (KN-62)."""
        self._last[t.rows] = t.actions

    def columns(self, states: States) -> dict[str, Any]:
        """For each name in HAVING whether the team at place p had it, for each in SOURCES its points from there.

        For each name in COUNTED how many it had.
        """
        at = np.arange(len(states))[:, None], self._places
        out = states["last_out"].astype(np.int64)
        doubled = (out >= 0) & np.isin(self._last, (DISCARD + SWORD, DISCARD + ARTIFACT))
        length = np.where(states["suit_lo"] >= 0, states["suit_hi"] - states["suit_lo"] + 1, 0)[at]
        royal = (length >= COMPLETE_SUIT) & (states["suit_art"][at] == 0)
        mixed_suit = (length >= COMPLETE_SUIT) & ~royal
        canasta = states["n"][at] + states["w"][at] >= CANASTA
        natural = canasta & (states["w"][at] == 0)
        went_out = (out[:, None] % states["opt"]["teams"][:, None] == self._places) & (out >= 0)[:, None]
        pots = states["pots"][at].astype(np.int64)
        points = states["last_scores"][at].astype(np.int64)
        single = points // np.where(doubled, 2, 1)[:, None]
        suit_points = ROYAL_SUIT * royal + MIXED_SUIT * mixed_suit
        canasta_points = _bonus(natural, NATURAL_CANASTA, NATURAL_ACES)
        canasta_points += _bonus(canasta & ~natural, MIXED_CANASTA, MIXED_ACES)
        pot_points = POT_POINTS[pots]
        found = {
            **{"royal_suit": royal, "mixed_suit": mixed_suit, "natural": natural.any(axis=2)},
            **{"mixed": (canasta & ~natural).any(axis=2), "two_pots": pots >= 2, "went_out": went_out},
            **{"doubled": went_out & doubled[:, None], "suit_points": suit_points, "canasta_points": canasta_points},
            **{"pot_points": pot_points, "card_points": single - suit_points - canasta_points - pot_points},
            **{"doubling_points": points - single, "naturals": natural.sum(axis=2), "pots": pots},
            **{"mixeds": (canasta & ~natural).sum(axis=2), "suit_length": length},
        }
        teams = range(self._places.shape[1])
        return {f"{what}_{team + 1}": values[:, team] for what, values in found.items() for team in teams}


def _bonus(made: npt.NDArray[np.bool_], points: int, aces: int) -> Ints:
    """The bonuses of canastas by rank (KN-25), summed."""
    return np.asarray(made.sum(axis=2) * points + made[:, :, ACE] * (aces - points), np.int64)


def questions(game: Game) -> list[Question]:
    """What is worth how much; a game of several rounds is judged by its last one."""
    teams = len(game.teams)
    return [
        Question(
            "What wins?",
            "The mean score of a team that ended the round with it; 0.5 is even.",
            "score of who has it",
            [_score_having(name, what, teams) for what, name in HAVING.items()],
            even=0.5,
        ),
        Question(
            "How often is it reached?",
            "The share of teams that ended the round with it.",
            "share of teams",
            [share(name, *places(what, teams)) for what, name in HAVING.items()],
        ),
        Question(
            "What is one more of it worth?",
            "How much the score of a team rises with each more that it ended the round with.",
            "score for one more",
            [
                slope(name, list(zip(places(w, teams), places("score", teams), strict=True)))
                for w, name in COUNTED.items()
            ],
            even=0.0,
        ),
        Question(
            "Where do the points come from?",
            "Points of a team in a round by where they come from. Doubling counts for all teams: it also doubles what "
            "a team has lost.",
            "points of a team",
            [mean(name, *places(what, teams)) for what, name in SOURCES.items()],
        ),
    ]


def _score_having(name: str, what: str, teams: int) -> Figure:
    pairs = zip(places(what, teams), places("score", teams), strict=True)
    return mean(name, *(pl.when(having).then(score) for having, score in pairs), bounds=(0.0, 1.0))
