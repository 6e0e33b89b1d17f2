"""BatchEnv: the same games as single tables, whatever the number of threads, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs

TABLES, STEPS = 12, 700


def history(threads):
    """Everything a batch shows over some hundred steps of its own random play."""
    batch = tantra_envs.make_batch("karma", TABLES, seed=40, threads=threads, players=3)
    rows = []
    for _ in range(STEPS):
        actions = batch.sample().copy()
        rows.append([actions, *(array.copy() for array in batch.step(actions)), batch.states.copy()])
    return rows


@pytest.fixture(scope="module")
def played():
    return history(threads=1)


def test_batch_equals_single_tables(played):
    game = tantra_envs.game("karma", players=3)
    for i in range(TABLES):
        deal = 40 + i
        state = game.new(deal)
        for actions, views, masks, rewards, ended, cut, _ in played:
            game.apply_action(state, actions[i])
            assert rewards[i].tolist() == state["rewards"][0][:3].tolist()
            assert ended[i] == (state["over"][0] == 1 and state["truncated"][0] == 0)
            assert cut[i] == state["truncated"][0]
            if ended[i] or cut[i]:
                deal += TABLES
                state = game.new(deal)
            seat = int(state["seat"][0])
            assert (views[i] == game.observation(state, seat)).all()
            assert (masks[i] == game.mask(state)).all()


def test_threads_change_nothing(played):
    for one, three in zip(played, history(threads=3), strict=True):
        assert all((a == b).all() for a, b in zip(one, three, strict=True))


def test_reset_deals_the_same_again():
    batch = tantra_envs.make_batch("karma", 3, seed=8)
    first = batch.observations.copy()
    for _ in range(20):
        batch.step(batch.sample())
    views, _ = batch.reset()
    assert (views == first).all()
    views, _ = batch.reset(seed=9)
    assert (views[0] == first[1]).all()


def test_illegal_actions_change_nothing():
    batch = tantra_envs.make_batch("karma", 4, seed=2)
    actions = batch.sample().copy()
    before = batch.states.tobytes(), batch.observations.tobytes(), batch.action_masks.tobytes()
    for wrong in (-1, 39, 1000):
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"table 2: .*action {wrong} "):
            batch.step(actions)
        assert before == (batch.states.tobytes(), batch.observations.tobytes(), batch.action_masks.tobytes())
    with pytest.raises(ValueError, match=r"actions=.* allowed: integers of shape \(4,\)"):
        batch.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("field", [{"n": 0}, {"n": 2.5}, {"n": 3, "threads": 0}])
def test_bad_sizes(field):
    with pytest.raises(ValueError, match="is not allowed; allowed: 1, 2"):
        tantra_envs.make_batch("karma", **field)
