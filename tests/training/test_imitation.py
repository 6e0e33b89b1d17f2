"""Behaviour cloning: what is demonstrated, what is learned from it, and advice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from agents import load

torch = pytest.importorskip("torch")
network_spec = pytest.importorskip("tantra_envs.opponents.network_spec")
imitation = pytest.importorskip("training.imitation")
selfplay = pytest.importorskip("training.selfplay")
GAME = tantra_envs.game("karma")


def cloning(advice=False, **other):
    expert = load("scripted", GAME)
    settings = {"decisions": 6000, "num_envs": 16, "batch_size": 64, "learning_rate": 3e-3, "epsilon": 0.2}
    spec = network_spec.NetworkSpec(advice=advice)
    return imitation.BehaviourCloning(expert, seed=1, spec=spec, **{**settings, **other})


def test_demonstrations_are_the_experts_actions_also_after_random_moves():
    shown = cloning().demonstrate(GAME, np.random.default_rng(0))
    advised = cloning(advice=True).demonstrate(GAME, np.random.default_rng(0)).inputs[:, GAME.view.size :]
    choices = shown.masks.sum(axis=1) < GAME.actions.size
    assert (advised.argmax(axis=1) == shown.actions)[choices].all()
    again = cloning().demonstrate(GAME, np.random.default_rng(0))
    assert (again.inputs == shown.inputs).all()
    without = cloning(epsilon=0.0).demonstrate(GAME, np.random.default_rng(0))
    assert len(without.inputs) != len(shown.inputs)


@pytest.mark.parametrize(("net_arch", "advice", "least"), [((32,), False, 0.75), ((), True, 0.9)])
def test_a_policy_learns_what_the_expert_does(net_arch, advice, least, tmp_path):
    args = selfplay.Args(num_envs=2, net_arch=net_arch, activation="relu", advice=advice, runs=tmp_path)
    policy = selfplay.SelfPlay(args).model.policy
    shares = [accuracy for _, accuracy in cloning(advice=advice, learning_rate=0.02).train(policy, GAME)]
    assert shares[0] < least < shares[-1]


def test_advice_is_the_scripted_players_choice_where_there_is_something_to_decide():
    obs = tantra_envs.Observation(GAME, GAME.new(5))
    masks = np.concatenate([obs.action_mask, np.ones_like(obs.action_mask)])
    seen = network_spec.network_inputs(
        GAME, np.repeat(obs.observation, 2, axis=0), masks, np.repeat(obs.known, 2, axis=0)
    )
    assert (seen[:, : GAME.view.size] == obs.observation).all()
    choice = load("scripted", GAME).act(obs, None)[0]
    assert np.flatnonzero(seen[0, GAME.view.size :]).tolist() == [choice] and not seen[1, GAME.view.size :].any()


def test_a_run_clones_first_then_leaves_the_actor_alone_for_a_while(tmp_path):
    small = {"num_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 1, "net_arch": (8,), "eval_deals": 2}
    more = {"bc_decisions": 500, "critic_timesteps": 128, "total_timesteps": 128, "opponents": ("uniform",)}
    args = selfplay.Args(runs=tmp_path, name="cloned", eval_opponents=("uniform",), advice=True, **small, **more)
    run = selfplay.SelfPlay.begin(args)
    run.clone()
    before = [weights.clone() for weights in selfplay.actor_of(run.model).parameters()]
    run.train()
    assert all((one == two).all() for one, two in zip(before, selfplay.actor_of(run.model).parameters(), strict=True))
    assert run.history[0]["decisions"] == 0
    run.args = replace(args, total_timesteps=256)
    run.train()
    assert any((one != two).any() for one, two in zip(before, selfplay.actor_of(run.model).parameters(), strict=True))
