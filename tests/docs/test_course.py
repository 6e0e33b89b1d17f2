"""The solutions of the course solve its tasks, and its notebook runs from top to bottom."""

from __future__ import annotations

import re

import pytest

import tantra_envs
from tantra_envs.core.compiled.jit import PURE_PYTHON

from .pages import ROOT

COURSE = ROOT / "docs/course"
DEALS = 200


def match(first: str, second: str, deals: int = DEALS):
    game = tantra_envs.game("karma")
    return tantra_envs.play_match(game, tantra_envs.load_agents([first, second], game), [0, 1], deals).score(0)


def solution(name: str) -> str:
    return f"{COURSE / name}.py:Bot"


@pytest.mark.whole
def test_the_solutions_are_clearly_better_than_what_they_are_to_beat():
    assert match(solution("rule_of_thumb"), "uniform").low > 0.9
    assert len((COURSE / "rollouts.py").read_text(encoding="utf-8").splitlines()) <= 50
    assert match(solution("rollouts"), solution("rule_of_thumb"), deals=10).low > 0.5


@pytest.mark.skipif(PURE_PYTHON, reason="the kernel of the notebook compiles")
@pytest.mark.whole
def test_the_notebook_runs_from_top_to_bottom():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(COURSE / "first_task.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(COURSE)}}).execute()
    scores = [
        float(found[0])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if (found := re.findall(r"^(?:\w+ )?(\d\.\d{3}) \[", output.get("text", ""), re.MULTILINE))
    ]
    assert abs(scores[0] - 0.5) < 0.15 and scores[1] > 0.9
