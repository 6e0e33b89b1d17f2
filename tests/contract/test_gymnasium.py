"""Gymnasium's own checks for every named variant, and its environments for every game, number of seats and mode."""

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import tantra_envs

from .games import kinds_of_tables, variants

each_kind = pytest.mark.parametrize(("name", "variant"), kinds_of_tables())


def env_id(name):
    return f"tantra_envs/{name.capitalize()}-v0"


@pytest.mark.parametrize(("name", "variant"), variants())
def test_check_env(name, variant):
    env = gymnasium.make(env_id(name), variant=variant, render_mode="ansi")
    assert env.unwrapped.game.config == tantra_envs.game(name, variant).config
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@each_kind
@pytest.mark.parametrize("mode", AutoresetMode)
def test_make_vec(name, variant, mode):
    envs = gymnasium.make_vec(env_id(name), num_envs=5, variant=variant, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    views, info = envs.reset(seed=3)
    again, _ = envs.reset(seed=3)
    assert (views == again).all()
    masks = envs.action_masks()
    assert (masks == info["action_mask"]).all()
    views, rewards, terminated, truncated, _ = envs.step(masks.argmax(axis=1))
    assert views in envs.observation_space
    assert rewards.shape == terminated.shape == truncated.shape == (5,)
