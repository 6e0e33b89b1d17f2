"""Solve endgames of two sides exactly, in which no card is hidden or an opponent may choose what was hidden.

The search is depth first with alpha-beta bounds (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), over the
rules of the game. The value of an action is the sum of the rewards of a seat if both sides play best. Play that
reaches the greatest depth counts as 0, so a value other than 0 of a game that pays 1 or -1 is proven.

A game may have chance in its endgames, such as a card that is turned over. Its kernels `variations` and `vary` name the
results. The search gives the worst of them to the seat: a value is then the most that the seat can be sure of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..state import States
from . import jit
from .drivers import Drivers
from .jit import Kernel, entry_point, kernel, template, unbound
from .starting import entry_of

NONE = -1
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[Any]


class Path(NamedTuple):
    """The line of play that the search is looking at, with the facts of each table on it."""

    tables: States  # (depth,)
    words: Ints  # (depth, words) int64: the same bytes
    masks: Ints  # (depth, actions) int8
    next: Ints  # (depth,): the action, or the result of chance, to try next
    pending: Ints  # (depth,): the action whose result chance decides, NONE = a seat decides
    gained: Floats  # (depth,): rewards of the seat so far
    best: Floats  # (depth,): value of the table, as far as it is searched
    low: Floats  # (depth,): the seat is sure of this
    high: Floats  # (depth,): the other side is sure to allow no more
    left: Ints  # (1,): tables that the search may still visit


@kernel
def one_variation(s: Any, action: int) -> int:
    """Return 1: nothing but the action decides what comes."""
    return 1


@kernel
def no_change(s: Any, number: int) -> None:
    """Leave the table as it is."""


legal_row: Kernel = unbound
apply_row: Kernel = unbound
variations: Kernel = one_variation
vary: Kernel = no_change


def bind(drivers: Drivers, chance: tuple[Kernel, Kernel] = (one_variation, no_change)) -> Callable[..., Any]:
    """Return the entry point `solve` of a game.

    Args:
        drivers: The drivers of the game, which the search calls.
        chance: The kernels `variations(s, action)`, the number of results that chance may give to an action, and
            `vary(s, number)`, which prepares a table for one of them.
    """
    kernels = {name: entry_of(getattr(drivers, name)) for name in ("legal_row", "apply_row")}
    kernels["variations"], kernels["vary"] = chance
    return jit.bind(__name__, kernels, drivers.home, "_endgame")["solve"]


@template(entry_point)
def solve(path: Any, seat: int, action: int, low: float, high: float) -> float:
    """Return the value of an action at the first table of the path for a seat, within low .. high; NaN = too long."""
    legal_row(path.tables, 0, path.masks[0])
    for other in range(path.masks.shape[1]):
        path.masks[0, other] *= int(other == action)
    path.gained[0] = 0.0
    open_table(path, 0, seat, low, high)
    depth = 0
    while True:
        choice = next_choice(path, depth)
        if choice == NONE:
            if depth == 0:
                return float(path.best[0])
            depth -= 1
            note(path, depth, seat, path.best[depth + 1])
        elif path.left[0] <= 0:
            return np.nan
        else:
            path.left[0] -= 1
            if play(path, depth, seat, choice):
                note(path, depth, seat, path.gained[depth + 1])
            elif depth + 2 == len(path.tables):
                note(path, depth, seat, 0.0)
            else:
                depth += 1
                enter(path, depth, seat)


@kernel
def open_table(path: Any, depth: int, seat: int, low: float, high: float) -> None:
    """Begin with the choices at a table."""
    path.next[depth] = 0
    path.low[depth] = low
    path.high[depth] = high
    if depth == 0:
        path.pending[0] = NONE
    path.best[depth] = -np.inf if maximizes(path, depth, seat) else np.inf


@kernel
def maximizes(path: Any, depth: int, seat: int) -> bool:
    """Return whether the seat chooses at a table, not the other side or chance."""
    return bool(path.pending[depth] == NONE and path.tables[depth].seat == seat)


@template(kernel)
def enter(path: Any, depth: int, seat: int) -> None:
    """Begin with a new table: mark its legal actions, or the results of chance."""
    mask = path.masks[depth]
    if path.pending[depth] == NONE:
        legal_row(path.tables, depth, mask)
    else:
        results = variations(path.tables[depth], path.pending[depth])
        for number in range(len(mask)):
            mask[number] = number < results
    open_table(path, depth, seat, path.low[depth - 1], path.high[depth - 1])


@kernel
def next_choice(path: Any, depth: int) -> int:
    """Return the next choice at a table, NONE if all were tried or another side would not let the game come here."""
    mask = path.masks[depth]
    choice = int(path.next[depth])
    while choice < len(mask) and mask[choice] == 0:
        choice += 1
    path.next[depth] = choice + 1
    return choice if choice < len(mask) and path.low[depth] < path.high[depth] else NONE


@kernel
def note(path: Any, depth: int, seat: int, value: float) -> None:
    """Note the value of a choice."""
    if maximizes(path, depth, seat):
        path.best[depth] = max(path.best[depth], value)
        path.low[depth] = max(path.low[depth], value)
    else:
        path.best[depth] = min(path.best[depth], value)
        path.high[depth] = min(path.high[depth], value)


@template(kernel)
def play(path: Any, depth: int, seat: int, choice: int) -> bool:
    """Put the table after a choice behind the one at `depth`; return whether the game is over there."""
    for i in range(path.words.shape[1]):
        path.words[depth + 1, i] = path.words[depth, i]
    path.gained[depth + 1] = path.gained[depth]
    action = path.pending[depth]
    if action == NONE:
        action = choice
        if variations(path.tables[depth], action) > 1:
            path.pending[depth + 1] = action
            return False
    else:
        vary(path.tables[depth + 1], choice)
    path.pending[depth + 1] = NONE
    apply_row(path.tables, depth + 1, action)
    after = path.tables[depth + 1]
    path.gained[depth + 1] += after.rewards[seat]
    return bool(after.over == 1)


def new_path(blank: States, actions: int, depth: int) -> Path:
    """Return an empty path for endgames of less than `depth` actions and results of chance; `blank` is a table (1,)."""
    tables = np.repeat(blank, depth)
    words = tables.view(np.int64).reshape(depth, -1)
    masks, (following, pending) = np.zeros((depth, actions), np.int8), np.zeros((2, depth), np.int64)
    gained, best, low, high = np.zeros((4, depth))
    return Path(tables, words, masks, following, pending, gained, best, low, high, np.zeros(1, np.int64))


def values_of(
    solve: Callable[..., Any], path: Path, table: States, legal: list[int], nodes: int, bounds: tuple[float, float]
) -> dict[int, float] | None:
    """Return the value of each action at a table (1,) for the seat to decide; None = the search took too long.

    Args:
        solve: What `bind` returned for the game.
        path: Where the search works.
        table: The table, shape (1,).
        legal: The actions.
        nodes: Tables that the search may visit.
        bounds: The lowest and the highest value that the game can have.
    """
    path.left[0] = nodes
    values = {}
    for action in legal:
        path.tables[0] = table[0]
        value = solve(path, int(table["seat"][0]), action, *bounds)
        if np.isnan(value):
            return None
        values[action] = float(value)
    return values
