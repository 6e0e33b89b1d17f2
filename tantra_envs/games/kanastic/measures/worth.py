"""Worth in Kanastic: points on the table, and the worth of suits, canastas, pots and doubling."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.words.events import events
from tantra_envs.games.kanastic.words.reasons import canastas, round_points, suits
from tantra_envs.measures import Counter, Ints, Measure, Transitions, WorthObserver, mean, score, share, slope

BONUSES = (
    "a royal suit",
    "a mixed suit",
    "a natural canasta",
    "a mixed canasta",
    "two pots or more",
    "going out",
    "going out doubled",
)
HAVING = score(
    "score of a team that has it", "The mean score of a team that ended the round with it; 0.5 is even.", BONUSES
)
REACHED = share("teams that have it", "The share of teams that ended the round with it.", BONUSES)
ONE_MORE = slope(
    "worth of one more",
    "The change of a team's score for each additional one at the end of the round.",
    ("natural canasta", "mixed canasta", "pot", "card of a golden suit"),
    unit="score for one more",
)
SOURCES = mean(
    "points by source",
    "Points of a team in a round by source. Doubling counts for all teams, so it also doubles losses.",
    ("golden suits", "canastas", "pots", "cards, less those in hand", "going out", "doubling"),
    unit="points of a team",
)


def measures(game: Game) -> tuple[Measure, ...]:
    """Return the measures of worth. In a game of several rounds, only the last round is counted."""
    return HAVING, REACHED, ONE_MORE, SOURCES


class Worth(WorthObserver):
    """Counts the formations on the table at the end of the last round, and how the round ended."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        super().__init__(game, dealt, places, counter)
        self._doubled = np.zeros(len(dealt), bool)

    def observe(self, t: Transitions) -> None:
        """Record whether going out doubled the last round (KN-62)."""
        last = t.only(t.after["over"] == 1)
        self._doubled[last.rows] = events(last.before, last.actions, last.after)["doubled"]

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count formations, bonuses and points of every team."""
        at = np.arange(len(states))[:, None], self._places
        out = states["last_out"].astype(np.int64)
        length = np.where(states["suit_lo"] >= 0, states["suit_hi"] - states["suit_lo"] + 1, 0)[at]
        _, mixed_suit, royal = np.moveaxis(suits(states)[at], 2, 0)
        kinds = canastas(states)[at].sum(axis=2)
        natural, mixed = kinds[:, :, ::2].sum(axis=2), kinds[:, :, 1::2].sum(axis=2)
        went_out = (out[:, None] % states["opt"]["teams"][:, None] == self._places) & (out >= 0)[:, None]
        pots = states["pots"][at].astype(np.int64)
        has = (royal, mixed_suit, natural > 0, mixed > 0, pots >= 2, went_out, went_out & self._doubled[:, None])
        for part, having in enumerate(has):
            self.add(HAVING, scores, having, part)
            self.add(REACHED, having, part=part)
        for part, count in enumerate((natural, mixed, pots, length)):
            self.add_slope(ONE_MORE, count, scores, part)
        cards, canasta, suit, pot, held, bonus, doubling = np.moveaxis(round_points(self._game, states)[at], 2, 0)
        for part, value in enumerate((suit, canasta, pot, cards + held, bonus, doubling)):
            self.add(SOURCES, value, part=part)
