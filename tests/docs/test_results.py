"""Results are small files that say where they come from, and pages of every kind are made from them."""

from __future__ import annotations

import re
import runpy
import tomllib

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("polars")

from benchmarks.check import compare_figures
from benchmarks.presets import ladder
from docs._site import curves, results
from tantra_envs.programs import results as tables

from .pages import PAGES, ROOT, commands, name_of

TABLES = sorted((ROOT / results.RESULTS).rglob("*.csv"))


@pytest.mark.parametrize("file", TABLES, ids=name_of)
def test_results_are_lines_of_one_table_with_command_version_seed_and_date(file):
    table = tables.read(file)
    assert re.match(r"python -m ((benchmarks|training) \w+ |docs\._site\.\w+)", tables.command_of(file))
    assert dict(table.schema) == tables.SCHEMA and not table.is_empty()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in table["version"])
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for date in table["date"])
    assert table.filter(table["low"] > table["value"]).is_empty()
    assert table.filter(table["high"] < table["value"]).is_empty()
    if file.parent.name in ("ladder", "study"):
        config = ROOT / re.search(r"--config (\S+)", tables.command_of(file))[1]
        assert tomllib.loads(config.read_text(encoding="utf-8"))["results"] == file.relative_to(ROOT).as_posix()
    played = table.filter(table["digest"] != "")  # agents of older studies have none
    assert (played["digest"].str.split(" ").list.len() == 1 + (played["others"] != "").cast(int)).all()


@pytest.mark.whole
def test_results_of_the_benchmark_follow_from_their_points():
    number, _, words = compare_figures(ROOT / "docs/results/rank").partition(" ")
    assert words == "figures are computed again to the same values" and int(number.replace(",", "")) > 4000


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_command_on_a_page_made_the_results_of_its_config(page):
    """With all its options: a config may have been played with fewer deals."""
    shown = [command for command in commands(page) if re.search(r"--config configs/[a-z\d/-]+\.toml", command)]
    for command in shown:
        config = tomllib.loads((ROOT / re.search(r"--config (\S+)", command)[1]).read_text(encoding="utf-8"))
        if "results" in config and (ROOT / config["results"]).is_file():
            assert tables.command_of(ROOT / config["results"]) == command


def test_pictures_of_results_are_as_they_are_made(tmp_path):
    runpy.run_path(str(ROOT / "docs/pictures/make.py"))["make_study"](tmp_path)
    curves.write(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {
        f"{name}-{theme}.svg" for name in ("study", "curves") for theme in ("dark", "light")
    }
    for made in tmp_path.iterdir():
        folder = curves.FOLDER if made.name.startswith("curves") else ROOT / "docs/pictures"
        assert (folder / made.name).read_bytes() == made.read_bytes(), (
            "run: python docs/pictures/make.py, or page_parts"
        )


def test_the_page_of_a_ladder_has_the_lead_of_open_cards_with_its_sign(tmp_path):
    words = ["karma", "--rungs", "uniform", "oracle", "--deals", "4", "--runs", str(tmp_path), "--name", "mine"]
    assert ladder.main(words) == 0
    assert "minus that of `uniform` is\n+1.000 [" in (tmp_path / "mine/karma.md").read_text(encoding="utf-8")


def test_every_file_of_results_has_a_row():
    text = (ROOT / "docs/results/README.md").read_text(encoding="utf-8")
    patterns = [re.sub("[A-Z]{2,}", "*", row) for row in re.findall(r"^\| `([\w/-]+\.\w+)` \|", text, re.MULTILINE)]
    listed = {file: [pattern for pattern in patterns if file.match(f"results/{pattern}")] for file in TABLES}
    assert not [file.name for file, found in listed.items() if len(found) != 1]
    assert not [pattern for pattern in patterns if not list((ROOT / "docs/results").glob(pattern))]
