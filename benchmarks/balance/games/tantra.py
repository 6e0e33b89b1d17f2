"""Tantra: points, and every Display Card by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantra.material import DISPLAYS
from tantra_envs.games.tantra.sets import hand_points
from tantra_envs.games.tantra.state import Ending

from ...harness.figures import Figure, mean, share
from ...harness.transitions import Ints
from ..question import ONE_VS_REST, Question, lone, places
from . import Observer

UNIT = "points"


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The scores, and while a round is played less the cards in hand; the other way round where low scores win."""
    n = game.players
    held = np.zeros((len(states), n), np.int64)
    _hand_points_rows(np.ascontiguousarray(states), held)
    held[states["over"] == 1] = 0  # they are among the scores already
    sign = np.where(states["opt"]["low_score_wins"] == 1, -1, 1)[:, None]
    return np.asarray(sign * states["scores"][:, :n].astype(np.int64) - held)


@entry_point
def _hand_points_rows(states: Any, points: Any) -> None:
    for i in range(len(states)):
        for seat in range(states[i].seats):
            points[i, seat] = hand_points(states[i], seat)


class GameObserver(Observer):
    """The Display Card of the last round, and what became of it."""

    @staticmethod
    def first(dealt: States) -> Ints:
        """The seat at the dealer's left, which has the first turn; another may speak first about the discard (R-47)."""
        return np.asarray(dealt["turn"], np.int64)

    def columns(self, states: States) -> dict[str, Any]:
        """display, turns of the round, grand_slam (R-51); of place p what became of it in the round.

        laid_p, out_p: did it lay down, did it go out; bought_p, points_p: how often it bought, what it scored.
        """
        at, last = (np.arange(len(states))[:, None], self._places), states["last"]
        laid, ending = last["laid_turn"][at].astype(np.int64), last["ending"]
        found = {
            "display": last["display"].astype(np.int64),
            "turns": last["turns"].astype(np.int64),
            "grand_slam": ending == Ending.GRAND_SLAM,
        }
        points = last["scores"][at].astype(np.int64)
        bought = states["buys_used"][at].astype(np.int64)
        for place in range(laid.shape[1]):
            found |= {f"laid_{place + 1}": laid[:, place] >= 0, f"bought_{place + 1}": bought[:, place]}
            found |= {
                f"out_{place + 1}": last["out"] == self._places[:, place],
                f"points_{place + 1}": points[:, place],
            }
        return found


def questions(game: Game) -> list[Question]:
    """Every Display Card by itself; a game of several rounds is judged by its last one."""
    return [*_of_cards(game), *_of_rounds(game)]


def _of_cards(game: Game) -> list[Question]:
    """One figure for each Display Card."""
    laid, bought, scores, finals = (places(what, game.players) for what in ("laid", "bought", "score", "final"))
    spread = pl.max_horizontal(finals) - pl.min_horizontal(finals)
    turns, slam, cut = pl.col("turns") / game.players, pl.col("grand_slam"), pl.col("truncated")
    return [
        Question("How long is a round on each Display Card?", "Turns of each player.", "turns", _by_card(mean, turns)),
        Question("On which Display Cards do seats lay down?", "The share of them.", "share", _by_card(share, *laid)),
        Question("How much is bought on each Display Card?", "Buys of a seat.", "buys", _by_card(mean, *bought)),
        Question(
            "Which Display Cards make Grand Slams?", "The share of rounds (R-51).", "share", _by_card(share, slam)
        ),
        Question("Which Display Cards are cut off?", "The share of rounds (R-50).", "share", _by_card(share, cut)),
        Question("How far apart do Display Cards leave them?", "Best to last.", UNIT, _by_card(mean, spread)),
        Question(
            "Who wins from the first seat on each Display Card?",
            "Its score; 0.5 is even.",
            "score",
            _by_card(mean, scores[0]),
            even=0.5,
        ),
        Question(
            "On which Display Cards does skill win?",
            "The score of A alone among B; 0.5 is even.",
            "score",
            _by_card(mean, *lone("score", game.players)),
            games=ONE_VS_REST,
            even=0.5,
        ),
    ]


def _of_rounds(game: Game) -> list[Question]:
    """Seats, going out and points."""
    n, points = game.players, places("points", game.players)
    field = pl.sum_horizontal(points) / n
    return [
        Question(
            "What is a seat worth in points?",
            "Points of a round above the mean of its seats, by who acts first.",
            UNIT,
            [mean(f"seat {seat}", own - field) for seat, own in enumerate(points, start=1)],
            even=0.0,
        ),
        Question(
            "Who goes out, and what does a round bring?",
            "A alone among B: the share of rounds in which A goes out, or one of B does by itself, and their points.",
            "share, points",
            [
                share("A goes out", *lone("out", n)),
                share("a B goes out", *_rest("out", n)),
                mean("points of A", *lone("points", n)),
                mean("points of a B", *_rest("points", n)),
            ],
            games=ONE_VS_REST,
        ),
    ]


def _rest(column: str, seats: int) -> list[pl.Expr]:
    """The columns of all places but the lone agent's."""
    return [pl.when(~pl.col(f"alone_{p}")).then(pl.col(f"{column}_{p}")) for p in range(1, seats + 1)]


def _by_card(made: Callable[..., Figure], *values: pl.Expr) -> list[Figure]:
    """A figure of the rounds on each Display Card."""
    cards = range(1, DISPLAYS + 1)
    return [made(str(card), *(pl.when(pl.col("display") == card).then(value) for value in values)) for card in cards]
