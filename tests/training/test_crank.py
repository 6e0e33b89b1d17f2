"""The crank: turns that begin from the last one, go on where they were stopped, and say what they came to."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tantra_envs import cli

torch = pytest.importorskip("torch")
crank = pytest.importorskip("training.crank")
shards = pytest.importorskip("training.label_shards")
checkpoint = pytest.importorskip("agents.checkpoint")

SMALL = {"value_deals": 12, "label_deals": 6, "share": 0.2, "value_net": (8,), "net_arch": (8,), "bc_decisions": 500}
SMALL |= {"epochs": 1, "final_deals": 4, "threads": 1, "worlds": 2, "plies": 4}


def words(folder, **other):
    given = {**SMALL, "runs": folder, "name": "c", **other}
    flat = {name: value[0] if isinstance(value, tuple) else value for name, value in given.items()}
    return [f"--{name.replace('_', '-')}={value}" for name, value in flat.items()]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two turns, stopped in the second one between its labels and its student."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            crank, "_student", lambda turn, student=crank._student: student(turn) if turn.number < 2 else stop()
        )
        with pytest.raises(SystemExit):
            crank.main(words(folder))
    crank.main(words(folder))
    return folder / "c"


def stop():
    raise KeyboardInterrupt


def test_a_turn_begins_from_the_last_one(made):
    first, second = (made / f"turn-{number}" for number in (1, 2))
    rows = [json.loads((turn / "results.json").read_text()) for turn in (first, second)]
    student = f"ppo:{first}/student/model.safetensors"
    assert [result["opponent"] for result in rows[0]["results"]] == ["uniform", "greedy", "scripted"]
    assert rows[1]["results"][-1]["opponent"] == student and rows[0]["minutes"] > 0 and rows[1]["minutes"] is None
    origin = shards.read_origin(next((second / "labels").iterdir()))
    assert origin["method"]["base"] == student and origin["method"]["visitors"] == f"{student},scripted"
    assert origin["origins"]["base"]["digest"] == checkpoint.read_card(first / "student/model.safetensors").digest[:12]
    assert (
        origin["origins"]["values"]["digest"] == checkpoint.read_card(second / "values/model.safetensors").digest[:12]
    )
    assert checkpoint.read_card(second / "student/model.safetensors").settings["start"] == student.removeprefix("ppo:")


def test_what_is_done_is_told_in_two_lines_a_turn_and_not_done_again(made, capsys):
    before = {file: file.stat().st_mtime_ns for file in made.rglob("*.safetensors")}
    crank.main(words(made.parent, workers=2))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and lines[0].startswith("turn 1: ") and "in 2 worlds for 4 actions of scripted" in lines[0]
    assert "against scripted" in lines[1] and lines[1].endswith("turn-1/student/model.safetensors")
    assert before == {file: file.stat().st_mtime_ns for file in made.rglob("*.safetensors")}


def test_playouts_to_the_end_need_no_values(tmp_path, capsys):
    crank.main(words(tmp_path, turns=1, plies=0, transform="symlog"))
    turn = tmp_path / "c" / "turn-1"
    assert not (turn / "values").exists()
    origin = shards.read_origin(next((turn / "labels").iterdir()))
    assert origin["method"]["plies"] == 0 and origin["method"]["values"] is None
    assert checkpoint.read_card(turn / "student/model.safetensors").settings["transform"] == "symlog"
    assert "turn 1: 0 looks" in (told := capsys.readouterr().out) and "to the end, played by scripted" in told


def test_other_settings_are_refused_and_nothing_is_changed(made, tmp_path):
    args = cli.read(crank.Args, crank.PROGRAM, words(made.parent))
    with pytest.raises(ValueError, match=r"was begun with spread=0.003; now it is 0.01"):
        crank.check(replace(args, spread=0.01))
    crank.check(replace(args, turns=5, workers=3))
    for other, said in (
        ({"turns": 0}, "turns=0 is not allowed"),
        ({"plies": -1}, "plies=-1 is not allowed"),
        ({"game": "chess"}, "chess"),
    ):
        with pytest.raises(ValueError, match=said):
            crank.check(replace(args, runs=tmp_path, **other))
    assert not any(tmp_path.iterdir())


FILES = sorted((Path(__file__).parents[2] / "configs/training/crank").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_configs_are_understood(file, tmp_path):
    args = cli.read(crank.Args, crank.PROGRAM, ["--config", str(file), "--runs", str(tmp_path)])
    crank.check(args)
    assert args.name == f"{file.stem}-crank"
