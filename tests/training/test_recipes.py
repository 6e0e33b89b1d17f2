"""The tool that trains the agents of a page in every game: it changes the game and the seed alone, and goes on."""

import json

import pytest

from tantra_envs.games import BENCHMARKS

from ..tools import recipes

PAGE = recipes.PAGE.read_text(encoding="utf-8")


def test_programs_of_the_page_differ_in_game_and_seed_alone():
    printed, other = recipes.files(PAGE, "tarot:hand", 1), recipes.files(PAGE, "karma", 3)
    assert all(code in PAGE for code in printed.values())
    assert set(printed) == {*recipes.AGENTS, "my_agent.py"}
    for name in printed:
        lines = zip(printed[name].splitlines(), other[name].splitlines(), strict=True)
        changed = [(one, two) for one, two in lines if one != two]
        assert len(changed) == (name in recipes.AGENTS)
        for one, two in changed:
            assert one.replace('"tarot:hand"', '"karma"').removesuffix(", 1") == two.removesuffix(", 3")
    with pytest.raises(ValueError, match=r"train_sb3\.py has 0 lines"):
        recipes.files(PAGE.replace("SEED = ", "SEEDS = "), "karma", 3)


def test_finished_rows_are_kept(tmp_path, monkeypatch):
    measured, stop_after = [], [4]

    def measure(*row):
        if len(measured) in stop_after:
            raise KeyboardInterrupt
        measured.append(row)
        return dict(zip(("program", "game", "seed"), row, strict=True))

    monkeypatch.setattr(recipes, "FILE", tmp_path / "recipes.json")
    monkeypatch.setattr(recipes, "_run", lambda *_: None)
    monkeypatch.setattr(recipes, "measure", measure)
    with pytest.raises(KeyboardInterrupt):
        recipes.main()
    stop_after.clear()
    recipes.main()
    games = [game for game, _ in BENCHMARKS.values()]
    every = [(program, game, seed) for program in recipes.AGENTS for game in games for seed in (1, 2, 3)]
    assert sorted(measured) == sorted(every)
    rows = json.loads(recipes.FILE.read_text(encoding="utf-8"))["rows"]
    assert [(row["program"], row["game"], row["seed"]) for row in rows] == measured
