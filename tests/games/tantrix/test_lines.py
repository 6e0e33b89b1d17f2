"""The line player's values, compared with slow code on a dict of tiles."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import chosen
from tantra_envs.games.tantrix import decode
from tantra_envs.games.tantrix.agents.scripted.lines import WORTH
from tantra_envs.testing import play

from .reference import around, beside, board_of, line, side


@pytest.mark.parametrize(
    "config",
    [{}, {"players": 4, "colours": "random"}, {"mode": "solitaire"}, {"mode": "solitaire", "goal": "R"}],
    ids=str,
)
def test_values_are_those_of_the_model(config):
    game = tantra_envs.game("tantrix", **config)
    work, values = game.scripted.prepare(game), np.zeros((1, game.actions.size))
    seen = 0
    for state in play(game, 4):
        if state["over"][0] or (state["plies"][0] % 3 and config.get("mode") is None):
            continue
        obs = Observation(game, state)
        game.drivers.rate_rows(obs.known, obs.action_mask, work, values)
        legal = game.legal(state)
        assert np.flatnonzero(values[0] > -np.inf).tolist() == legal
        told = [_value(game.position(state), decode(game, state, action), _counts(game, state)) for action in legal]
        assert values[0, legal] == pytest.approx(told, abs=1e-9)
        assert chosen(game, obs.known, obs.action_mask)[0] == values[0].argmax()
        seen += len(legal)
    assert seen > 30


def _counts(game, state):
    """How the lines of each colour count for the seat to decide."""
    if game.players == 1:
        goal = game.config["goal"]
        return dict.fromkeys("RYGB" if goal == "best" else goal, 1.0)
    colours, seat = game.position(state)["colours"], int(state["seat"][0])
    others = -WORTH["others"] / (game.players - 1)
    return {colour: 1.0 if owner == seat else others for owner, colour in enumerate(colours[: game.players])}


def _value(position, placement, counts):
    tile, q, r, rot = placement
    cell, board = (q, r), board_of(position["board"])
    worth = 0.0
    for d in range(6):
        colour = side(tile, rot, d)
        far = next(far for far in range(6) if far != d and side(tile, rot, far) == colour)
        if colour in counts:
            ends = _worth_of_link(board, cell, d, far) if far > d else 0.0
            if d not in around(board, cell):
                ends += _promise(position, board, cell, d, far, tile, colour)
            worth += counts[colour] * ends
    return worth


def _worth_of_link(board, cell, d, far):
    (one, back), (other, _) = line(board, cell, d), line(board, cell, far)
    return _points(2 * (one + 1)) - _points(one) if back else _points(one + 1 + other) - _points(one) - _points(other)


def _promise(position, board, cell, d, far, tile, colour):
    space = beside(cell, d)
    shown = around(board, space)
    alike = [k for k, other in shown.items() if other == colour]
    own = 1 + line(board, cell, far)[0]
    if len(alike) > 1 or (not alike and len(shown) > 2):
        return -WORTH["dead"] * _points(own)
    if not alike:
        return 0.0
    other = line(board, space, alike[0])[0]
    joins = _points(own + 1 + other) - _points(own) - _points(other)
    shown[(d + 3) % 6] = colour
    held = [held for held in _hand_of(position, colour) if held and held != tile]
    if any(all(side(other, rot, k) == c for k, c in shown.items()) for other in held for rot in range(6)):
        return WORTH["held"] * joins
    return WORTH["forced" if len(shown) > 2 else "join"] * joins


def _hand_of(position, colour):
    """The tiles of the seat with a colour; alone nothing is held but the tile placed."""
    colours = position.get("colours", "")[: len(position.get("hands", []))]
    return position["hands"][colours.index(colour)] if colour in colours else []


def _points(length):
    return length ** WORTH["bend"]
