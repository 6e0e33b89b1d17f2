"""Ladders: the same scores however they are played, taken up again where they stopped, clear about mistakes."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import polars
import pytest

import tantra_envs
from agents import AGENTS, parse
from benchmarks.harness import pairings, playing, records, shards
from benchmarks.harness.preparing import table
from benchmarks.harness.themes import THEMES
from benchmarks.ladder import __main__ as ladder
from benchmarks.ladder import report, study
from benchmarks.ladder.args import Args
from benchmarks.tournament import __main__ as tournament
from tantra_envs import cli
from tantra_envs.matches.match import play_match

ROOT = Path(__file__).resolve().parents[3]
CONFIGS = sorted((ROOT / "configs" / "ladders").glob("*.toml"))
RUNGS = ["uniform", "greedy", "scripted", "search:2 over 3 deals", "search:4 over 1 deals", "oracle"]
COMPARED = ["search:2 against greedy", "search:2 against scripted in karma:quick for 3 players over 2 deals"]


def play(runs, *words):
    usual = ["--rungs", *RUNGS, "--compare", *COMPARED]
    return ladder.main(["karma", "--deals", "4", "--shard", "2", "--runs", str(runs), "--name", "mine", *usual, *words])


def kept(runs):
    """What was found, but for the command and how long it took."""
    found = json.loads((runs / "mine" / "karma.json").read_text())
    del found["command"]
    for row in (*found["rungs"], *found["comparisons"]):
        assert row.pop("milliseconds") > 0
    return found


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["ladder"])


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory):
    """A ladder of six rungs over four deals in two shards."""
    runs = tmp_path_factory.mktemp("runs")
    assert play(runs) == 0
    return runs


def test_every_rung_has_its_scores(one_worker):
    found = kept(one_worker)
    rungs = {rung["agent"]: rung for rung in found["rungs"]}
    assert list(rungs) == ["uniform", "greedy", "scripted", "search:2", "search:4", "oracle"]
    assert {name: rung["worlds"] for name, rung in rungs.items() if rung["worlds"]} == {"search:2": 2, "search:4": 4}
    assert [rung["score"] and rung["score"]["n"] for rung in found["rungs"]] == [4, 4, None, 3, 1, 4]
    below = [rung["below"] and (rung["below"]["against"], rung["below"]["n"]) for rung in found["rungs"]]
    assert below == [None, ("uniform", 4), ("greedy", 4), ("scripted", 3), ("search:2", 1), None]
    assert rungs["search:2"]["below"]["mean"] == rungs["search:2"]["score"]["mean"]
    assert rungs["oracle"]["score"]["mean"] > rungs["uniform"]["score"]["mean"] + 0.4
    tables = [
        (row["agent"], row["against"], row["game"], row["players"], row["score"]["n"]) for row in found["comparisons"]
    ]
    assert tables == [("search:2", "greedy", "karma", 2, 4), ("search:2", "scripted", "karma:quick", 3, 2)]


def test_scores_are_those_of_a_match(tmp_path):
    game = tantra_envs.game("karma")
    match = play_match(game, parse("greedy,scripted", game), [0, 1], 2)
    words = ["--deals", "2", "--shard", "256", "--runs", str(tmp_path), "--name", "mine"]
    assert ladder.main(["karma", "--rungs", "greedy", "scripted", *words]) == 0
    greedy = kept(tmp_path)["rungs"][0]["score"]
    own = match.score(0)
    assert (greedy["mean"], greedy["low"], greedy["high"]) == (own.mean, own.low, own.high)


def test_the_ceiling_is_a_difference_over_the_deals_both_played(one_worker):
    found = kept(one_worker)
    ceiling, folder = found["ceiling"], one_worker / "mine" / "records"
    assert (ceiling["above"], ceiling["n"]) == ("search:4", 1)

    def first(name):
        (score, *_) = one_deal(folder / f"karma-2p-{name}-scripted_0000000")
        return score

    assert ceiling["mean"] == pytest.approx(first("oracle") - first("search-4"))


def one_deal(beginning):
    """The scores of the player alone at the deals of a shard."""
    (file,) = beginning.parent.glob(f"{beginning.name}_*.parquet")
    record = records.read(file)
    alone = record.label["agents"][0]
    paid = [
        (r if s[0] == alone else r[::-1]) for r, s in zip(record.games["rewards"], record.games["seats"], strict=True)
    ]
    scores = [1.0 if own > other else 0.5 if own == other else 0.0 for own, other in paid]
    return [sum(scores[i : i + 2]) / 2 for i in range(0, len(scores), 2)]


def test_workers_change_nothing(one_worker, tmp_path):
    assert play(tmp_path, "--workers", "2") == 0
    assert kept(tmp_path) == kept(one_worker)
    name = "mine/records/karma-2p-search-2-scripted_0000002_1.parquet"
    assert polars.read_parquet(tmp_path / name).equals(polars.read_parquet(one_worker / name))


def test_what_is_stopped_goes_on_and_ends_alike(one_worker, tmp_path, monkeypatch, capsys):
    write, whole, played = records.write, shards.play, []

    def stops(file, label, games):
        if file.name.startswith("karma-2p-search-2-scripted"):
            raise KeyboardInterrupt
        write(file, label, games)

    with monkeypatch.context() as broken:
        broken.setattr(records, "write", stops)
        with pytest.raises(SystemExit) as stop:
            play(tmp_path)
    assert stop.value.code == 130
    assert "stopped; what is finished is kept" in capsys.readouterr().err
    assert not (tmp_path / "mine" / "karma.json").exists()
    done = {file.name for file in (tmp_path / "mine" / "records").iterdir()}
    assert done
    monkeypatch.setattr(shards, "play", lambda shard: played.append(shard) or whole(shard))
    assert play(tmp_path) == 0
    every = {file.name for file in (tmp_path / "mine" / "records").iterdir()}
    assert len(played) == len(every - done) > 0
    assert kept(tmp_path) == kept(one_worker)


def test_the_same_command_plays_and_times_nothing_again(one_worker, tmp_path, monkeypatch):
    runs = shutil.copytree(one_worker, tmp_path / "runs")
    page, results = (runs / "mine" / name for name in ("karma.md", "karma.json"))
    first = {file: file.read_bytes() for file in (page, results, *page.parent.glob("*.svg"))}
    assert play(runs) == 0
    command = json.loads(results.read_text())["command"]
    monkeypatch.setattr(shards, "play", None)
    assert play(runs) == 0
    assert len(first) == 4
    assert json.loads(results.read_text())["command"] == command
    assert {file for file, content in first.items() if file.read_bytes() != content} <= {page, results}
    words = [text.replace(str(one_worker), str(runs)) for text in (first[page].decode(), first[results].decode())]
    assert [page.read_text(), results.read_text()] == words


def test_it_stops_at_the_precision_wanted(tmp_path):
    words = ["--rungs", "uniform", "scripted", "greedy over 4 deals", "--deals", "400", "--precision", "0.1"]
    assert ladder.main(["karma", "--shard", "20", "--runs", str(tmp_path), "--name", "mine", *words]) == 0
    uniform, scripted, greedy = kept(tmp_path)["rungs"]
    assert uniform["score"]["n"] == scripted["below"]["n"] < 400
    assert (uniform["score"]["high"] - uniform["score"]["low"]) / 2 <= 0.1
    assert greedy["score"]["n"] == 4


def test_the_page_says_all(one_worker):
    page = (one_worker / "mine" / "karma.md").read_text()
    found = json.loads((one_worker / "mine" / "karma.json").read_text())
    assert found["command"] in page
    for rung in found["rungs"]:
        assert f"| `{rung['agent']}` | {rung['worlds'] or ''} |" in page
        assert report.score_in_words(rung["score"]) in page
        assert report.score_in_words(rung["below"]) in page
    assert "| `search:2` | `scripted` | `karma:quick` for 3 |" in page
    assert (report.NOTES / "karma.md").read_text().strip() in page
    assert "alone among" not in page  # nobody is, of two
    for theme in THEMES:
        assert f"karma-{theme}.svg" in page
        assert "<svg" in (one_worker / "mine" / f"karma-{theme}.svg").read_text()


@pytest.mark.parametrize(
    ("top", "oracle", "told"),
    [
        (0.6, 0.9, "It scores +0.300 [+0.250, +0.350] against `search:4` over the deals both played; 25 %"),
        (0.6, 0.5, "over the deals both played."),
    ],
)
def test_the_ceiling_in_words(top, oracle, told):
    scores = {"search:4": top, "oracle": oracle}
    rungs = [{"agent": agent, "score": {"mean": mean}} for agent, mean in scores.items()]
    found = {"rungs": rungs, "ceiling": {"above": "search:4", "mean": 0.3, "low": 0.25, "high": 0.35}}
    assert told in report.ceiling_in_words(found)
    assert report.ceiling_in_words({**found, "ceiling": None}) == ""


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.stem)
def test_shipped_configs_can_be_played(tmp_path, config):
    args = cli.read(
        Args, ladder.PROGRAM, ["--config", str(config), "--runs", str(tmp_path), "--page", str(tmp_path / "p")]
    )
    prepared = study.prepare(args)
    assert prepared.game.id == config.stem
    assert cli.read(Args, ladder.PROGRAM, ["--config", str(config)]).page == Path("docs/search") / f"{config.stem}.md"
    headlines = [own for own in prepared.comparisons if own.other.name == "scripted" and own.deals >= 1000]
    assert headlines[0].game is not None
    least = 256 if config.stem == "tantra" else 1000  # a thousand of its games would pass two hours
    assert any(own.other.name.startswith("learned") and own.deals >= least for own in prepared.comparisons)


def test_all_games_have_a_config_and_notes():
    games = {file.stem for file in (ROOT / "configs" / "games").glob("*.toml")}
    assert {file.stem for file in CONFIGS} == games == {file.stem for file in report.NOTES.glob("*.md")}


def test_rungs_that_are_not_named_have_the_learned_player_where_it_fits(tmp_path):
    pytest.importorskip("torch")
    words = ["--deals", "1", "--runs", str(tmp_path)]
    prepared = study.prepare(cli.read(Args, ladder.PROGRAM, ["karma", *words]))
    assert [own.agent.name for own in prepared.rungs] == [
        *(
            "uniform",
            "greedy",
            "scripted",
            "learned:karma",
            "search:4",
            "search:16",
            "search:64",
            "search:256",
            "oracle",
        )
    ]
    six = study.prepare(cli.read(Args, ladder.PROGRAM, ["karma:party", *words]))
    assert "learned:karma" not in [own.agent.name for own in six.rungs]
    assert six.rungs[0].scripted.match.lineup == (0, 1, 1, 1, 1, 1)


def test_who_meets_twice_plays_the_larger_number_of_deals():
    base = table(Args(), "scripted")
    few, many, other = (pairings.comparison(words, base, 7) for words in ("greedy against uniform over 3 deals",) * 3)
    many, other = (pairings.comparison(f"greedy against {other}", base, 7) for other in ("uniform", "scripted"))
    found = pairings.once([few, many, few, other])
    assert [own.deals for own in found.values()] == [7, 7]
    assert found[few.records] is many


def test_options_of_search_may_have_commas():
    own = pairings.comparison("search:worlds=2,beyond=1  against scripted over 5 deals", table(Args(), "scripted"), 7)
    assert (own.agent.name, own.deals) == ("search:worlds=2,beyond=1", 5)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--rungs", "uniform", "nobody"], "unknown agent 'nobody'"),
        (["--rungs", "uniform"], "rungs=['uniform', 'uniform'] is not allowed; allowed: agents that differ"),
        (
            ["--rungs", "search:4 over many deals"],
            "rungs='search:4 over many deals' is not allowed; allowed: PLAYER",
        ),
        (["--rungs", "search:4 over 0 deals"], "deals=0 is not allowed in 'search:4 over 0 deals'; allowed: 1.."),
        (["--rungs", "search:0"], "search:worlds=0 is not allowed"),
        (
            ["--compare", "search:4 beats greedy"],
            "compare='search:4 beats greedy' is not allowed; allowed: PLAYER",
        ),
        (["--compare", "greedy against uniform for 13 players"], "players=13 is not allowed; allowed: 2..12"),
        (["--compare", "greedy against uniform in chess"], "unknown game 'chess'"),
        (["--compare", "greedy against scripted in tantrix:solitaire"], "players=1 has nobody to play against"),
        (["--deals", "0"], "deals=0 is not allowed; allowed: 1.."),
        (["--below", "0"], "below=0 is not allowed; allowed: 1.."),
        (["--shard", "0"], "shard=0 is not allowed; allowed: 1.."),
        (["--precision", "2"], "precision=2.0 is not allowed"),
        (["--workers", "0"], "workers=0 is not allowed; allowed: 1 or more"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, told):
    with pytest.raises(SystemExit) as stop:
        ladder.main(["karma", "--deals", "2", "--rungs", "uniform", "--runs", str(tmp_path), *words])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert told in line
    assert not list(tmp_path.rglob("*.parquet"))


def test_another_ladder_in_the_folder_is_left_alone(one_worker, capsys):
    before = kept(one_worker)
    with pytest.raises(SystemExit) as stop:
        play(one_worker, "--seed", "1")
    assert stop.value.code == 2
    assert "holds other games, seed=0 instead of 1; choose another --name" in capsys.readouterr().err
    assert kept(one_worker) == before


def test_no_tournament_can_name_the_oracle(tmp_path, capsys):
    assert "oracle" not in AGENTS
    with pytest.raises(SystemExit) as stop:
        tournament.main(["--agents", "scripted,oracle", "--deals", "1", "--runs", str(tmp_path)])
    assert stop.value.code == 2
    assert "unknown agent 'oracle'" in capsys.readouterr().err


def test_a_plan_may_give_some_matches_fewer_deals(tmp_path):
    match = table(Args(), "scripted,uniform")
    plan = playing.Plan(tmp_path, {"a": match, "b": match}, 5, 2, {"b": 3})
    names = [file.name for file in plan.shards()]
    assert names == [
        f"{name}.parquet" for name in ("a_0000000_2", "a_0000002_2", "a_0000004_1", "b_0000000_2", "b_0000002_1")
    ]


@pytest.mark.parametrize("file", sorted((ROOT / "docs/search").glob("*.json")), ids=lambda file: file.stem)
def test_every_page_is_of_the_results_beside_it(file):
    found, page = json.loads(file.read_text()), file.with_suffix(".md").read_text()
    assert found["command"] in page
    for rung in found["rungs"]:
        assert f"| {report.score_in_words(rung['score'])} | {report.deals_in_words(rung['score'])} |" in page
    for own in found["comparisons"]:
        assert f"| {report.score_in_words(own['score'])} | {report.deals_in_words(own['score'])} |" in page
    assert (report.NOTES / f"{file.stem}.md").read_text().strip() in page
