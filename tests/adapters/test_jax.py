"""Tables inside compiled JAX programs: the same games as a batch, in order, with the declared shapes and dtypes."""

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs import adapters
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
networks = pytest.importorskip("tantra_envs.adapters.jax_networks")
init_ratings, init_values, save_network = networks.init_ratings, networks.init_values, networks.save_network
ratings, values = networks.ratings, networks.values


def lowest(step):
    return step.action_mask.argmax(axis=1)


def test_a_scan_plays_the_games_of_a_batch():
    tables, batch = adapters.jax("karma", 5), tantra_envs.make_batch("karma", 5)

    @jax.jit
    def play(seed):
        def one(step, _):
            after = tables.step(lowest(step))
            return after, (step, after.reward)

        return lax.scan(one, tables.reset(seed), None, length=60)

    last, (steps, rewards) = play(7)
    batch.reset(7)
    for t in range(60):
        assert (steps.observation[t] == batch.observations).all() and (steps.action_mask[t] == batch.action_masks).all()
        assert (steps.seat[t] == batch.seats).all()
        batch.step(batch.action_masks.argmax(axis=1))
        assert (rewards[t] == batch.rewards.astype(np.float32)).all()
    assert (last.observation == batch.observations).all()
    assert (last.terminated == batch.terminations).all() and (last.truncated == batch.truncations).all()


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


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros(4, int), np.zeros((3, 1), int), np.zeros(3, bool), 1], ids=str)
def test_actions_of_another_kind_are_refused_when_traced(wrong):
    tables = adapters.jax("karma", 3)
    with pytest.raises(ValueError, match=r"karma_v0: actions=.* is not allowed; allowed: integers of shape \(3,\)"):
        jax.jit(tables.step)(wrong)
    with pytest.raises(ValueError, match=r"karma_v0: seed=float32 of shape \(\) is not allowed"):
        tables.reset(1.5)


def test_gradients_go_around_the_tables():
    tables = adapters.jax("karma", 4)

    def loss(weights):
        step = tables.reset(1)
        logits = jnp.where(step.action_mask, step.observation @ weights, -1e9)
        after = tables.step(logits.argmax(axis=1))
        return jax.nn.log_softmax(logits)[:, 0].sum() + after.reward.sum()

    slopes = jax.jit(jax.grad(loss))(jnp.ones((tables.game.view.size, tables.game.actions.size)) / 100)
    assert jnp.isfinite(slopes).all() and (slopes != 0).any()


def test_a_place_without_an_action_ends_the_program_or_its_table():
    tables = adapters.jax("karma", 3, view="features")
    step = tables.reset(1)
    places = jnp.array([0, 0, step.action_mask[2].sum()])
    for wrong in (places, places.at[2].set(-1), places.at[2].set(10_000)):
        with pytest.raises(Exception, match=r"table 2: karma_v0: action=.* a place in the list of legal actions: 0 "):
            jax.block_until_ready(jax.jit(tables.step)(wrong))
    forfeiting = adapters.jax("karma", 3, view="features", illegal_reward=-5.0)
    before = forfeiting.reset(1)
    after = jax.jit(forfeiting.step)(places)
    assert after.reward[2, before.seat[2]] == -5.0 and after.terminated.tolist() == [False, False, True]


def test_functions_of_jax_rate_lists_as_the_networks_of_torch_do(tmp_path):
    torch = pytest.importorskip("torch")
    from tantra_envs.networks import NOT_LEGAL, RatingNetwork, ValueNetwork, best_actions

    game = tantra_envs.game("karma")
    tables, hidden = adapters.jax(game, 12, view="features", seed=4), (8, 6)
    actor, critic = init_ratings(jax.random.key(1), game, hidden), init_values(jax.random.key(2), game, hidden)
    network, value_network = RatingNetwork(*game.features.sizes, hidden), ValueNetwork(game.features.sizes[1], hidden)
    for layers, module in ((actor, network), (critic, value_network)):
        linear = [layer for layer in module.modules() if isinstance(layer, torch.nn.Linear)]
        for layer, mine in zip(linear, layers, strict=True):
            layer.weight.data = torch.from_numpy(np.array(mine["weights"]).T)
            layer.bias.data = torch.from_numpy(np.array(mine["biases"]))
    step = tables.reset()
    for _ in range(9):
        step = tables.step(step.action_mask.sum(axis=1) - 1)
    lists = {name: torch.from_numpy(np.array(array)) for name, array in step.observation.items()}
    with torch.no_grad():
        wanted = network(lists["table"], lists["actions"], lists["action_mask"]).numpy()
        wanted_values = value_network(lists["table"]).numpy()
    rated = np.asarray(jax.jit(ratings)(actor, step.observation))
    assert np.allclose(rated, wanted, atol=1e-5) and (rated[~np.asarray(step.action_mask)] == NOT_LEGAL).all()
    assert np.allclose(jax.jit(values)(critic, step.observation), wanted_values, atol=1e-5)

    file = tmp_path / "jax.safetensors"
    save_network(actor, game, file)
    obs = Observation(game, tables.batch.states.copy())
    chosen = ask(load(f"ppo:{file}", game), obs, np.random.default_rng(0))
    assert (chosen == best_actions(network, obs.described)).all()
    with pytest.raises(ValueError, match="last layer with 6 outputs"):
        save_network(actor[:-1], game, tmp_path / "wrong.safetensors")
