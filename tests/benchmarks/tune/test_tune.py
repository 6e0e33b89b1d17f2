"""Tuning: planted answers found, poor variants given up, the same with workers and when it is taken up again."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from benchmarks.harness import records
from benchmarks.study.results import DRAWS
from benchmarks.tune import command, experiment, report
from benchmarks.tune.command import Args
from tantra_envs.matches.match import team_scores
from tantra_envs.programs import workers

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
    assert MENDED in report.verdict(found)


def test_what_is_surely_worse_is_given_up_early(runs):
    tried = kept(runs)["trials"]
    poor = [trial for trial in tried if trial["given_up"]]
    assert len(tried) == 6 and poor
    assert all(trial["deals"] == 32 and not trial["nearest"] and trial["loss"] > 0.3 for trial in poor)
    assert all(trial["deals"] == 64 for trial in tried if not trial["given_up"])


def test_figures_are_those_of_the_records(runs):
    found = kept(runs)
    files = sorted(f for f in (runs / "mine" / "records").glob("*_scripted_*.parquet") if made(f) == MENDED)
    both = [records.read(file) for file in files]  # two for the choice, two fresh ones
    scores = [team_scores(np.array(own.games["rewards"].to_list()))[:, 0].mean() for own in both]
    plies = [own.plies.mean() for own in both]

    def told(name):
        return next(row["now"]["value"] for row in found["changes"] if name in (row["figure"], row["question"]))

    assert len(both) == 4
    assert told("seat number 0") == pytest.approx(np.mean(scores[2:]))
    assert told("length") == pytest.approx(np.mean(plies[2:]), rel=1e-5)
    (away,) = [trial["away"]["seats"] for trial in found["trials"] if trial["variant"] == MENDED]
    assert away >= abs(np.mean(scores[:2]) - 0.5) - 1e-6  # the worst seat


def made(file):
    """The variant of a record, in the words of the test."""
    config = records.read(file).game.config
    return f"mode=gobble, handicap={list(config['handicap'])}, speeds={list(config['speeds'])}"


def assert_told(found, page):
    """The recommendation, what it changes, and all variants that were tried are on the page."""
    assert report.verdict(found) in page
    for row in found["changes"] if found["nearest"] != found["base"] else []:
        told = " | ".join(report.in_words(row[what]) for what in ("was", "now", "change"))
        assert (f"{row['figure']} | {told} |" in page) == (row["wanted"] or report.surely(row["change"]))
    assert all(f"| `{trial['variant']}` | {trial['deals']:,} |" in page for trial in found["trials"])


def test_the_page_tells_what_the_results_tell(runs):
    folder, found = runs / "mine", kept(runs)
    assert_told(found, (folder / "tantrix.md").read_text())
    assert len([row for row in found["changes"] if row["wanted"]]) == 4


def test_two_goals_need_the_second_agent(tmp_path):
    words = ["karma", "--vary", "copies=2,3", "auto_setup=false,true"]
    words += ["--toward", "skill=0.7", "--toward", "length=150"]
    words += ["--deals", "8", "--shard", "4", "--trials", "3", "--runs", str(tmp_path), "--name", "mine"]
    assert command.main(words) == 0
    found = json.loads((tmp_path / "mine" / "results.json").read_text())
    assert len(found["trials"]) == 3 and found["variants"] == 4
    assert found["trials"][0]["variant"] == found["base"] == "copies=2, auto_setup=false"
    assert any(row["question"] == "score of A" and row["wanted"] for row in found["changes"])


def test_good_variants_are_found_among_many(tmp_path, monkeypatch):
    vary = [f"{name}=true,false" for name in ("karma_sets", "chain_clears", "surfaced_counts", "setup_hidden")]
    vary += ["follow_optional=true,false", "give_to_out=true,false", "voluntary_pickup=true,false"]
    args = Args(vary=tuple(vary), toward=("seats=even",), agents=("scripted",), trials=40, runs=tmp_path, deals=32)
    prepared = experiment.prepare(args)

    monkeypatch.setattr(
        experiment, "attempt", lambda tuning, variant, *_: [trial(variant, 0.1 * variant.count("true"))]
    )
    monkeypatch.setattr(experiment, "measure", lambda tuning, variant, *_: trial(variant, 0.0))
    tried, *_ = experiment.play(prepared, lambda function, items: iter(()))
    assert len({own.variant for own in tried}) == len(tried) == 40 < len(prepared.study.games) == 128
    later = [own.loss[0] for own in tried[20:]]
    assert np.mean(later) < 0.3  # by chance it would be 0.35
    assert experiment.best(tried).loss[0] == pytest.approx(0.0)


def test_only_what_fresh_deals_confirm_is_recommended(runs):
    found = kept(runs)
    lucky = {**found, "recommended": found["base"], "nearer": {**found["nearer"], "low": -0.1}}
    assert report.verdict(lucky) != report.verdict(found)
    assert all("keep the base" in report.verdict(kept) for kept in (lucky, {**found, "nearest": found["base"]}))


def trial(variant, away, given_up=False):
    return experiment.Trial(variant, 32, pl.DataFrame(), {"goal": np.full(1 + DRAWS, away)}, given_up)


def test_the_best_is_nearest_among_those_not_given_up():
    assert experiment.best([trial("a", 0.3), trial("b", 0.2), trial("c", 0.1, True)]).variant == "b"
    assert trial("b", 0.2).nearer(trial("a", 0.3)) == pytest.approx((0.1, 0.1, 0.1))


def row(section, measure, value):
    return {"section": section, "measure": measure, "value": value, "drawn": np.full(DRAWS, value)}


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
    ((_, goal),) = experiment._goals((words,)).items()
    rows = [row("length", "other", 0.0), *(row(goal.section, goal.measures[0], value) for value in values)]
    frame = pl.DataFrame(rows, schema_overrides={"drawn": pl.Array(pl.Float64, DRAWS)})
    assert goal.distance(frame) == pytest.approx(np.full(1 + DRAWS, away))
    assert goal.distance(frame[:1]) == pytest.approx(np.ones(1 + DRAWS))


@pytest.mark.parametrize("table", ["karma", "kanastic:round", "tantra"])
def test_every_goal_has_figures_of_every_game(table, tmp_path):
    """A comeback needs a team that was last, which few games may lack."""
    args = Args(game=table, vary=("dealer=0",), agents=("scripted", "uniform"), deals=8, shard=8, runs=tmp_path)
    prepared = experiment.prepare(args)
    with workers.executor(1, False) as run:
        rows = experiment.measure(prepared, prepared.study.base, range(8), run).rows
    assert not any(rows.filter(goal.holds).is_empty() for goal in experiment.GOALS.values())
    assert set(rows.filter(experiment.GOALS["skill"].holds)["lineup"]) == {"scripted - uniform"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--toward", "length"], "toward='length'"),
        (["--toward", "beauty=1"], "toward='beauty=1'"),
        (["--toward", "seats=0.5"], "toward='seats=0.5'"),
        (["--toward", "skill=2"], "toward='skill=2'"),
        (["--toward", "length=9", "length=8"], "toward='length=8'"),
        (["--toward", "skill=0.7", "--agents", "scripted"], "agents='scripted'"),
        (["--agents", "scripted", "greedy", "uniform"], "agents='scripted greedy uniform'"),
        (["--toward", "length=inf"], "toward='length=inf'"),
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
