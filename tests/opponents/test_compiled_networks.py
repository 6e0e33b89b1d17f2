"""Compiled networks: the numbers of torch, as the policy of playouts, and refused where they do not fit."""

import itertools

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.playouts import Playouts
from tantra_envs.opponents import networks
from tantra_envs.opponents.network_spec import NetworkSpec

GAME = tantra_envs.game("karma")


def layers(*widths, seed=0):
    rng = np.random.default_rng(seed)
    pairs = itertools.pairwise(widths)
    return [(rng.normal(0, width**-0.5, (wider, width)), rng.normal(0, 0.3, wider)) for width, wider in pairs]


def inputs(k, size, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(0, 3, (k, size)) * (rng.random((k, size)) < 0.3)).astype(np.float32)


@pytest.mark.parametrize("arch", [(), (5,), (64, 64), (24, 17, 9)], ids=str)
@pytest.mark.parametrize(("activation", "transform"), [("relu", "none"), ("tanh", "symlog")])
def test_logits_are_those_of_torch(arch, activation, transform):
    torch, in_torch = pytest.importorskip("torch"), pytest.importorskip("agents.networks")
    made = in_torch.build_actor(NetworkSpec(net_arch=arch, activation=activation, transform=transform), GAME)
    linear = [module for module in made.modules() if isinstance(module, torch.nn.Linear)]
    weights = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in linear]
    net = networks.packed(weights, tanh=activation == "tanh", symlog=transform == "symlog")
    seen = inputs(20, GAME.view.size)
    wanted = made(torch.from_numpy(seen)).detach().numpy()
    assert np.abs(networks.logits(net, seen) - wanted).max() < 1e-5
    assert wanted.std() > 0.01


def test_it_plays_in_playouts_as_at_the_table():
    policy = networks.NetworkPolicy(GAME, networks.packed(layers(GAME.view.size, 16, GAME.actions.size)), False)
    by_hand, compiled = (np.concatenate([GAME.new(seed) for seed in range(20)]) for _ in range(2))
    playouts = Playouts(GAME, policy)
    for _ in range(60):
        obs = tantra_envs.Observation(GAME, by_hand)
        actions = playouts.choose(obs.known, obs.action_mask)
        logits = np.where(obs.action_mask, networks.logits(policy.net, obs.observation), -np.inf)
        assert (actions == logits.argmax(axis=1)).all()
        GAME.drivers.apply_rows(by_hand, np.arange(20), actions)
    playouts.run(compiled, plies=60)
    assert (by_hand == compiled).all()


SIZE, ACTIONS = GAME.view.size, GAME.actions.size


@pytest.mark.parametrize(("widths", "told"), [
    ((SIZE + 20, 8, ACTIONS), "karma_v0: the inputs or outputs of the network do not fit; allowed: 202 to 44"),
    ((SIZE, 8, ACTIONS + 1), "allowed: 202 to 44"),
    ((SIZE, *[4] * 7, ACTIONS), "7 hidden layers are too many to be compiled; allowed: 6"),
    ((4000, 5000, 2), "numbers are too many to be compiled; allowed: 16,777,216"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(widths, told):
    with pytest.raises(ValueError, match=told):
        networks.NetworkPolicy(GAME, networks.packed(layers(*widths)), False)
