"""The games of a submission are replayed from its records, and anything that differs is refused."""

from __future__ import annotations

import json
import shutil

import polars
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import plans, records
from benchmarks.rank import exploiters, replaying, suite
from tantra_envs.programs.workers import executor

OPPONENT = "held-out:late"
FILE = "karma-held-out-late-0_0000000_3.parquet"
WORDS = ("rank", "greedy", "--games", "karma-2", "--deals", "3", "--name", "mine")


@pytest.fixture(scope="module")
def panels():
    with pytest.MonkeyPatch.context() as patch:
        public = ("uniform", "scripted")
        patch.setattr(suite, "PANEL", (*public, OPPONENT))
        patch.setattr(suite, "PANELS", {"public": public, "held_out": (OPPONENT,)})
        yield


@pytest.fixture(scope="module")
def ranked(tmp_path_factory, panels):
    """The folder of a ranking of `greedy`, which draws its actions, and its search as an exploiter."""
    runs = tmp_path_factory.mktemp("runs")
    assert main([*WORDS, "--runs", str(runs)]) == 0
    folder = runs / "mine"
    with pytest.MonkeyPatch.context() as patch, executor(1) as run:
        patch.setattr(exploiters, "DEALS", 2)
        search = exploiters._searched(folder, "greedy", "karma", run)
    results = json.loads((folder / "results.json").read_text())
    results["tables"]["karma"]["exploiters"]["search"] = search
    (folder / "results.json").write_text(json.dumps(results))
    return folder


@pytest.fixture
def submission(ranked, tmp_path, monkeypatch):
    """A copy of the folder, which a test may change."""
    monkeypatch.setattr(exploiters, "DEALS", 2)
    return shutil.copytree(ranked, tmp_path / "mine")


def replayed(folder):
    with executor(1) as run:
        return replaying.check(json.loads((folder / "results.json").read_text()), folder / "records", run)


def changed(folder, file, change):
    """Change the games of a record, as rows."""
    path = folder / "records" / file
    rows = records.read(path).games.to_dicts()
    change(rows)
    records.write(path, records.read_label(path), polars.DataFrame(rows, records.SCHEMA))


def test_a_ranking_replays_to_its_results(submission, capsys):
    """Three opponents and an exploiter, each in both games of a deal; agents that draw play the same again."""
    assert replayed(submission) == 3 * 3 * 2 + 2 * 2
    assert main(["submit", str(submission / "results.json")]) == 0
    assert "22 games" in capsys.readouterr().out


@pytest.mark.parametrize(("agent", "reason"), [(OPPONENT, f"{OPPONENT} plays"), ("greedy", "")])
def test_another_action_is_refused(submission, agent, reason):
    """That of a panel agent is not the one it plays, and the submitted agent's leads to other positions."""
    record = records.read(submission / "records" / FILE)
    seats = []
    records.replay(record, lambda t: seats.append(t.before["seat"][t.rows == 0]))
    ply = next(ply for ply, seat in enumerate(seats) if record.games["seats"][0][int(seat[0])] == agent)

    def change(rows):
        rows[0]["actions"][ply] += 1

    changed(submission, FILE, change)
    with pytest.raises(ValueError, match=rf"{FILE}: .*(game 0|illegal).*{reason}"):
        replayed(submission)


@pytest.mark.parametrize(
    ("column", "value"),
    [("rewards", [9.0, -9.0]), ("digest", "0"), ("truncated", True), ("deal", 7), ("seats", ["greedy"] * 2)],
)
def test_another_result_is_refused(submission, column, value):
    changed(submission, FILE, lambda rows: rows[1].update({column: value}))
    with pytest.raises(ValueError, match=FILE):
        replayed(submission)


def test_games_that_end_too_early_or_too_late_are_refused(submission):
    changed(submission, FILE, lambda rows: rows[0]["actions"].pop())
    with pytest.raises(ValueError, match=rf"{FILE}.*(nothing|illegal action -1)"):
        replayed(submission)


def test_games_of_another_opponent_are_refused(submission):
    shutil.copy(submission / "records" / FILE.replace("held-out-late", "scripted"), submission / "records" / FILE)
    with pytest.raises(ValueError, match=r"agents=.* is not allowed; allowed: .*held-out:late"):
        replayed(submission)


def test_missing_games_are_refused(submission, capsys):
    (submission / "records" / FILE).unlink()
    with pytest.raises(SystemExit) as ended:
        main(["submit", str(submission / "results.json")])
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert FILE in line and "--records" in line


def test_points_that_are_not_those_of_the_records_are_refused(submission):
    file = submission / "results.json"
    results = json.loads(file.read_text())
    results["tables"]["karma"]["pairs"][OPPONENT]["points"] = ["444"]
    file.write_text(json.dumps(results))
    with pytest.raises(ValueError, match=f"karma: pairs: {OPPONENT}: points="):
        replayed(submission)


def test_the_score_of_an_exploiter_is_that_of_its_games(submission):
    file = submission / "results.json"
    results = json.loads(file.read_text())
    results["tables"]["karma"]["exploiters"]["search"]["mean"] = 0.123
    file.write_text(json.dumps(results))
    with pytest.raises(ValueError, match="karma: exploiters: search: mean="):
        replayed(submission)
    (name,) = (submission / "records").glob("karma-search*")
    changed(submission, name.name, lambda rows: rows[0].update(deal=5))
    with pytest.raises(ValueError, match=name.name):
        replayed(submission)


def test_the_match_of_a_record_has_the_deals_of_the_suite():
    (match,) = suite.meeting("karma", suite.AGAINST, "greedy", OPPONENT, 1).matches.values()
    assert plans.match_label(match)["seed"] == suite.SEED
