"""Worth in Tantra: points, and figures for each Display Card. Of several rounds, only the last one is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantra.agents.standing import UNIT
from tantra_envs.games.tantra.material import DISPLAYS
from tantra_envs.games.tantra.state import Ending
from tantra_envs.measures import Ints, Measure, WorthObserver, mean, score, share

CARDS = tuple(str(card) for card in range(1, DISPLAYS + 1))

TURNS = mean("length of a round by Display Card", "Turns of each player in a round.", CARDS, unit="turns")
LAID = share("seats that lay down by Display Card", "The share of seats that lay down.", CARDS)
BOUGHT = mean("buys of a seat by Display Card", "How often a seat buys in a round.", CARDS, unit="buys")
SLAM = share("Grand Slams by Display Card", "The share of rounds that end with a Grand Slam (R-51).", CARDS)
CUT_OFF = share("truncated rounds by Display Card", "The share of rounds that reach a limit (R-50).", CARDS)
APART = mean(
    "best to last by Display Card", "The distance in points between the best and the last seat.", CARDS, unit=UNIT
)
FIRST_SEAT = score(
    "score of the first seat by Display Card", "The score of the seat with the first turn; 0.5 is even.", CARDS
)
SKILL = score(
    "score of A by Display Card", "The score of an agent alone among copies of another.", CARDS, compares=True
)
ABOVE = mean(
    "points above the mean of a round",
    "Points of a round above the mean of its seats, by place; seat 1 acts first.",
    unit=UNIT, even=0.0, by_seat=True,
)  # fmt: skip
OUT = share("goes out", "The share of rounds in which a seat of the agent goes out.", compares=True)
SCORED = mean("points of a round", "Points of a seat of the agent in a round.", unit=UNIT, compares=True)


def measures(game: Game) -> tuple[Measure, ...]:
    """Return the measures of rounds, then those of Display Cards."""
    return ABOVE, OUT, SCORED, TURNS, LAID, BOUGHT, SLAM, CUT_OFF, APART, FIRST_SEAT, SKILL


class Worth(WorthObserver):
    """Counts the last round of every game, by its Display Card."""

    @staticmethod
    def first(dealt: States) -> Ints:
        """Return the seat to the dealer's left, which has the first turn. Another seat may act before it (R-47)."""
        return np.asarray(dealt["turn"], np.int64)

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count the last round of every game."""
        at, last = (np.arange(len(states))[:, None], self._places), states["last"]
        card = last["display"].astype(np.int64) - 1
        dealt = (card >= 0) & (card < DISPLAYS)  # `mini` has a Display Card of its own, which is not counted
        self._rounds(states, last, card, dealt, finals)
        earned = last["scores"][at].astype(np.int64)
        by_card = {"where": dealt[:, None], "part": np.clip(card, 0, DISPLAYS - 1)[:, None]}
        self.add(LAID, last["laid_turn"][at].astype(np.int64) >= 0, **by_card)
        self.add(BOUGHT, states["buys_used"][at].astype(np.int64), **by_card)
        self.add(SKILL, scores, **by_card)
        by_card["where"] = dealt[:, None] & (np.arange(self._places.shape[1]) == 0)
        self.add(FIRST_SEAT, scores, **by_card)
        self.add(ABOVE, earned - earned.mean(axis=1, keepdims=True))
        self.add(OUT, last["out"][:, None] == self._places)
        self.add(SCORED, earned)

    def _rounds(
        self, states: States, last: Any, card: Ints, dealt: npt.NDArray[np.bool_], finals: npt.NDArray[Any]
    ) -> None:
        """Count the measures of whole rounds, those `dealt` by their Display Card."""
        values = {
            TURNS: last["turns"] / self._game.players,
            SLAM: last["ending"] == Ending.GRAND_SLAM,
            CUT_OFF: states["truncated"] != 0,
            APART: finals.max(axis=1) - finals.min(axis=1),
        }
        for measure, value in values.items():
            self._counter.add(measure, self._rows[dealt, 0], value[dealt], 1, card[dealt])
