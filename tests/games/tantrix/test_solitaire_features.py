"""Action features of Solitaire, compared with a slow search of placements and of the next tile."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix import legal_placements
from tantra_envs.games.tantrix.agents.features import solitaire as own
from tantra_envs.games.tantrix.agents.features.solitaire import OF_ACTION, OF_COLOUR, THREE
from tantra_envs.testing import play

from ..features import added
from .greedy import best_placement, ends_at, tiles_that_fit
from .reference import around, board_of, border, gobbles, score

CONFIGS = [{}, {"goal": "R"}]


def table_of(**config):
    return tantra_envs.game("tantrix", mode="solitaire", **config)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_features_are_how_the_lines_stand_then_and_after_the_next_tile(config):
    game = table_of(**config)
    seen, last = 0, 0
    for state in [state.copy() for deal in (6, 7, 8) for state in play(game, deal)]:
        if state["over"][0] or state["bag_n"][0] % 4:
            continue
        _, actions, features, _ = game.describe(game.conceal(state, 0))
        for action, row in list(zip(actions.tolist(), features, strict=True))[::6]:
            expected = _features(game, state, action)
            assert np.array_equal(row, expected), np.flatnonzero(row != expected)
            seen, last = seen + 1, last + (state["bag_n"][0] == 0)
    assert seen > 20 and last > 2


def _features(game, state, action):
    """The features of a placement, in single precision; sums are made tile by tile, so that every bit is equal."""
    before, row = game.position(state), np.zeros(OF_ACTION.size, np.float32)
    after = state.copy()
    game.apply_action(after, action)
    board, colours = board_of(game.position(after)["board"]), _counted(game, before)
    touched = [len(around(board, cell)) / 6 for cell in set(board) - _cells(before)]
    to_come = {int(tile) for tile in state["bag"][0, : state["bag_n"][0]]}
    standings = [_standing(board, colour, to_come) for colour in colours]
    order = sorted(range(len(colours)), key=lambda i: (-standings[i][0], -standings[i][1]))
    now = max(standing[0] for standing in standings)
    rest = []
    for tile in sorted(to_come):
        then, forced = _with_next(game, after, tile, colours, to_come)
        standing = [_standing(then, colour, to_come - {tile}) for colour in colours]
        made = max(one[0] for one in standing)
        rest.append((*np.ravel([standing[i] for i in order]), forced, made > now + 1e-9, made))
    for place, i in enumerate(order):
        row[OF_COLOUR.size * place : OF_COLOUR.size * (place + 1)] = standings[i]
    if rest:
        means = added(rest) / np.float64(len(rest))
        row[own.NEXT : own.NEXT + len(means) - 3] = means[:-3]
        row[own.A.forced : own.A.most_score + 1] = *means[-3:], np.max(rest, axis=0)[-1]
    else:
        row[own.NEXT : own.A.forced] = row[: own.NEXT]
        row[own.A.score] = row[own.A.most_score] = now
    (row[own.A.touch],) = touched
    row[own.A.gobbles] = added([0.2] * len(gobbles(board)))
    assert len(colours) in (1, THREE)
    return row


def _with_next(game, after, tile, colours, to_come):
    """The board after the greedy reply with a tile, and whether it had to fill a gobble."""
    after = after.copy()
    after["hands"][0, 0, 0] = tile
    board = board_of(game.position(after)["board"])
    legal = sorted(legal_placements(after), key=lambda one: (one[2], one[1], one[3]))
    placements = [(tile, (q, r), rot) for _, q, r, rot in legal]
    highest = max(score(board, colour) for colour in colours)
    tile, cell, rot = best_placement(board, placements, colours, highest, to_come)
    return {**board, cell: (tile, rot)}, all(len(around(board, cell)) >= 3 for _, cell, _ in placements)


def _cells(position):
    return {(q, r) for _, q, r, _ in position["board"]}


def _counted(game, position):
    """The colours that count, in the order in which the view names them."""
    if game.config["goal"] != "best":
        return [game.config["goal"]]
    return [colour for colour in "RYGB" if colour != position["missing"]]


def _standing(board, colour, to_come):
    """Score, squares and longest of the lines that can grow, and what one more tile could make."""
    ends, made = [0], [score(board, colour)]
    for cell in border(board):
        if colour in around(board, cell).values() and tiles_that_fit(board, cell, to_come):
            lengths, with_tile = ends_at(board, cell, colour)
            ends += lengths
            made.append(with_tile)
    return made[0] / 10, sum(length**2 for length in ends) / 200, max(ends) / 10, max(made) / 10
