"""Tournaments: the same results however they are played, taken up again where they stopped, clear about mistakes."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Row
from benchmarks.harness.played import Played
from benchmarks.presets import tournament
from benchmarks.views.standings import results
from tantra_envs.opponents.scripted import Uniform
from tantra_envs.programs import results as files

ROOT = Path(__file__).resolve().parents[3]
AGENTS = ("uniform", "greedy")
MINE = """import sys
class Mine:
    name = "mine"
    def __init__(self, game): pass
    def act(self, obs, rng): {act}
"""


def play(runs, *words):
    agents = [] if "--agents" in words else ["--agents", *AGENTS]
    return tournament.main([*agents, "--deals", "5", "--shard", "2", "--runs", str(runs), *words])


def kept(runs, name="mine"):
    """The lines of the results by agent, others, measure and part: value, low, high and deals."""
    lines = files.read(runs / name / "results.csv").iter_rows(named=True)
    keys, values = ("agent", "others", "measure", "part"), ("value", "low", "high", "deals")
    return {tuple(line[key] for key in keys): tuple(line[value] for value in values) for line in lines}


def test_everything_is_kept_and_more_deals_go_on(tmp_path, monkeypatch, capsys):
    assert play(tmp_path, "--name", "mine") == 0
    folder, found = tmp_path / "mine", kept(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"folder: {folder}" and "games played: 10 of 10" in lines
    assert {file.name for file in folder.iterdir()} == {"results.csv", "plan.json", "records", "lock"}
    assert found["greedy", "", "rating", ""][0] > found["uniform", "", "rating", ""][0]
    whole, played = plans.play_shard, []
    monkeypatch.setattr(plans, "play_shard", lambda shard: played.append(shard.first) or whole(shard))
    assert play(tmp_path, "--name", "mine", "--deals", "8") == 0
    assert (played, kept(tmp_path)["greedy", "", "score", ""][3]) == ([4, 6], 8)  # the shard of one deal is not used


def test_a_program_that_ends_again_and_again_ends_the_run_with_its_own_words(tmp_path, program, capsys):
    assert play(tmp_path, "--name", "mine", "--agents", program.word("dies"), "uniform") == 1
    error = capsys.readouterr().err
    assert "gave no reply" in error and "out of credit" in error


def test_more_seats_are_told_both_ways_and_may_be_all_distinct(tmp_path):
    words = ["--players", "3", "--agents", "uniform", "greedy", "scripted", "--deals", "4"]
    assert play(tmp_path, "--name", "pairs", *words) == 0
    assert len([key for key in kept(tmp_path, "pairs") if key[3] == "pair"]) == 6
    assert play(tmp_path, "--name", "distinct", "--form", "distinct", *words) == 0
    mixed = kept(tmp_path, "distinct")
    assert not [key for key in mixed if key[3] == "pair"]
    scores = [value for (_, _, measure, _), (value, *_) in mixed.items() if measure == "score"]
    assert len(scores) == 3 and np.mean(scores) == pytest.approx(0.5)


def test_trained_on_weights_are_another_tournament(tmp_path, monkeypatch):
    match = MatchSpec("karma", (), ("scripted", "uniform"), (0, 1), 0)
    plan = plans.Plan(tmp_path, [plans.Row("0-1", match, 1)])
    plan.check()
    records.write(
        tmp_path / "0-1_0000000_1.parquet", plans.match_label(match), plans.play_shard(plans.Shard(match, 0, 1))
    )
    plan.check()
    monkeypatch.setattr(Uniform, "origin", {"digest": "trained on"}, raising=False)
    with pytest.raises(ValueError, match=r"contains other games: origins=\{\} instead of {'uniform': {'digest': "):
        plan.check()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("sys.exit()", "agent 'mine' failed: SystemExit"),
        ("return obs.action_mask.argmin(axis=1)", "agent 'mine' returned the illegal action"),
    ],
)
def test_an_agent_that_fails_ends_the_run_in_one_line(tmp_path, capsys, act, message):
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(act=act))
    assert play(tmp_path / "runs", "--agents", f"{file}:Mine", "uniform", "--workers", "2") == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("form", "agents", "teams", "expected"),
    [
        ("one-vs-rest", 3, 2, [(0, 1), (0, 2), (1, 2)]),
        ("one-vs-rest", 2, 3, [(0, 1, 1), (1, 0, 0)]),
        ("distinct", 3, 2, [(0, 1), (0, 2), (1, 2)]),
        ("distinct", 4, 3, [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        ("distinct", 2, 3, [(0, 0, 1), (0, 1, 1)]),
        ("distinct", 2, 4, [(0, 0, 1, 1)]),
    ],
)
def test_the_teams_of_all_line_ups_of_a_form(form, agents, teams, expected):
    assert tournament.lineups(form, agents, teams) == expected


def games(match, first, second, scores):
    """The games of two agents over some deals, one rotation each, with these scores of the first one."""
    rows = [(first, True, score) for score in scores] + [(second, False, 1 - score) for score in scores]
    columns = {"agent": pl.String, "alone": pl.Boolean, "score": pl.Float64}
    deals = [*range(len(scores))] * 2
    frame = pl.DataFrame(rows, columns, orient="row").with_columns(pl.Series("deal", deals), team=1 - pl.col("alone"))
    return frame.select(pl.lit(match).alias("match"), pl.all(), reward=2 * pl.col("score") - 1, rotation=0)


def test_standings_of_three_who_met_in_pairs():
    first, second = [1.0, 1.0, 0.5, 1.0], [0.5, 0.0, 1.0, 0.5]
    played = {"0-1": second, "0-2": first, "1-2": first}
    names = ["a", "b", "c"]
    seats = {match: [names[int(place)] for place in match.split("-")] for match in played}
    every = pl.concat(games(match, *seats[match], scores) for match, scores in played.items())
    rows = [Row(match, MatchSpec("karma", (), tuple(own), (0, 1), 0), 4) for match, own in seats.items()]
    facts = {"game": "karma_v0", "lineup": [0, 1], "origins": {}, "seed": 0, "package": "1.2.3"}
    labels = {match: {**facts, "agents": own} for match, own in seats.items()}
    found = {
        (line["agent"], line["others"], line["measure"], line["part"]): line["value"]
        for line in results(Played(rows, labels, every, [], {}, {})).iter_rows(named=True)
    }
    means = {name: found[name, "", "score", ""] for name in names}
    assert means == pytest.approx({"a": (0.5 + 0.875) / 2, "b": (0.5 + 0.875) / 2, "c": 0.125})
    assert list(dict.fromkeys(key[0] for key in found)) == names
    assert (
        found["c", "a", "score", "pair"] == pytest.approx(1 - found["a", "c", "score", "pair"]) == pytest.approx(0.125)
    )
    assert found["b", "c", "margin", ""] == pytest.approx(means["b"] - means["c"])
    assert found["a", "b", "margin", ""] == pytest.approx(0) and ("c", "", "margin", "") not in found
    assert found["b", "", "rating", ""] == pytest.approx(found["a", "", "rating", ""])  # a tie counts half
    assert found["b", "", "rating", ""] > found["c", "", "rating", ""]
    assert found["a", "", "reward", ""] == pytest.approx(2 * means["a"] - 1)
