"""The tool that trains without some of the action features."""

from __future__ import annotations

import json

import pytest

from tantra_envs.core.compiled.jit import PURE_PYTHON

from ..tools import ablation


@pytest.mark.parametrize("game", ablation.GROUPS)
def test_the_groups_of_a_game_have_no_block_in_common(game):
    groups = [ablation.blocks(game, pattern) for pattern in ablation.GROUPS[game].values()]
    names = [name for group in groups for name in group]
    assert len(set(names)) == len(names)
    assert any(name.startswith("table.") for name in names) and "action.kind" not in names


def test_a_pattern_without_a_block_is_refused():
    with pytest.raises(ValueError, match="no block of features matches"):
        ablation.blocks("karma", "action.nothing")


@pytest.mark.skipif(PURE_PYTHON, reason="training compiles")
def test_a_run_is_measured_once(tmp_path, monkeypatch):
    monkeypatch.setattr(ablation, "FILE", tmp_path / "ablation.json")
    monkeypatch.setattr(ablation, "GROUPS", {"karma": {"the next seat": r"action\.next_.*"}})
    monkeypatch.setattr(ablation, "DECISIONS", {"karma": 1})
    monkeypatch.setattr(ablation, "DEALS", 4)
    monkeypatch.setattr(ablation, "SEEDS", (1,))
    ablation.main(["karma"])
    rows = json.loads(ablation.FILE.read_text(encoding="utf-8"))["rows"]
    assert [(row["without"], row["seed"]) for row in rows] == [(ablation.ALL, 1), ("the next seat", 1)]
    assert all(0 <= row["score"]["low"] <= row["score"]["mean"] <= row["score"]["high"] <= 1 for row in rows)
    monkeypatch.setattr(ablation, "measure", None)  # nothing is left to measure
    ablation.main(["karma"])
    assert json.loads(ablation.FILE.read_text(encoding="utf-8"))["rows"] == rows
