"""Play Tantrix Solitaire: place the 14 tiles without one colour one by one, for the longest line or loop.

The letter T stands for the rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.rng import below
from ....core.state import Record
from ..board.bag import carries, draw, fill_bag
from ..board.hexes import FORCED, joins
from ..board.lines import score_lines
from ..encodings import lay, mark
from ..material import COLOURS
from ..state import Phase, Reward

TOP_SCORE = 28  # a loop through all 14 tiles that counts double

# [Set-up]


@kernel
def deal(s: Record) -> None:
    """Deal the first of 14 tiles to the hand; the others stay hidden [T1, T2]."""
    if s.bag_n == 0:
        fill_bag(s, draw_missing(s))
    name_colours(s, int(s.bag[0]))
    draw(s, 0, 0)
    s.phase = Phase.FREE


@kernel
def draw_missing(s: Record) -> int:
    """Draw the missing colour among the colours that are not the goal [T1]."""
    missing, goal = int(s.opt.missing), int(s.opt.goal)
    while missing == 0 or missing == goal:  # noqa: PLR1714 - numbers of two widths form no tuple
        missing = 1 + below(s.rng, len(COLOURS))
    return missing


@kernel
def name_colours(s: Record, tile: int) -> None:
    """Order the colours: the goal if there is one, then the others, and last the colour missing on `tile`."""
    missing = 1
    while carries(tile, missing):
        missing += 1
    s.colours[len(COLOURS) - 1] = missing
    n = 0
    if s.opt.goal > 0:
        s.colours[0] = s.opt.goal
        n = 1
    for colour in range(1, len(COLOURS) + 1):
        if colour != missing and colour != s.opt.goal:  # noqa: PLR1714
            s.colours[n] = colour
            n += 1


# [Placements]


@kernel
def legal(s: Record, mask: Any) -> None:
    """Mark every matching placement; if the tile fits a gobble, mark only gobbles [T3]."""
    tile = int(s.hands[0, 0])
    least = FORCED if joins(s, tile, FORCED) else 0
    for f in range(s.border_n):
        if s.touch[f] >= least:
            mark(s, f, 0, tile, 0, mask)


@kernel
def play(s: Record, action: int) -> None:
    """Place the tile in hand and draw the next one."""
    tile = int(s.hands[0, 0])
    lay(s, tile, action)
    score_lines(s, tile)
    draw(s, 0, 0)
    if s.hands[0, 0] == 0:
        end(s)


# [The end]


@kernel
def score(s: Record) -> int:
    """Return the score of the goal colour, or the best score of all colours [T5]."""
    if s.opt.goal > 0:
        return int(s.best[s.opt.goal])
    best = 0
    for colour in range(1, len(COLOURS) + 1):
        best = max(best, int(s.best[colour]))
    return best


@kernel
def end(s: Record) -> None:
    """End the game; the reward is the score, by default divided by TOP_SCORE [T6].

    The divisor does not depend on `loop_factor`, so rewards of games with different factors can be compared.
    """
    s.over = 1
    s.phase = Phase.OVER
    s.rewards[0] = score(s) / (TOP_SCORE if s.opt.reward == Reward.PLACE else 1)
