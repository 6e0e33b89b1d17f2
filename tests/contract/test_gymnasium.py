"""Gymnasium's own checks for every named variant, and its environments for every game, number of seats and mode."""

import warnings

import gymnasium
import numpy as np
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
def test_an_illegal_action_forfeits(name, variant):
    env = gymnasium.make(env_id(name), variant=variant)
    env.reset(seed=1)
    mask = env.unwrapped.action_masks()
    if mask.all():
        pytest.skip("every action is legal at the first decision")
    illegal = int(mask.argmin())
    _, reward, terminated, truncated, _ = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    with pytest.raises(ValueError, match="is over"):
        env.step(illegal)
    strict = gymnasium.make(env_id(name), variant=variant, illegal_reward=None)
    strict.reset(seed=1)
    for action in (illegal, 10_000):
        with pytest.raises(ValueError, match="is illegal for seat"):
            strict.step(action)


@each_kind
def test_a_game_is_played_to_its_end(name, variant):
    env = gymnasium.make(env_id(name), variant=variant)
    rng = np.random.default_rng(2)
    _, info = env.reset(seed=2)
    ended = False
    while not ended:
        legal = np.flatnonzero(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
        ended = terminated or truncated
    assert terminated != truncated
    assert np.isfinite(reward)


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
