"""The rollout buffer of MaskablePPO that keeps lists without their empty places."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters

torch = pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")
SIZE = {"n_steps": 32, "batch_size": 48, "n_epochs": 2, "seed": 3, "device": "cpu"}


def learned(**more):
    game = tantra_envs.game("karma", max_moves=12)
    model = sb3_contrib.MaskablePPO(adapters.RatingPolicy, adapters.sb3(game, 4, view="features"), **SIZE, **more)
    return model.learn(256)


def test_it_learns_the_same_as_padded_lists():
    padded, ragged = learned(), learned(rollout_buffer_class=adapters.RatingBuffer)
    for one, other in zip(padded.policy.parameters(), ragged.policy.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-4)
    assert np.allclose(padded.rollout_buffer.returns, ragged.rollout_buffer.returns, atol=1e-4)


def test_a_batch_has_the_legal_actions_of_its_decisions():
    model = learned(rollout_buffer_class=adapters.RatingBuffer)
    seen = 0
    for batch in model.rollout_buffer.get(50):
        lists, counts = batch.observations, batch.observations["counts"]
        assert len(lists["legal"]) == counts.sum() and (batch.actions[:, 0] < counts).all()
        with torch.no_grad():
            values, logs, entropies = model.policy.evaluate_actions(lists, batch.actions)
            mask = torch.arange(model.action_space.n) < counts[:, None]
            actions = torch.zeros((*mask.shape, lists["legal"].shape[1]))
            actions[mask] = lists["legal"]
            whole = {"table": lists["table"], "actions": actions, "action_mask": mask.to(torch.int8)}
            same = model.policy.evaluate_actions(whole, batch.actions)
            usual = super(adapters.RatingPolicy, model.policy).evaluate_actions(whole, batch.actions[:, 0], mask)
        for one, *others in zip((values, logs, entropies), same, usual, strict=True):
            assert all(torch.allclose(one, other, atol=1e-5) for other in others)
        seen += len(counts)
    assert seen == 128


def test_a_game_that_ends_before_the_learner_decides_has_one_choice():
    game = tantra_envs.game("karma", max_moves=1)
    tables = adapters.sb3(game, 4, opponents="scripted", view="features")
    model = sb3_contrib.MaskablePPO(
        adapters.RatingPolicy, tables, rollout_buffer_class=adapters.RatingBuffer, **SIZE
    ).learn(256)
    batch = next(model.rollout_buffer.get())
    nothing = batch.observations["legal"].abs().sum(dim=1) == 0
    assert 0 < nothing.sum() < len(batch.actions)
    rows = torch.repeat_interleave(batch.observations["counts"])[nothing]
    assert (batch.observations["counts"][rows] == 1).all() and (batch.actions[rows] == 0).all()
    _, logs, _ = model.policy.evaluate_actions(batch.observations, batch.actions)
    assert (logs[rows] == 0).all() and (batch.old_log_prob[rows] == 0).all()


def test_observations_are_refused():
    tables = adapters.sb3("karma", 2)
    with pytest.raises(ValueError, match=r"RatingBuffer: .*view='features'"):
        sb3_contrib.MaskablePPO("MlpPolicy", tables, rollout_buffer_class=adapters.RatingBuffer, **SIZE)
