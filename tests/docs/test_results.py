"""Results are small files that say where they come from, and pages of every kind are made from them."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("polars")

from benchmarks.ladder import overview, report
from benchmarks.ladder.report import write_ladder_page
from benchmarks.study.page import write_study_page
from benchmarks.tune.report import write_tune_page
from docs._site import results

from .pages import ROOT

FILES = sorted((ROOT / results.RESULTS).glob("*/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_results_say_where_they_come_from(file):
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["command"].startswith("python -m benchmarks ")
    config = ROOT / re.search(r"--config (\S+)", content["command"])[1]
    assert config.is_file()
    assert isinstance(content["seed"] if "seed" in content else content["settings"]["seed"], int)
    assert re.fullmatch(r"\d+\.\d+\.\d+", content["version"]) and re.fullmatch(r"\d{4}-\d\d-\d\d", content["date"])
    assert file.stat().st_size < 200_000
    assert results.page_of(file.relative_to(ROOT))


def test_the_page_of_a_ladder_is_made_from_its_results(tmp_path):
    ladder = results.read("ladder")["tarot"]
    write_ladder_page(tmp_path / "tarot.md", ladder)
    page = (tmp_path / "tarot.md").read_text(encoding="utf-8")
    for rung in ladder["rungs"]:
        assert f"| {report.score_in_words(rung['score'])} | {report.deals_in_words(rung['score'])} |" in page
    assert "tarot-light.svg" in page and (tmp_path / "tarot-dark.svg").is_file()
    assert (report.NOTES / "tarot.md").read_text(encoding="utf-8").strip() in page


def test_the_page_of_a_tuning_is_made_from_its_results(tmp_path):
    tuning = results.read("tune")["karma"]
    write_tune_page(tmp_path / "karma.md", tuning)
    page = (tmp_path / "karma.md").read_text(encoding="utf-8")
    assert all(f"| `{trial['variant']}` | {trial['deals']:,} |" in page for trial in tuning["trials"])


def test_the_page_of_a_study_is_made_from_its_results(tmp_path):
    write_study_page(tmp_path / "karma.html", results.read("study")["karma"])
    page = (tmp_path / "karma.html").read_text(encoding="utf-8")
    assert page.count("<svg") > 15
    assert "0.413 [0.400, 0.425]" in page.replace("+", "")  # what karma cards are worth to the scripted agent


def test_the_overview_has_a_row_for_every_headline():
    ladders = results.read("ladder")
    shown = results.filled(f"before\n{overview.TABLE}\nafter")
    assert shown.count("\n| [`") == sum(
        own["against"] == "scripted" for ladder in ladders.values() for own in ladder["comparisons"]
    )
    few, many = sorted(overview.searches(ladders["karma"]))[:1], sorted(overview.searches(ladders["karma"]))[-1:]
    rise = overview.rise(ladders["karma"])
    assert few < many and rise is not None and rise[1] < rise[0] < rise[2]


def test_the_table_of_trained_agents_is_that_of_the_results():
    content = json.loads((ROOT / results.RESULTS / "trained-agents.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "trained-agents.md").read_text(encoding="utf-8")
    for row in content["rows"]:
        score = f"{row['score']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
        trained = "no" if row["warned"] else "yes"
        truncated = f"{100 * row['truncated']:.0f} %"
        assert f"| `{row['game']}` | {row['players']} | {score} | {truncated} | {trained} |" in page
    assert page.count("\n| `") == len(content["rows"])
