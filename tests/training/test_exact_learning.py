"""The tool that measures how exploitable learners are while they learn."""

from __future__ import annotations

import json

import pytest

from tantra_envs.core.compiled.jit import PURE_PYTHON

from ..tools import exact_learning

GAME = "karma:tiny"


@pytest.fixture
def tool(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exact_learning, "FILE", tmp_path / "learning.json")
    monkeypatch.setattr(exact_learning, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(exact_learning, "BUDGETS", {"karma": (20_000, 0.01)})
    monkeypatch.setattr(exact_learning, "SEEDS", (1, 2))
    monkeypatch.setattr(exact_learning, "FIRST", ("q-learning",))
    return exact_learning


def runs(tool):
    return json.loads(tool.FILE.read_text(encoding="utf-8"))["runs"]


@pytest.mark.skipif(PURE_PYTHON, reason="training compiles")
def test_runs_are_measured_once(tool, monkeypatch):
    learners = [tool.CFR, tool.MEAN, "q-learning"]
    tool.measure([GAME], learners)
    kept = [(run["learner"], run["seed"]) for run in runs(tool)]
    assert kept == [(tool.CFR, 1), (tool.MEAN, 1), (tool.MEAN, 2), ("q-learning", 1)]
    solved = runs(tool)[0]["points"]
    assert solved[-1]["gap"] < solved[0]["gap"] / 10
    for run in runs(tool)[1:]:
        decisions, minutes, gaps = (
            [point[part] for point in run["points"]] for part in ("decisions", "minutes", "gap")
        )
        assert decisions == sorted(decisions) and minutes == sorted(minutes)
        assert all(solved[-1]["gap"] < gap < 2 for gap in gaps)
        assert run["training"].startswith("python -m training ")
    monkeypatch.setattr(tool, "points_of", None)  # nothing is left to train
    before = runs(tool)
    tool.measure([GAME], learners)
    assert runs(tool) == before


def test_models_of_baselines_are_read_from_their_facts(tool, tmp_path):
    """Those of NFSP are Python files with weights beside them."""
    agents = ["ppo:runs/a/agent-0.safetensors", "runs/a/agent-1.py:Agent", "runs/a/agent-2.py:Agent"]
    curve = [{"decisions": 10 * n, "cpu_minutes": n, "agent": agent} for n, agent in enumerate(agents)]
    (tmp_path / "training.json").write_text(json.dumps({"curve": curve}))
    assert tool.models_of("nfsp", tmp_path) == [
        (0, 0, "ppo:runs/a/agent-0.safetensors,temperature=1"),
        (10, 1, "ppo:runs/a/agent-1.safetensors,temperature=1"),
        (20, 2, "ppo:runs/a/agent-2.safetensors,temperature=1"),
    ]


def test_every_learner_has_a_style_in_the_picture(tool):
    points = [{"decisions": n, "minutes": n / 10, "gap": 1 / n} for n in (1, 2)]
    every = [{"game": GAME, "learner": learner, "seed": 1, "points": points} for learner in tool.LEARNERS]
    tool.FILE.write_text(json.dumps({"runs": every}))
    axes, *_ = tool.draw().axes
    styles = {(line.get_color(), line.get_marker()) for line in axes.get_lines()}
    assert len(styles) == len(tool.LEARNERS)
