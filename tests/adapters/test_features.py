"""Lists of legal actions in trainers of other projects: the described actions, their networks, and the way back."""

import importlib.util

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs import adapters
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.envs.views import listed

HIDDEN = (8, 8)


def needs(package):
    return pytest.mark.skipif(not importlib.util.find_spec(package), reason=f"{package} is not installed")


@pytest.fixture(scope="module")
def game():
    return tantra_envs.game("karma")


def positions(game, tables=12, actions=9):
    """Return tables in the middle of a game."""
    batch = tantra_envs.make_batch(game.id, tables, seed=4, **game.config)
    for _ in range(actions):
        batch.step(batch.sample())
    return batch.states.copy()


def check_saved(network, game, file):
    """Check that the saved network plays the actions with the highest ratings, from compiled code."""
    from tantra_envs.networks import best_actions, save_network

    save_network(network, game, file)
    obs, rng = Observation(game, positions(game)), np.random.default_rng(0)
    assert (ask(load(f"ppo:{file}", game), obs, rng) == best_actions(network, obs.described)).all()


@needs("torch")
def test_ratings_have_any_leading_dimensions_and_are_zero_at_tables_that_are_over(game):
    import torch

    from tantra_envs.networks import NOT_LEGAL, RatingNetwork, ValueNetwork, tensors

    network, values = RatingNetwork(*game.features.sizes, HIDDEN), ValueNetwork(game.features.of_table.size, HIDDEN)
    described = game.describe(positions(game, 6))
    lists = {name: torch.from_numpy(array) for name, array in listed(game, described).items()}
    lists["action_mask"][4] = 0
    table, actions, mask = lists["table"], lists["actions"], lists["action_mask"]
    flat = network(table, actions, mask)
    ragged = network.rate(*tensors(described))[torch.from_numpy(described.rows) != 4]
    assert torch.allclose(flat[mask > 0], ragged, atol=1e-6) and (flat[4] == 0).all()
    assert (flat[mask == 0].reshape(-1) == NOT_LEGAL).sum() == (mask == 0).sum() - mask.shape[1]
    by_two = network(*(array.reshape(2, 3, *array.shape[1:]) for array in (table, actions, mask)))
    assert torch.equal(by_two.reshape(flat.shape), flat)
    assert torch.allclose(network(table[0], actions[0], mask[0]), flat[0], atol=1e-6)
    assert torch.equal(values(table.reshape(2, 3, -1)).reshape(-1), values(table))


@needs("torch")
def test_a_network_whose_layers_do_not_fit_is_not_written(game, tmp_path):
    from torch import nn

    from tantra_envs.networks import save_network

    inputs, file = sum(game.features.sizes), tmp_path / "mine.safetensors"
    wrong = {
        f"first layer with {inputs + 1} inputs": [nn.Linear(inputs + 1, 4), nn.Tanh(), nn.Linear(4, 1)],
        "last layer with 2 outputs": [nn.Linear(inputs, 4), nn.Tanh(), nn.Linear(4, 2)],
        "linear layer 1 with 5 inputs": [nn.Linear(inputs, 4), nn.Tanh(), nn.Linear(5, 1)],
        "layer 1, Sigmoid": [nn.Linear(inputs, 4), nn.Sigmoid(), nn.Linear(4, 1)],
    }
    for words, layers in wrong.items():
        with pytest.raises(ValueError, match=words):
            save_network(nn.Sequential(*layers), game, file)
    assert not file.exists()


@needs("ray")
def test_options_of_the_module_of_rllib_are_checked(game):
    from ray.rllib.algorithms.ppo import PPOConfig

    setup = adapters.rllib(game, view="features")
    for words, model in (("fcnet_hidden'", {"fcnet_hidden": [8]}), ("'gelu'", {"fcnet_activation": "gelu"})):
        with pytest.raises(ValueError, match=words):
            setup.configure(PPOConfig(), **model)
    with pytest.raises(ValueError, match="view='mine'"):
        adapters.rllib(game, view="mine")
    assert setup.env != adapters.rllib(game).env


@needs("ray")
def test_ppo_of_rllib_learns_from_lists_and_plays_here(game, tmp_path):
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig

    from tantra_envs.networks import save_network

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    setup = adapters.rllib(game, view="features", policies="seat")
    config = PPOConfig().env_runners(num_env_runners=0, num_envs_per_env_runner=2)
    config.training(train_batch_size_per_learner=128, num_epochs=1, minibatch_size=64)
    algorithm = setup.configure(config, fcnet_hiddens=list(HIDDEN), fcnet_activation="relu").build_algo()
    module = algorithm.get_module("seat_0")
    before = {name: tensor.clone() for name, tensor in module.action_net.state_dict().items()}
    algorithm.train()
    module = algorithm.get_module("seat_0")
    assert any((tensor != before[name]).any() for name, tensor in module.action_net.state_dict().items())

    lists = {name: torch.from_numpy(array) for name, array in listed(game, game.describe(positions(game))).items()}
    entries = [lists[name] for name in ("table", "actions", "action_mask")]
    with torch.no_grad():
        logits = module.forward_inference({"obs": lists})["action_dist_inputs"]
        assert torch.equal(logits, module.action_net(*entries))
        assert torch.equal(module.compute_values({"obs": lists}), module.value_net(lists["table"]))
    check_saved(module.action_net, game, tmp_path / "seat_0.safetensors")

    states, rng = positions(game), np.random.default_rng(0)
    save_network(algorithm.get_module("seat_1"), game, tmp_path / "seat_1.safetensors")
    played = ask(setup.player(algorithm), obs := Observation(game, states), rng)
    for seat in (0, 1):
        own = ask(load(f"ppo:{tmp_path}/seat_{seat}.safetensors", game), obs, rng)
        assert (played == own)[obs.seat == seat].all()
    algorithm.stop()
