"""The command evaluate: its log, its file, and agents that fail."""

import json

import pytest

evaluate = pytest.importorskip("training.evaluate")

QUITS = """import sys
class Mine:
    name = "mine"
    def __init__(self, game): pass
    def act(self, obs, rng): sys.exit()
"""


def test_the_log_has_lines_with_games_and_scores_and_a_link_stays_where_the_results_go(tmp_path, capsys):
    (tmp_path / "link.json").symlink_to(tmp_path / "results.json")
    words = ["karma", "--agent", "greedy", "--opponents", "uniform", "scripted", "--deals", "10"]
    evaluate.main([*words, "--json", str(tmp_path / "link.json")])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("games: ")]
    assert lines[0].startswith("games: ") and lines[-1].startswith("games: 40 of 40, ")
    assert lines[-1].endswith(" against uniform")
    results = json.loads((tmp_path / "results.json").read_text())["results"]
    assert [result["opponent"] for result in results] == ["uniform", "scripted"]
    assert f"{results[0]['score']['mean']:.3f}" in lines[-1]
    assert (tmp_path / "link.json").is_symlink()


def test_the_last_line_has_the_commands_that_list_losses(capsys):
    evaluate.main(["karma", "--players", "3", "--agent", "uniform", "--opponents", "uniform", "--deals", "2"])
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("where it loses: python -m benchmarks tournament karma --players 3 --agents uniform uniform")
    assert line.endswith(" && python -m benchmarks show losses runs/losses")
    blank = evaluate.Args(game="karma", agent="my bot.py:Bot")
    assert "--agents 'my bot.py:Bot' scripted " in evaluate.losses_commands(blank)


def test_games_for_one_are_counted_for_both_agents(capsys):
    words = ["tantrix:solitaire", "--agent", "greedy", "--opponents", "uniform", "--deals", "2"]
    evaluate.main(words)
    assert "games: 4 of 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "words", "code", "told"),
    [
        ("uniform", ["--opponents", "mine.py:Mine"], 1, "agent 'mine' failed: SystemExit"),
        ("mine.py:Mine", ["--opponents", "uniform"], 1, "agent 'mine' failed: SystemExit"),
        ("uniform", ["--json", "."], 2, "it is a folder"),
        ("uniform", ["--players", "99"], 2, "players=99 is not allowed"),
    ],
)
def test_an_error_is_told_in_one_line(tmp_path, monkeypatch, refusal, agent, words, code, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(QUITS)
    assert told in refusal(evaluate.main, ["karma", "--agent", agent, *words, "--deals", "2"], code)
