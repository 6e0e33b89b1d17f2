"""A policy that is fit to labels: it finds the better actions, continues where it stopped, and plays in playouts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from agents import load, origin, playing_as
from tantra_envs import cli
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts, chosen
from tantra_envs.opponents import scripted as own
from tantra_envs.opponents.network_spec import policy_inputs
from tantra_envs.opponents.networks import feature_inputs

torch = pytest.importorskip("torch")
fitting = pytest.importorskip("training.learn.fit")
labels = pytest.importorskip("training.learn.labels")
files = pytest.importorskip("training.learn.label_files")
games = pytest.importorskip("training.learn.games")
policies = pytest.importorskip("training.learn.policies")
Args = pytest.importorskip("training.learn.options").Args
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
GAME = tantra_envs.game("karma")

SMALL = {"net_arch": (24,), "epochs": 12, "batch_size": 32, "learning_rate": 2e-3, "held_out": 0.1}
CLONED = {"bc_decisions": 1, "learning_rate": 5e-3, "batch_size": 128, "epochs": 4}
VALUES = {"objective": "values"}


def label(name, count, share, playout_length=0, policy="mlp"):
    played = games.Games(name, None, ("scripted",), "scripted", epsilon=0.1, share=share, seed=1)
    method = labels.Method(played, 1, 0, playout_length, None, policy)
    return labels.label(labels.Job(method, games.Deals(0, count), None))[0]


@pytest.fixture(scope="module")
def table():
    """Labels by which the last legal action is the best one."""
    made = label("karma", 8, 0.8)
    return replace(made, values=(made.actions == made.actions.max(axis=1, keepdims=True)).astype(np.float32))


def fit(table, start=None, **other):
    args = Args(**{**SMALL, **other})
    return fitting.Fit(args, cli.game(args.game), table, 1, start)


def write(fit, file):
    checkpoint.write_model(file, fit.tensors(), fit.args.spec, fit.game)
    return file


def nothing():
    """Save nothing after an epoch."""


def test_a_policy_comes_to_choose_the_better_actions(table):
    run = fit(table, **VALUES)
    assert run.run(nothing)
    first, last = run.epochs[0], run.epochs[-1]
    assert last["loss"] < first["loss"] and last["advantage"] > max(0.6, first["advantage"]) and last["deviates"] > 0.5
    batch = run.batch(run.held_out)
    predicted = run.policy(batch.inputs)[1].gather(1, batch.actions)[batch.labelled]
    assert np.corrcoef(predicted.detach(), batch.values[batch.labelled])[0, 1] > 0.5


def test_actions_are_chosen_by_their_features(tmp_path):
    game, made = tantra_envs.game("tantrix"), label("tantrix", 12, 0.5, playout_length=1, policy="features")
    rows, actions, features, _ = feature_inputs(game, files.decode("features", game, made.inputs))
    sums = np.zeros((len(made), game.actions.size), np.float32)
    sums[rows, actions] = -features.sum(axis=1)  # the scripted agent would not think of that
    made = replace(made, values=np.take_along_axis(sums, made.actions.clip(0).astype(np.int64), axis=1))
    small = {"game": "tantrix", "policy": "features", "net_arch": (16,), "learning_rate": 2e-2, "epochs": 20}
    run = fit(made, **small, **VALUES)
    run.run(nothing)
    batch = run.batch(run.held_out)
    most = float((batch.values.masked_fill(~batch.labelled, -torch.inf).amax(1) - batch.values[:, 0]).mean())
    assert run.epochs[-1]["advantage"] > 0.8 * most > 0.05 and run.epochs[-1]["loss"] < run.epochs[0]["loss"]
    player = load(f"ppo:{write(run, tmp_path / 'policy.safetensors')}", game)
    game.drivers.deal_rows(states := game.blanks(2), np.arange(2), np.arange(2))
    obs = Observation(game, states)
    inputs = policies.network_inputs(run.args.spec, game, policy_inputs(run.args.spec, obs))
    legal, logits = obs.action_mask == 1, run.policy(inputs)[0].detach().numpy()
    assert player.logits(obs)[legal] == pytest.approx(logits[legal], abs=1e-5)


def test_a_policy_moves_from_the_clone_as_far_as_the_temperature_allows(table):
    advantages = []
    for temperature in (0.02, 50.0):
        run = fit(table, temperature=temperature, **CLONED)
        run.run(nothing)
        advantages.append(run.epochs[-1]["advantage"])
        batch = run.batch(run.rows)
        both = torch.stack([policy(batch.inputs)[0] for policy in (run.before, run.policy)])
        same = (both.masked_fill(~batch.legal, -torch.inf).argmax(2).diff(dim=0) == 0).float().mean()
        assert same > 0.9 if temperature > 1 else same < 0.7
    assert advantages[0] > advantages[1] + 0.2


def test_a_fit_that_was_stopped_ends_as_one_that_was_not(table):
    whole, stopped = fit(table, epochs=3, **VALUES), fit(table, epochs=3, **VALUES)
    whole.run(nothing)

    def stop():
        if len(stopped.epochs) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(stop)
    resumed = fit(table, epochs=3, **VALUES)
    resumed.restore(stopped.state())
    resumed.run(nothing)
    one, two = whole.policy.state_dict(), resumed.policy.state_dict()
    assert all((one[name] == two[name]).all() for name in one) and len(resumed.epochs) == 3
    with pytest.raises(ValueError, match="labels, but its folder has"):
        resumed.restore({**stopped.state(), "labels": 3})


def test_a_policy_over_observations_plays_in_playouts_and_searches(table, tmp_path):
    run = fit(table, epochs=2, bc_decisions=500, batch_size=512)
    run.run(nothing)
    model = f"ppo:{write(run, tmp_path / 'policy.safetensors')}"
    assert Playouts(playing_as(model, GAME)).run(GAME.new(1)).sum() == 0
    player = load(f"search:base={model},samples=2", GAME)
    assert origin(player)["digest"] == load(model, GAME).origin["digest"]
    assert player.act(Observation(GAME, GAME.new(1)), np.random.default_rng(0)).shape == (1,)


def test_the_scripted_agent_stays_itself_where_a_network_is_in_its_place(table, tmp_path, monkeypatch):
    """Behaviour policies sit at tables whose scripted agent is a network: theirs was compiled for their own game."""
    played = playing_as(f"ppo:{write(fit(table), tmp_path / 'policy.safetensors')}", GAME)
    scripted = load("scripted", GAME)
    drivers = []
    monkeypatch.setattr(own, "chosen", lambda game, *seen: drivers.append(game.drivers) or chosen(game, *seen))
    answers = [scripted.act(Observation(game, GAME.new(3)), np.random.default_rng(0)) for game in (GAME, played)]
    assert (answers[0] == answers[1]).all() and [one is GAME.drivers for one in drivers] == [True, True]


def test_a_policy_may_begin_from_another_one(table, tmp_path):
    first = fit(table, **VALUES, epochs=1)
    first.run(nothing)
    second = fit(table, start=write(first, tmp_path / "policy.safetensors"))
    pairs = zip(second.policy.actor.parameters(), first.policy.actor.parameters(), strict=True)
    assert all((mine == other).all() for mine, other in pairs) and not second.clones
    with pytest.raises(ValueError, match="size mismatch"):
        fit(table, start=tmp_path / "policy.safetensors", net_arch=(25,))
