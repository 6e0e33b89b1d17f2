"""What every experiment promises: it plays, resumes, keeps, refuses nonsense, and its shipped configs load."""

import importlib
from pathlib import Path

import polars
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import plans, records
from benchmarks.study.experiment import prepare
from benchmarks.study.matchups import Args
from tantra_envs.games import SHIPPED
from tantra_envs.programs import cli
from tantra_envs.programs import results as files

ROOT = Path(__file__).resolve().parents[3]
DEALS = ("--deals", "4", "--shard", "2", "--name", "mine")
EXPERIMENTS = {
    "tournament": ("karma", "--agents", "uniform", "greedy", *DEALS),
    "ladder": ("karma", "--rungs", "uniform", "scripted", "search:2@2", "--compare", "greedy scripted", *DEALS),
    "study": ("karma", "--agents", "uniform", "scripted@2", "--sections", "seats", "skill", "length", *DEALS),
}
PRESETS = ("ladder", "tournament")
FOLDERS = {"tournament": "tournaments", "ladder": "ladders", "study": "studies"}
CONFIGS = [
    (name, file) for name, folder in FOLDERS.items() for file in sorted((ROOT / "configs" / folder).glob("*.toml"))
]


@pytest.fixture(params=EXPERIMENTS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folder of all experiments, each played once."""
    return tmp_path_factory.mktemp("runs")


def play(name, folder, *words):
    return main([name, *EXPERIMENTS[name], "--runs", str(folder / name), *words])


def results(name, folder):
    """The results without what differs from run to run."""
    table = folder / name / "mine/results.csv"
    assert " karma " in files.command_of(table)
    return files.read(table).drop("date").filter(polars.col("measure") != "milliseconds").rows()


@pytest.fixture
def played(name, runs):
    """The folder with the experiment played."""
    if not (runs / name).exists():
        assert play(name, runs) == 0
    return runs


def test_its_games_are_played_again_and_its_figures_checked(name, played, capsys):
    """The figures of a study follow from options that its results do not have."""
    assert main(["check", str(played / name / "mine")]) == 0
    figures = "figures in their intervals" if name == "study" else "figures are computed again to the same values"
    shown = capsys.readouterr().out
    assert " games are played again to the same results; " in shown and figures in shown


def test_the_same_command_plays_nothing_again(name, played, monkeypatch):
    before = results(name, played)
    monkeypatch.setattr(plans, "play_shard", None)
    assert play(name, played) == 0
    assert results(name, played) == before


def test_a_stopped_experiment_goes_on_and_ends_alike(name, played, tmp_path, monkeypatch, stopped_after):
    stopped_after(1, lambda: play(name, tmp_path))
    kept = {file: file.read_bytes() for file in (tmp_path / name / "mine/records").iterdir()}
    (damaged,) = kept
    damaged.write_bytes(kept[damaged][:100])  # a damaged record is played again
    assert play(name, tmp_path, *([] if name == "ladder" else ["--workers", "2"])) == 0
    assert damaged.read_bytes() == kept[damaged]
    assert results(name, tmp_path) == results(name, played)


@pytest.mark.parametrize("size", ["2", "4"], ids=["the_same_files", "other_files"])
def test_other_games_in_the_folder_are_left_alone(name, played, refusal, size):
    words = [size if word == "2" else word for word in (name, *EXPERIMENTS[name])]
    words += ["--runs", str(played / name), "--seed", "1"]
    assert "contains other games: seed=0 instead of 1; choose another --name" in refusal(main, words)


def test_a_full_disk_is_reported_in_one_line(name, tmp_path, monkeypatch, refusal):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records, "write", full)
    words = [name, *EXPERIMENTS[name], "--runs", str(tmp_path)]
    assert "No space left on device; finished shards are kept" in refusal(main, words, 1)


def test_an_experiment_in_use_is_refused_and_the_other_process_is_named(name, tmp_path, locked_by_another, capsys):
    folder = tmp_path / name / "mine"
    folder.mkdir(parents=True)
    with locked_by_another(folder) as other:
        assert play(name, tmp_path) == 1
    assert f"{folder} is in use by process {other.pid} on " in capsys.readouterr().err
    assert not list(folder.rglob("*.parquet"))


def test_a_program_is_counted_and_never_asked_again(name, tmp_path, program, capsys, monkeypatch):
    """Every third answer is nonsense, so that an action is drawn. The study has one section."""
    monkeypatch.setenv("COLUMNS", "900")
    agents = ["--rungs" if name == "ladder" else "--agents", program.word("nonsense"), "uniform"]
    sections = ["--sections", "skill"] if name == "study" else []
    words = [name, "karma", *agents, *sections, "--name", "mine", "--runs", str(tmp_path)]
    assert main([*words, "--deals", "2"]) == 0
    shown, asked, before = capsys.readouterr().out, program.questions, results("", tmp_path)
    (row,) = [line for line in shown.splitlines() if "actions drawn" in line]
    assert float(row.split("\u2502")[2]) == pytest.approx(asked // 3 / asked, abs=0.002)
    assert "characters sent" in shown and "lines dropped" in shown
    assert main([*words, "--deals", "2"]) == 0
    assert (program.questions, results("", tmp_path)) == (asked, before)


@pytest.mark.parametrize(("name", "file"), CONFIGS, ids=lambda value: getattr(value, "stem", value))
def test_shipped_configs_load(name, file, tmp_path):
    words = ["--config", str(file), "--runs", str(tmp_path), "--deals", "64"]
    assert f"python -m benchmarks {name} --config {file.relative_to(ROOT)}" in file.read_text(encoding="utf-8")
    if name in PRESETS:
        preset = importlib.import_module(f"benchmarks.presets.{name}")
        assert preset.rows(cli.read(preset.Args, f"benchmarks {name}", words)).rows
        return
    assert prepare(cli.read(Args, "benchmarks study", words)).plan.rows


@pytest.mark.parametrize("name", FOLDERS.values())
def test_every_game_has_a_config(name):
    assert set(SHIPPED) <= {file.stem for file in (ROOT / "configs" / name).glob("*.toml")}
