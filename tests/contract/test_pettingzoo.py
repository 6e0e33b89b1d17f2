"""PettingZoo's own published tests, for every game, number of seats and mode."""

import warnings
from functools import partial
from types import SimpleNamespace

import gymnasium
import pettingzoo
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import parallel_to_aec, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import BaseParallelWrapper

import tantra_envs

from .games import kinds_of_tables, variants

each_kind = pytest.mark.parametrize(("name", "variant"), kinds_of_tables())


@pytest.fixture(autouse=True)
def _quiet():
    """Random moves are illegal now and then: the tests step on purpose without looking at the mask."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@each_kind
def test_api(name, variant):
    api_test(tantra_envs.make(name, variant), num_cycles=200)
    api_test(tantra_envs.make_raw(name, variant), num_cycles=200)


@each_kind
def test_seed(name, variant):
    seed_test(partial(tantra_envs.make, name, variant), num_cycles=100)
    parallel_seed_test(partial(tantra_envs.make_parallel, name, variant), num_cycles=20)


@each_kind
def test_state(name, variant):
    state_test(tantra_envs.make(name, variant), tantra_envs.make_parallel(name, variant), num_cycles=20)


@each_kind
def test_render(name, variant, capsys):
    render_test(partial(tantra_envs.make, name, variant))


@each_kind
def test_parallel_api(name, variant):
    parallel_api_test(tantra_envs.make_parallel(name, variant), num_cycles=50)


@each_kind
def test_max_cycles(name, variant):
    """`max_cycles` cuts off after that many actions, with players who sample legal ones."""

    def parallel_env(**config):
        raw = tantra_envs.make_raw(name, variant, **config)
        return _LegalSamples(turn_based_aec_to_parallel(raw))

    def env(**config):
        return parallel_to_aec(parallel_env(**config))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


@pytest.mark.parametrize(("name", "variant"), variants())
def test_registered(name, variant):
    for kind in ("aec", "parallel"):
        env = pettingzoo.make(kind, f"tantra_envs/{name.capitalize()}-v0", variant=variant)
        assert env.unwrapped.game.config == tantra_envs.game(name, variant).config


class _LegalSamples(BaseParallelWrapper):
    """Action spaces that sample legal actions: the published test samples without the mask."""

    def action_space(self, agent):
        raw = self.env.unwrapped
        space = raw.action_space(agent)

        def sample(mask=None):
            return gymnasium.spaces.Discrete.sample(space, raw.observe(agent)["action_mask"])

        return SimpleNamespace(sample=sample)
