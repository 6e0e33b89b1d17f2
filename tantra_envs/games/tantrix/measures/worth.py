"""Worth in Tantrix: the tiles in a colour's best line, and whether it is a line or a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix.agents.standing import UNIT
from tantra_envs.games.tantrix.material import COLOURS, EDGES, SIDES
from tantra_envs.games.tantrix.measures.loops import longest_loops
from tantra_envs.games.tantrix.words.sentences import COLOUR_NAMES
from tantra_envs.measures import Counter, Ints, Measure, WorthObserver, mean, score, share, slope

LINKS = ("no link", "corner", "curve", "straight")  # by the distance between the two sides of a colour on a tile

LOOPS = share("seats with a loop", "The share of seats that have a loop at the end. A loop counts double.")
BY_LOOP = share("seats that score by a loop", "The share of seats whose points come from a loop.")
LOOP_SCORE = score(
    "score by loop or line",
    "The score of the seats whose best is a loop, and of those whose best is a line; 0.5 is even.",
    ("by a loop", "by a line"),
)
POINTS = mean(
    "points of a seat",
    "Points of a seat at the end, by a line, by a loop (two for each tile) and in all.",
    ("by a line", "by a loop", "all seats"),
    unit=UNIT,
)
COLOUR = score(
    "score of a colour",
    "The score of the seat with this colour; 0.5 is even. By default, seats have colours by number, and the first seat "
    "to act is drawn at random.",
    tuple(COLOUR_NAMES[colour] for colour in COLOURS),
)
TILE = slope(
    "worth of a tile",
    "The change of a seat's score for each additional tile among its first six with this link of its colour: to the "
    "next side (corner), to the side after it (curve), to the opposite side (straight), or no link.",
    LINKS,
    unit="score for a tile",
)


def measures(game: Game) -> tuple[Measure, ...]:
    """Return the measures of Strategy, where every seat has a colour; other modes have none."""
    if game.config["mode"] != "strategy":
        return ()
    return LOOPS, BY_LOOP, LOOP_SCORE, POINTS, COLOUR, TILE


def _links() -> npt.NDArray[np.int64]:
    """Return the link of every colour on every tile as a number of LINKS, shape (tiles + 1, colours + 1).

    Tile 0 and colour 0 mean none; their links are -1.
    """
    links = np.full((len(EDGES) + 1, len(COLOURS) + 1), -1)
    for tile, edges in enumerate(EDGES, start=1):
        for number, colour in enumerate(COLOURS, start=1):
            apart = edges.rfind(colour) - edges.find(colour)
            links[tile, number] = min(apart, SIDES - apart)
    return links


LINK = _links()


class Worth(WorthObserver):
    """Counts the colours and first tiles of all seats, and the loops on the table at the end."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        super().__init__(game, dealt, places, counter)
        at = np.arange(len(dealt))[:, None], places
        self._colours = dealt["colours"][at].astype(np.int64)
        self._links = LINK[dealt["hands"][at].astype(np.int64), self._colours[:, :, None]]

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count loops and lines, and pair colours and first tiles with scores."""
        if self._game.config["mode"] != "strategy":
            return
        loops = np.take_along_axis(longest_loops(states), self._places, axis=1)
        by_loop = (loops > 0) & (loops == finals)
        self.add(LOOPS, loops > 0)
        self.add(BY_LOOP, by_loop)
        self.add(LOOP_SCORE, scores, part=(~by_loop).astype(np.int64))
        self.add(POINTS, finals, part=by_loop.astype(np.int64))
        self.add(POINTS, finals, part=2)
        self.add(COLOUR, scores, part=self._colours - 1)
        for number in range(len(LINKS)):
            self.add_slope(TILE, (self._links == number).sum(axis=2), scores, number)
