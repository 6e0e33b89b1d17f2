"""An agent is ranked: its scores, its files, its exploiters, and what is refused."""

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import records, trainer
from benchmarks.rank import entries, exploiters, ranking, suite
from benchmarks.views import rank as view
from tantra_envs.programs import results as files
from tests.docs.pages import ROOT

WORDS = ("rank", "greedy", "--games", "karma", "--deals", "10", "--name", "mine")


def rank(runs, *words):
    return main([*WORDS, "--runs", str(runs), *words])


@pytest.fixture(scope="module", autouse=True)
def few_opponents():
    """Panels without searches."""
    public, held_out = ("uniform", "scripted", suite.LEARNED), ("held-out:late",)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suite, "PANEL", (*public, *held_out))
        patch.setattr(suite, "PANELS", {"public": public, "held_out": held_out})
        yield


@pytest.mark.whole
def test_rankings_have_means_over_the_panels_and_become_one_table(tmp_path, capsys):
    """A second ranking adds its tables and its row; what was there is unchanged, and both replay to it."""
    shared, other, together = (tmp_path / name for name in ("mine", "other", "together"))
    assert rank(tmp_path) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "greedy is incomplete under suite v3: it lacks tables (tarot, " in shown
    assert f"show losses {shared}" in shown
    (row,) = entries.read(shared)
    assert set(row["tables"]) == {"karma", "karma-4"}
    for table, own in row["tables"].items():
        for panel, names in suite.PANELS.items():
            assert own[panel]["mean"] == pytest.approx(np.mean([own["pairs"][name]["mean"] for name in names]))
        assert {pair["n"] for pair in own["pairs"].values()} == {10 if table == "karma" else 5}
        assert len(own["pairs"]["uniform"]["points"]) == (1 if table == "karma" else 2)
    (line,) = [line for line in view.all_agents({"greedy": [row]}).splitlines() if "greedy" in line]
    assert line.endswith("| no |")
    words = ["--games", "karma-2", "--label", "My rule", "--deals", "4", "--runs", str(tmp_path), "--name", "other"]
    assert main(["rank", "scripted", *words]) == 0
    before = files.read(shared / "results.csv").drop("date").rows()
    together.mkdir()
    for file in ("results.csv", "results.parquet"):
        (together / file).write_bytes((shared / file).read_bytes())
    assert main(["show", "rank", str(together), str(other)]) == 0
    assert "1000 [1000, 1000] scripted" in capsys.readouterr().out
    after, rows = files.read(together / "results.csv").drop("date").rows(), entries.read(together)
    assert set(before) < set(after) and [row["agent"] for row in rows] == ["greedy", "scripted"]
    rated = ranking.rated(ranking.by_label(rows))
    assert rated == ranking.rated(ranking.by_label(rows[::-1])) and rated["scripted"]["mean"] == 1000
    assert main(["check", str(together), str(shared)]) == 0
    shown = capsys.readouterr().out
    assert f"{len(after)} figures are computed again" in shown and "games are played again" in shown


def test_the_page_explains_every_column_of_its_table():
    text = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
    assert [head for head in ("rating", *view.COLUMNS) if f"**{head}**" not in text] == []
    assert f"| agent | rating | {' | '.join(view.COLUMNS)} |" in text


@pytest.mark.whole
def test_a_program_is_counted_and_asked_in_its_games_only(tmp_path, program, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "400")
    words = [WORDS[0], program.word("nonsense"), "--games", "tarot", "--deals", "1", "--name", "mine"]
    words += ["--runs", str(tmp_path)]
    assert main(words) == 0
    (row,), asked = entries.read(tmp_path / "mine"), program.questions
    assert "actions drawn" in capsys.readouterr().out and row["tables"]["tarot"]["milliseconds"] > 0
    assert main(words) == 0
    assert program.questions == asked


@pytest.mark.whole
def test_a_partner_plays_all_other_seats(tmp_path):
    """The agent sits once in every seat, and has the score of its team."""
    words = ["rank", "scripted", "--games", "kanastic", "--deals", "2", "--name", "mine", "--runs", str(tmp_path)]
    assert main(words) == 0
    (row,) = entries.read(tmp_path / "mine")
    partners = row["tables"]["kanastic"]["partners"]
    assert set(partners) == set(suite.PARTNERS)
    assert all(len(score["points"][0]) == 2 for score in partners.values())
    record = records.read(next((tmp_path / "mine/records").glob("kanastic-held-out-late-partner*")))
    place = suite.ordered("scripted", "held-out:late").index("scripted")
    assert [seats.tolist().count(place) for seats in record.seating] == [1] * 8
    assert sorted((record.seating[:4] == place).argmax(axis=1).tolist()) == [0, 1, 2, 3]
    assert main(["check", str(tmp_path / "mine")]) == 0


@pytest.mark.whole
def test_an_exploiter_is_trained_and_measured_once(tmp_path, monkeypatch):
    monkeypatch.setattr(exploiters, "DECISIONS", dict.fromkeys(suite.GAMES, 200))
    monkeypatch.setattr(exploiters, "DEALS", 2)
    commands, train = [], trainer.train
    few = ("--tables", "8")
    monkeypatch.setattr(trainer, "train", lambda words, log: (commands.append(words), train([*words, *few], log)))
    words = ["rank", "uniform", "--games", "karma-4", "--deals", "1", "--exploit", "--name", "mine"]
    for _ in range(2):
        assert main([*words, "--runs", str(tmp_path)]) == 0
    assert len(commands) == 1 and "--exploit" in commands[0]
    (row,) = entries.read(tmp_path / "mine")
    scores = row["tables"]["karma-4"]["exploiters"]
    assert [score["n"] for score in scores.values()] == [2, 2] and list(scores) == list(suite.EXPLOITERS)
    assert not any("exploitability" in words for words in suite.missing([row]))
    assert main(["check", str(tmp_path / "mine")]) == 0


@pytest.mark.parametrize(
    ("word", "base"),
    [("scripted", ""), ("uniform", ""), ("learned", "learned"), (suite.LEARNED, "ppo:"), ("search:4,plies=9", "")],
)
def test_networks_play_the_playouts_of_the_search_over_them(word, base):
    found = exploiters.base_of("karma", word)
    assert found.startswith(base) and bool(found) == bool(base)
