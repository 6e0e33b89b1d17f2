"""The value network: scores that add up, predictions, and playouts that stop where it is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from agents import load, origin
from tantra_envs import workers
from tantra_envs.opponents.search import Search

torch = pytest.importorskip("torch")
values = pytest.importorskip("training.learn.values")
labels = pytest.importorskip("training.learn.labels")
games = pytest.importorskip("training.learn.games")
prediction = pytest.importorskip("agents.values")
networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
GAME = tantra_envs.game("karma")
GAMES = games.Games("karma", None, ("scripted",), "scripted", epsilon=0.1, share=0.15, seed=1)


def train(file, processes=1):
    with workers.executor(processes) as run:
        values.train_values(GAMES, 60, (16,), file, run)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "LEARNING_RATE", 1e-2)
        file = tmp_path_factory.mktemp("runs") / "values.safetensors"
        train(file)
    return file


def test_the_network_explains_some_of_the_variance_and_plays_compiled(file):
    card = checkpoint.read_card(file)
    network = networks.filled(networks.build_actor(card.spec, GAME), checkpoint.read_tensors(file, card, GAME))
    samples = values.play_on((replace(GAMES, seed=2), games.Deals(0, 20)))
    explained = values.explained_variance(GAME, network, samples, np.arange(len(samples)))
    assert 0 < explained < 0.5  # of games that it has not seen
    states = np.concatenate([GAME.new(seed) for seed in range(4)])
    seats, predict = np.array([0, 1, 0, 1]), prediction.Values(GAME, file)
    inputs = GAME.view.to_float(GAME.views(states, seats)[0])
    expected = network(torch.from_numpy(inputs)).sigmoid()[:, 0].detach().numpy()
    assert np.allclose(predict(states, seats), expected, atol=1e-5)
    assert origin(predict)["digest"] == card.digest[:12]


def test_scores_of_all_seats_add_up_and_belong_to_the_observations():
    game = tantra_envs.game("karma", players=3)
    samples = values.play_on((replace(GAMES, players=3, share=0.3), games.Deals(0, 4)))
    own_turn = game.view.to_float(samples.observations)[:, game.view["own"].start + 1]
    assert samples.observations.shape == (len(samples), game.view.size)
    assert set(np.unique(samples.scores)) <= {0, 0.25, 0.5, 0.75, 1}
    assert samples.scores.mean() == pytest.approx(0.5) and own_turn.sum() == pytest.approx(len(samples) / 3)


def test_any_number_of_workers_learns_the_same(file, tmp_path, monkeypatch):
    monkeypatch.setattr(values, "LEARNING_RATE", 1e-2)
    train(tmp_path / "values.safetensors", 2)
    assert checkpoint.read_card(tmp_path / "values.safetensors").digest == checkpoint.read_card(file).digest


def test_playouts_stop_where_values_are_asked():
    obs = tantra_envs.Observation(GAME, GAME.new(3))
    actions = np.flatnonzero(obs.action_mask[0])[None, :3]
    asked = []

    def judge(states, seats):
        asked.append(len(states))
        assert (seats == obs.seat[0]).all() and (states["over"] == 0).all()
        return np.full(len(states), 0.25)

    for plies in (2, 0):
        search = Search(GAME, f"samples=8,plies={plies}", judge)
        compared = search.compare(obs, np.arange(1), actions, 8, np.random.default_rng(1))
        assert ((compared == 0.25) == (plies == 2)).all()
    assert asked == [24]


def test_labels_of_a_value_network_name_it_and_have_smaller_errors(file):
    job = labels.Job(labels.Method(GAMES, 4, 0, 0, None), games.Deals(0, 4), file)
    long, _ = labels.label(job)
    short, _ = labels.label(replace(job, method=replace(job.method, playout_length=8, values=str(file))))
    assert (long.inputs == short.inputs).all() and (long.actions == short.actions).all()
    assert short.errors.mean() < 0.6 * long.errors.mean()


def test_networks_that_do_not_fit_are_refused(file, tmp_path):
    player = tmp_path / "player.safetensors"
    spec = replace(checkpoint.read_card(file).spec, output="actions")
    checkpoint.write_model(player, networks.tensors_of(networks.build_actor(spec, GAME)), spec, GAME)
    with pytest.raises(ValueError, match="holds a value network, which plays no actions"):
        load(f"ppo:{file}", GAME)
    with pytest.raises(ValueError, match="holds a network that rates actions"):
        prediction.Values(GAME, player)
    with pytest.raises(ValueError, match="was trained for players=2; this game has players=3"):
        prediction.Values(tantra_envs.game("karma", players=3), file)
