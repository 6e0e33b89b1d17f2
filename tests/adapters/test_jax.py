"""Tables inside compiled JAX programs: the same games as a batch, in order, with the declared shapes and dtypes."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

GAMES = ["karma", "kanastic:round", "tantra", "tantrix", "tarot:hand"]


def lowest(step):
    return step.action_mask.argmax(axis=1)


def scanned(tables, length):
    """A compiled program that plays the lowest legal action for a number of steps, and returns all it was shown."""

    @jax.jit
    def play(seed):
        def one(step, _):
            after = tables.step(lowest(step))
            return after, (step, after.reward)

        return lax.scan(one, tables.reset(seed), None, length=length)

    return play


@pytest.mark.parametrize("name", GAMES)
def test_a_scan_plays_the_games_of_a_batch(name):
    game = tantra_envs.game(name)
    tables, batch = adapters.jax(name, 5), tantra_envs.make_batch(game.id, 5, **game.config)
    last, (steps, rewards) = scanned(tables, 60)(7)
    batch.reset(7)
    for t in range(60):
        assert (steps.observation[t] == batch.observations).all() and (steps.action_mask[t] == batch.action_masks).all()
        assert (steps.seat[t] == batch.seats).all()
        batch.step(batch.action_masks.argmax(axis=1))
        assert (rewards[t] == batch.rewards.astype(np.float32)).all()
    assert (last.observation == batch.observations).all()
    assert (last.terminated == batch.terminations).all() and (last.truncated == batch.truncations).all()


def test_ends_are_told_and_the_next_deal_is_shown():
    tables = adapters.jax(tantra_envs.game("karma", max_moves=10), 4)
    _, (steps, rewards) = scanned(tables, 40)(1)
    over = np.asarray(steps.terminated | steps.truncated)
    assert over.any() and not (over[1:] & over[:-1]).any() and (steps.terminated.any() or steps.truncated.any())
    assert (np.asarray(rewards)[:-1][~over[1:]] == 0).all()


@pytest.mark.parametrize("dtype", ["float32", "compact"])
def test_shapes_and_dtypes_are_as_told_inside_and_outside(dtype):
    tables = adapters.jax("karma", 3, observation_dtype=dtype)
    view = tables.game.view
    moved = jax.jit(tables.step)(lowest(tables.reset(2)))
    for step in (moved, tables.reset(2), tables.reset(), jax.jit(tables.reset)(2)):
        for array, told in zip(step, tables.shapes, strict=True):
            assert isinstance(array, jax.Array) and (array.shape, array.dtype) == (told.shape, told.dtype)
        assert step.observation.dtype == (np.float32 if dtype == "float32" else view.dtype)
        assert step.reward.shape == (3, tables.game.players)
    narrow, scale = tables.reset(2).observation, view.scale
    if dtype == "compact":
        assert (view.to_float(np.asarray(narrow)) == np.asarray(adapters.jax("karma", 3).reset(2).observation)).all()
        assert scale.shape == narrow.shape[1:]


def test_large_seeds_are_those_of_a_batch():
    tables, batch = adapters.jax("karma", 2), tantra_envs.make_batch("karma", 2)
    assert (tables.reset(2**62).observation == batch.reset(2**62)[0]).all()
    with pytest.raises(Exception, match="seed=-1 is not allowed"):
        jax.block_until_ready(tables.reset(-1))


def test_what_was_shown_stays_when_the_tables_move_on():
    tables = adapters.jax("karma", 8)
    first = tables.reset(3)
    kept = [np.array(array) for array in first]
    step = first
    for _ in range(20):
        step = tables.step(lowest(step))
    jax.block_until_ready(step)
    assert all((array == before).all() for array, before in zip(first, kept, strict=True))


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros(4, int), np.zeros((3, 1), int), np.zeros(3, bool), 1], ids=str)
def test_actions_of_another_kind_are_refused_when_traced(wrong):
    tables = adapters.jax("karma", 3)
    with pytest.raises(ValueError, match=r"karma_v0: actions=.* is not allowed; allowed: integers of shape \(3,\)"):
        jax.jit(tables.step)(wrong)
    with pytest.raises(ValueError, match=r"karma_v0: seed=float32 of shape \(\) is not allowed"):
        tables.reset(1.5)


def test_an_illegal_action_ends_the_program_or_its_table():
    tables = adapters.jax("karma", 3)
    illegal = jnp.asarray(tables.reset(1).action_mask.argmin(axis=1))
    with pytest.raises(Exception, match=r"table 0: karma_v0: action .* is illegal"):
        jax.block_until_ready(jax.jit(tables.step)(illegal))
    forfeiting = adapters.jax("karma", 3, illegal_reward=-5.0)
    before = forfeiting.reset(1)
    after = jax.jit(forfeiting.step)(illegal)
    assert (after.reward[jnp.arange(3), before.seat] == -5.0).all() and after.terminated.all()


def test_gradients_go_around_the_tables():
    tables = adapters.jax("karma", 4)

    def loss(weights):
        step = tables.reset(1)
        logits = jnp.where(step.action_mask, step.observation @ weights, -1e9)
        after = tables.step(logits.argmax(axis=1))
        return jax.nn.log_softmax(logits)[:, 0].sum() + after.reward.sum()

    slopes = jax.jit(jax.grad(loss))(jnp.ones((tables.game.view.size, tables.game.actions.size)) / 100)
    assert jnp.isfinite(slopes).all() and (slopes != 0).any()
