"""The scripted agent of every mode: a file for each."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.playouts import Actions, chosen
from ....core.state import record
from ..state import OPT, Mode
from . import gobble, lines, puzzle
from .sight import SIGHT

BY_MODE: dict[str, Any] = {
    "strategy": lines,
    "solitaire": lines,
    "gobble": gobble,
    "discovery": puzzle,
    "rainbow": puzzle,
    "daily": puzzle,
}
WORK = record(
    [
        ("opt", OPT),  # the rules of the table
        ("seats", np.int8),
        ("at", np.int64, (max(len(agent.BLOCKS) for agent in BY_MODE.values()),)),  # where those of the view begin
        ("w", lines.WEIGHTS),
        ("sight", SIGHT),
        ("steps", np.int16, (puzzle.LONGEST,)),  # of a puzzle's solution
        ("steps_n", np.int64),
    ]
)


LOOKS_AT: Literal["known", "observation"] = "observation"
SEARCH = {"samples": 16, "candidates": 32, "margin": 0.0}  # how search plays best, by a small sweep


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The scripted player's action for every view."""
    return chosen(game, views, masks, prepare(game))


def prepare(game: Game) -> npt.NDArray[np.void]:
    """What `decide` works with, shape (1,)."""
    check_compact(game)
    work, agent = np.zeros(1, WORK), BY_MODE[game.config["mode"]]
    work["opt"], work["seats"] = game.blank["opt"], game.players
    work["at"][0, : len(agent.BLOCKS)] = [game.view[name].start for name in agent.BLOCKS]
    if agent is lines:
        work["w"] = lines.weights(game)
    if agent is puzzle:
        steps = puzzle.steps(game)
        work["steps"][0, : len(steps)], work["steps_n"] = steps, len(steps)
    return work


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one seat by its view and mask."""
    if work.opt.mode in (Mode.STRATEGY, Mode.SOLITAIRE):
        return lines.decide(view, mask, work)
    if work.opt.mode == Mode.GOBBLE:
        return gobble.decide(work.seats, work.at, view, mask)
    return puzzle.decide(work.at, work.opt.kit_n, work.steps, work.steps_n, view, mask)


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """What every legal action is worth to the seat, -inf for others: `decide` takes the first of the highest."""
    for action in range(len(mask)):
        values[action] = -np.inf
    if work.opt.mode in (Mode.STRATEGY, Mode.SOLITAIRE):
        lines.rate(view, mask, work, values)
    elif work.opt.mode == Mode.GOBBLE:
        gobble.rate(work.seats, work.at, view, mask, values)
    else:
        puzzle.rate(mask, values)
        values[decide(view, mask, work)] = 1.0


@kernel
def clock(s: Any) -> int:
    """What horizons are counted in: actions."""
    return int(s.plies)


@kernel
def standing(s: Any, seat: int) -> float:
    """How a seat stands where a playout stops, like a reward: the longest line; in Gobble the fewest tiles."""
    if s.opt.mode == Mode.GOBBLE:
        return -float(s.penalty_n[seat] + s.piles_n[seat])
    if s.seats > 1:
        return float(s.best[s.colours[seat]])
    longest = 0
    for colour in range(len(s.best)):
        longest = max(longest, int(s.best[colour]))
    return float(longest)


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """How good each view is for who sees it: what greedy goes by."""
    values: npt.NDArray[np.float64] = BY_MODE[game.config["mode"]].worth(game, views)
    return values


def check_compact(game: Game) -> None:
    """ValueError unless placements are numbered as players here know them; puzzles have one numbering only."""
    encoding = game.config["encoding"]
    if encoding != "compact" and BY_MODE[game.config["mode"]] is not puzzle:
        raise ValueError(f"{game.name}: encoding={encoding!r} is not allowed with this player; allowed: 'compact'")
