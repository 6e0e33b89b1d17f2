"""Action features of Solitaire, compared with a slow search of placements and of the next tile."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.features import describe
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import chosen
from tantra_envs.games.tantrix.features import solitaire as own
from tantra_envs.games.tantrix.features.solitaire import AFTER, COMING, FEATURES, STANDING, THREE
from tantra_envs.games.tantrix.features.table import SIZE
from tantra_envs.games.tantrix.scripted.lines import WORTH
from tantra_envs.testing import play

from .model import around, border, gobbles, line, score

CONFIGS = [{}, {"goal": "R"}]


def table_of(**config):
    return tantra_envs.game("tantrix", mode="solitaire", **config)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_legal_placement_is_described_once(config):
    game = table_of(**config)
    states = [state.copy() for state in play(game, 4) if not state["over"][0]]
    rows, actions, features, table = describe(game, np.concatenate([game.conceal(state, 0) for state in states]))
    assert features.shape == (len(rows), FEATURES) and table.shape == (len(states), SIZE)
    assert list(zip(rows.tolist(), actions.tolist(), strict=True)) == [
        (k, action) for k, state in enumerate(states) for action in game.legal(state)
    ]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_features_are_how_the_lines_stand_then_and_after_the_next_tile(config):
    game = table_of(**config)
    seen, last = 0, 0
    for state in [state.copy() for deal in (6, 7, 8) for state in play(game, deal)]:
        if state["over"][0] or state["bag_n"][0] % 4:
            continue
        _, actions, features, _ = describe(game, game.conceal(state, 0))
        for action, told in list(zip(actions.tolist(), features, strict=True))[::6]:
            assert told == pytest.approx(_told(game, state, action), abs=1e-5)
            seen, last = seen + 1, last + (state["bag_n"][0] == 0)
    assert seen > 20 and last > 2


def test_nothing_hidden_is_looked_at():
    game = table_of()
    for state in play(game, 3):
        if not state["over"][0]:
            other = game.redeal(state, 5, 0)
            for one, two in zip(*(describe(game, game.conceal(s, 0)) for s in (state, other)), strict=True):
                assert np.array_equal(one, two)


def _told(game, state, action):
    """The features of a placement."""
    before, told = game.position(state), np.zeros(FEATURES)
    cell, touched = None, {tuple(placed[1:3]) for placed in before["board"]}
    after = state.copy()
    game.apply_action(after, action)
    board = _board(game, after)
    (cell,) = set(board) - touched
    colours = _counted(game, before)
    standings = [_standing(board, colour) for colour in colours]
    order = sorted(range(len(colours)), key=lambda i: (-standings[i][0], -standings[i][1]))
    to_come = [int(tile) for tile in state["bag"][0, : state["bag_n"][0]]]
    now = max(standing[0] for standing in standings)
    then, rest = (_with_next(game, after, tile, colours, now) for tile in to_come), []
    for standing, numbers in then:
        rest.append((*np.ravel([standing[i] for i in order]), *numbers))
    for place, i in enumerate(order):
        told[STANDING * place : STANDING * (place + 1)] = standings[i]
    if rest:
        means, most = np.mean(rest, axis=0), np.max(rest, axis=0)
        told[AFTER : AFTER + len(colours) * STANDING] = means[: len(colours) * STANDING]
        share, rising, reach, made = means[len(colours) * STANDING :]
        told[COMING : COMING + 6] = share, rising, reach, most[-2], made, most[-1]
    else:
        told[AFTER:COMING] = told[:AFTER]
        told[own.REACH : own.TOUCH] = now
    told[own.TOUCH] = len(around(board, cell)) / 6
    told[own.GOBBLES] = 0.2 * len(gobbles(board))
    assert len(colours) in (1, THREE)
    return told


def _with_next(game, after, tile, colours, now):
    """The colours when the scripted player has placed a tile, and what that tile could have done."""
    after = after.copy()
    after["hands"][0, 0, 0] = tile
    board, legal = _board(game, after), game.legal(after)
    made = []
    for action in legal:
        tried = after.copy()
        game.apply_action(tried, action)
        made.append(max(score(_board(game, tried), colour) for colour in colours) / 10)
    obs = Observation(game, after)
    game.apply_action(after, int(chosen(game, obs.known, obs.action_mask)[0]))
    standing = [_standing(_board(game, after), colour) for colour in colours]
    forced = all(len(around(board, cell)) >= 3 for cell in _cells(game, after, board, legal))
    reach = max([now, *made])
    return standing, (forced, reach > now + 1e-9, reach, max(one[0] for one in standing))


def _cells(game, after, board, legal):
    """Where a tile may go, by the number of its actions."""
    spaces = sorted(border(board), key=lambda cell: cell[::-1])
    return [spaces[action // 2] for action in legal]


def _board(game, state):
    return {(q, r): (tile, rot) for tile, q, r, rot in game.position(state)["board"]}


def _counted(game, position):
    """The colours that count, in the order in which the view names them."""
    if game.config["goal"] != "best":
        return [game.config["goal"]]
    return [colour for colour in "RYGB" if colour != position["missing"]]


def _standing(board, colour):
    """Score, worth of open lines, and what one tile could make."""
    made, worth = score(board, colour), 0.0
    most = made
    for cell in border(board):
        lengths = [line(board, cell, d) for d, shown in around(board, cell).items() if shown == colour]
        worth += sum(met ** WORTH["bend"] / 2 for met, _ in lengths)
        if len(lengths) in (1, 2):
            most = max(most, 2 * (1 + lengths[0][0]) if lengths[0][1] else 1 + sum(met for met, _ in lengths))
    return made / 10, worth / 100, most / 10
