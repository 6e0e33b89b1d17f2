"""A run that is stopped or killed and resumed is equal to one that was not: weights, history and results."""

import contextlib
import itertools
import json

import pytest

pytest.importorskip("torch")
runs_module = pytest.importorskip("training.run")
ppo, q_learning = pytest.importorskip("training.ppo"), pytest.importorskip("training.q_learning")
SMALL = pytest.importorskip("tests.training.test_ppo").SMALL
read_card = pytest.importorskip("tantra_envs.opponents.model_files").read_card

SMALL = {**SMALL, "total_decisions": 400, "eval_every": 150}
MIXED = {"seats": (2, 3), "opponents": ("greedy",), "snapshots": 2, "snapshot_every": 100, "magnet": 0.1, "threads": 2}
RUNS = {
    "ppo": (ppo.PPO, {"policy": "mlp"}),
    "ppo, two threads": (ppo.PPO, MIXED),
    "q-learning": (q_learning.QLearning, {"epsilon": (0.3, 0.0)}),
}
# Functions of `training.run`: the call before which a run is killed, or the update after which it is asked to stop.
PLACES = {"evaluate": 2, "write_checkpoint": 2, "asked_to_stop": 2}


class Killed(BaseException):
    """The end of the process."""


def finish(run):
    assert run.train()
    run.save()
    run.finish()


def outcome(folder):
    """Everything that a finished run leaves, without its CPU minutes."""
    results = json.loads((folder / "results.json").read_text())
    history = [{name: value for name, value in entry.items() if name != "minutes"} for entry in results["history"]]
    return history, results["results"], read_card(folder / "model.safetensors").digest


def stop(run, place, number, patch):
    calls, function = itertools.count(1), getattr(runs_module, place)

    def killed(*arguments):
        if next(calls) == number:
            raise Killed
        return function(*arguments)

    if place != "asked_to_stop":
        patch.setattr(runs_module, place, killed)
        with pytest.raises(Killed):
            finish(run)
        return
    patch.setattr(runs_module, place, lambda: contextlib.nullcontext(lambda: run.updates == number))
    assert not run.train()
    run.save()


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_was_stopped_or_killed_has_the_history_of_one_that_was_not(tmp_path, monkeypatch, name):
    kind, options = RUNS[name]
    finish(kind.begin(kind.OPTIONS(**SMALL, **options, runs=tmp_path, name="whole")))
    wanted = outcome(tmp_path / "whole")
    assert len(wanted[0]) >= 3
    assert all({"error", "explained"} < entry.keys() for entry in wanted[0])
    for place, number in PLACES.items():
        run = kind.begin(kind.OPTIONS(**SMALL, **options, runs=tmp_path, name=place))
        with monkeypatch.context() as patch:
            stop(run, place, number, patch)
        resumed = kind.resume(kind.OPTIONS(resume=tmp_path / place))
        assert 0 < resumed.decisions == run.decisions < SMALL["total_decisions"]
        finish(resumed)
        assert outcome(tmp_path / place) == wanted, place
    finish(kind.resume(kind.OPTIONS(resume=tmp_path / "whole")))  # it has ended, and is measured again
    assert outcome(tmp_path / "whole") == wanted


def test_more_decisions_that_add_none_are_refused(tmp_path, capsys):
    """The last update is whole, so a run can have more decisions than its total."""
    kind, options = RUNS["ppo"]
    run = kind.begin(kind.OPTIONS(**{**SMALL, "total_decisions": 10}, **options, runs=tmp_path, name="a"))
    assert run.train()
    run.save()
    assert f"{run.decisions} of 10" in capsys.readouterr().out
    least = run.decisions - 10 + 1
    with pytest.raises(ValueError, match=rf"more={least - 1} is not allowed.* has {run.decisions} .*allowed: {least} "):
        kind.resume(kind.OPTIONS(resume=tmp_path / "a", more=least - 1))
    again = kind.resume(kind.OPTIONS(resume=tmp_path / "a"))
    assert again.train()
    assert "nothing is left to learn" in capsys.readouterr().out
    longer = kind.resume(kind.OPTIONS(resume=tmp_path / "a", more=least))
    assert longer.train()
    assert longer.decisions > run.decisions
