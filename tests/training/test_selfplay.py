"""Self-play: a run from begin to end, taking it up again, stopping it, and users' errors in one line."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs import cli
from tantra_envs.matches.match import play_alone
from tests.drawing.test_replay import content
from training.options import restore

torch = pytest.importorskip("torch")
selfplay = pytest.importorskip("training.selfplay")
evaluate = pytest.importorskip("training.evaluate")
run_folder = pytest.importorskip("training.run_folder")

SMALL = [
    *(
        "--num-envs",
        "8",
        "--n-steps",
        "16",
        "--batch-size",
        "64",
        "--n-epochs",
        "1",
        "--net-arch",
        "8",
        "--threads",
        "1",
    ),
    *("--snapshot-every", "128", "--eval-every", "256", "--eval-deals", "2", "--final-deals", "3"),
    *("--pool-size", "2", "--opponents", "uniform", "scripted", "--eval-opponents", "uniform"),
]


def learn(runs, name, *more):
    replays = [] if "--replays" in more else ["--no-replays"]
    selfplay.main(["--runs", str(runs), "--name", name, "--total-timesteps", "768", *SMALL, *replays, *more])
    return runs / name


def test_a_run_leaves_a_player_a_curve_results_and_its_command(tmp_path, capsys):
    folder = learn(tmp_path, "small", "--replays")
    names = {file.name for file in folder.iterdir()}
    assert names == {
        "command.txt",
        "lock",
        "checkpoint.safetensors",
        "model.safetensors",
        "best.safetensors",
        "curve.png",
        "replays",
        "results.json",
        "tensorboard",
    }
    assert (folder / "command.txt").read_text().startswith("python -m training selfplay --runs ")
    results = json.loads((folder / "results.json").read_text())
    assert [entry["decisions"] for entry in results["history"]] == [256, 512, 768]
    assert results["results"][0]["opponent"] == "uniform" and results["results"][0]["games"] == 6
    assert "decisions a second, including updates" in capsys.readouterr().out
    assert load(f"ppo:{folder}/model.safetensors", tantra_envs.game("karma")).name.endswith("model.safetensors")


def test_a_run_leaves_a_replay_against_each_opponent_and_shows_where_it_ended(tmp_path):
    folder = learn(tmp_path, "seen", "--replays", "--eval-opponents", "uniform", "search:2")
    assert {file.name for file in (folder / "replays").iterdir()} == {"uniform.html", "search-2.html"}
    told, drawn = content((folder / "replays" / "search-2.html").read_text(encoding="utf-8"))
    assert told["names"] == ["learner 0", "search:2 1"] and "the end" in drawn[0][-1]
    worths = {thoughts["worth"] for thoughts in told["thoughts"].values()}
    assert worths == {"probability", "win probability, in 2 sampled deals"}
    if find_spec("resvg_py"):
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        events = EventAccumulator(str(folder / "tensorboard")).Reload()
        assert set(events.Tags()["images"]) == {"table/uniform", "table/search:2"}
        assert events.Images("table/uniform")[-1].width == 600


@pytest.mark.parametrize("partner", ["self", "pool"])
def test_a_team_learns_with_itself_or_with_others(partner, tmp_path):
    folder = learn(tmp_path, "team", "--game", "kanastic:dense", "--players", "4", "--partner", partner)
    results = json.loads((folder / "results.json").read_text())
    assert results["settings"]["partner"] == partner and results["results"][0]["games"] == 6
    sitting = run_folder.read_checkpoint(folder)["tables"]["_sitting"]
    assert (sitting[:, :2] == sitting[:, 2:]).all()


def test_a_run_taken_up_again_ends_as_if_never_stopped(tmp_path, monkeypatch):
    whole = learn(tmp_path, "whole")
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "asked_to_stop", stop_after(3))
        with pytest.raises(SystemExit) as stop:
            learn(tmp_path, "halves")
    halves = tmp_path / "halves"
    assert stop.value.code == 130 and run_folder.read_checkpoint(halves)["decisions"] == 384
    selfplay.main(["--resume", str(halves)])
    one, two = run_folder.read_checkpoint(whole), run_folder.read_checkpoint(halves)
    assert one["decisions"] == two["decisions"] == 768
    assert all((weights == two["policy"][name]).all() for name, weights in one["policy"].items())
    assert one["tables"]["_states"].tobytes() == two["tables"]["_states"].tobytes()
    assert scores(one) == scores(two)
    assert len((halves / "command.txt").read_text().splitlines()) == 2


@pytest.mark.parametrize("size", ["1", "3"])
def test_the_learner_may_play_against_nobody_but_itself(size, tmp_path, monkeypatch):
    alone = ("--opponents", "--pool-size", size)
    whole = learn(tmp_path, "whole", *alone)
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "asked_to_stop", stop_after(3))
        with pytest.raises(SystemExit):
            learn(tmp_path, "halves", *alone)
    selfplay.main(["--resume", str(tmp_path / "halves")])
    one, two = run_folder.read_checkpoint(whole), run_folder.read_checkpoint(tmp_path / "halves")
    assert one["settings"]["opponents"] == [] and len(one["pool"]["drawn"]) == int(size)
    assert all((weights == two["policy"][name]).all() for name, weights in one["policy"].items())


def scores(content):
    return [(entry["decisions"], entry["scores"]) for entry in content["history"]]


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
    with pytest.raises(SystemExit) as stop:
        learn(tmp_path, "stopped", "--total-timesteps", "100000000", "--eval-every", "100000000")
    folder = tmp_path / "stopped"
    assert stop.value.code == 130 and capsys.readouterr().err == f"stopped; continue with --resume {folder}\n"
    assert run_folder.read_checkpoint(folder)["decisions"] > 0
    assert signal.getsignal(signal.SIGINT) is before


def press_ctrl_c_once_training(before):
    while signal.getsignal(signal.SIGINT) is before:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_while_cloning_goes_on_as_if_never_stopped(tmp_path, monkeypatch, capsys):
    cloning = ("--bc-decisions", "400", "--total-timesteps", "256")
    whole = learn(tmp_path, "whole", *cloning)
    with monkeypatch.context() as patched:
        patched.setattr(selfplay.SelfPlay, "measure_now", press_ctrl_c)
        with pytest.raises(SystemExit) as stop:
            learn(tmp_path, "halves", *cloning)
    assert stop.value.code == 130 and "stopped; continue with --resume" in capsys.readouterr().err
    selfplay.main(["--resume", str(tmp_path / "halves")])
    one, two = (run_folder.read_checkpoint(folder) for folder in (whole, tmp_path / "halves"))
    assert all((weights == two["policy"][name]).all() for name, weights in one["policy"].items())
    assert scores(one) == scores(two)


def press_ctrl_c(run):
    raise KeyboardInterrupt


def test_a_full_disk_leaves_no_half_file(tmp_path, monkeypatch, capsys):
    def full(file, content):
        with file.open("wb") as half:
            half.write(content[:100])
        raise OSError(28, "No space left on device")

    def fails_later(run):
        monkeypatch.setattr(Path, "write_bytes", full)
        return begun(run)

    begun = selfplay.SelfPlay.train
    monkeypatch.setattr(selfplay.SelfPlay, "train", fails_later)
    with pytest.raises(SystemExit) as stop:
        learn(tmp_path, "full")
    told = capsys.readouterr().err
    assert (
        stop.value.code == 1
        and told.endswith(f"continue with --resume {tmp_path / 'full'}\n")
        and told.count("\n") == 1
    )
    assert not list(tmp_path.glob("full/*.part")) and run_folder.read_checkpoint(tmp_path / "full")["decisions"] == 0


def test_errors_of_the_program_keep_their_traceback(tmp_path, monkeypatch):
    def bug(*_):
        raise ValueError("a bug")

    monkeypatch.setattr(selfplay.BehaviourCloning, "train", bug)
    with pytest.raises(ValueError, match="a bug"):
        learn(tmp_path, "buggy", "--bc-decisions", "100")


def test_reading_a_checkpoint_runs_no_code(tmp_path, capsys):
    (tmp_path / "checkpoint.safetensors").write_bytes(pickle.dumps(Evil()))
    assert "is damaged, or of another version" in refused(capsys, selfplay.main, "--resume", str(tmp_path))


class Evil:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def test_agents_by_file_in_a_run_of_others_need_trust(tmp_path, capsys):
    mine = tmp_path / "mine.py"
    mine.write_text("from tantra_envs.opponents.uniform import Uniform\n")
    folder = learn(tmp_path, "run", "--opponents", f"{mine}:Uniform")
    assert "whose code would run; to allow this, add --trust" in refused(capsys, selfplay.main, "--resume", str(folder))
    selfplay.main(["--resume", str(folder), "--trust"])


def test_players_are_those_of_the_variant(tmp_path, capsys):
    assert selfplay.SelfPlay(selfplay.Args(game="karma:party", num_envs=2)).game.players == 6
    assert evaluate.prepare(evaluate.Args(agent="scripted", game="karma:party"))[0].players == 6


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
        (["--opponents", "nobody"], "unknown agent 'nobody'; allowed: uniform"),
        (["--seedz", "3"], "seedz"),
        (["--num-envs", "many"], "many"),
        (["--n-steps", "0"], "n_steps=0 is not allowed"),
        (["--self-play-fraction", "2"], "self_play_fraction=2.0 is not allowed; allowed: 0..1"),
        (["--bc-decisions", "-1"], "bc_decisions=-1 is not allowed; allowed: 0 or more"),
        (["--bc-decisions", "9", "--expert", "nobody"], "unknown agent 'nobody'"),
        (["--gamma", "7"], "gamma=7.0 is not allowed; allowed: 0..1"),
        (["--gamma", "nan"], "gamma=nan is not allowed"),
        (["--ent-coef", "inf"], "ent_coef=inf is not allowed"),
        (["--num-envs", str(2**63)], f"num_envs={2**63} is not allowed"),
        (["--num-envs", str(2**62)], f"num_envs={2**62} is not allowed"),
        (["--net-arch", "1000000"], "net_arch=1000000 is not allowed"),
        (["--gae-lambda", "-1"], "gae_lambda=-1.0 is not allowed; allowed: 0..1"),
        (["--ent-coef", "-1"], "ent_coef=-1.0 is not allowed"),
        (["--learning-rate", "0"], "learning_rate=0.0 is not allowed; allowed: 1e-09..1"),
        (["--net-arch", "8", "0"], "net_arch=0 is not allowed"),
        (["--pool-size", "-1"], "pool_size=-1 is not allowed; allowed: 0 or more"),
        (["--eval-deals", "0"], "eval_deals=0 is not allowed"),
        (["--seed", "-1"], "seed=-1 is not allowed; allowed: 0..2147483646"),
        (["--resume", "/none"], "/none/checkpoint.safetensors does not exist; allowed: the folder of a run"),
        (["--config", "/none.toml"], "/none.toml"),
    ],
)
def test_users_errors_end_in_one_line(words, says, capsys, tmp_path):
    assert says in refused(capsys, selfplay.main, "--runs", str(tmp_path), *words)
    assert not any(tmp_path.iterdir())


def test_a_run_in_use_is_refused_and_the_other_process_is_named(tmp_path, capsys, locked_by_another):
    folder = learn(tmp_path, "used")
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file() and file.name != "lock"}
    (tmp_path / "new").mkdir()
    for used, words in ((folder, ["--resume", str(folder)]), (tmp_path / "new", ["--name", "new", *SMALL])):
        with locked_by_another(used) as other:
            told = refused(capsys, selfplay.main, "--runs", str(tmp_path), *words)
        assert f"{used} is in use by process {other.pid} on " in told
    assert before == {name: (folder / name).read_bytes() for name in before}
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["lock"]
    selfplay.main(["--resume", str(folder), "--more", "128"])  # the lock ended with the killed process


def test_a_damaged_checkpoint_is_refused(tmp_path, capsys):
    file = learn(tmp_path, "damaged", "--total-timesteps", "128") / "checkpoint.safetensors"
    content = file.read_bytes()
    for place in np.random.default_rng(1).integers(8, len(content), 40).tolist() + list(range(8, 200, 7)):
        file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(ValueError, match="damaged, or of another version"):
            run_folder.read_checkpoint(file.parent)
    assert "is damaged" in refused(capsys, selfplay.main, "--resume", str(file.parent))
    file.write_bytes(content)
    assert run_folder.read_checkpoint(file.parent)["decisions"] == 128


def test_unknown_keys_of_a_config_file_are_refused(tmp_path, capsys):
    (tmp_path / "odd.toml").write_text("total_timesteps = 3\nspeed = 9\n")
    told = refused(capsys, selfplay.main, "--config", str(tmp_path / "odd.toml"))
    assert "odd.toml: unknown key 'speed'; keys: game, players, name" in told
    (tmp_path / "broken.toml").write_text("seed = \n")
    assert "broken.toml: Invalid value" in refused(capsys, selfplay.main, "--config", str(tmp_path / "broken.toml"))


def test_runs_are_not_overwritten_nor_written_where_they_cannot_be(tmp_path, capsys):
    (tmp_path / "old").mkdir()
    (tmp_path / "old/checkpoint.safetensors").write_bytes(b"noise")
    told = refused(capsys, selfplay.main, "--runs", str(tmp_path), "--name", "old", *SMALL)
    assert "holds a run already" in told
    assert "is damaged" in refused(capsys, selfplay.main, "--resume", str(tmp_path / "old"))
    (tmp_path / "file").write_text("")
    assert "file" in refused(capsys, selfplay.main, "--runs", str(tmp_path / "file"), *SMALL)


def test_a_run_goes_through_its_curriculum_and_is_taken_up_in_the_right_game(tmp_path, capsys):
    curriculum = ["--curriculum", "karma:quick", "karma:forced", "--curriculum-timesteps", "256"]
    folder = learn(tmp_path, "staged", *curriculum)
    begun = run_folder.read_checkpoint(folder)["settings"]
    settings = restore(begun, selfplay.Args(resume=folder))
    assert [selfplay.stage(settings, n) for n in (0, 255, 256, 511, 512, 10**6)] == [0, 0, 1, 1, 2, 2]
    assert [game.config["auto_setup"] for game in selfplay.games_of(settings)] == [True, False, False]
    half = selfplay.SelfPlay(settings, 300)
    assert half.tables.game.config == tantra_envs.game("karma:forced").config != half.game.config
    selfplay.main(["--resume", str(folder), "--more", "128"])
    capsys.readouterr()
    told = refused(capsys, selfplay.main, "--runs", str(tmp_path), "--name", "bad", *SMALL, "--curriculum", "tarot")
    assert "curriculum='tarot' is not allowed; allowed: variants of 'karma'" in told


@pytest.mark.parametrize("file", sorted(Path("configs/training").glob("selfplay-*.toml")), ids=lambda file: file.stem)
def test_shipped_configs_are_understood(file):
    args = cli.read(selfplay.Args, "training selfplay", ["--config", str(file), "--seed", "9"])
    selfplay.SelfPlay.check(args)
    assert args.seed == 9 and args.name == file.stem


def test_a_game_for_one_is_learned_and_played(tmp_path):
    solitaire = ("--game", "tantrix:solitaire", "--players", "1", "--opponents", "uniform")
    folder = learn(tmp_path, "alone", "--total-timesteps", "128", "--eval-every", "128", *solitaire)
    results = json.loads((folder / "results.json").read_text())
    assert results["results"][0]["games"] == 3  # one for each deal
    game = tantra_envs.game("tantrix", mode="solitaire")
    player = load(f"ppo:{folder}/model.safetensors", game)
    alike = [play_alone(game, [player, player], 4, seed=1).score(0) for _ in range(2)]
    assert alike[0] == alike[1] and alike[0].mean == 0.5
    with pytest.raises(ValueError, match="games for one"):
        play_alone(tantra_envs.game("karma"), [player], 1)


def test_evaluation_prints_and_writes(tmp_path, capsys):
    file = tmp_path / "new" / "table.json"
    evaluate.main(["--agent", "scripted", "--opponents", "uniform", "greedy", "--deals", "4", "--json", str(file)])
    assert "greedy" in capsys.readouterr().out
    results = json.loads(file.read_text())
    assert results["agent"] == "scripted" and [r["games"] for r in results["results"]] == [8, 8]
    assert np.isfinite([r["score"]["mean"] for r in results["results"]]).all()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--agent", "ppo:none.zip"], "there is no model file 'none.zip'"),
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "scripted", "--deals", "0"], "deals=0 is not allowed"),
        (["--agent", "scripted", "--seed", "-1"], "seed=-1 is not allowed; allowed: 0.."),
        (["--agent", "scripted", "--json", "/dev/null/x.json"], "/dev/null"),
        (["--agent", "scripted", "--json", "/tmp"], "is a folder"),
        ([], "--agent"),
    ],
)
def test_users_errors_of_an_evaluation(words, says, capsys):
    assert says in refused(capsys, evaluate.main, *words)
