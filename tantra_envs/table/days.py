"""What is of the day: yesterday's solution of the daily puzzle, and what the strongest agent makes of a deal."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterable

import numpy as np

from .. import configuration
from ..core.options import require
from ..drawing import draw
from ..games.tantrix.puzzles.daily import NODES, daily
from ..games.tantrix.puzzles.fillings import Filling
from ..opponents import opponent
from ..words.english import YOU
from . import ending
from .history import deal

DEALS = ("karma", "tarot:hand")  # games for two, whose deal of the day everybody plays once against RIVAL
RIVAL = "strongest"
DAY = 24 * 3600
_SOLVED = re.compile(r"tantrix_v0 .*\bmode=daily\b.*\bseed_date=(\d{8})")  # names in the lists of best results


def number(days_ago: int = 0) -> int:
    """Return a day as a number, such as 20261128: the option of its puzzle, and the seed of its deals."""
    return int(time.strftime("%Y%m%d", time.localtime(time.time() - DAY * days_ago)))


def solved(names: Iterable[str]) -> list[int]:
    """Return the days of solved puzzles, by the names of lists of best results."""
    return sorted(int(match[1]) for name in names if (match := _SOLVED.fullmatch(name)))


@functools.cache
def solution(day: int) -> str:
    """Return a drawing of the solved puzzle of a day."""
    puzzle, game = daily(day), configuration.game("tantrix", "daily", seed_date=day)
    filling = Filling(puzzle.cells, puzzle.kit, fixed={(q, r): (tile, rot) for tile, q, r, rot in puzzle.given})
    filling.search(NODES)
    state = game.new(0)
    for tile, q, r, rot in filling.board:
        if (tile, q, r, rot) not in puzzle.given:
            game.apply_action(state, game.parse_action(state, f"{tile}:{q},{r}/{rot}"))
    return draw(game, state, 0, bare=True)


@functools.cache
def rival(spec: str, day: int) -> str:
    """Return what RIVAL reaches with the deal of a day in the first seat, against itself: `won: 61 points against 45`.

    Raises:
        ValueError: The game has no deal of the day.
    """
    require("game", spec, spec in DEALS, ", ".join(DEALS))
    game = configuration.game(*spec.split(":"), players=2)
    agent, history, rng = opponent(RIVAL, game), deal(game, day), np.random.default_rng(day)
    while not history.is_over:
        history.ask(agent, rng)
    return ending.verdict(game, history.state, history.totals, 0, [YOU, RIVAL]).removeprefix("You ")
