"""The tool that trains the agents of a page in every game: it changes the game and the seed alone, and goes on."""

import re

import pytest

import tantra_envs
from docs._site import train_your_own


def test_programs_have_the_settings_of_a_row_and_the_first_one_is_short():
    every = train_your_own.files("tantrix", 3)
    assert next(iter(every)) == "train_self_play.py" and len(every["train_self_play.py"].splitlines()) <= 110
    assert {*train_your_own.AGENTS, "my_agent.py", "train_past.py"} == set(every)
    assert 'GAME, STEPS, SEED = "tantrix", 100_000, 3' in every["train_sb3.py"]


def test_finished_rows_are_kept(tmp_path, monkeypatch):
    measured = []

    def measure(*row):
        if len(measured) == 4 and row not in measured:
            raise KeyboardInterrupt
        measured.append(row)
        facts = dict(zip(("agent", "table", "seed"), row, strict=True))
        yield train_your_own.tables.line(facts, "score", {"value": 0.5})

    monkeypatch.setattr(train_your_own, "FILE", tmp_path / "results.csv")
    monkeypatch.setattr(train_your_own, "_run", lambda *_: None)
    monkeypatch.setattr(train_your_own, "measure", measure)
    for _ in range(2):  # the second time, none of the four is measured again
        with pytest.raises(KeyboardInterrupt):
            train_your_own.main()
    assert len(measured) == len(set(measured)) == 4
    assert train_your_own.tables.read(train_your_own.FILE).select("agent", "table", "seed").rows() == measured


@pytest.mark.whole
def test_the_program_of_stable_baselines_trains_and_saves_an_agent_that_plays(tmp_path, monkeypatch):
    """In few steps. It needs the package `tantra_envs` alone, not the rest of a clone."""
    pytest.importorskip("sb3_contrib")
    code = train_your_own.files("karma", 1)["train_sb3.py"]
    assert len([line for line in code.splitlines() if line]) <= 30
    assert not re.search("(import|from) (agents|training)", code)
    monkeypatch.chdir(tmp_path)
    exec(compile(code.replace("300_000", "16_384"), "train_sb3.py", "exec"), {"__name__": "__main__"})
    model = tmp_path / train_your_own.AGENTS["train_sb3.py"].removeprefix("ppo:")
    game = tantra_envs.game("karma")
    agents = tantra_envs.load_agents([f"ppo:{model}", "uniform"], game)
    assert tantra_envs.play_match(game, agents, [0, 1], 20).score(0).mean > 0.6
