"""Values: shares that add up, a network that tells them, and playouts that stop where it is asked."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from agents import origin, parse
from tantra_envs import workers
from tantra_envs.opponents.search import Search

torch = pytest.importorskip("torch")
values = pytest.importorskip("training.values")
labels = pytest.importorskip("training.labels")
shards = pytest.importorskip("training.label_shards")
told = pytest.importorskip("agents.values")
networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("agents.checkpoint")
GAME = tantra_envs.game("karma")


def settings(folder, **other):
    small = {"deals": 60, "net_arch": (16,), "epochs": 3, "batch_size": 256, "learning_rate": 1e-2, "threads": 1}
    return values.Args(**{"runs": folder, "name": "v", **small, **other})


def learned(args, number=1):
    game = values.prepare(args)
    with workers.executor(number) as run:
        return values.learn(args, game, run)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    known = learned(settings(folder))
    assert json.loads((folder / "v" / "results.json").read_text())["explained"] == known["explained"]
    return folder / "v" / "model.safetensors", known


def test_what_is_learned_tells_who_will_win(made):
    file, known = made
    assert 0.05 < known["explained"] < 0.5 and known["loss"] < np.log(2)
    states = np.concatenate([GAME.new(seed) for seed in range(4)])
    seats, told_by = np.array([0, 1, 0, 1]), told.Values(GAME, file)
    network = checkpoint.read_card(file).spec.actor(GAME)
    networks.filled(network, checkpoint.read_tensors(file, checkpoint.read_card(file), GAME))
    inputs = GAME.view.to_float(told.views(GAME, states, seats))
    expected = network(torch.from_numpy(inputs)).sigmoid()[:, 0].detach().numpy()
    assert np.allclose(told_by(states, seats), expected, atol=1e-5)
    assert origin(told_by)["digest"] == checkpoint.read_card(file).digest[:12]


def test_shares_of_all_seats_add_up_and_belong_to_what_was_seen():
    game = tantra_envs.game("karma", players=3)
    method = values.Method("karma", 3, "scripted", "scripted", 0.1, 0.3, 1, 6)
    looks = values.look_on(values.Job(method, 0, 4))
    own_turn = game.view.to_float(looks.observations)[:, game.view["own"].start + 1]
    assert looks.observations.shape == (len(looks), game.view.size) and set(np.unique(looks.shares)) <= {
        0,
        0.25,
        0.5,
        0.75,
        1,
    }
    assert looks.shares.mean() == pytest.approx(0.5) and own_turn.sum() == pytest.approx(len(looks) / 3)


def test_any_number_of_workers_learns_the_same(made, tmp_path):
    learned(settings(tmp_path), 2)
    file, _ = made
    assert checkpoint.read_card(tmp_path / "v" / "model.safetensors").digest == checkpoint.read_card(file).digest


def test_playouts_stop_where_values_are_asked():
    obs = tantra_envs.Observation(GAME, GAME.new(3))
    actions = np.flatnonzero(obs.action_mask[0])[None, :3]
    asked = []

    def judge(states, seats):
        asked.append(len(states))
        assert (seats == obs.seat[0]).all() and (states["over"] == 0).all()
        return np.full(len(states), 0.25)

    for plies in (2, 0):
        search = Search(GAME, f"worlds=8,plies={plies}", judge)
        found = search.compare(obs, np.arange(1), actions, 8, np.random.default_rng(1))
        assert ((found == 0.25) == (plies == 2)).all()
    assert asked == [24]


def test_labels_by_values_name_them_and_lie_closer_together(made, tmp_path):
    file, _ = made
    given = ["karma", "--deals=4", "--worlds=4", "--share=0.3", f"--runs={tmp_path}"]
    labels.main([*given, "--name=long"])
    labels.main([*given, "--name=short", "--plies=8", f"--values={file}"])
    long, short = (shards.read_all([tmp_path / name], GAME) for name in ("long", "short"))
    assert (long.observations == short.observations).all() and (long.actions == short.actions).all()
    assert short.errors.mean() < 0.6 * long.errors.mean()
    origins = shards.read_origin(next((tmp_path / "short").iterdir()))["origins"]
    assert origins["values"]["digest"] == checkpoint.read_card(file).digest[:12]


def test_what_does_not_fit_is_refused(made, tmp_path):
    file, _ = made
    player = tmp_path / "player.safetensors"
    spec = replace(checkpoint.read_card(file).spec, output="actions")
    checkpoint.write_model(player, networks.tensors_of(spec.actor(GAME)), spec, GAME)
    with pytest.raises(ValueError, match="tells what positions are worth and plays no actions"):
        parse(f"ppo:{file}", GAME)
    with pytest.raises(ValueError, match="plays actions and tells no values"):
        told.Values(GAME, player)
    with pytest.raises(ValueError, match="was trained for players=2; this game has players=3"):
        told.Values(tantra_envs.game("karma", players=3), file)
    with pytest.raises(ValueError, match="values without plies is not allowed"):
        labels.prepare(labels.Args(values=str(file), runs=tmp_path))
    with pytest.raises(ValueError, match="is there already; choose another --name"):
        values.prepare(settings(file.parents[1]))
    for other, said in (
        ({"game": "tantrix:solitaire"}, "allowed: games of two teams or more"),
        ({"step": 0}, "step=0 is not allowed"),
        ({"base": "greedy"}, "greedy cannot play on in playouts"),
    ):
        with pytest.raises(ValueError, match=said):
            values.prepare(settings(tmp_path, **other))
    assert not (tmp_path / "v").exists()
