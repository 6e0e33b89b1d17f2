"""Runs of `training learn`: iterations build on earlier ones, stopped runs are resumed, and configs fit."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tantra_envs import cli

pytest.importorskip("torch")
learn = pytest.importorskip("training.learn")
run_module = pytest.importorskip("training.learn.run")
files = pytest.importorskip("training.learn.label_files")
run_folder = pytest.importorskip("training.run_folder")
options = pytest.importorskip("training.learn.options")
values = pytest.importorskip("training.learn.values")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
expert_iteration = pytest.importorskip("training.learn.expert_iteration")
Learn, Args = run_module.Learn, options.Args

SMALL = {"value_deals": 12, "deals": (6,), "share": (0.2,), "value_net": (8,), "net_arch": (8,), "bc_decisions": 500}
SMALL |= {"epochs": 2, "final_deals": 4, "determinizations": 2, "playout_length": 4, "eval_opponents": ("uniform",)}
FEATURES = {"game": "tantrix:solitaire", "policy": "features", "objective": "values", "playout_length": 0}


def words(folder, **other):
    values = {**SMALL, "runs": folder, "name": "c", **other}
    lists = {name: value if isinstance(value, tuple) else (value,) for name, value in values.items()}
    return [word for name, value in lists.items() for word in (f"--{name.replace('_', '-')}", *map(str, value))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of two iterations that was stopped in the second one after an epoch, and resumed with two workers."""
    runs = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expert_iteration.Fit, "epoch", stop_in_the_second_iteration(expert_iteration.Fit.epoch))
        with pytest.raises(SystemExit) as ended:
            learn.main(words(runs))
    assert ended.value.code == 130
    learn.main(["--resume", str(runs / "c"), "--workers", "2"])
    return runs / "c"


def stop_in_the_second_iteration(epoch):
    epochs = []

    def stopping(fit):
        if len(epochs) == 3:
            raise KeyboardInterrupt
        epochs.append(fit)
        epoch(fit)

    return stopping


def digests(folder):
    return [checkpoint.read_card(folder / f"iteration-{number}/policy.safetensors").digest for number in (1, 2)]


def test_a_resumed_run_ends_as_one_that_was_not_stopped(folder, tmp_path):
    learn.main(words(tmp_path))
    assert digests(tmp_path / "c") == digests(folder)
    first, second = (run_folder.read_checkpoint(one)["history"] for one in (tmp_path / "c", folder))
    for one, two in zip(first, second, strict=True):
        assert one["scores"] == two["scores"] and len(one["epochs"]) == len(two["epochs"]) == 2


def test_an_iteration_begins_with_the_policy_of_the_one_before(folder):
    first, second = (folder / f"iteration-{number}" for number in (1, 2))
    policy = f"ppo:{first}/policy.safetensors"
    origin = files.read_origin(next((second / "labels").iterdir()))
    assert origin["method"]["games"]["base"] == policy
    assert origin["method"]["games"]["behaviour_policies"] == [policy, "scripted"]
    cards = {name: checkpoint.read_card(second / f"{name}.safetensors") for name in ("policy", "values")}
    assert origin["origins"]["base"]["digest"] == checkpoint.read_card(first / "policy.safetensors").digest[:12]
    assert origin["origins"]["values"]["digest"] == cards["values"].digest[:12]
    assert checkpoint.read_card(folder / "model.safetensors").digest == cards["policy"].digest


def test_a_run_reports_its_iterations(folder):
    results = json.loads((folder / "results.json").read_text())
    assert [row["opponent"] for row in results["results"]] == ["uniform"]
    assert [entry["iteration"] for entry in results["history"]] == [1, 2]
    assert "previous" in results["history"][1] and results["history"][1]["minutes"] is None  # of two workers
    assert len((folder / "command.txt").read_text().splitlines()) == 2
    assert "runs" not in results["settings"]  # no paths of this machine


def test_a_finished_run_does_nothing_again_and_more_iterations_can_be_added(folder, capsys):
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("iteration-*/*.safetensors")}
    learn.main(["--resume", str(folder)])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("iteration ")]
    assert len(lines) == 2 and "against the iteration before" in lines[1]
    assert before == {file: file.stat().st_mtime_ns for file in folder.rglob("iteration-*/*.safetensors")}
    assert Learn.resume(Args(resume=folder, more=3)).args.iterations == 5


def test_a_policy_over_features_plays_the_playouts_of_the_next_iteration(tmp_path):
    learn.main(words(tmp_path, **FEATURES, share=(0.6, 0.5), deals=(6, 3), epochs=1))
    run = Learn.resume(Args(resume=tmp_path / "c"))
    one, two = (expert_iteration.Iteration(run.args, number) for number in (1, 2))
    counts = [len(files.read_all([iteration.labels], run.game)) for iteration in (one, two)]
    assert [entry["labels"] for entry in run.history] == counts
    assert two.base == f"ppo:{one.policy}" and two.games().behaviour_policies == (two.base, "scripted")
    origin = files.read_origin(next(two.labels.iterdir()))
    assert origin["origins"]["base"]["digest"] == checkpoint.read_card(one.policy).digest[:12]
    assert two.games().share == 0.5 and two.seed == 2 and two.values is None


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"iterations": 0}, "iterations=0 is not allowed"),
        ({"deals": ()}, "deals=() is not allowed; allowed: one number or more"),
        ({"determinizations": 0}, "determinizations=0 is not allowed"),
        ({"share": (0.5, 0.0)}, "share=0.0 is not allowed"),
        ({"playout_length": -1}, "playout_length=-1 is not allowed"),
        ({"temperature": 0.0}, "temperature=0.0 is not allowed"),
        ({"bc_decisions": 0}, "bc_decisions=0 is not allowed with objective='advantage'"),
        ({"game": "chess"}, "chess"),
        ({"game": "tantrix:solitaire"}, "value_deals=12 is not allowed in tantrix_v0, a game for one"),
        ({"base": "greedy"}, "greedy cannot play in playouts; allowed: scripted, learned, learned:NAME, ppo:FILE"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"epsilon": ()}, "epsilon=() is not allowed; allowed: one number or more"),
        (
            {"tables": 5},
            "tables=5 is not allowed with algorithm='expert-iteration', which does not use it; allowed: 512",
        ),
        ({"workers": 0}, "workers=0 is not allowed"),
        ({"workers": 2**63}, "workers=9223372036854775808 is not allowed"),
        ({"temperature": float("inf")}, "temperature=inf is not allowed"),
        ({"value_net": (1 << 40,)}, "value_net=1099511627776 is not allowed"),
    ],
)
def test_options_that_are_not_allowed(other, message, tmp_path):
    with pytest.raises(ValueError) as refused:
        Learn.begin(replace(Args(**SMALL), runs=tmp_path, **other))
    assert message in str(refused.value) and not any(tmp_path.iterdir())


def test_a_file_without_labels_is_one_of_several(tmp_path):
    shares = {"share": (0.02,), "deals": (12,), "shard": 1, "iterations": 1}
    learn.main(words(tmp_path, **FEATURES, **shares))
    run = Learn.resume(Args(resume=tmp_path / "c"))
    sizes = [len(files.read(file, run.game)) for file in (tmp_path / "c/iteration-1/labels").iterdir()]
    assert len(sizes) == 12 and min(sizes) == 0 and sum(sizes) == run.decisions > 1


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({**FEATURES, "share": (1e-6,)}, "have 0 labelled positions"),
        ({"value_deals": 1, "game": "karma:quick", "share": (1e-6,)}, "value_deals=1 gave 0 samples"),
    ],
)
def test_an_iteration_without_data_ends_in_one_line(other, message, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(values, "SHARE", 1e-6)
    with pytest.raises(SystemExit) as ended:
        learn.main(words(tmp_path, **other))
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 1 and message in line and str(tmp_path / "c") in line


def test_a_run_of_another_command_or_version_is_refused(folder, tmp_path):
    with pytest.raises(ValueError, match="holds a run already; continue it with --resume"):
        Learn.begin(replace(Args(**SMALL), runs=folder.parent, name=folder.name))
    content = run_folder.read_checkpoint(folder)
    content["settings"]["turns"] = 2
    run_folder.write_checkpoint(tmp_path, content)
    with pytest.raises(ValueError, match="is a run of another command or version"):
        Learn.resume(Args(resume=tmp_path))


def test_a_run_that_was_saved_before_an_option_existed_is_resumed_with_its_default(folder, tmp_path):
    content = run_folder.read_checkpoint(folder)
    del content["settings"]["eval_deals"], content["settings"]["opponents"], content["settings"]["algorithm"]
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    run_folder.write_checkpoint(tmp_path, content)
    run = Learn.resume(Args(resume=tmp_path))
    assert (run.args.eval_deals, run.args.opponents, run.args.algorithm) == (100, ("scripted",), "expert-iteration")
    assert run.algorithm.iteration == 2


def test_a_checkpoint_without_the_state_of_a_run_is_refused(folder, tmp_path):
    content = run_folder.read_checkpoint(folder)
    content["fit"] = content.pop("algorithm")["fit"]
    run_folder.write_checkpoint(tmp_path, content)
    message = "has no 'algorithm' in its checkpoint; it is a run of another command or version, so begin a new one"
    with pytest.raises(ValueError, match=message):
        Learn.resume(Args(resume=tmp_path))


@pytest.mark.parametrize("name", ["iteration-1/policy.safetensors", "iteration-2/values.safetensors"])
def test_a_damaged_model_file_of_an_iteration_is_refused_when_the_run_is_resumed(name, tmp_path, capsys):
    learn.main(words(tmp_path, iterations=1))
    (tmp_path / "c/iteration-2").mkdir()
    content = (tmp_path / "c/iteration-1" / Path(name).name).read_bytes()
    (tmp_path / "c" / name).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(SystemExit) as ended:
        learn.main(["--resume", str(tmp_path / "c"), "--more", "1"])
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2 and line.startswith("error: ") and f"{name} is damaged" in line


CONFIGS = Path(__file__).parents[2] / "configs/training"
FILES = sorted(file for file in CONFIGS.glob("*.toml") if not file.stem.startswith(("selfplay-", "ppo-")))


def read(file):
    """Return the options of a config."""
    return cli.read(Args, Learn.PROGRAM, ["--config", str(file)])


OF_NAME = {"karma": "karma-tables", "karma-2p": "karma"}  # weights whose config has another name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_shipped_configs_are_understood(file):
    args = read(file)
    without_base = replace(args, base="scripted")  # the network of a run, where the run begins with one
    options.check(without_base)
    assert args.name == file.stem and file.stem.startswith(args.game.partition(":")[0])


WEIGHTS = Path(checkpoint.__file__).with_name("weights")


@pytest.mark.parametrize("name", sorted(file.stem for file in WEIGHTS.glob("*.safetensors")))
def test_every_shipped_agent_has_a_config(name):
    args = read(CONFIGS / f"{OF_NAME.get(name, name)}.toml")
    card = checkpoint.read_card(WEIGHTS / f"{name}.safetensors")
    assert card.network["policy"] == args.spec.policy and tuple(card.network["net_arch"]) == args.net_arch
    assert card.settings["game"] == args.game and card.settings["epochs"] == args.epochs
    assert card.label.get("players") in (None, cli.game(args.game, args.players).players)
