"""Action features of Strategy, compared with a slow search by the rules."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.features import describe
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import chosen
from tantra_envs.games.tantrix.features.strategy import FEATURES, MOMENTS, STANDING
from tantra_envs.games.tantrix.features.table import SIZE
from tantra_envs.games.tantrix.scripted.lines import WORTH
from tantra_envs.testing import play

from .model import around, border, fits, line


@pytest.mark.parametrize("config", [{}, {"players": 3}], ids=str)
def test_every_legal_placement_is_described_once(config):
    game = tantra_envs.game("tantrix", **config)
    states = [state.copy() for state in play(game, 3) if not state["over"][0] and state["plies"][0] % 4 == 0]
    known = np.concatenate([game.conceal(state, int(state["seat"][0])) for state in states])
    rows, actions, features, table = describe(game, known)
    assert features.shape == (len(rows), FEATURES) and table.shape == (len(states), SIZE)
    assert list(zip(rows.tolist(), actions.tolist(), strict=True)) == [
        (k, action) for k, state in enumerate(states) for action in game.legal(state)
    ]


@pytest.mark.parametrize("config", [{}, {"players": 3, "colours": "GRB"}], ids=str)
def test_features_are_how_the_lines_stand_after_each_turn(config):
    game = tantra_envs.game("tantrix", **config)
    seen = 0
    for state in play(game, 8):
        if state["over"][0] or state["plies"][0] % 13 != 5:
            continue
        seat = int(state["seat"][0])
        _, actions, features, _ = describe(game, game.conceal(state, seat))
        for action, told in list(zip(actions.tolist(), features, strict=True))[::4]:
            assert told == pytest.approx(_told(game, state, seat, action), abs=1e-5)
            seen += 1
    assert seen > 12


def test_what_can_be_read_off_a_table_of_two_tiles():
    """Red is to place a tile, and yellow the only one it holds; nobody draws anything that is seen."""
    game = tantra_envs.game("tantrix")
    hands = [[1, 7], [49]]  # BRBRYY, BBYRYR; BBGYYG
    position = {"board": [[14, 0, 0, 0]], "hands": hands, "phase": "FREE", "cur": 0, "bag": list(range(20, 40))}
    state = game.from_position(position)
    _, actions, features, _ = describe(game, game.conceal(state, 0))
    words = [game.action_name(state, action) for action in actions.tolist()]
    told = dict(zip(words, features.reshape(-1, MOMENTS, 2, STANDING), strict=True))
    worth = 2 ** WORTH["bend"] / 100  # of a line of two tiles
    both_ends_open, two_short_lines = [0.2, worth, 0.3, 0.3], [0.1, 0.02, 0.3, 0.3]
    assert told["7:-1,1/1"][0] == pytest.approx(np.array([both_ends_open, two_short_lines]))
    no_tile_that_fits = [0.2, worth, 0.3, 0.2]
    assert told["1:0,-1/3"][0, 1] == pytest.approx(np.array(no_tile_that_fits))
    a_loop_of_four = 0.8
    assert told["7:0,-1/0"][1, 1, [0, 2, 3]] == pytest.approx([0.3, a_loop_of_four, 0.3])
    assert (told["7:0,1/2"][2:, :, 0] == np.float32([0.3, 0.2])).all()  # its other tile, while yellow has none left


def _told(game, state, seat, action):
    """The features of a placement: the true table with nothing to draw is played on by the scripted player."""
    state = state.copy()
    state["bag"] = 0
    game.apply_action(state, action)
    features = []
    for moment in range(MOMENTS):
        while not state["over"][0] and (state["seat"][0] != seat) == (moment % 2 == 1):
            obs = Observation(game, state)
            game.apply_action(state, int(chosen(game, obs.known, obs.action_mask)[0]))
        position = game.position(state)
        others = [(seat + i) % game.players for i in range(1, game.players)]
        leader = max(others, key=lambda other: position["scores"][other])
        features += [*_standing(position, seat), *_standing(position, leader)]
    return features


def _standing(position, seat):
    """Score, worth of open lines, and what one tile could make, any or one that is held."""
    board = {(q, r): (tile, rot) for tile, q, r, rot in position["board"]}
    colour, score = position["colours"][seat], position["scores"][seat]
    worth, most = 0.0, [score, score]
    for cell in border(board) if position["phase"] != "OVER" else ():
        ends = [d for d, shown in around(board, cell).items() if shown == colour]
        lengths = [line(board, cell, d) for d in ends]
        worth += sum(met ** WORTH["bend"] / 2 for met, _ in lengths)
        if len(ends) in (1, 2):
            made = 2 * (1 + lengths[0][0]) if lengths[0][1] else 1 + sum(met for met, _ in lengths)
            held = [tile for tile in position["hands"][seat] if tile]
            possible = any(fits(board, cell, tile, rot) for tile in held for rot in range(6))
            most = [max(most[0], made), max(most[1], made) if possible else most[1]]
    return score / 10, worth / 100, most[0] / 10, most[1] / 10
