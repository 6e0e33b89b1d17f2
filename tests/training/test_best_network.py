"""The best network of a run is kept, outlives a stop, and is the one that is exported."""

from __future__ import annotations

import contextlib
import json

import pytest

import tantra_envs
from agents import load
from tantra_envs.matches.intervals import Estimate

pytest.importorskip("torch")
selfplay = pytest.importorskip("training.selfplay")
runs = pytest.importorskip("training.run")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
export = pytest.importorskip("training.export")
GAME = tantra_envs.game("karma")

SMALL = {"num_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 2, "net_arch": (8,), "learning_rate": 0.02}
SMALL |= {
    "opponents": ("uniform",),
    "eval_opponents": ("uniform",),
    "eval_deals": 2,
    "final_deals": 3,
    "replays": False,
}
SMALL |= {"bc_decisions": 400, "total_timesteps": 512, "eval_every": 128, "snapshot_every": 10**6}


def begun(folder, name, **other):
    return selfplay.SelfPlay.begin(selfplay.Args(**{**SMALL, "runs": folder, "name": name, **other}))


def scores_in_turn(*means):
    """In place of an evaluation: these scores, one after the other, then the last for ever."""
    left = list(means)

    def evaluated(game, agent, opponent, deals, seed):
        mean = left.pop(0) if len(left) > 1 else left[0]
        score = Estimate(mean, mean - 0.1, mean + 0.1, deals)
        return runs.Result(opponent.name, score, score, deals, 1.0, 0.0)

    return evaluated


def test_the_best_network_is_kept_when_later_ones_score_less(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate", scores_in_turn(0.3, 0.4, 0.6, 0.6, 0.5))
        run = begun(tmp_path, "best")
        run.train()
    assert [entry["decisions"] for entry in run.history] == [0, 128, 256, 384, 512]
    best, last = (checkpoint.read_card(run.args.folder / name) for name in ("best.safetensors", "model.safetensors"))
    assert best.decisions == 256 and last.decisions == 512 and best.digest != last.digest
    run.finish()
    results = json.loads((run.args.folder / "results.json").read_text())
    assert results["best"]["decisions"] == 256 and results["best"]["results"][0]["games"] == 6
    minutes = [entry["minutes"] for entry in results["history"]]
    assert len(minutes) == 5 and minutes == sorted(minutes)


def test_the_best_network_outlives_a_stop(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate", scores_in_turn(0.3, 0.9, 0.6, 0.6, 0.5))
        patched.setattr(selfplay, "asked_to_stop", once_asked)
        run = begun(tmp_path, "stopped")
        assert not run.train()
        run.save()
        again = selfplay.SelfPlay.resume(selfplay.Args(resume=run.args.folder))
        patched.setattr(selfplay, "asked_to_stop", lambda: contextlib.nullcontext(lambda: False))
        again.train()
    assert again.history[1]["scores"]["uniform"][0] == 0.9 and len(again.history) == 5
    assert checkpoint.read_card(run.args.folder / "best.safetensors").decisions == 128


@contextlib.contextmanager
def once_asked():
    yield lambda: True


def test_what_ships_is_the_best_unless_the_last_is_wanted(tmp_path, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate", scores_in_turn(0.9, 0.1))
        run = begun(tmp_path, "shipped")
        run.train()
        run.finish()
    monkeypatch.setattr(export, "file_of", lambda name, players: tmp_path / f"{name}-{players}.safetensors")
    for words, file, decisions in (([], "best.safetensors", 0), (["--last"], "model.safetensors", 512)):
        export.main([str(run.args.folder), *words])
        assert f"from {run.args.folder / file}: " in capsys.readouterr().out
        card = checkpoint.read_card(tmp_path / "karma-2.safetensors")
        assert card.decisions == decisions and card.strength[0]["opponent"] == "uniform"
    assert load(f"ppo:{tmp_path}/karma-2.safetensors", GAME).card.decisions == 512
