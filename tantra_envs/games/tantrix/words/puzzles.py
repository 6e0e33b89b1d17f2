"""Boards with a best placement, and loops whose last tiles are missing. Nothing is hidden that matters."""

from __future__ import annotations

import functools

import numpy as np

from ....core.draws import Draws
from ....core.game import Game
from ....core.posed import Answer, Kind, Posed, line_of, one_action
from ....core.state import States
from .. import build
from ..material import DIRECTIONS
from ..puzzles.solver import solve
from ..state import Phase
from . import boards

NODES = 20_000  # tiles that the solver may lay for a loop
SIZES = (8, 14)  # tiles of a loop, from .. to
MISSING = 3  # of them that are left to lay
EARLIEST, LATEST = 10, 40  # actions before the question of a best placement
LEAST_GAP = 2  # points between the best placement and the next one
NEARLY = 0.2  # credit of the second best score
LAID = 0.1  # credit of a kit that is laid without a loop, as most random placements do
Tiles = list[list[int]]  # [tile, q, r, rot] of each tile


@functools.cache
def _discovery(size: int) -> Game:
    return build(mode="discovery", puzzle=size)


def _loop(draws: Draws) -> Posed | None:
    """Try a loop that the solver finds, without some of its tiles."""
    game = _discovery(size := draws.between(*SIZES))
    board = solve(game, NODES, seed=draws.seed()).board
    if board is None:
        return None
    missing = draws.sample([entry for entry in board if entry[0] != 1], MISSING)
    laid = [entry for entry in board if entry not in missing]
    if len(boards.parts(laid)) > 1:
        return None
    state = game.from_position({"board": laid})
    best, after = [], state.copy()
    while missing:
        entry = next(entry for entry in missing if _touches(entry, laid))
        missing.remove(entry)
        laid.append(entry)
        best.append(game.parse_action(after, "{}:{},{}/{}".format(*entry)))
        game.apply_action(after, best[-1])
    colour = "RYGB"[int(state["opt"]["colour"][0]) - 1]
    question = (
        f"Lay the last {MISSING} tiles so that all {size} tiles form one loop in {colour} without holes. Which "
        "placements do you make?"
    )
    proof = (
        "A search over the outlines of loops with the turns of these tiles found the loop. It is completed by "
        f"{line_of(game, state, tuple(best))}."
    )

    def credit(answer: Answer, after: States) -> float:
        if not after["over"][0]:
            return 0.0
        return 1.0 if after["rewards"][0, 0] == 1.0 else LAID * float(after["placed"][0] == size)

    return Posed(game, state, question, tuple(best), proof, credit, lambda after: bool(after["over"][0]))


def _touches(entry: list[int], laid: Tiles) -> bool:
    cells = {(q, r) for _, q, r, _ in laid}
    return any((entry[1] + dq, entry[2] + dr) in cells for dq, dr in DIRECTIONS)


@functools.cache
def _strategy() -> Game:
    return build(mode="strategy", players=2)


def _line(draws: Draws) -> Posed | None:
    """Try the boards of a game of random placements for one with a best placement."""
    game = _strategy()
    state = game.new(draws.seed())
    for number in range(LATEST):
        legal = game.legal(state)
        if not legal:
            return None
        if number >= EARLIEST and state["phase"][0] == Phase.FREE:
            if posed := _best_placement(game, state, legal):
                return posed
        game.apply_action(state, draws.choice(legal))
    return None


def _best_placement(game: Game, state: States, legal: list[int]) -> Posed | None:
    """Return the question of the best placement at a table, if one placement is best by a gap."""
    seat = int(state["seat"][0])
    colour = int(state["colours"][0, seat])
    after = np.repeat(state, len(legal))
    game.drivers.apply_rows(after, np.arange(len(legal)), np.array(legal))
    scores = after["best"][:, colour].astype(int)
    first, second, *_ = [*sorted(scores.tolist(), reverse=True), -1]
    if first - max(second, int(state["best"][0, colour])) < LEAST_GAP:
        return None
    table = state.copy()
    credits = {action: NEARLY for action, score in zip(legal, scores, strict=True) if score == second}
    best = legal[int(scores.argmax())]
    letter = "RYGB"[colour - 1]
    question = f"Exactly one placement gives your colour {letter} the highest score at once. Which one?"
    proof = (
        f"All {len(legal)} placements were tried. {game.action_name(table, best)} gives {first} points in {letter}, "
        f"any other at most {second}."
    )
    return one_action(game, table, question, {**credits, best: 1.0}, proof)


KINDS = {
    "loop": Kind("complete a loop with its last tiles", _loop, several=True),
    "line": Kind("find the placement with the highest score", _line),
}
