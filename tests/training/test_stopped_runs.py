"""A run that is killed at any point and resumed is equal to one that was not: weights, history and results."""

import json

import pytest

pytest.importorskip("torch")
runs_module = pytest.importorskip("training.run")
ppo, q_learning = pytest.importorskip("training.ppo"), pytest.importorskip("training.q_learning")
read_card = pytest.importorskip("tantra_envs.opponents.model_files").read_card

SMALL = {"total_decisions": 300, "eval_every": 100, "eval_deals": 2, "final_deals": 2, "eval_opponents": ("uniform",)}
SMALL |= {"tables": 16, "steps": 8, "batch_size": 32, "net_arch": (8,)}
RUNS = {"ppo": (ppo.PPO, {}), "ppo, two threads": (ppo.PPO, {"threads": 2}), "q-learning": (q_learning.QLearning, {})}
STEPS = ("evaluate", "write_checkpoint")  # functions of `training.run` in which a run may be killed


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


def killed_at(call, number, patch, work):
    """Do `work`, and kill it before this call of a function of `training.run`; return whether it came so far."""
    function, calls = getattr(runs_module, call), []

    def counted(*arguments):
        calls.append(1)
        if len(calls) == number:
            raise Killed
        return function(*arguments)

    with patch.context() as killing:
        killing.setattr(runs_module, call, counted)
        try:
            work()
        except Killed:
            return True
    return False


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_was_killed_anywhere_has_the_history_of_one_that_was_not(tmp_path, monkeypatch, name):
    kind, options = RUNS[name]
    whole = kind.begin(kind.OPTIONS(**SMALL, **options, runs=tmp_path, name="whole"))
    finish(whole)
    wanted, points = outcome(tmp_path / "whole"), 0
    assert len(wanted[0]) >= 3
    assert all({"error", "explained"} < entry.keys() for entry in wanted[0])
    for call in STEPS:
        number = 1
        while True:
            folder = tmp_path / f"{call}-{number}"
            run = kind.begin(kind.OPTIONS(**SMALL, **options, runs=tmp_path, name=folder.name))
            if not killed_at(call, number, monkeypatch, lambda run=run: finish(run)):
                break
            finish(kind.resume(kind.OPTIONS(resume=folder)))
            assert outcome(folder) == wanted, (call, number)
            number += 1
            points += 1
    assert points >= 8


@pytest.mark.parametrize("name", RUNS)
def test_a_finished_run_that_is_resumed_stays_as_it_is(tmp_path, name):
    kind, options = RUNS[name]
    finish(kind.begin(kind.OPTIONS(**SMALL, **options, runs=tmp_path, name="a")))
    before = outcome(tmp_path / "a")
    finish(kind.resume(kind.OPTIONS(resume=tmp_path / "a")))
    assert outcome(tmp_path / "a") == before


@pytest.mark.parametrize("name", RUNS)
def test_more_decisions_that_add_none_are_refused(tmp_path, name, capsys):
    """The last update is whole, so a run can have more decisions than its total."""
    kind, options = RUNS[name]
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
