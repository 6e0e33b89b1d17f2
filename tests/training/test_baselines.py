"""The agents that `training examples baselines` writes."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load, origin
from tantra_envs.opponents.model_files import write_layers
from tantra_envs.programs import cli

course = pytest.importorskip("training.examples.baselines.course")
rank = pytest.importorskip("benchmarks.presets.rank")


@pytest.mark.parametrize(("decisions", "seconds", "updates"), [(300, 0, 4), (10, 25, 3), (250, 15, 4)])
def test_a_course_ends_when_either_budget_is_spent(tmp_path, monkeypatch, decisions, seconds, updates):
    now = [1000.0]
    monkeypatch.setattr(course.time, "process_time", lambda: now[0])
    run = course.Course(tantra_envs.game("karma"), course.Args("ppo", decisions=1000, cpu_minutes=1.0), tmp_path)
    run.begin()
    done = 0
    while run.going(done * decisions, Path.touch):
        done += 1
        now[0] += seconds
    assert done == updates
    agent = f"ppo:{tmp_path / 'agent.safetensors'}"
    assert run.spent == {"decisions": updates * decisions, "cpu_minutes": updates * seconds / 60, "agent": agent}
    assert (tmp_path / "agent.safetensors").is_file()


def test_the_word_suite_trains_an_agent_for_every_table_once(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "TABLES", {"karma": ("karma", 2), "karma-4": ("karma", 4)})
    trained = []

    def learn(run):
        trained.append(run.game.players)
        sizes = (run.game.view.size, 2, run.game.actions.size)
        layers = [(np.zeros((after, before)), np.zeros(after)) for before, after in pairwise(sizes)]
        run.begin()
        assert not run.going(10 * run.game.players, lambda file: write_layers(file, layers, run.game))

    monkeypatch.setattr("training.examples.baselines.ppo.learn", learn)
    words = ["ppo", "suite", "--runs", str(tmp_path), "--seed", "2", "--decisions", "10"]
    for _ in range(2):
        course.main(words)
    assert trained == [2, 4]
    facts = cli.from_file(tmp_path / "ppo-suite-2/rank.toml", rank.Args)
    assert (facts["decisions"], facts["training_seed"]) == (30, 2)
    for table, players in (("karma", 2), ("karma-4", 4)):
        agent = load(facts["agent"], tantra_envs.game("karma", players=players))
        assert agent.file.parent.name == table
    course.main([*words, "--cpu-minutes", "2"])  # another command trains again
    assert trained == [2, 4, 2, 4]
    with pytest.raises(SystemExit):
        course.main([*words, "--players", "2"])


def test_the_program_over_features_ends_with_an_agent_of_the_whole_budget(tmp_path, monkeypatch):
    pytest.importorskip("sb3_contrib")
    course.main(["ppo-features", "karma", "--decisions", "4100", "--runs", str(tmp_path)])
    (folder,) = tmp_path.iterdir()
    facts = json.loads((folder / "training.json").read_text())
    assert facts["decisions"] == 8192 and facts["agent"].endswith("agent.safetensors")
    assert origin(load(facts["agent"], tantra_envs.game("karma")))
