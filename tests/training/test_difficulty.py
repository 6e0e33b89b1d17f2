"""Settings are measured row by row, and the page of the benchmark has a line for each."""

import json

import pytest

import tantra_envs

pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

from docs._site.difficulty_page import settings
from tantra_envs.games import BENCHMARKS

from ..tools import difficulty


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The rows of the easy setting of Karma at a tiny budget, and the file that they are written to."""
    file = tmp_path / "difficulty.json"
    rows = [("uniform", "karma:easy", {}, 0), *((learner, "karma:easy", {}, 1) for learner in difficulty.LEARNERS)]
    monkeypatch.setattr(difficulty, "FILE", file)
    monkeypatch.setattr(difficulty, "BUDGET", {"decisions": 2000, "cpu_minutes": 0.5})
    monkeypatch.setattr(difficulty, "DEALS", 2)
    monkeypatch.setattr(difficulty, "plan", lambda: iter(rows))
    return file


def test_rows_are_measured_once(tiny, capsys):
    difficulty.main()
    content = tiny.read_text(encoding="utf-8")
    random, *trained = json.loads(content)["rows"]
    assert set(random["scores"]) == {"uniform", "scripted"} and "decisions" not in random
    for row in trained:
        assert row["decisions"] >= 2000 or row["cpu_minutes"] >= 0.5
        assert set(row["scores"]) == {"uniform", "scripted", "standard"}
        assert all(0 <= score["low"] <= score["high"] <= 1 for score in row["scores"].values())
    assert capsys.readouterr().out.count("'learner'") == 3
    difficulty.main()
    assert tiny.read_text(encoding="utf-8") == content and not capsys.readouterr().out


def test_every_game_has_an_easy_a_standard_and_a_hard_setting_in_every_plan():
    planned = list(difficulty.plan())
    for learner in difficulty.LEARNERS:
        for name, (standard, _) in BENCHMARKS.items():
            variants = [variant for own, variant, *_ in planned if own == learner]
            assert {f"{name}:easy", standard, f"{name}:hard"} <= set(variants)


def test_a_setting_is_found_by_its_options():
    easy = tantra_envs.variants("karma")["easy"]
    rows = [row(easy, "ppo", seed, uniform=0.74 + 0.04 * seed, scripted=0.4, standard=0.25) for seed in (1, 2)]
    rows += [row({}, "learn", 1, uniform=0.5, scripted=0.1)]
    rows += [row(options, "uniform", 0, uniform=0.5, scripted=0.1) for options in (easy, {"copies": 3}, {})]
    rows += [row({"copies": 3}, "ppo", 1, uniform=0.7, scripted=0.3)]
    words = ", ".join(f"`{name}={json.dumps(value)}`" for name, value in easy.items())
    named, others = settings(rows).split("\n\n")
    assert others.splitlines()[2:] == ["| `karma` | `copies=3` | 0.10 | 0.70 / 0.30 | 0.20 | - |"]
    assert named.splitlines()[2:] == [
        f"| `karma:easy` | {words} | 0.10 | 0.80 / 0.40 | 0.30 ± 0.01 | 0.25 | - | - | - |",
        "| `karma` |  | 0.10 | - | - | - | 0.50 / 0.10 | 0.00 | - |",
    ]


def row(options, learner, seed, **means):
    scores = {other: {"mean": mean} for other, mean in means.items()}
    return {"game": "karma", "config": options, "learner": learner, "seed": seed, "scores": scores}
