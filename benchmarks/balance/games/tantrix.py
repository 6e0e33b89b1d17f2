"""Tantrix: the tiles in a colour's best line, and whether it is a line or a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix.loops import longest_loops
from tantra_envs.games.tantrix.material import COLOURS, EDGES, SIDES

from ...harness.figures import Figure, mean, share, slope
from ...harness.transitions import Ints
from ..question import Question, places
from . import Observer

UNIT = "points"
LINKS = ("no link", "corner", "curve", "straight")  # of a colour on a tile, by how far apart its sides are
COLOUR_NAMES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The score of every seat's colour."""
    own = states["colours"][:, : game.players].astype(np.int64)
    return np.take_along_axis(states["best"], own, axis=1)


def _links() -> npt.NDArray[np.int64]:
    """The link of every colour on every tile, a number of LINKS: (tiles + 1, colours + 1), -1 for no tile or colour."""
    found = np.full((len(EDGES) + 1, len(COLOURS) + 1), -1)
    for tile, edges in enumerate(EDGES, start=1):
        for number, colour in enumerate(COLOURS, start=1):
            apart = edges.rfind(colour) - edges.find(colour)
            found[tile, number] = min(apart, SIDES - apart)
    return found


LINK = _links()


class GameObserver(Observer):
    """The colours and first tiles of all seats, and the loops on the table at the end."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        super().__init__(game, dealt, places)
        at = np.arange(len(dealt))[:, None], places
        self._colours = dealt["colours"][at].astype(np.int64)
        self._links = LINK[dealt["hands"][at].astype(np.int64), self._colours[:, :, None]]

    def columns(self, states: States) -> dict[str, Any]:
        """loop_p: the score of the longest loop in the colour of place p, 0 = it has none.

        colour_p: its colour, 1 .. 4; LINK_p: tiles of its first hand with such a link of its colour.
        """
        found = {"loop": np.take_along_axis(longest_loops(states), self._places, axis=1), "colour": self._colours}
        found |= {name: (self._links == number).sum(axis=2) for number, name in enumerate(LINKS)}
        seats = range(self._places.shape[1])
        return {f"{what}_{place + 1}": values[:, place] for what, values in found.items() for place in seats}


def questions(game: Game) -> list[Question]:
    """Loops against lines; in Strategy, where every seat has a colour, also colours and tiles."""
    return [*_of_loops(game), *(_of_tiles(game) if game.config["mode"] == "strategy" else [])]


def _of_loops(game: Game) -> list[Question]:
    loops, finals, scores = (places(what, game.players) for what in ("loop", "final", "score"))
    won = [(loop > 0) & (loop == final) for loop, final in zip(loops, finals, strict=True)]
    return [
        Question(
            "Loops or lines?",
            "A loop counts double. How many seats close one, how many score by it, and the score of those who do, and "
            "of those whose best is a line, against the others; 0.5 is even.",
            "share, score",
            [
                share("seats that close a loop", *(loop > 0 for loop in loops)),
                share("seats that score by a loop", *won),
                mean("score by a loop", *_where(won, scores), bounds=(0.0, 1.0)),
                mean("score by a line", *_where([~by_loop for by_loop in won], scores), bounds=(0.0, 1.0)),
            ],
        ),
        Question(
            "How many points does a seat make?",
            "Points of a seat at the end, by a line, by a loop (two for each tile) and in all.",
            "points of a seat",
            [
                mean("by a line", *_where([~by_loop for by_loop in won], finals)),
                mean("by a loop", *_where(won, finals)),
                mean("all seats", *finals),
            ],
        ),
    ]


def _of_tiles(game: Game) -> list[Question]:
    scores = places("score", game.players)
    return [
        Question(
            "Which colour wins?",
            "The score of the seat that has it; 0.5 is even. By default seats have colours by their numbers, and who "
            "begins is drawn.",
            "score",
            [_of_colour(number, colour, game) for number, colour in enumerate(COLOURS, start=1)],
            even=0.5,
        ),
        Question(
            "What is a tile worth?",
            "How much the score of a seat rises with each more tile of its first six on which its colour has such a "
            "link: to the next side (a corner), to the one after (a curve), to the opposite one, or none at all.",
            "score for a tile",
            [slope(link, list(zip(places(link, game.players), scores, strict=True))) for link in LINKS],
            even=0.0,
        ),
    ]


def _of_colour(number: int, colour: str, game: Game) -> Figure:
    own = [column == number for column in places("colour", game.players)]
    return mean(COLOUR_NAMES[colour], *_where(own, places("score", game.players)), bounds=(0.0, 1.0))


def _where(conditions: list[pl.Expr], values: list[pl.Expr]) -> list[pl.Expr]:
    return [pl.when(condition).then(value) for condition, value in zip(conditions, values, strict=True)]
