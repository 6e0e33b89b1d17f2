"""Environments draw: SVG and pixels; learners see what is theirs."""

import copy
import re
from importlib.util import find_spec

import numpy as np
import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.envs import render_modes
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv

GAME = tantra_envs.game("karma", players=3)
pixels = pytest.mark.skipif(not all(map(find_spec, ("resvg_py", "PIL"))), reason="the extra render is not installed")


def test_a_table_is_drawn_open_with_what_was_done_last():
    env = TableEnv(GAME, render_mode="svg")
    env.reset(seed=1)
    before, action = env._states.copy(), int(env.last()[0]["action_mask"].argmax())
    env.step(action)
    last = drawing.move(GAME, before, action)
    names = env.possible_agents
    assert env.render() == drawing.draw(GAME, env._states, last=last, legal=False, names=names)
    assert env.clone().render() == env.render() == copy.deepcopy(env).render()
    env.reset(seed=1)
    assert env.render() == drawing.draw(GAME, before, legal=False, names=names) == env._repr_svg_()


def test_learners_see_what_is_theirs():
    env = SeatEnv(GAME, render_mode="svg", seat=1)
    env.reset(seed=4)
    mine = drawing.draw(GAME, env._tables._states, 1, legal=False)
    assert env.render() == env._repr_svg_() == mine
    tables = SeatVectorEnv(GAME, 2, render_mode="svg", seat=2)
    tables.reset(seed=4)
    states = tables._states
    assert tables.render() == tuple(drawing.draw(GAME, states[i : i + 1], 2, legal=False) for i in range(2))


def test_a_game_shows_a_table():
    state = GAME.new(1)
    assert GAME.show(state, 1)._repr_svg_() == drawing.show(GAME, state, 1).svg
    with pytest.raises(ValueError, match="seat=3 is not allowed"):
        GAME.show(state, 3)


def test_a_game_without_the_package_of_drawings_names_it(monkeypatch):
    monkeypatch.setattr(type(GAME), "drawn_by", None)
    with pytest.raises(ValueError, match=r"tantra_envs\.drawing"):
        GAME.show(GAME.new(1))


@pixels
def test_pixels_are_alike_in_size_throughout_a_game():
    env = SeatEnv(GAME, render_mode="rgb_array", seat=0)
    env.reset(seed=2)
    shapes, over = set(), False
    for _ in range(12):
        picture = env.render()
        shapes.add(picture.shape)
        if over:
            break
        _, _, *ends, _ = env.step(int(env.action_masks().argmax()))
        over = any(ends)
    assert picture.dtype == np.uint8 and len(shapes) == 1 and picture.shape[1:] == (600, 3)


@pytest.mark.parametrize("make", [TableEnv, SeatEnv, SeatVectorEnv])
def test_without_resvg_pixels_are_refused_and_the_extra_is_named(make, monkeypatch):
    monkeypatch.setattr(render_modes, "find_spec", lambda module: None)
    told = re.escape("karma_v0: render_mode='rgb_array' needs resvg_py, PIL: pip install \"tantra_envs[render]\"")
    for error in (TypeError, ValueError):
        with pytest.raises(error, match=told):
            make(GAME, render_mode="rgb_array")
    assert "rgb_array" not in make(GAME).metadata["render_modes"]
