"""Students: they learn what labels say, go on where they stopped, and play on in playouts as base players."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import origin, parse, playing_as
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts

torch = pytest.importorskip("torch")
distil = pytest.importorskip("training.distil")
labels = pytest.importorskip("training.labels")
shards = pytest.importorskip("training.label_shards")
descriptions = pytest.importorskip("agents.descriptions")
GAME = tantra_envs.game("karma")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Labels that say plainly that the last legal action is the best one."""
    folder = tmp_path_factory.mktemp("labels")
    method = {"deals": 8, "shard": 8, "worlds": 1, "share": 0.8, "runs": folder, "name": "a"}
    labels.main(["karma", *(f"--{name}={value}" for name, value in method.items())])
    file = next((folder / "a").iterdir())
    found, origin_of = shards.read(file, GAME), shards.read_origin(file)
    values = (found.actions == found.actions.max(axis=1, keepdims=True)).astype(np.float32)
    shards.write(file, shards.Labels(found.observations, found.masks, found.actions, values, found.errors), origin_of)
    return folder / "a"


def settings(made, folder, **other):
    learn = {"objective": "values", "bc_decisions": 0, "spread": 0.06, "learning_rate": 2e-3}
    small = {"net_arch": (24,), "epochs": 12, "batch_size": 32, "threads": 1, "opponents": "uniform", "final_deals": 4}
    return distil.Args(**{"labels": (made,), "runs": folder, "name": "s", "held_out": 0.1, **learn, **small, **other})


def words(args):
    plain = {name: value for name, value in distil.plain(args).items() if value not in (None, "")}
    flat = {
        name: " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value for name, value in plain.items()
    }
    return [word for name, value in flat.items() for word in (f"--{name.replace('_', '-')}", *str(value).split())]


def test_a_student_comes_to_choose_what_is_worth_more(made, tmp_path):
    run = distil.begin(settings(made, tmp_path))
    distil.learn(run)
    first, last = run.history[0], run.history[-1]
    assert last["loss"] < first["loss"] and last["gain"] > max(0.6, first["gain"]) and last["deviates"] > 0.5
    values = run.student(run.batch(run.rows[1]).inputs)[1]
    batch = run.batch(run.rows[1])
    guessed, true = values.gather(1, batch.actions)[batch.known], batch.values[batch.known]
    assert np.corrcoef(guessed.detach(), true)[0, 1] > 0.5


def test_placements_are_chosen_by_their_features(tmp_path):
    policy = "foresight"
    labels.main(["tantrix", "--deals=12", "--shard=12", "--worlds=1", "--share=0.5", "--plies=1", f"--runs={tmp_path}"])
    file, game = next((tmp_path / "labels").iterdir()), tantra_envs.game("tantrix")
    found, origin_of = shards.read(file, game), shards.read_origin(file)
    rows, actions, features, _ = descriptions.described(policy, game, game.view.to_float(found.observations))
    loose = np.zeros((len(found), game.actions.size), np.float32)
    loose[rows, actions] = -features.sum(axis=1)  # what the scripted player would not think of
    values = np.take_along_axis(loose, found.actions.clip(0).astype(np.int64), axis=1)
    shards.write(file, shards.Labels(found.observations, found.masks, found.actions, values, found.errors), origin_of)
    small = {"game": "tantrix", "policy": policy, "net_arch": (16,), "learning_rate": 2e-2, "epochs": 20}
    run = distil.begin(settings(file.parent, tmp_path, **small))
    distil.learn(run)
    first, last = run.history[0], run.history[-1]
    batch = run.batch(run.rows[1])
    most = float((batch.values.masked_fill(~batch.known, -torch.inf).amax(1) - batch.values[:, 0]).mean())
    assert last["gain"] > 0.8 * most > 0.05 and last["loss"] < first["loss"]
    again = distil.resume(run.folder)
    for mine, kept in zip(run.student(batch.inputs), again.student(batch.inputs), strict=True):
        assert torch.equal(mine, kept)
    (player,) = parse(f"ppo:{run.folder / distil.MODEL}", game)
    game.drivers.deal_rows(states := game.blanks(2), np.arange(2), np.arange(2))
    obs = Observation(game, states)
    legal, shown = obs.action_mask == 1, run.student(run.inputs(obs.observation))[0].detach().numpy()
    assert player.logits(obs)[legal] == pytest.approx(shown[legal], abs=1e-5)
    with pytest.raises(ValueError, match=f"policy='{policy}' is not allowed for karma"):
        distil.begin(settings(file.parent, tmp_path, name="other", policy=policy))


def test_it_moves_from_what_was_cloned_as_far_as_the_spread_lets_it(made, tmp_path):
    gains = []
    for spread in (0.02, 50.0):
        cloned = {"objective": "gain", "bc_decisions": 1, "learning_rate": 5e-3, "batch_size": 128, "epochs": 4}
        run = distil.begin(settings(made, tmp_path, name=f"s{spread}", spread=spread, **cloned))
        distil.learn(run)
        gains.append(run.history[-1]["gain"])
        batch = run.batch(run.rows[0])
        both = torch.stack([student(batch.inputs)[0] for student in (run.before, run.student)])
        same = (both.masked_fill(~batch.legal, -torch.inf).argmax(2).diff(dim=0) == 0).float().mean()
        assert same > 0.9 if spread > 1 else same < 0.7
    assert gains[0] > gains[1] + 0.2


def test_a_run_taken_up_ends_as_one_that_was_not_stopped(made, tmp_path, monkeypatch):
    whole = distil.begin(settings(made, tmp_path, name="whole", epochs=3))
    distil.learn(whole)
    stopped = distil.begin(settings(made, tmp_path, epochs=3))
    monkeypatch.setattr(
        distil, "save", lambda run, save=distil.save: (save(run), [][len(run.history) != 2 :] or stop())
    )

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        distil.learn(stopped)
    monkeypatch.undo()
    taken_up = distil.resume(tmp_path / "s")
    distil.learn(taken_up)
    mine, other = (run.student.state_dict() for run in (taken_up, whole))
    assert all((mine[name] == other[name]).all() for name in other) and len(taken_up.history) == 3


def test_the_command_learns_measures_and_leaves_a_model_that_plays_on(made, tmp_path, capsys):
    distil.main(words(settings(made, tmp_path, epochs=2, bc_decisions=500, batch_size=512)))
    assert "labelled positions" in capsys.readouterr().out
    results = json.loads((tmp_path / "s" / "results.json").read_text())
    assert [row["opponent"] for row in results["results"]] == ["uniform"] and len(results["history"]) == 2
    model = f"ppo:{tmp_path}/s/model.safetensors"
    played = playing_as(model, GAME)
    assert Playouts(played).run(GAME.new(1)).sum() == 0
    (player,) = parse(f"search:base={model},worlds=2", GAME)
    assert (
        player.name == f"search:base={model},worlds=2"
        and origin(player)["digest"] == parse(model, GAME)[0].origin["digest"]
    )
    assert player.act(tantra_envs.Observation(GAME, GAME.new(1)), np.random.default_rng(0)).shape == (1,)


def test_the_scripted_player_stays_itself_where_a_network_stands_in_its_place(made, tmp_path):
    """Visitors sit at tables whose player is a network: theirs is the code that was compiled for their own."""
    run = distil.begin(settings(made, tmp_path))
    played = playing_as(f"ppo:{run.folder}/model.safetensors", GAME)
    (scripted,) = parse("scripted", GAME)
    asked, choose = [], scripted._choose
    scripted._choose = lambda game, *seen: asked.append(game.drivers) or choose(game, *seen)
    answers = [scripted.act(Observation(game, GAME.new(3)), np.random.default_rng(0)) for game in (GAME, played)]
    assert (answers[0] == answers[1]).all() and all(drivers is GAME.drivers for drivers in asked)


def test_a_student_may_begin_from_the_last_one(made, tmp_path):
    first = distil.begin(settings(made, tmp_path))
    distil.learn(first)
    model = tmp_path / "s" / "model.safetensors"
    second = distil.begin(settings(made, tmp_path, name="t", start=model))
    for mine, other in zip(second.student.actor.parameters(), first.student.actor.parameters(), strict=True):
        assert (mine == other).all()
    with pytest.raises(ValueError, match="size mismatch"):
        distil.begin(settings(made, tmp_path, name="u", start=model, net_arch=(25,)))
    assert not (tmp_path / "u").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"labels": ()}, "labels=() is not allowed"),
        ({"spread": 0.0}, "spread=0.0 is not allowed"),
        ({"players": 3}, "holds other labels: players=2; wanted: players=3"),
        ({"epochs": 0}, "epochs=0 is not allowed"),
        (
            {"policy": "foresight", "game": "tantrix:daily"},
            "policy='foresight' is not allowed for tantrix daily; allowed",
        ),
        ({"objective": "gain"}, "bc_decisions=0 is not allowed with objective='gain' and no start"),
    ],
    ids=["labels", "spread", "players", "epochs", "puzzle", "objective"],
)
def test_refusals_say_what_is_wrong(given, said, made, tmp_path):
    with pytest.raises(ValueError) as refused:
        distil.begin(settings(made, tmp_path, **given))
    assert said in str(refused.value) and not (tmp_path / "s").exists()


FILES = sorted((Path(__file__).parents[2] / "configs/training/students").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_configs_are_understood(file):
    args = distil.cli.read(distil.Args, distil.PROGRAM, ["--config", str(file)])
    distil.check(args)
    game = distil.cli.game(args.game, args.players)
    assert distil.spec_of(args).widths(game)[1:-1] == args.net_arch and parse(args.opponents, game)
