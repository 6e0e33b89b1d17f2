"""Worth in Tarot: points towards the target, points before the play, and the worth of classes and cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tarot.actions import YES
from tantra_envs.games.tarot.material import (
    FOOL,
    IS_PIP,
    JUGGLER,
    KING,
    KNAVE,
    KNIGHT,
    QUEEN,
    RANK_OF,
    SUIT_OF,
    UNIVERSE,
)
from tantra_envs.games.tarot.state import CLASSES, Phase, Place
from tantra_envs.measures import Counter, Ints, Measure, Transitions, WorthObserver, mean, score, share, slope

ALONE = {"Fool": FOOL, "Juggler": JUGGLER, "Universe": UNIVERSE}
RANKED = {"King": KING, "Queen": QUEEN, "Knight": KNIGHT, "Knave": KNAVE}
KINDS: dict[str, npt.NDArray[np.bool_]] = {  # masks (cards,) of each kind
    **{name: np.arange(len(RANK_OF)) == card for name, card in ALONE.items()},
    "other trump": (SUIT_OF == 0) & ~np.isin(np.arange(len(RANK_OF)), list(ALONE.values())),
    **{name: np.isin(RANK_OF, rank) for name, rank in RANKED.items()},
    "Ten to Ace": IS_PIP == 1,
}
CLASS_NAMES = tuple(name.replace("seq_", "run of ") for name in CLASSES)
CARD_KINDS = tuple(KINDS)

BEFORE_PLAY = share(
    "points made before the play",
    "The share of a hand's points that are shown and called before the first card is played. Of several hands, only "
    "the last one is counted.",
)
AHEAD_BEFORE = score(
    "score of the seat ahead before the play", "The score of the seat that is alone ahead when play starts."
)
POINTS = mean(
    "points of a hand",
    "Points of a seat before and in the play of a hand. Of several hands, only the last one is counted.",
    ("before the play", "in the play"),
    unit="points",
)
CLASS_SCORE = score("score of a class", "The score of a seat that shows the class in a game; 0.5 is even.", CLASS_NAMES)
CLASS_SHOWN = share("classes shown", "The share of seats that show the class in a game.", CLASS_NAMES)
CARD = slope(
    "worth of a card",
    "The change of a seat's score for each additional card of a kind among its first cards, for the dealer without the "
    "talon. With two players, 0.01 is one more win in a hundred games.",
    CARD_KINDS,
    unit="score for a card",
)
TALON = slope(
    "worth of a card of the talon",
    "The change of the dealer's score for each additional card of a kind among the three cards of the first talon.",
    CARD_KINDS,
    unit="score for a card",
)


def measures(game: Game) -> tuple[Measure, ...]:
    """Return the measures of points, then those of classes and cards."""
    return BEFORE_PLAY, AHEAD_BEFORE, POINTS, CLASS_SCORE, CLASS_SHOWN, CARD, TALON


class Worth(WorthObserver):
    """Counts the cards and the talon of the first hand, all classes shown, and the points of the last hand."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        super().__init__(game, dealt, places, counter)
        self._reckoned = np.zeros(places.shape, np.int64)  # points before the play
        self._shown = np.zeros((*places.shape, len(CLASSES)), bool)
        held = dealt["loc"][:, None, :] == places[:, :, None]
        self._held = [(held & cards).sum(axis=2) for cards in KINDS.values()]
        self._talon = [((dealt["loc"] == Place.TALON) & cards).sum(axis=1) for cards in KINDS.values()]
        self._deals = dealt["dealer"][:, None] == places

    def observe(self, t: Transitions) -> None:
        """Record the classes shown, and the points before the first card of a hand."""
        s = t.before
        shows = t.only((s["phase"] == Phase.DECLARE) & (t.actions == YES))
        place = (self._places[shows.rows] == shows.before["seat"][:, None]).argmax(axis=1)
        self._shown[shows.rows, place, shows.before["cls"]] = True
        opened = t.only((s["phase"] == Phase.PLAY) & (s["trick_no"] == 0) & (s["trick_n"] == 0))
        points = opened.before["points"].astype(np.int64)
        self._reckoned[opened.rows] = np.take_along_axis(points, self._places[opened.rows], axis=1)

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count points, classes and cards."""
        made = states["points"][np.arange(len(states))[:, None], self._places].astype(np.int64)
        self.add(BEFORE_PLAY, self._reckoned, under=made)
        best = self._reckoned == self._reckoned.max(axis=1, keepdims=True)
        self.add(AHEAD_BEFORE, scores, best & (best.sum(axis=1, keepdims=True) == 1))
        self.add(POINTS, self._reckoned, part=0)
        self.add(POINTS, made - self._reckoned, part=1)
        for number in range(len(CLASSES)):
            self.add(CLASS_SCORE, scores, self._shown[:, :, number], part=number)
            self.add(CLASS_SHOWN, self._shown[:, :, number], part=number)
        for number in range(len(KINDS)):
            self.add_slope(CARD, self._held[number], scores, number)
            self.add_slope(TALON, self._talon[number][:, None], scores, number, self._deals)
