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


def test_arrays_of_any_layout_are_taken(batch):
    other, third = tantra_envs.make_batch("karma", 4, seed=2), tantra_envs.make_batch("karma", 4, seed=2)
    actions = batch.sample().copy()
    spread = np.repeat(actions.astype(np.int16), 3)[::3]
    frozen = actions.astype(np.uint8)
    frozen.flags.writeable = False
    batch.step(spread)
    other.step(frozen)
    third.step(actions.tolist())
    assert everything(batch) == everything(other) == everything(third)


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


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True, [1], np.float64(1)])
def test_seeds_are_whole_numbers_from_zero(batch, seed):
    before = everything(batch)
    with pytest.raises(ValueError, match=r"karma_v0: seed=.* is not allowed; allowed: 0, 1, 2"):
        batch.reset(seed=seed)
    assert everything(batch) == before
    with pytest.raises(ValueError, match=r"karma_v0: seed="):
        tantra_envs.make_batch("karma", 4, seed=seed)


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


@pytest.mark.parametrize("make", [tantra_envs.make_batch, tantra_envs.make_seat_vector, tantra_envs.make_seat])
@pytest.mark.parametrize(
    "reward",
    ["-1", True, np.bool_(True), float("nan"), np.float32("inf"), [0], 1j, 10**30, 1e30, 10**400, 10**5000],
    ids=lambda reward: repr(reward)[:9] if not isinstance(reward, int) else f"{reward.bit_length()} bits",
)
def test_illegal_rewards_are_finite_numbers(make, reward):
    tables = () if make is tantra_envs.make_seat else (2,)
    with pytest.raises(ValueError, match=r"illegal_reward=.* is not allowed; allowed: None, or a finite number"):
        make("karma", *tables, illegal_reward=reward)


@pytest.mark.parametrize("reward", [np.float32(-0.5), np.int64(-2), -1, 1e9])
def test_illegal_rewards_may_be_of_numpy(reward):
    tables = tantra_envs.make_batch("karma", 2, illegal_reward=reward)
    seats = tables.seats
    assert (tables.step(np.array([-1, -1]))[2][[0, 1], seats] == reward).all()


@pytest.mark.parametrize("dtype", ["int8", None, np.float32])
def test_observations_are_float32_or_compact(dtype):
    with pytest.raises(ValueError, match=r"observation_dtype=.* is not allowed; allowed: 'float32' or 'compact'"):
        tantra_envs.make_batch("karma", 2, observation_dtype=dtype)


def signatures(batch):
    return list(getattr(batch.game.drivers.step_batch, "signatures", ()))


@pytest.mark.parametrize("field", [{"n": 0}, {"n": 2.5}, {"n": 3, "threads": 0}])
def test_bad_sizes(field):
    with pytest.raises(ValueError, match="is not allowed; allowed: 1, 2"):
        tantra_envs.make_batch("karma", **field)


def test_sampled_actions_do_not_follow_from_the_deal():
    tables = tantra_envs.make_batch("karma", 2000)
    deals = tables.states["rng"].copy()
    assert not (tables._streams == deals).all(axis=1).any()
    tables.step(tables.sample())
    chosen, hidden = tables.sample(), tables.states["draw"][:, 0]
    assert abs(np.corrcoef(chosen, hidden)[0, 1]) < 0.1
    assert (tantra_envs.make_batch("karma", 7)._streams == tantra_envs.make_batch("karma", 9)._streams[:7]).all()
