"""Tarot: points towards the target, and how many of them are made before a card is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tarot.actions import YES
from tantra_envs.games.tarot.material import (
    FOOL,
    IS_PIP,
    KING,
    KNAVE,
    KNIGHT,
    PAGAD,
    QUEEN,
    RANK_OF,
    SUIT_OF,
    WORLD,
)
from tantra_envs.games.tarot.state import CLASSES, Phase, Place

from ...harness.figures import Figure, mean, quotient, share, slope
from ...harness.transitions import Ints, Transitions
from ..question import Question, places
from . import Observer

UNIT = "net points"
ALONE = {"Fool": FOOL, "Pagad": PAGAD, "World": WORLD}
RANKED = {"King": KING, "Queen": QUEEN, "Knight": KNIGHT, "Knave": KNAVE}
KINDS: dict[str, npt.NDArray[np.bool_]] = {  # the cards (cards,) of each kind
    **{name: np.arange(len(RANK_OF)) == card for name, card in ALONE.items()},
    "other trump": (SUIT_OF == 0) & ~np.isin(np.arange(len(RANK_OF)), list(ALONE.values())),
    **{name: np.isin(RANK_OF, rank) for name, rank in RANKED.items()},
    "Ten to Ace": IS_PIP == 1,
}


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The net scores, and for who is ahead in the hand what they would score if it ended now (T-70)."""
    n = game.players
    points = states["points"][:, :n].astype(np.int64)
    ordered = np.sort(points, axis=1)
    gain = np.where(points == ordered[:, -1:], points - ordered[:, -2:-1], 0)
    gain[states["over"] == 1] = 0  # it is among the net scores already
    return np.asarray(states["totals"][:, :n] + gain)


class GameObserver(Observer):
    """The cards and the talon of the first hand, what is shown in all, and the points of the last hand."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        super().__init__(game, dealt, places)
        self._reckoned = np.zeros(places.shape, np.int64)
        self._shown = np.zeros((*places.shape, len(CLASSES)), bool)
        held = dealt["loc"][:, None, :] == places[:, :, None]
        self._held = {kind: (held & cards).sum(axis=2) for kind, cards in KINDS.items()}
        self._talon = {kind: ((dealt["loc"] == Place.TALON) & cards).sum(axis=1) for kind, cards in KINDS.items()}
        self._deals = dealt["dealer"][:, None] == places

    def observe(self, t: Transitions) -> None:
        """Before the first card of a hand the reckoning is done."""
        s = t.before
        shows = t.only((s["phase"] == Phase.DECLARE) & (t.actions == YES))
        place = (self._places[shows.rows] == shows.before["seat"][:, None]).argmax(axis=1)
        self._shown[shows.rows, place, shows.before["cls"]] = True
        opened = t.only((s["phase"] == Phase.PLAY) & (s["trick_no"] == 0) & (s["trick_n"] == 0))
        self._reckoned[opened.rows] = opened.before["points"][opened.k[:, None], self._places[opened.rows]]

    def columns(self, states: States) -> dict[str, Any]:
        """reckoned_p, made_p: points of place p in the last hand, before the play and in all.

        held_KIND_p, talon_KIND: cards of a kind that place p is dealt first, and in the talon; deals_p: does it deal;
        shown_CLASS_p: has it shown the class?
        """
        made = states["points"][np.arange(len(states))[:, None], self._places].astype(np.int64)
        own = {"reckoned": self._reckoned, "made": made, "deals": self._deals}
        own |= {f"held_{kind}": cards for kind, cards in self._held.items()}
        own |= {f"shown_{name}": self._shown[:, :, number] for number, name in enumerate(CLASSES)}
        found = {f"{what}_{place + 1}": v[:, place] for what, v in own.items() for place in range(made.shape[1])}
        return found | {f"talon_{kind}": cards for kind, cards in self._talon.items()}


def questions(game: Game) -> list[Question]:
    """How much is decided by the cards dealt, and what they are worth."""
    return [*_of_points(game), *_of_cards(game)]


def _of_points(game: Game) -> list[Question]:
    reckoned, made, scores = (places(what, game.players) for what in ("reckoned", "made", "score"))
    ahead = [own == pl.max_horizontal(reckoned) for own in reckoned]
    sole = pl.sum_horizontal(a.cast(pl.Int64) for a in ahead) == 1
    leads = [pl.when(a & sole).then(score) for a, score in zip(ahead, scores, strict=True)]
    return [
        Question(
            "How much is made before the play?",
            "The share of all points of a hand that are shown and called before the first card is played, and the "
            "score in the game of who is ahead then. A game of several hands is judged by its last one.",
            "share",
            [
                quotient("points made before the play", reckoned, made, bounds=(0.0, 1.0)),
                mean("score of who is ahead then", *leads, bounds=(0.0, 1.0)),
            ],
        ),
        Question(
            "How many points does a hand bring?",
            "Points of a seat before and in the play of a hand (of the last one, if there are several).",
            "points of a seat",
            [
                mean("before the play", *reckoned),
                mean("in the play", *(total - before for total, before in zip(made, reckoned, strict=True))),
            ],
        ),
    ]


def _of_cards(game: Game) -> list[Question]:
    """What each class and each kind of card is worth."""
    scores = places("score", game.players)
    return [
        Question(
            "What is a class worth?",
            "The score of a seat that shows the class in a game; 0.5 is even.",
            "score of who shows it",
            [_score_of_who_shows(name, game) for name in CLASSES],
            even=0.5,
        ),
        Question(
            "How often is a class shown?",
            "The share of seats that show it in a game.",
            "share of seats",
            [share(_in_words(name), *places(f"shown_{name}", game.players)) for name in CLASSES],
        ),
        Question(
            "What is a card worth?",
            "How much the score of a seat rises with each more card of a kind among those it is dealt first; 0.01 is "
            "one more game won of a hundred, against one other. The dealer's are without the talon.",
            "score for a card",
            [slope(k, list(zip(places(f"held_{k}", game.players), scores, strict=True))) for k in KINDS],
            even=0.0,
        ),
        Question(
            "What is a card of the talon worth?",
            "How much the dealer's score rises with each more card of a kind among the three of the first talon.",
            "score for a card",
            [_talon(kind, game) for kind in KINDS],
            even=0.0,
        ),
    ]


def _score_of_who_shows(name: str, game: Game) -> Figure:
    pairs = zip(places(f"shown_{name}", game.players), places("score", game.players), strict=True)
    return mean(_in_words(name), *(pl.when(shows).then(score) for shows, score in pairs), bounds=(0.0, 1.0))


def _talon(kind: str, game: Game) -> Figure:
    pairs = zip(places("deals", game.players), places("score", game.players), strict=True)
    return slope(kind, [(pl.when(deals).then(pl.col(f"talon_{kind}")), pl.when(deals).then(s)) for deals, s in pairs])


def _in_words(name: str) -> str:
    return name.replace("seq_", "run of ")
