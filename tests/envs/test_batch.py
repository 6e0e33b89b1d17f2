"""BatchEnv: arrays, seeds and refusals; `test_interfaces.py` plays its games."""

import numpy as np
import pytest

import tantra_envs


@pytest.fixture
def batch():
    return tantra_envs.make_batch("karma", 4, seed=2)


def everything(batch):
    """All that a step could change."""
    shown = batch.observations, batch.action_masks, batch.rewards, batch.terminations, batch.truncations
    return [array.tobytes() for array in (batch.states, *shown)]


def test_what_users_write_into_the_arrays_makes_nothing_legal(batch):
    illegal = batch.action_masks.argmin(axis=1)
    for array in (batch.action_masks, batch.observations, batch.rewards, batch.terminations, batch.truncations):
        array[:] = 1
    with pytest.raises(ValueError, match="table 0: "):
        batch.step(illegal)
    other = tantra_envs.make_batch("karma", 4, seed=2)
    batch.step(batch.sample())
    other.step(other.sample())
    assert everything(batch) == everything(other)


def test_an_illegal_action_forfeits_although_any_legal_one_would_have_ended_the_game():
    ends_after = {"max_moves": 8, "truncation_reward": 0.5}
    batch = tantra_envs.make_batch("karma", 2, seed=3, illegal_reward=-2, **ends_after)
    for _ in range(7):
        batch.step(batch.sample())
    seat, actions = batch.seats[1], batch.sample().copy()
    actions[1] = -1
    *_, rewards, ended, cut = batch.step(actions)
    assert rewards[0].tolist() == [0.5, 0.5] and rewards[1].tolist() == [-2.0 if i == seat else 0.0 for i in range(2)]
    assert ended.tolist() == [False, True] and cut.tolist() == [True, False]
    for i, deal in enumerate((3 + 2, 4 + 2)):
        assert batch.states[i : i + 1].tobytes() == batch.game.new(deal).tobytes()


def test_sampled_actions_do_not_follow_from_the_deal():
    tables = tantra_envs.make_batch("karma", 2000)
    deals = tables.states["rng"].copy()
    assert not (tables._streams == deals).all(axis=1).any()
    tables.step(tables.sample())
    chosen, hidden = tables.sample(), tables.states["draw"][:, 0]
    assert abs(np.corrcoef(chosen, hidden)[0, 1]) < 0.1
    assert (tantra_envs.make_batch("karma", 7)._streams == tantra_envs.make_batch("karma", 9)._streams[:7]).all()
