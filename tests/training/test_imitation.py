"""Imitation: what is shown, what is learned from it, and advice."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from agents import parse
from agents.checkpoint import shown

torch = pytest.importorskip("torch")
imitation = pytest.importorskip("training.imitation")
selfplay = pytest.importorskip("training.selfplay")
GAME = tantra_envs.game("karma")


def school(**other):
    (teacher,) = parse("scripted", GAME)
    settings = {"decisions": 6000, "tables": 16, "batch": 64, "learning_rate": 3e-3, "slips": 0.2, "advice": False}
    return imitation.School(teacher, seed=1, **{**settings, **other})


def test_lessons_are_the_teachers_choices_also_after_slips():
    lessons = school()._demonstrate(GAME, np.random.default_rng(0))
    assert (parse("scripted", GAME)[0]._choose(GAME, lessons.views, lessons.masks) == lessons.choices).all()
    again = school()._demonstrate(GAME, np.random.default_rng(0))
    assert (again.views == lessons.views).all()
    without = school(slips=0.0)._demonstrate(GAME, np.random.default_rng(0))
    assert len(without.views) != len(lessons.views)


@pytest.mark.parametrize(("network", "advice", "least"), [((32,), False, 0.75), ((), True, 0.9)])
def test_a_policy_learns_to_foretell_the_teacher(network, advice, least, tmp_path):
    args = selfplay.Args(tables=2, network=network, activation="relu", advice=advice, runs=tmp_path)
    policy = selfplay.assemble(args).model.policy
    shares = [share for _, share in school(advice=advice, learning_rate=0.02).teach(policy, GAME)]
    assert shares[0] < least < shares[-1]


def test_advice_is_the_scripted_players_choice_where_there_is_something_to_decide():
    obs = tantra_envs.Observation(GAME, GAME.new(5))
    masks = np.concatenate([obs.action_mask, np.ones_like(obs.action_mask)])
    seen = shown(GAME, np.repeat(obs.observation, 2, axis=0), masks, advice=True)
    assert (seen[:, : GAME.view.size] == obs.observation).all()
    choice = parse("scripted", GAME)[0].act(obs, None)[0]
    assert np.flatnonzero(seen[0, GAME.view.size :]).tolist() == [choice] and not seen[1, GAME.view.size :].any()


def test_a_run_imitates_first_then_leaves_the_choosing_net_alone_for_a_while(tmp_path):
    small = {"tables": 8, "rollout": 16, "batch": 64, "epochs": 1, "network": (8,), "evaluate_deals": 2}
    more = {"imitate": 500, "critic_steps": 128, "steps": 128, "final_deals": 2, "opponents": "uniform"}
    args = selfplay.Args(runs=tmp_path, name="taught", against="uniform", advice=True, **small, **more)
    run = selfplay.begin(args)
    before = [weights.clone() for weights in selfplay.choosing_net(run.model).parameters()]
    selfplay.train(run)
    assert all(
        (one == two).all() for one, two in zip(before, selfplay.choosing_net(run.model).parameters(), strict=True)
    )
    assert run.history[0]["decisions"] == 0
    run.args.steps = 256
    selfplay.train(run)
    assert any(
        (one != two).any() for one, two in zip(before, selfplay.choosing_net(run.model).parameters(), strict=True)
    )
