"""Tuning: planted answers found, poor variants given up, the same with workers and when it is taken up again."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from benchmarks.harness import records
from benchmarks.harness.figures import Sample
from benchmarks.tune import command, goals, report, study, trials
from benchmarks.tune.command import Args
from benchmarks.tune.goals import Distance
from tantra_envs import game
from tantra_envs.matches.match import team_scores

# Two race to get rid of their tiles: the first has many more, or nobody, or the second, who may also act twice.
UNFAIR = ("mode=gobble", "handicap=[20, 0],[0, 0],[0, 20]", "speeds=[1, 1],[1, 2]")
WORDS = ("tantrix", "--players", "2", "--vary", *UNFAIR, "--deals", "64", "--agents", "scripted", "--name", "mine")
MENDED = "mode=gobble, handicap=[0, 0], speeds=[1, 1]"


def tuned(runs, *words):
    assert command.main([*WORDS, "--runs", str(runs), *words]) == 0
    return kept(runs)


def kept(runs):
    found = json.loads((runs / "mine" / "results.json").read_text())
    return {name: value for name, value in found.items() if name not in ("command", "date")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    tuned(folder)
    return folder


def test_rules_made_unfair_on_purpose_are_mended(runs):
    found = kept(runs)
    assert found["base"] == "mode=gobble, handicap=[20, 0], speeds=[1, 1]"
    assert found["recommended"] == MENDED
    assert found["fresh"] == 64 and found["nearer"]["low"] > 0.1
    assert report.verdict(found).startswith(f"`{MENDED}`, which is clearly nearer")


def test_what_is_surely_worse_is_given_up_early(runs):
    tried = kept(runs)["trials"]
    poor = [trial for trial in tried if trial["given_up"]]
    assert len(tried) == 6 and poor
    assert all(
        trial["deals"] == 32 and not trial["front"] and not trial["nearest"] and trial["loss"] > 0.3 for trial in poor
    )
    assert all(trial["deals"] == 64 for trial in tried if not trial["given_up"])


def test_figures_are_those_of_the_records(runs):
    found = kept(runs)
    (file,) = {f for f in (runs / "mine" / "records").glob("*self-play_0000064_32.parquet") if made(f) == MENDED}
    both = [records.read(file.with_name(file.name.replace("0064_", f"{first:04}_"))) for first in (0, 32, 64, 96)]
    scores = [team_scores(np.array(own.games["rewards"].to_list()))[:, 0].mean() for own in both]
    plies = [own.plies.mean() for own in both]

    def told(rows, name):
        return next(row for row in rows if name in (row["figure"], row["question"]))

    tried = pl.read_parquet(runs / "mine" / "figures.parquet").filter(pl.col("variant") == MENDED)
    chosen, fresh = tried.to_dicts(), found["changes"]
    assert told(chosen, "seat number 0")["value"] == pytest.approx(np.mean(scores[:2]))
    assert told(fresh, "seat number 0")["now"]["value"] == pytest.approx(np.mean(scores[2:]))
    assert told(fresh, "length")["now"]["value"] == pytest.approx(np.mean(plies[2:]))


def made(file):
    """The variant of a record, in the words of the test."""
    config = records.read(file).game.config
    return f"mode=gobble, handicap={list(config['handicap'])}, speeds={list(config['speeds'])}"


def assert_told(found, page):
    """The recommendation, what it changes, and all variants that were tried are on the page."""
    assert f"**Recommended**: {report.verdict(found)}." in page
    for row in found["changes"] if found["nearest"] != found["base"] else []:
        told = " | ".join(report.in_words(row[what]) for what in ("was", "now", "change"))
        assert (f"{row['figure']} | {told} |" in page) == (row["wanted"] or report.surely(row["change"]))
    assert all(f"| `{trial['variant']}` | {trial['deals']:,} |" in page for trial in found["trials"])


def test_page_picture_and_parquet_tell_the_same(runs):
    folder, found = runs / "mine", kept(runs)
    assert_told(found, (folder / "tantrix.md").read_text())
    assert len([row for row in found["changes"] if row["wanted"]]) == 4
    rows = pl.read_parquet(folder / "figures.parquet")
    assert rows["variant"].unique(maintain_order=True).to_list() == [trial["variant"] for trial in found["trials"]]
    for theme in ("light", "dark"):
        assert "nearest" in (folder / f"tantrix-{theme}.svg").read_text()


def test_two_goals_need_the_second_agent_and_have_a_front(tmp_path):
    words = ["karma", "--vary", "copies=2,3", "auto_setup=false,true"]
    words += ["--toward", "skill=0.7", "--toward", "length=150"]
    words += ["--deals", "8", "--shard", "4", "--trials", "3", "--runs", str(tmp_path), "--name", "mine"]
    assert command.main(words) == 0
    found = json.loads((tmp_path / "mine" / "results.json").read_text())
    assert len(found["trials"]) == 3 and found["variants"] == 4
    assert found["trials"][0]["variant"] == found["base"] == "copies=2, auto_setup=false"
    assert any(row["question"] == "score of A" and row["wanted"] for row in found["changes"])
    front = [trial["away"] for trial in found["trials"] if trial["front"]]
    assert front and all(
        own is other or own["skill"] < other["skill"] or own["length"] < other["length"]
        for own in front
        for other in front
    )


def test_good_variants_are_found_among_many(tmp_path, monkeypatch):
    vary = [f"{name}=true,false" for name in ("karma_sets", "chain_clears", "surfaced_counts", "setup_hidden")]
    vary += ["follow_optional=true,false", "give_to_out=true,false", "voluntary_pickup=true,false"]
    args = Args(vary=tuple(vary), toward=("seats=even",), agents=("scripted",), trials=40, runs=tmp_path, deals=32)
    prepared = study.prepare(args)

    def known(tables, variant, stages, before):
        return trial(variant, [0.1 * variant.count("true")])

    monkeypatch.setattr(study, "attempt", known)
    monkeypatch.setattr(trials.Tables, "trial", lambda tables, variant, deals: trial(variant, [0.0]))
    tried = study.play(prepared, lambda function, items: iter(())).tried
    assert len({own.variant for own in tried}) == len(tried) == 40 < len(prepared.games) == 128
    later = [own.loss for own in tried[20:]]
    assert np.mean(later) < 0.3  # by chance it would be 0.35
    assert trials.best(tried).loss == pytest.approx(0.0)


def test_only_what_fresh_deals_confirm_is_recommended(runs):
    found = kept(runs)
    lucky = {**found, "recommended": found["base"], "nearer": {**found["nearer"], "low": -0.1}}
    assert report.verdict(lucky).startswith(f"keep the base rules: the nearest variant, `{MENDED}`, is not")
    assert report.verdict({**found, "nearest": found["base"]}).startswith("keep the base rules: no variant")


def trial(variant, away, given_up=False):
    distances = {f"goal {i}": Distance(value, np.full(5, value)) for i, value in enumerate(away)}
    return trials.Trial(variant, 32, {}, distances, given_up)


def test_the_front_is_who_nobody_beats():
    tried = [trial("a", [0, 3]), trial("b", [1, 1]), trial("c", [1, 2]), trial("d", [3, 0]), trial("e", [0, 0], True)]
    assert [own.variant for own in trials.front(tried)] == ["a", "b", "d"]
    assert trials.best(tried).variant == "b"


def sample(value):
    return Sample(value, np.full(4, value), value, value)


@pytest.mark.parametrize(
    ("words", "values", "away"),
    [
        ("length=120", [150.0], 0.25),
        ("lead-changes=2", [1.5], 0.25),
        ("seats=even", [0.45, 0.62, 0.5], 0.12),
        ("skill=0.8", [0.7], 0.1),
        ("comeback=0.3", [float("nan")], 1.0),
        ("cut-off=0", [0.05], 0.05),
    ],
)
def test_distances_are_comparable(words, values, away):
    found = goals.read(words).away([sample(value) for value in values])
    assert found.value == pytest.approx(away) and found.drawn == pytest.approx(np.full(4, away))


@pytest.mark.parametrize("table", ["karma", "kanastic:round", "tantra"])
def test_every_goal_has_figures_of_every_game(table):
    own = game(table)
    known = {*trials._of_self_play(own), *trials._of_skill(own)}
    assert {key for kind in goals.GOALS for key in goals.Goal(kind, 0.5, goals.GOALS[kind]).keys(own)} <= known


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--toward", "length"], "toward='length' is not allowed; allowed: length=1..1e+06"),
        (["--toward", "beauty=1"], "toward='beauty=1' is not allowed; allowed: seats=.."),
        (["--toward", "seats=0.5"], "allowed: seats=even"),
        (["--toward", "skill=2"], "allowed: skill=0..1"),
        (["--toward", "length=9", "length=8"], "allowed: every goal once"),
        (["--toward", "skill=0.7", "--agents", "scripted"], "allowed: two or more that differ"),
        (["--agents", "scripted", "greedy", "uniform"], "allowed: one or two"),
        (["--deals", "100"], "deals=100 is not allowed; allowed: multiples of shard=32"),
        (["--deals", "32", "--shard", "64"], "shard=64 is not allowed; allowed: 2..32"),
        (["--vary", "decks=1,9"], "decks=9 is not allowed"),
        (["--vary", "copies=3,2"], "allowed: every option once"),
        (["--trials", "0"], "trials=0 is not allowed"),
    ],
    ids=lambda value: "-".join(value).replace("--", "") if isinstance(value, list) else "",
)
def test_mistakes_are_told_in_a_line(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["karma", "--vary", "copies=2,3", "--runs", str(tmp_path), *words])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_without_anything_to_vary_there_is_nothing_to_do(tmp_path, capsys):
    with pytest.raises(SystemExit):
        command.main(["karma", "--runs", str(tmp_path)])
    assert "allowed: OPTION=VALUE,VALUE, one or more" in capsys.readouterr().err
