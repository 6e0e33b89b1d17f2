"""Worth in Kanastic: points on the table, and the worth of suits, canastas, pots and doubling."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
from tantra_envs.measures import Counter, Ints, Kinds, Section, Transitions, WorthObserver, mean, score, share, slope

BONUSES = Kinds(
    (
        "a royal suit",
        "a mixed suit",
        "a natural canasta",
        "a mixed canasta",
        "two pots or more",
        "going out",
        "going out doubled",
    )
)
HAVING = score(
    "score of a team that has it", "The mean score of a team that ended the round with it; 0.5 is even.", BONUSES
)
REACHED = share("teams that have it", "The share of teams that ended the round with it.", BONUSES)
ONE_MORE = slope(
    "worth of one more",
    "The change of a team's score for each additional one at the end of the round.",
    Kinds(("natural canasta", "mixed canasta", "pot", "card of a golden suit")),
    unit="score for one more",
)
SOURCES = mean(
    "points by source",
    "Points of a team in a round by source. Doubling counts for all teams, so it also doubles losses.",
    Kinds(("golden suits", "canastas", "pots", "cards, less those in hand", "going out", "doubling")),
    unit="points of a team",
)


def sections(game: Game) -> tuple[Section, ...]:
    """Return the sections of worth. In a game of several rounds, only the last round is counted."""
    return (Section("Formations", (HAVING, REACHED, ONE_MORE)), Section("Points", (SOURCES,)))


class Worth(WorthObserver):
    """Counts the formations on the table at the end of the last round, and how the round ended."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        super().__init__(game, dealt, places, counter)
        self._last = np.zeros(len(dealt), np.int64)

    def observe(self, t: Transitions) -> None:
        """Store the last action, which shows whether going out doubled the round (KN-62)."""
        self._last[t.rows] = t.actions

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count formations, bonuses and points of every team."""
        at = np.arange(len(states))[:, None], self._places
        out = states["last_out"].astype(np.int64)
        doubled = (out >= 0) & np.isin(self._last, (DISCARD + SWORD, DISCARD + ARTIFACT))
        length = np.where(states["suit_lo"] >= 0, states["suit_hi"] - states["suit_lo"] + 1, 0)[at]
        royal = (length >= COMPLETE_SUIT) & (states["suit_art"][at] == 0)
        mixed_suit = (length >= COMPLETE_SUIT) & ~royal
        canasta = states["n"][at] + states["w"][at] >= CANASTA
        natural = canasta & (states["w"][at] == 0)
        mixed = canasta & ~natural
        went_out = (out[:, None] % states["opt"]["teams"][:, None] == self._places) & (out >= 0)[:, None]
        pots = states["pots"][at].astype(np.int64)
        has = (
            royal,
            mixed_suit,
            natural.any(axis=2),
            mixed.any(axis=2),
            pots >= 2,
            went_out,
            went_out & doubled[:, None],
        )
        for part, having in enumerate(has):
            self.add(HAVING, scores, having, part)
            self.add(REACHED, having, part=part)
        for part, count in enumerate((natural.sum(axis=2), mixed.sum(axis=2), pots, length)):
            self.add_slope(ONE_MORE, count, scores, part)
        earned = states["last_scores"][at].astype(np.int64)
        single = earned // np.where(doubled, 2, 1)[:, None]
        suit_points = ROYAL_SUIT * royal + MIXED_SUIT * mixed_suit
        canasta_points = _bonus(natural, NATURAL_CANASTA, NATURAL_ACES) + _bonus(mixed, MIXED_CANASTA, MIXED_ACES)
        pot_points = POT_POINTS[pots]
        bonus = states["opt"]["go_out_bonus"][:, None] * went_out
        cards = single - suit_points - canasta_points - pot_points - bonus
        for part, value in enumerate((suit_points, canasta_points, pot_points, cards, bonus, earned - single)):
            self.add(SOURCES, value, part=part)


def _bonus(formed: npt.NDArray[np.bool_], value: int, aces: int) -> Ints:
    """Return the sum of the bonuses of canastas, which depend on the rank (KN-25)."""
    return np.asarray(formed.sum(axis=2) * value + formed[:, :, ACE] * (aces - value), np.int64)
