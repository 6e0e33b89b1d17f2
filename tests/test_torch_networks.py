"""Networks over action features in torch: ragged and padded lists give the same numbers, and files play the same."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts

torch = pytest.importorskip("torch")
networks = pytest.importorskip("tantra_envs.networks")

GAME = tantra_envs.game("karma", players=3)


def tables(n=6):
    batch = tantra_envs.make_batch("karma", n, seed=2, players=3)
    for _ in range(25):
        batch.step(batch.sample())
    return batch.states.copy()


def test_ratings_are_those_of_the_whole_network():
    network, described = networks.RatingNetwork(*GAME.features.sizes, (5, 4)), GAME.describe(tables())
    whole = torch.from_numpy(np.concatenate([described.features, described.tables[described.rows]], axis=1))
    with torch.inference_mode():
        ratings = network.rate(*networks.tensors(described))
        assert torch.allclose(ratings, network.score(whole)[:, 0], atol=1e-6)


def test_padded_lists_have_the_ratings_of_ragged_ones():
    env = tantra_envs.make_seat_vector("karma", 6, players=3, view="features")
    lists, _ = env.reset(seed=4)
    network, described = networks.RatingNetwork(*GAME.features.sizes), GAME.describe(env.known())
    with torch.inference_mode():
        ratings = network.rate(*networks.tensors(described))
        padded = network(*(torch.from_numpy(lists[name]) for name in ("table", "actions", "action_mask")))
    legal = lists["action_mask"] == 1
    assert np.allclose(padded.numpy()[legal], ratings.numpy(), atol=1e-6)
    assert (padded.numpy()[~legal] == networks.NOT_LEGAL).all()


def test_log_probabilities_of_ragged_lists():
    log_probs = networks.log_softmax(torch.tensor([1.0, 2.0, 3.0]), np.array([1, 2]))
    expected = [[0.0, networks.NOT_LEGAL - 1.0], [-np.log(1 + np.e), -np.log(1 + np.exp(-1))]]
    assert np.allclose(log_probs.numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_a_saved_network_plays_as_in_torch(tmp_path, activation):
    torch.manual_seed(1)
    network = networks.RatingNetwork(*GAME.features.sizes, (9, 7), activation)
    networks.save_network(network, GAME, tmp_path / "mine.safetensors")
    (saved,) = tantra_envs.load_agents([f"ppo:{tmp_path}/mine.safetensors"], GAME)
    obs, rng = Observation(GAME, tables(40)), np.random.default_rng(1)
    assert (saved.act(obs, rng) == networks.RatingAgent("mine", network).act(obs, rng)).all()
    in_playouts = Playouts(GAME, saved.policy()).choose(obs.known, obs.action_mask)
    assert (in_playouts == saved.act(obs, rng)).mean() > 0.95  # equal up to the last digit


def test_a_network_over_the_observation_can_be_saved(tmp_path):
    network = torch.nn.Sequential(
        torch.nn.Linear(GAME.view.size, 8), torch.nn.ReLU(), torch.nn.Linear(8, GAME.actions.size)
    )
    networks.save_network(network, GAME, tmp_path / "mine.safetensors")
    (saved,) = tantra_envs.load_agents([f"ppo:{tmp_path}/mine.safetensors"], GAME)
    obs = Observation(GAME, tables(40))
    logits = network(torch.from_numpy(obs.observation)).detach().numpy()
    assert (saved.act(obs, np.random.default_rng(1)) == np.where(obs.action_mask, logits, -np.inf).argmax(axis=1)).all()


INPUTS = sum(GAME.features.sizes)


@pytest.mark.parametrize(
    ("network", "words"),
    [
        (torch.nn.Sequential(torch.nn.Linear(7, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1)), "7 inputs"),
        (torch.nn.Sequential(torch.nn.Linear(INPUTS, 3), torch.nn.Tanh(), torch.nn.Linear(3, 2)), "2 outputs"),
        (torch.nn.Sequential(torch.nn.Linear(INPUTS, 3), torch.nn.GELU(), torch.nn.Linear(3, 1)), "layer 1, GELU"),
        (torch.nn.Sequential(torch.nn.Linear(INPUTS, 3), torch.nn.Linear(3, 1)), "layer 1, Linear"),
        (torch.nn.Sequential(torch.nn.Linear(INPUTS, 1), torch.nn.Tanh()), "the last layer, Tanh"),
        (torch.nn.Sequential(torch.nn.Tanh()), "layer 0, Tanh"),
        (torch.nn.Sequential(), "Sequential"),
    ],
)
def test_an_error_names_the_layer_that_does_not_fit(tmp_path, network, words):
    with pytest.raises(ValueError, match=words):
        networks.save_network(network, GAME, tmp_path / "mine.safetensors")
    assert not list(tmp_path.iterdir())


def test_maskable_ppo_learns_over_lists(tmp_path):
    contrib = pytest.importorskip("sb3_contrib")
    from tantra_envs import adapters

    env = adapters.sb3("karma", 8, opponents="uniform", view="features")
    model = contrib.MaskablePPO(adapters.RatingPolicy, env, n_steps=16, batch_size=64, policy_kwargs={"net_arch": [8]})
    before = model.policy.action_net.score[0].weight.clone()
    model.learn(256)
    assert not torch.equal(before, model.policy.action_net.score[0].weight)
    model.save(tmp_path / "model.zip")
    again = contrib.MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    lists = env.reset()
    masks = np.stack(env.env_method("action_masks"))
    places, _ = model.predict(lists, action_masks=masks, deterministic=True)
    assert (places == again.predict(lists, action_masks=masks, deterministic=True)[0]).all()
    assert masks[np.arange(8), places].all()


@pytest.mark.parametrize(
    ("view", "options", "words"),
    [
        ("observation", {}, "view='features'"),
        ("features", {"net_arch": {"pi": [8]}}, "net_arch"),
        ("features", {"activation_fn": torch.nn.GELU}, "activation_fn"),
    ],
)
def test_a_rating_policy_that_does_not_fit_is_refused(view, options, words):
    contrib = pytest.importorskip("sb3_contrib")
    from tantra_envs import adapters

    env = adapters.sb3("karma", 2, view=view)
    with pytest.raises(ValueError, match=words):
        contrib.MaskablePPO(adapters.RatingPolicy, env, policy_kwargs=options)
