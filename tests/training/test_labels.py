"""Labels: the same for any number of workers, true to what playing on pays, and refused where they do not belong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents.network_spec import NetworkSpec
from tantra_envs import cli
from tantra_envs.opponents import opponent

pytest.importorskip("torch")
labels = pytest.importorskip("training.labels")
shards = pytest.importorskip("training.label_shards")
networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("agents.checkpoint")
GAME = tantra_envs.game("karma")


def words(folder, **other):
    given = {"deals": 6, "shard": 3, "worlds": 4, "share": 0.1, "runs": folder, "name": "a", **other}
    return ["karma", *(f"--{name}={value}" for name, value in given.items())]


def contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    labels.main(words(folder))
    return folder / "a"


def test_what_is_labelled_are_choices_of_the_game(made):
    found = shards.read_all([made], GAME)
    assert len(found) > 20 and (found.masks.sum(axis=1) > 1).all()
    views = GAME.view.to_float(found.observations)
    assert (found.actions[:, 0] == GAME.scripted.choose(GAME, views, found.masks)).all()
    known = found.actions >= 0
    assert (known.sum(axis=1) == found.masks.sum(axis=1)).all()
    rows, places = np.nonzero(known)
    assert found.masks[rows, found.actions[rows, places]].all()
    assert (found.errors[:, 0] == 0).all() and found.errors.max() > 0.1
    values = found.values[known]
    assert values.min() >= -0.01 and values.max() <= 1.01 and 0.3 < values.mean() < 0.7


def test_values_are_means_over_playouts_in_shared_worlds():
    search = opponent("search:worlds=64", GAME)
    obs = tantra_envs.Observation(GAME, GAME.new(3))
    actions = search.candidates(obs.observation, obs.action_mask, np.flatnonzero(obs.action_mask[0])[:1], 3)
    twice = np.concatenate([actions, actions], axis=1)
    values = search.compare(obs, np.arange(1), twice, 64, np.random.default_rng(1))
    assert (values[:, : actions.shape[1]] == values[:, actions.shape[1] :]).all()  # the same worlds, the same chance
    assert search.simulations == twice.size * 64 and set(np.unique(values.round(3))) <= {0.0, 0.5, 1.0}


def test_workers_on_ray_make_the_same(made, tmp_path):
    pytest.importorskip("ray")
    labels.main([*words(tmp_path, workers=2), "--ray"])
    assert contents(tmp_path / "a") == contents(made)


def test_two_workers_and_a_later_run_make_the_same(made, tmp_path, capsys):
    labels.main(words(tmp_path, deals=3))
    half = contents(tmp_path / "a")
    labels.main(words(tmp_path, workers=2))
    assert contents(tmp_path / "a") == contents(made) and half.items() <= contents(made).items()
    labels.main(words(tmp_path))
    assert "nothing is missing" in capsys.readouterr().out


def test_a_file_cut_short_is_made_again_and_never_read(made, tmp_path):
    labels.main(words(tmp_path))
    file = min((tmp_path / "a").iterdir())
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ValueError, match="holds no labels, or is damaged"):
        shards.read_all([tmp_path / "a"], GAME)
    labels.main(words(tmp_path))
    assert contents(tmp_path / "a") == contents(made)


def refusal(capsys, *given):
    with pytest.raises(SystemExit) as ended:
        labels.main(list(given))
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_other_labels_in_the_folder_are_left_alone(made, capsys):
    before = contents(made)
    assert "holds other labels: method=" in refusal(capsys, *words(made.parent, worlds=5))
    assert "holds other labels: players=2; wanted: players=3" in refusal(capsys, *words(made.parent, players=3))
    assert contents(made) == before


def test_labels_of_another_game_encoding_or_version_are_not_read(made, tmp_path):
    with pytest.raises(ValueError, match="holds other labels: players=2; wanted: players=4"):
        shards.read_all([made], tantra_envs.game("karma", players=4))
    with pytest.raises(ValueError, match="holds other labels: game='karma_v0'; wanted: game='tarot_v0'"):
        shards.read_all([made], tantra_envs.game("tarot"))
    with pytest.raises(ValueError, match=r"there are no labels in .*; make some with python -m training.labels"):
        shards.read_all([tmp_path], GAME)
    file = min(made.iterdir())
    older = {**shards.read_origin(file), "format": 0}
    shards.write(tmp_path / file.name, shards.read(file, GAME), older)
    with pytest.raises(ValueError, match="holds other labels: format=0; wanted: format=1"):
        shards.read_all([tmp_path], GAME)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--base=learned:kanastic-selfplay", "asks the scripted player and cannot play on in playouts"),
        ("--worlds=0", "worlds=0 is not allowed; allowed: 1 or more"),
        ("--share=0", "share=0.0 is not allowed"),
        ("--base=greedy", "greedy cannot play on in playouts; allowed: scripted, learned:NAME, ppo:FILE"),
        ("--visitors=nobody", "unknown agent 'nobody'"),
        ("--workers=0", "workers=0 is not allowed"),
    ],
    ids=lambda text: text.partition("=")[0].strip("-") if text.startswith("--") else "",
)
def test_refusals_say_what_is_wrong(option, said, tmp_path, capsys):
    game = "kanastic" if "kanastic" in option else "karma"
    assert said in refusal(capsys, game, f"--runs={tmp_path}", option)
    assert not any(tmp_path.rglob("*.safetensors"))


FILES = sorted((Path(__file__).parents[2] / "configs/training/labels").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_configs_are_understood(file, tmp_path):
    args = cli.read(labels.Args, labels.PROGRAM, ["--config", str(file), "--runs", str(tmp_path)])
    if args.values:  # another command makes them
        args = replace(args, values=str(values_of(cli.game(args.game, args.players), tmp_path / args.values)))
    jobs, _ = labels.prepare(args)
    assert sum(job.deals for job in jobs) == args.deals


def values_of(game, file):
    """A network that has learned nothing."""
    spec = NetworkSpec("mlp", (4,), "relu", output="value")
    file.parent.mkdir(parents=True)
    checkpoint.write_model(file, networks.tensors_of(spec.actor(game)), spec, game)
    return file
