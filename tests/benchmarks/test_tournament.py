"""Tournaments: reproducible, taken up again where they stopped, and clear about mistakes."""

import json
import sys

import pytest

from agents.match import play_match
from benchmarks import pairings, round_robin, tournament

AGENTS = "uniform,greedy"
FOLDER = "tournament-karma-2p-uniform-greedy-3-0"


def play(tmp_path, *words):
    return tournament.main(["--agents", AGENTS, "--deals", "3", "--runs", str(tmp_path), *words])


def kept(tmp_path, folder=FOLDER):
    return json.loads((tmp_path / folder / "results.json").read_text())


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["tournament", "--deals", "3"])


def test_results_matrix_and_command_are_kept(tmp_path, capsys):
    assert play(tmp_path) == 0
    content = kept(tmp_path)
    assert content["command"] == "python -m benchmarks.tournament --deals 3"
    assert content["settings"]["agents"] == ["uniform", "greedy"]
    assert [len(column) for column in content["pairings"]["uniform|greedy"]["scores"]] == [3, 3]
    assert (tmp_path / FOLDER / "payoff.png").read_bytes().startswith(b"\x89PNG")
    assert "greedy" in capsys.readouterr().out


def test_the_same_settings_give_the_same_results(tmp_path):
    play(tmp_path / "a")
    play(tmp_path / "b")
    assert kept(tmp_path / "a") == kept(tmp_path / "b")


def test_a_stopped_tournament_goes_on_from_the_last_finished_pairing(tmp_path, monkeypatch, capsys):
    whole = ["--players", "3", "--name", "whole"]
    play(tmp_path, *whole)

    played = []

    def stop_at_the_second(*arguments, **named):
        if len(played) == 1:
            raise KeyboardInterrupt
        played.append(arguments[1])
        return play_match(*arguments, **named)

    monkeypatch.setattr(pairings, "play_match", stop_at_the_second)
    stopped = ["--players", "3", "--name", "stopped"]
    assert play(tmp_path, *stopped) == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert list(kept(tmp_path, "stopped")["pairings"]) == ["uniform|greedy"]

    def only_what_is_missing(*arguments, **named):
        played.append(arguments[1])
        return play_match(*arguments, **named)

    monkeypatch.setattr(pairings, "play_match", only_what_is_missing)
    assert play(tmp_path, *stopped) == 0
    assert [[agent.name for agent in pair] for pair in played] == [["uniform", "greedy"], ["greedy", "uniform"]]
    assert kept(tmp_path, "stopped")["pairings"] == kept(tmp_path, "whole")["pairings"]


def test_a_finished_tournament_is_only_shown_again(tmp_path, monkeypatch):
    play(tmp_path)
    monkeypatch.setattr(pairings, "play_match", None)
    assert play(tmp_path) == 0


def test_options_come_from_a_file_and_the_command_line_wins(tmp_path):
    file = tmp_path / "t.toml"
    file.write_text('agents = "greedy,uniform"\ndeals = 2\nname = "named"\n')
    assert tournament.main(["--config", str(file), "--deals", "1", "--runs", str(tmp_path)]) == 0
    settings = kept(tmp_path, "named")["settings"]
    assert (settings["agents"], settings["deals"]) == (["greedy", "uniform"], 1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--game", "chess"], "unknown game 'chess'; games: "),
        (["--game", "karma:mini"], "karma: unknown variant 'mini'; variants: "),
        (["--agents", "uniform,nobody"], "unknown agent 'nobody'"),
        (["--agents", "uniform"], "agents='uniform' is not allowed; allowed: two or more that differ"),
        (["--agents", "uniform,uniform"], "allowed: two or more that differ"),
        (["--players", "13"], "karma: players=13 is not allowed; allowed: 2..12"),
        (["--deals", "0"], "deals=0 is not allowed; allowed: 1.."),
        (["--deals", "many"], "--deals"),
        (["--seed", "-1"], "seed=-1 is not allowed; allowed: 0.."),
        (["--tables", "4"], "--tables"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, told):
    with pytest.raises(SystemExit) as stop:
        play(tmp_path, *words)
    assert stop.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert told in lines[0]


def mistake(tmp_path, capsys, *words):
    with pytest.raises(SystemExit) as stop:
        play(tmp_path, *words)
    assert stop.value.code == 2
    return capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_a_mistake(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert mistake(tmp_path, capsys, "--runs", str(tmp_path / "file")).startswith("error: ")


def test_another_tournament_in_the_folder_is_left_alone(tmp_path, capsys):
    play(tmp_path, "--name", "mine")
    before = kept(tmp_path, "mine")
    told = mistake(tmp_path, capsys, "--name", "mine", "--seed", "1")
    assert "holds another tournament, seed=0 instead of 1; choose another --name" in told
    assert kept(tmp_path, "mine") == before


def test_a_damaged_file_is_left_alone(tmp_path, capsys):
    play(tmp_path, "--name", "mine")
    file = tmp_path / "mine" / "results.json"
    file.write_text(file.read_text()[:100])
    assert "is damaged" in mistake(tmp_path, capsys, "--name", "mine")


def test_a_missing_library_names_the_extra_that_brings_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tyro", None)
    assert "tyro is not installed; pip install -e '.[bench,train]'" in mistake(tmp_path, capsys)


def test_help_shows_an_example(capsys):
    with pytest.raises(SystemExit) as stop:
        tournament.main(["--help"])
    assert stop.value.code == 0
    assert "Example: python -m benchmarks.tournament" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "expected"), [(2, [(0, 1), (0, 2), (1, 2)]), (3, 6), (4, 6)])
def test_two_seats_meet_once_and_more_both_ways(players, expected):
    pairs = pairings.pairings(3, players)
    assert pairs == expected if players == 2 else len(set(pairs)) == expected


def test_trained_on_weights_are_another_tournament(tmp_path):
    weights = tmp_path / "model.zip"
    weights.write_bytes(b"one")
    before = round_robin.weights(f"uniform,ppo:{weights}")
    weights.write_bytes(b"two")
    assert before.keys() == {str(weights)}
    assert round_robin.weights(f"uniform,ppo:{weights}") != before
