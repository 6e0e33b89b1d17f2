"""Gymnasium's own checks for every named variant, and its environments for every game, number of seats and mode."""

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import tantra_envs

from .games import variants


def env_id(name):
    return f"tantra_envs/{name.capitalize()}-v0"


@pytest.mark.parametrize(("name", "variant"), variants())
def test_check_env(name, variant):
    env = gymnasium.make(env_id(name), variant=variant, render_mode="ansi")
    assert env.unwrapped.game.config == tantra_envs.game(name, variant).config
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
