"""Self-play: a run from begin to end, taking it up again, stopping it, and mistakes told in one line."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import parse
from tantra_envs.matches.match import play_alone

torch = pytest.importorskip("torch")
selfplay = pytest.importorskip("training.selfplay")
evaluate = pytest.importorskip("training.evaluate")

SMALL = [
    *("--tables", "8", "--rollout", "16", "--batch", "64", "--epochs", "1", "--network", "8", "--threads", "1"),
    *("--snapshot-every", "128", "--evaluate-every", "256", "--evaluate-deals", "2", "--final-deals", "3"),
    *("--selves", "2", "--opponents", "uniform,scripted", "--against", "uniform"),
]


def learn(runs, name, *more):
    selfplay.main(["--runs", str(runs), "--name", name, "--steps", "768", *SMALL, *more])
    return runs / name


def test_a_run_leaves_a_player_a_curve_results_and_its_command(tmp_path, capsys):
    folder = learn(tmp_path, "small")
    names = {file.name for file in folder.iterdir()}
    assert names == {"command.txt", "checkpoint.pt", "model.zip", "curve.png", "results.json", "tensorboard"}
    assert (folder / "command.txt").read_text().startswith("python -m training.selfplay --runs ")
    results = json.loads((folder / "results.json").read_text())
    assert [entry["decisions"] for entry in results["history"]] == [256, 512, 768]
    assert results["results"][0]["opponent"] == "uniform" and results["results"][0]["games"] == 6
    assert "decisions a second, updates included" in capsys.readouterr().out
    assert parse(f"ppo:{folder}/model.zip", tantra_envs.game("karma"))[0].name.endswith("model.zip")


@pytest.mark.parametrize("partner", ["self", "pool"])
def test_a_team_learns_with_itself_or_with_others(partner, tmp_path):
    folder = learn(tmp_path, "team", "--game", "kanastic:dense", "--players", "4", "--partner", partner)
    results = json.loads((folder / "results.json").read_text())
    assert results["settings"]["partner"] == partner and results["results"][0]["games"] == 6
    sitting = selfplay.read_checkpoint(folder)["tables"]["_sitting"]
    assert (sitting[:, :2] == sitting[:, 2:]).all()


def test_a_run_taken_up_again_ends_as_if_never_stopped(tmp_path, monkeypatch):
    whole = learn(tmp_path, "whole")
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "asked_to_stop", stop_after(3))
        halves = learn(tmp_path, "halves")
    assert selfplay.read_checkpoint(halves)["decisions"] == 384
    selfplay.main(["--resume", str(halves)])
    one, two = selfplay.read_checkpoint(whole), selfplay.read_checkpoint(halves)
    assert one["decisions"] == two["decisions"] == 768
    assert all((weights == two["policy"][name]).all() for name, weights in one["policy"].items())
    assert one["tables"]["_states"].tobytes() == two["tables"]["_states"].tobytes()
    assert one["history"] == two["history"]
    assert len((halves / "command.txt").read_text().splitlines()) == 2


def stop_after(updates):
    """In place of Ctrl-C: asks to stop after so many updates."""

    @contextlib.contextmanager
    def asked():
        left = iter(range(updates))
        next(left)
        yield lambda: next(left, None) is None

    return asked


def test_ctrl_c_saves_and_ends(tmp_path, capsys):
    before = signal.getsignal(signal.SIGINT)  # a job in the background ignores it
    threading.Thread(target=press_ctrl_c_once_training, args=(before,), daemon=True).start()
    folder = learn(tmp_path, "stopped", "--steps", "100000000", "--evaluate-every", "100000000")
    assert f"go on with --resume {folder}" in capsys.readouterr().out
    assert selfplay.read_checkpoint(folder)["decisions"] > 0
    assert signal.getsignal(signal.SIGINT) is before


def press_ctrl_c_once_training(before):
    while signal.getsignal(signal.SIGINT) is before:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def refused(capsys, main, *words):
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    told = capsys.readouterr().err
    assert stop.value.code == 2 and told.startswith("error: ") and told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--game", "chess"], "unknown game 'chess'; games: "),
        (["--game", "karma:fast"], "karma: unknown variant 'fast'; variants: booklet"),
        (["--players", "13"], "karma: players=13 is not allowed"),
        (["--opponents", "nobody"], "unknown agent 'nobody'; agents: uniform"),
        (["--stepz", "3"], "stepz"),
        (["--tables", "many"], "many"),
        (["--rollout", "0"], "rollout=0 is not allowed; allowed: 1, 2, 3, .."),
        (["--self-share", "2"], "self_share=2.0 is not allowed; allowed: 0..1"),
        (["--imitate", "-1"], "imitate=-1 is not allowed; allowed: 0, 1, 2, .."),
        (["--imitate", "9", "--teacher", "scripted,greedy"], "teacher='scripted,greedy' is not allowed; allowed: one"),
        (["--game", "tantrix", "--policy", "placements", "--advice"], "advice=True is not allowed with policy="),
        (["--policy", "placements"], "policy='placements' is not allowed for karma; allowed: mlp, and for Strategy"),
        (["--resume", "/none"], "nothing to resume: there is no /none/checkpoint.pt"),
        (["--config", "/none.toml"], "/none.toml"),
    ],
)
def test_mistakes_end_in_one_line(words, says, capsys, tmp_path):
    assert says in refused(capsys, selfplay.main, "--runs", str(tmp_path), *words)


def test_unknown_keys_of_a_config_file_are_refused(tmp_path, capsys):
    (tmp_path / "odd.toml").write_text("steps = 3\nspeed = 9\n")
    told = refused(capsys, selfplay.main, "--config", str(tmp_path / "odd.toml"))
    assert "odd.toml: unknown key 'speed'; keys: game, players, name" in told
    (tmp_path / "broken.toml").write_text("steps = \n")
    assert "broken.toml: Invalid value" in refused(capsys, selfplay.main, "--config", str(tmp_path / "broken.toml"))


def test_runs_are_not_overwritten_nor_written_where_they_cannot_be(tmp_path, capsys):
    (tmp_path / "old").mkdir()
    (tmp_path / "old/checkpoint.pt").write_bytes(b"noise")
    told = refused(capsys, selfplay.main, "--runs", str(tmp_path), "--name", "old", *SMALL)
    assert "holds a run already" in told
    assert "is damaged" in refused(capsys, selfplay.main, "--resume", str(tmp_path / "old"))
    (tmp_path / "file").write_text("")
    assert "file" in refused(capsys, selfplay.main, "--runs", str(tmp_path / "file"), *SMALL)


def test_a_run_goes_through_its_stages_and_is_taken_up_in_the_right_one(tmp_path, capsys):
    stages = ["--stages", "karma:quick", "karma:forced", "--stage-steps", "256"]
    folder = learn(tmp_path, "staged", *stages)
    settings = selfplay.Args(**selfplay.read_checkpoint(folder)["settings"])
    assert [selfplay.stage(settings, n) for n in (0, 255, 256, 511, 512, 10**6)] == [0, 0, 1, 1, 2, 2]
    assert [game.config["auto_setup"] for game in selfplay.games_of(settings)] == [True, False, False]
    half = selfplay.assemble(settings, 300)
    assert half.tables.game.config == tantra_envs.game("karma:forced").config != half.game.config
    selfplay.main(["--resume", str(folder), "--more", "128"])
    capsys.readouterr()
    told = refused(capsys, selfplay.main, "--runs", str(tmp_path), "--name", "bad", *SMALL, "--stages", "tarot")
    assert "stages='tarot' is not allowed" in told


@pytest.mark.parametrize("file", sorted(Path("configs/training").glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_configs_are_understood(file):
    args = selfplay.read(selfplay.Args, "training.selfplay", ["--config", str(file), "--seed", "9"])
    selfplay.check(args)
    assert args.seed == 9 and args.name == file.stem


def test_a_policy_over_placements_is_a_player_of_a_game_for_one(tmp_path):
    solitaire = ("--game", "tantrix:solitaire", "--players", "1", "--policy", "placements", "--opponents", "uniform")
    folder = learn(tmp_path, "alone", "--steps", "128", "--evaluate-every", "128", *solitaire)
    results = json.loads((folder / "results.json").read_text())
    assert results["results"][0]["games"] == 3  # one for each deal
    game = tantra_envs.game("tantrix", mode="solitaire")
    player = parse(f"ppo:{folder}/model.zip", game)[0]
    alike = [play_alone(game, [player, player], 4, seed=1).score(0) for _ in range(2)]
    assert alike[0] == alike[1] and alike[0].mean == 0.5
    with pytest.raises(ValueError, match="games for one"):
        play_alone(tantra_envs.game("karma"), [player], 1)


def test_evaluation_prints_and_writes(tmp_path, capsys):
    file = tmp_path / "table.json"
    evaluate.main(["--agent", "scripted", "--opponents", "uniform,greedy", "--deals", "4", "--json", str(file)])
    assert "greedy" in capsys.readouterr().out
    results = json.loads(file.read_text())
    assert results["agent"] == "scripted" and [r["games"] for r in results["results"]] == [8, 8]
    assert np.isfinite([r["score"]["mean"] for r in results["results"]]).all()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--agent", "ppo:none.zip"], "there is no model file 'none.zip'"),
        (["--agent", "uniform,greedy"], "agent='uniform,greedy' is not allowed; allowed: one agent"),
        (["--agent", "scripted", "--deals", "0"], "deals=0 is not allowed"),
        ([], "--agent"),
    ],
)
def test_mistakes_of_an_evaluation(words, says, capsys):
    assert says in refused(capsys, evaluate.main, *words)
