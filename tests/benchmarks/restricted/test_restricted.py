"""Studies of restricted play: bars that follow from their records, taken up again where they stopped."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks.harness import records, shards
from benchmarks.restricted import __main__ as restricted
from benchmarks.restricted import report, study
from benchmarks.restricted.args import Args
from tantra_envs import cli

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "docs/restricted").glob("*.md"))
CONFIGS = sorted((ROOT / "configs/restricted").glob("*.toml"))
WORDS = ("karma", "--agents", "scripted", "search:1 over 2 deals", "--without", "karma", "declining", "--deals", "12")


def play(runs, *words):
    return restricted.main([*WORDS, "--shard", "8", "--runs", str(runs), "--name", "mine", *words])


def kept(runs):
    found = json.loads((runs / "mine" / "karma.json").read_text())
    del found["command"]
    return found


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["restricted"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    assert play(folder) == 0
    return folder


def test_a_bar_is_what_the_records_say(runs):
    rows = kept(runs)["rows"]
    assert [(row["agent"], row["freedom"], row["deals"]) for row in rows] == [
        *(("scripted", freedom, 12) for freedom in ("karma", "declining")),
        *(("search:1", freedom, 2) for freedom in ("karma", "declining")),
    ]
    files = sorted((runs / "mine" / "records").glob("scripted-karma_*.parquet"))
    games = pl.concat([records.read(file).games for file in files])
    alone = [
        paid[names.index("scripted:without=karma")]
        for paid, names in zip(games["rewards"].to_list(), games["seats"].to_list(), strict=True)
    ]
    scores = [(reward > 0) + (reward == 0) / 2 for reward in alone]
    assert rows[0]["worth"] == pytest.approx(0.5 - sum(scores) / len(scores))
    assert 0.1 < rows[0]["low"] < rows[0]["worth"] < rows[0]["high"]  # karma cards are what the game is about
    assert rows[0]["lost"] > rows[1]["lost"] > 0


def test_the_page_the_pictures_and_the_parquet_tell_the_same(runs):
    folder = runs / "mine"
    rows, page = kept(runs)["rows"], (folder / "karma.md").read_text()
    assert all(report.in_words(row) in page and row["without"] in page for row in rows)
    assert pl.read_parquet(folder / "figures.parquet").to_dicts() == rows
    for theme in ("light", "dark"):
        picture = (folder / f"karma-{theme}.svg").read_text()
        assert all(name in picture for name in ("scripted", "search:1", "karma", "declining"))
        assert f"karma-{theme}.svg" in page


def test_decisions_that_were_missed_are_counted_one_by_one(runs):
    (file,) = (runs / "mine" / "records").glob("scripted-declining_0000008_*.parquet")
    record = records.read(file)
    declines, missed = record.game.actions["decline"].start, 0
    for row in record.games.iter_rows(named=True):
        state = record.game.new(row["deal"])
        for action in row["actions"]:
            mine = row["seats"][state["seat"][0]] == "scripted:without=declining"
            legal = record.game.legal(state)
            missed += mine and declines in legal and len(legal) > 1
            record.game.apply_action(state, action)
    assert study.lost(file) == missed > 0


def test_a_stopped_study_goes_on_and_ends_alike(runs, tmp_path, monkeypatch, stopped_after):
    stopped_after(2, lambda: play(tmp_path))
    played, whole = [], shards.play
    monkeypatch.setattr(shards, "play", lambda shard: played.append(shard) or whole(shard))
    assert play(tmp_path) == 0
    assert len(played) == len(list((runs / "mine" / "records").iterdir())) - 2
    assert kept(tmp_path) == kept(runs)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["karma", "--without", "buying"], "without=buying is not allowed; allowed: each once of keeping, karma"),
        (["karma", "--without", "karma", "karma"], "without=karma is not allowed"),
        (["karma", "--agents", "scripted", "scripted over 3 deals"], "allowed: agents that differ"),
        (["karma", "--agents", "scripted over many deals"], "allowed: PLAYER or PLAYER over N deals"),
        (["karma", "--shard", "0"], "shard=0 is not allowed"),
        (["tantrix:gobble", "--players", "3"], "names no freedoms"),
    ],
    ids=["unknown", "twice", "same-agent", "words", "shard", "none"],
)
def test_mistakes_are_told_in_a_line(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        restricted.main([*words, "--runs", str(tmp_path)])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_who_is_surely_better_with_what_is_told_in_a_sentence():
    def row(name, low, high):
        return {"agent": "A", "freedom": name, "worth": (low + high) / 2, "low": low, "high": high}

    rows = [row("a", -0.3, -0.1), row("b", 0.1, 0.2), row("c", 0.2, 0.5), row("d", -0.1, 0.2)]
    assert report.sentences(rows) == [
        "`A` is surely better with `c`, `b`; surely better without `a`; not surely told apart by `d`."
    ]


def test_the_usual_players_are_two(tmp_path):
    own = study.prepare(Args(game="tarot:hand", runs=tmp_path))
    assert {bar.agent for bar in own.bars.values()} == {"scripted", "search:16"}
    assert {own.plan.deals_of(name) for name in own.bars} == {1000, 100}


@pytest.mark.parametrize("page", PAGES, ids=lambda file: file.stem)
def test_shipped_pages_are_of_the_results_beside_them(page):
    found, text = json.loads(page.with_suffix(".json").read_text()), page.read_text()
    assert found["command"] in text and f"--config configs/restricted/{page.stem}.toml" in found["command"]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    for row, line in zip(found["rows"], lines, strict=True):
        told = [f"`{row['agent']}`", f"`{row['freedom']}`", row["without"], report.in_words(row), f"{row['deals']:,}"]
        assert line.startswith(f"| {' | '.join(told)} |")
    assert all(sentence in text for sentence in report.sentences(found["rows"]))


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.stem)
def test_shipped_configs_can_be_played(tmp_path, config):
    words = ["--config", str(config), "--runs", str(tmp_path), "--page", str(tmp_path / "p")]
    prepared = study.prepare(cli.read(Args, restricted.PROGRAM, words))
    assert prepared.game.id == config.stem
    assert len({bar.agent for bar in prepared.bars.values()}) == 3
