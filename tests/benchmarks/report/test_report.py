"""The page of a game: made of its studies, everything inside, taken up again where it stopped, clear about mistakes."""

from __future__ import annotations

import html
import re
import shlex
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks.balance import __main__ as balance
from benchmarks.balance import report as balance_report
from benchmarks.chances import __main__ as chances
from benchmarks.harness import shards
from benchmarks.report import __main__ as command
from benchmarks.report import reading, study
from benchmarks.report.args import Args
from benchmarks.report.told import Told, changed, said
from benchmarks.restricted import __main__ as restricted
from tantra_envs import GAMES, cli

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "docs/reports").glob("*.html"))
CONFIGS = sorted((ROOT / "configs/report").glob("*.toml"))
WORDS = (
    *("karma", "--deals", "8", "--shard", "4", "--agents", "uniform", "scripted", "search:1 over 2 deals"),
    *("--chances", "scripted over 3 deals", "--worlds", "2", "--restricted", "scripted over 3 deals"),
    *("--rules", "uniform over 4 deals", "scripted over 4 deals", "--vary", "copies=2,3", "karma_sets=true,false"),
)
PROGRAMS = {"benchmarks.balance": balance, "benchmarks.chances": chances, "benchmarks.restricted": restricted}


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report"])


def play(runs, *words):
    return command.main([*WORDS, "--runs", str(runs), "--name", "mine", *words])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    assert play(folder) == 0
    return folder


def cells(page):
    return [html.unescape(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", page)]


def assert_shows(page, figures):
    """Every cell is a figure of the table, or a change."""
    rows = figures.filter(pl.col("value").is_not_null()).to_dicts()
    known = {said(row, signed) for row in rows for signed in (False, True)}
    known |= {changed(row) for row in rows if row["change"] is not None}
    shown = cells(page)
    assert len(shown) > 60 and not [cell for cell in shown if cell != "-" and cell not in known]


def test_the_page_shows_the_figures_beside_it(runs):
    page, figures = (runs / "mine/karma.html").read_text(), pl.read_parquet(runs / "mine/karma.parquet")
    assert dict(figures.schema) == reading.SCHEMA
    assert_shows(page, figures)
    assert set(figures["section"]) == {"levels", "lengths", "chances", "restricted", "rules", "changes"}


def test_everything_is_inside_and_it_is_read_in_light_and_dark_and_printed(runs):
    page = (runs / "mine/karma.html").read_text()
    assert not re.search(r'(src|href)="(?!#)', page.replace("xlink:href", ""))
    assert page.count("<svg") == page.count("<figure>") == 6
    assert "prefers-color-scheme: dark" in page and "@media print" in page
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--ink)" in drawn and "var(--c0)" in drawn and "#1f2328" not in drawn


def test_figures_are_those_of_the_studies(runs):
    figures = Told(pl.read_parquet(runs / "mine/karma.parquet"))
    assert figures.levels() == ["uniform", "scripted", "search:1"]
    assert [row["deals"] for row in figures.rows("levels", figure="mean length")] == [8, 8, 2]
    for lineup in figures.levels():
        assert sum(row["value"] for row in figures.rows("lengths", lineup=lineup)) == pytest.approx(1)
    base, longer = (figures.one("rules", figure="mean length", variant=v) for v in ("as given", "copies=3"))
    (relative,) = figures.rows("changes", figure="length", variant="copies=3")
    assert longer["change"] == pytest.approx(longer["value"] - base["value"])
    assert relative["value"] == pytest.approx(longer["change"] / base["value"])
    assert {row["variant"] for row in figures.rows("changes")} == {"copies=3", "karma_sets=false"}


def test_what_hardly_any_deal_tells_of_is_left_out(runs, monkeypatch):
    figures = pl.DataFrame({"variant": ["v"] * 2, "lineup": ["a"] * 2, "counted": [0.95, 0.99], "value": [1.0, 2.0]})
    monkeypatch.setattr(reading, "answers", lambda study, games: figures)
    rows = reading._told("levels", None, pl.DataFrame({"variant": ["v"], "lineup": ["a"], "deal": [0]}))
    assert [row["value"] for row in rows] == [2.0]


def test_ranges_of_lengths_are_easy_and_cover_every_game():
    starts = reading._starts(pl.Series([103, 110, 180, 900]).to_numpy())
    assert starts[0] == 100 and starts[1] - starts[0] == 50 and starts[-1] <= 900
    assert reading._starts(pl.Series([7, 7]).to_numpy()) == [7]


def test_every_part_is_made_alone_by_its_command_from_the_same_records(runs, monkeypatch):
    page = html.unescape((runs / "mine/karma.html").read_text())
    told = {words for words in re.findall(r"<pre>(.*?)</pre>", page) if "benchmarks.report" not in words}
    monkeypatch.setattr(shards, "play", None)  # nothing is left to be played
    monkeypatch.setattr(balance_report, "picture", lambda question, found: "")
    for words in told:
        python, option, program, *options = shlex.split(words)
        assert (python, option) == ("python", "-m")
        assert PROGRAMS[program].main(options) == 0
    assert len(told) == 4
    alone = pl.read_parquet(runs / "mine/levels/figures.parquet").filter(pl.col("figure") == "mean length")
    mine = Told(pl.read_parquet(runs / "mine/karma.parquet")).rows("levels", figure="mean length")
    assert alone["value"].to_list() == [row["value"] for row in mine]


def test_a_stopped_report_goes_on_and_ends_alike(runs, tmp_path, monkeypatch, stopped_after):
    stopped_after(5, lambda: play(tmp_path))
    played, whole = [], shards.play
    monkeypatch.setattr(shards, "play", lambda shard: played.append(shard) or whole(shard))
    assert play(tmp_path) == 0
    assert len(played) == len(list((runs / "mine").glob("*/records/*.parquet"))) - 5
    one, two = (pl.read_parquet(folder / "mine/karma.parquet") for folder in (runs, tmp_path))
    assert one.equals(two)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "unknown game 'chess'"),
        (["karma", "--agents", "scripted", "scripted"], "levels: agents='scripted,scripted' is not allowed"),
        (
            ["karma", "--chances", "scripted over many deals"],
            "chances: agents='scripted over many deals' is not allowed",
        ),
        (["karma", "--worlds", "0"], "chances: worlds=0 is not allowed"),
        (["karma", "--restricted", "nobody"], "restricted: unknown agent 'nobody'"),
        (["karma", "--vary", "copies=2,7"], "rules: karma: copies=7 is not allowed; allowed: 2, 3"),
        (["karma", "--deals", "1"], "levels: deals=1 is not allowed"),
        (["karma", "--shard", "0"], "levels: shard=0 is not allowed"),
        (["karma", "--precision", "0.1"], "precision=0.1 is not allowed; allowed: None"),
        (["tantrix:solitaire"], "has nobody to play against"),
    ],
    ids=["game", "twice", "words", "worlds", "nobody", "value", "deals", "shard", "precision", "alone"],
)
def test_mistakes_are_told_in_a_line(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([*words, "--runs", str(tmp_path)])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_without_rules_and_freedoms_their_parts_are_left_out(tmp_path):
    prepared = study.prepare(Args(game="tantrix:race", agents=("uniform", "scripted"), runs=tmp_path))
    assert list(prepared.parts) == ["levels", "chances"]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.stem)
def test_shipped_configs_can_be_played(tmp_path, config):
    words = ["--config", str(config), "--runs", str(tmp_path), "--page", str(tmp_path / "p.html")]
    prepared = study.prepare(cli.read(Args, command.PROGRAM, words))
    assert prepared.game.id == config.stem and len(prepared.parts["levels"].agents) == 3
    assert len(prepared.parts["rules"].games) > 4


@pytest.mark.parametrize("page", PAGES, ids=lambda file: file.stem)
def test_shipped_pages_show_the_figures_beside_them(page):
    text = page.read_text(encoding="utf-8")
    assert f"--config configs/report/{page.stem}.toml" in text and len(text) < 400_000
    assert_shows(text, pl.read_parquet(page.with_suffix(".parquet")))


def test_every_game_has_a_page_and_a_config():
    assert {file.stem for file in CONFIGS} == {file.stem for file in PAGES} == set(GAMES)
