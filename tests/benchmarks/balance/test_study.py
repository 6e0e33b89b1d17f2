"""Studies: their variants, their files, taken up again where they stopped, and clear about mistakes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks.balance import report, study
from benchmarks.balance.__main__ import PROGRAM, main
from benchmarks.balance.args import Args
from benchmarks.balance.variants import BASE, variants
from benchmarks.harness import playing, preparing, records, shards
from tantra_envs import GAMES, cli, game

CONFIGS = Path(__file__).resolve().parents[3] / "configs/balance"
VARY = ["karma", "--vary", "copies=2,3", "--agents", "uniform,scripted", "--deals", "5"]


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["balance", "karma"])


@pytest.fixture
def no_pictures(monkeypatch):
    """Drawing takes most of the time of a small study."""
    monkeypatch.setattr(report, "picture", lambda question, found: "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    assert main([*VARY, "--runs", str(runs), "--name", "whole"]) == 0
    return runs / "whole"


def test_every_variant_and_lineup_plays_the_same_deals(folder):
    games = pl.read_parquet(folder / "games.parquet")
    counted = games.group_by("variant", "lineup").agg(pl.len(), pl.col("deal").n_unique()).sort("variant", "lineup")
    lineups = [("scripted", 5, 5), ("scripted - uniform", 10, 5), ("uniform", 5, 5)]
    assert counted.rows() == [(variant, *lineup) for variant in ("copies=2", "copies=3") for lineup in lineups]


def test_figures_are_those_of_the_games(folder):
    games, figures = pl.read_parquet(folder / "games.parquet"), pl.read_parquet(folder / "figures.parquet")
    for variant, lineup, column, question, figure in [
        ("copies=2", "uniform", "score_1", "Who wins from which seat?", "seat 1"),
        ("copies=3", "scripted", "plies", "How long is a game?", "mean length"),
        ("copies=3", "uniform", "lead_changes", "How often does the lead change?", "lead changes"),
    ]:
        mine = (pl.col("variant") == variant) & (pl.col("lineup") == lineup)
        told = figures.filter(mine, pl.col("question") == question, pl.col("figure") == figure).row(0, named=True)
        expected = games.filter(mine)[column].mean()
        assert told["value"] == pytest.approx(expected)
        assert told["low"] <= expected <= told["high"]
        base = games.filter((pl.col("variant") == "copies=2") & (pl.col("lineup") == lineup))[column].mean()
        assert told["change"] == (None if variant == "copies=2" else pytest.approx(expected - base))


def test_the_score_of_a_pair_is_the_lone_agents(folder):
    games, figures = pl.read_parquet(folder / "games.parquet"), pl.read_parquet(folder / "figures.parquet")
    pair = games.filter(pl.col("variant") == "copies=2", pl.col("lineup") == "scripted - uniform")
    scores = [row[f"score_{1 if row['agent_1'] == 'scripted' else 2}"] for row in pair.iter_rows(named=True)]
    told = figures.filter(pl.col("variant") == "copies=2", pl.col("figure") == "score of A")["value"].item()
    assert told == pytest.approx(sum(scores) / 10)


def test_the_report_holds_everything(folder):
    page = (folder / "report.html").read_text()
    titles = pl.read_parquet(folder / "figures.parquet")["question"].unique()
    assert page.count("<svg") == len(titles) == page.count("<h2>")
    assert not re.search(r'(src|href)="(?!#)', page.replace("xlink:href", ""))  # nothing is fetched
    assert "python -m benchmarks.balance" in page


def test_a_stopped_study_goes_on_with_what_is_missing(folder, tmp_path, monkeypatch, capsys, no_pictures):
    whole, finished = shards.play, []

    def stop_at_the_third(shard):
        if len(finished) == 2:
            raise KeyboardInterrupt
        finished.append(shard)
        return whole(shard)

    monkeypatch.setattr(shards, "play", stop_at_the_third)
    again = [*VARY, "--runs", str(tmp_path), "--name", "stopped"]
    with pytest.raises(SystemExit) as stop:
        main(again)
    assert stop.value.code == 130
    assert "the same command goes on" in capsys.readouterr().err
    monkeypatch.setattr(shards, "play", whole)
    assert main([*again, "--workers", "2"]) == 0
    for name in ("games.parquet", "figures.parquet"):
        assert pl.read_parquet(tmp_path / "stopped" / name).equals(pl.read_parquet(folder / name))
    monkeypatch.setattr(shards, "play", None)  # a finished study is only counted again
    assert main(again) == 0


def test_it_stops_at_the_precision_wanted(tmp_path, monkeypatch, no_pictures):
    monkeypatch.setattr(preparing, "Plan", lambda *of, **more: playing.Plan(*of[:3], 10))
    words = ["karma", "--agents", "uniform,scripted", "--deals", "500", "--precision", "0.3", "--name", "short"]
    assert main([*words, "--runs", str(tmp_path)]) == 0
    assert pl.read_parquet(tmp_path / "short" / "games.parquet")["deal"].n_unique() < 500


def test_games_of_a_study_are_records_like_any_other(folder):
    file = folder / "records" / "0_1-0_0000000_5.parquet"
    assert records.verify(file) == 10
    assert records.read(file).label["agents"] == ["uniform", "scripted"]


def test_a_full_disk_is_told_and_loses_nothing(tmp_path, monkeypatch, capsys, no_pictures):
    def full(table, file, **more):
        file.write_bytes(b"half of it")
        raise pl.exceptions.ComputeError("parquet: File out of specification: No space left on device (os error 28)")

    write, words = pl.DataFrame.write_parquet, ["karma", "--agents", "uniform", "--deals", "2", "--runs", str(tmp_path)]
    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 1
    assert "No space left on device (os error 28); what is finished is kept" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.part*"))
    monkeypatch.setattr(pl.DataFrame, "write_parquet", write)
    assert main(words) == 0


def test_another_study_in_the_folder_is_left_alone(folder, capsys):
    before = (folder / "games.parquet").read_bytes()
    with pytest.raises(SystemExit):
        main([*VARY, "--runs", str(folder.parent), "--name", "whole", "--seed", "1"])
    assert "holds other games, seed=0 instead of 1; choose another --name" in capsys.readouterr().err
    assert (folder / "games.parquet").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "unknown game 'chess'"),
        (["karma", "--workers", "0"], "workers=0 is not allowed; allowed: 1 or more"),
        (["karma", "--vary", "cards=1,2"], "karma: unknown field 'cards'"),
        (["karma", "--vary", "copies=2,7"], "karma: copies=7 is not allowed; allowed: 2, 3"),
        (["karma", "--vary", "copies"], "vary='copies' is not allowed; allowed: OPTION=VALUE,VALUE"),
        (["karma", "--vary", "copies=2,2"], "with values that differ"),
        (["karma", "--vary", "copies=2", "copies=3"], "every option once"),
        (["karma", "--vary", "variant=booklet,mini"], "unknown variant 'mini'"),
        (["tantrix:solitaire"], "players=1 has nobody to play against"),
        (["karma", "--agents", "uniform,nobody"], "unknown agent 'nobody'"),
        (["karma", "--agents", "uniform,uniform"], "allowed: agents that differ"),
        (["karma", "--agents", "ppo:nowhere.zip"], "nowhere.zip"),
        (["karma", "--deals", "1"], "deals=1 is not allowed; allowed: 2.."),
        (["karma", "--seed", "-1"], "seed=-1 is not allowed"),
        (["karma", "--shard", "0"], "shard=0 is not allowed"),
        (["karma", "--agents", "uniform over few deals"], "allowed: PLAYER or PLAYER over N deals"),
        (
            ["karma", "--agents", "uniform over 1 deals"],
            "agents='uniform over 1 deals' is not allowed; allowed: 2 deals",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, told):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--runs", str(tmp_path)])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert told in line


def test_values_are_read_as_the_fields_want_them():
    made = variants(["start_scores=[],[0, 1500]", "ask_partner=false", "suit_rule=any"])
    assert list(made) == [f"start_scores={scores}, ask_partner=false, suit_rule=any" for scores in ("[]", "[0, 1500]")]
    options = dict(made["start_scores=[0, 1500], ask_partner=false, suit_rule=any"])
    assert options == {"start_scores": (0, 1500), "ask_partner": False, "suit_rule": "any"}
    assert game("kanastic", **options).config["start_scores"] == (0, 1500)
    assert list(variants([])) == [BASE]


def test_one_at_a_time_every_other_value_is_a_variant_of_its_own():
    made = variants(["copies=2,3", "players=2,3,4", "karma_sets=true"], one_at_a_time=True)
    assert list(made) == [BASE, "copies=3", "players=3", "players=4"]
    assert dict(made[BASE]) == {"copies": 2, "players": 2, "karma_sets": True}
    assert dict(made["players=4"]) == {"copies": 2, "players": 4, "karma_sets": True}


def test_players_may_have_numbers_of_deals_of_their_own(tmp_path):
    words = ["karma", "--agents", "uniform over 7 deals,scripted,greedy over 3 deals", "--deals", "5", "--shard", "2"]
    own = study.prepare(cli.read(Args, PROGRAM, [*words, "--runs", str(tmp_path)]))
    assert {table.lineup: own.plan.deals_of(name) for name, table in own.tables.items()} == {
        **{"uniform": 7, "scripted": 5, "greedy": 3},
        **{"scripted - uniform": 5, "greedy - uniform": 3, "greedy - scripted": 3},
    }
    assert max(shard.deals for shard in own.plan.shards().values()) == 2


def test_the_strongest_alone_plays_itself_and_each_other(tmp_path):
    args = Args(game="karma", players=3, agents="uniform,greedy,scripted", strongest=True, runs=tmp_path)
    assert [table.lineup for table in study.prepare(args).tables.values()] == [
        *("scripted", "scripted - uniform", "scripted - greedy"),
    ]


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_configs_can_be_played(file, tmp_path):
    args = cli.read(Args, PROGRAM, ["--config", str(file), "--runs", str(tmp_path)])
    assert args.name == f"balance-{file.stem}" and f"configs/balance/{file.name}" in file.read_text()
    assert study.prepare(args).games


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_study(name, tmp_path):
    args = cli.read(Args, PROGRAM, ["--config", str(CONFIGS / f"{name}.toml"), "--runs", str(tmp_path)])
    assert len(study.prepare(args).games) > 1


def test_help_shows_an_example(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert "Example: python -m benchmarks.balance karma" in capsys.readouterr().out
