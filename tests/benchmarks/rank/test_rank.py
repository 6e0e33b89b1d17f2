"""An agent is ranked: its scores, its files, its exploiters, and what is refused."""

from __future__ import annotations

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


@pytest.fixture(autouse=True)
def few_opponents(monkeypatch):
    """Panels without searches."""
    public, held_out = ("uniform", "scripted", suite.LEARNED), ("held-out:late",)
    monkeypatch.setattr(suite, "PANEL", (*public, *held_out))
    monkeypatch.setattr(suite, "PANELS", {"public": public, "held_out": held_out})


@pytest.fixture
def ranked(tmp_path):
    """The results of `greedy` in Karma."""
    assert rank(tmp_path) == 0
    (row,) = entries.read(tmp_path / "mine")
    return row


@pytest.mark.whole
def test_scores_are_means_over_the_panels_and_a_pair_is_the_other_one_turned_round(ranked, tmp_path):
    """Every deal of A against B gives 1 - that of B against A, also at tables of four and with random agents."""
    assert main(["rank", "uniform", *WORDS[2:-1], "other", "--runs", str(tmp_path)]) == 0
    (turned,) = entries.read(tmp_path / "other")
    assert set(ranked["tables"]) == {"karma", "karma-4"}
    for table, row in ranked["tables"].items():
        for panel, names in suite.PANELS.items():
            assert row[panel]["mean"] == pytest.approx(np.mean([row["pairs"][name]["mean"] for name in names]))
        assert {pair["n"] for pair in row["pairs"].values()} == {10 if table == "karma" else 5}
        one, other = row["pairs"]["uniform"], turned["tables"][table]["pairs"].get("greedy")
        assert other is None and len(one["points"]) == (1 if table == "karma" else 2)
    rows = ranking.rated(ranking.by_label([ranked, turned]))
    assert rows == ranking.rated(ranking.by_label([turned, ranked])) and rows["scripted"]["mean"] == 1000


@pytest.mark.whole
def test_results_of_several_folders_become_one(ranked, tmp_path, capsys):
    """A second ranking adds its tables and its row; what was there is unchanged, and both replay to it."""
    shared, words = tmp_path / "mine", ["--runs", str(tmp_path), "--deals", "4"]
    assert main(["rank", "scripted", "--games", "karma-2", "--label", "My rule", *words, "--name", "other"]) == 0
    before = files.read(shared / "results.csv").drop("date").rows()
    together = tmp_path / "together"
    together.mkdir()
    for file in ("results.csv", "results.parquet"):
        (together / file).write_bytes((shared / file).read_bytes())
    assert main(["show", "rank", str(together), str(tmp_path / "other")]) == 0
    assert "1000 [1000, 1000] scripted" in capsys.readouterr().out
    after = files.read(together / "results.csv").drop("date").rows()
    assert set(before) < set(after)
    assert [row["agent"] for row in entries.read(together)] == ["greedy", "scripted"]
    assert main(["check", str(together), str(shared)]) == 0
    shown = capsys.readouterr().out
    assert f"{len(after)} figures are computed again" in shown and "games are played again" in shown


@pytest.mark.whole
def test_an_incomplete_row_is_shown_with_what_it_lacks(ranked, tmp_path, capsys):
    assert rank(tmp_path) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "greedy is incomplete under suite v3: it lacks tables (tarot, " in shown
    assert f"show losses {tmp_path / 'mine'}" in shown
    line = next(
        line for line in view.all_agents({"greedy": [ranked]}).splitlines() if "`greedy`" in line or "| greedy" in line
    )
    assert line.endswith("| no |")


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


def refused(capsys, words):
    """Return the only line on stderr of a command that is refused."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    *_, line = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "chess"), "games='chess' is not allowed; allowed: kanastic, "),
        (("--quick",), "quick=True is not allowed with deals"),
        (("--deals", "501"), "deals=501 is not allowed; allowed: 1..500"),
        (("--agent", "held-out:early", "--exploit"), "held-out:early of karma"),
        (("--agent", "text:cat", "--exploit"), "'text:cat' is a program"),
        (("--label", "panel:learned"), "label='panel:learned' is not allowed"),
        (("--label", "a|b"), "label='a|b' is not allowed"),
        (("--met", "held-out:late"), "met='held-out:late' is not allowed: no training may meet held-out agents"),
        (("--met", "self", "search:4,base=Held_Out:early"), "is not allowed: no training may meet held-out agents"),
        (("--training", "ppo --opponents held-out:late"), "command='ppo --opponents held-out:late' is not allowed"),
        (("--inputs", "cards"), "inputs='cards' is not allowed; allowed: nothing, observation, features, state"),
        (("--met", "nobody", "self"), "met='nobody self' is not allowed"),
        (("--exact", "nothing.csv"), "nothing.csv is damaged, or not a table of results"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, message):
    assert message in refused(capsys, [*WORDS, "--runs", str(tmp_path), *words])


AGENT = """import numpy as np
class Mine:
    name = "mine"
    def __init__(self, game):
        {made}
    def act(self, obs, rng):
        {acts}
"""


@pytest.mark.parametrize("name", ["panel:learned", "learned", "search:mine"])
def test_an_agent_cannot_have_the_name_of_another_one(tmp_path, capsys, name):
    file = tmp_path / "mine.py"
    file.write_text(AGENT.format(made="pass", acts="pass").replace('"mine"', repr(name)))
    with pytest.raises(SystemExit) as ended:
        main(["rank", f"{file}:Mine", "--games", "karma", "--runs", str(tmp_path)])
    assert ended.value.code == 2 and f"{name!r} of another agent" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("made", "acts", "reason"),
    [
        ("raise RuntimeError('size mismatch: 519, 202')", "pass", "RuntimeError: size mismatch: 519, 202"),
        ("pass", "raise SystemExit", "SystemExit"),
        ("pass", "return obs.observation @ np.ones((519, 1))", "ValueError: matmul"),
    ],
)
def test_an_agent_for_another_game_is_refused_by_name(tmp_path, capsys, made, acts, reason):
    file = tmp_path / "agent.py"
    file.write_text(AGENT.format(made=made, acts=acts))
    with pytest.raises(SystemExit) as ended:
        main(["rank", f"{file}:Mine", "--games", "karma", "--quick", "--runs", str(tmp_path / "runs")])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and reason in error and f"{file}:Mine" in error
    assert ("could not be made" in error) == (made != "pass")
    assert "cannot play karma (" in error and "--games" in error
    assert not (tmp_path / "runs").exists()
