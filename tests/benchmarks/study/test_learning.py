"""A study trains agents for every variant, and continues after a kill."""

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness import trainer
from benchmarks.harness.figures import CHANGES
from benchmarks.study import learning
from benchmarks.study.matchups import Args
from benchmarks.study.results import pooled
from tantra_envs.opponents.model_files import read_card
from tantra_envs.programs import results as files
from tantra_envs.programs.workers import executor

ROOT = Path(__file__).parents[3]
WORDS = [
    *("study", "karma:easy", "--vary", "karma_sets=false", "--agents", "scripted", "--sections", "seats", "length"),
    *("--deals", "4", "--retrain", "--seeds", "1", "--train-decisions", "50000", "--name", "mine"),
]


def wait_for(there, process=None):
    end = time.monotonic() + 300
    while not there():
        assert time.monotonic() < end and (process is None or process.poll() is None)
        time.sleep(0.02)


def test_a_killed_study_ends_with_its_training_and_continues(tmp_path):
    run = tmp_path / "mine/agents/0-karma-sets-false-seed-1"
    command = [sys.executable, "-m", "benchmarks", *WORDS, "--runs", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        wait_for((run / trainer.CHECKPOINT).exists, process)
        process.kill()
    learner = int((run / "lock").read_text().split()[1])
    wait_for(lambda: not Path(f"/proc/{learner}").exists())  # it ends with its parent
    assert not (run / trainer.FINISHED).exists()
    assert main([*WORDS, "--runs", str(tmp_path)]) == 0
    card, before = read_card(run / trainer.MODEL), (run / trainer.MODEL).stat().st_mtime_ns
    assert card.config["karma_sets"] is False and card.decisions >= 50_000
    assert set(files.read(tmp_path / "mine/results.csv")["agent"]) >= {"scripted", "trained"}
    assert main([*WORDS, "--runs", str(tmp_path)]) == 0
    assert (run / trainer.MODEL).stat().st_mtime_ns == before


def test_agents_with_other_options_are_not_mixed(tmp_path, monkeypatch):
    args = Args(game="karma", retrain=True)
    (first, *_), (other, *_) = (
        learning.prepare(args, {"own": tantra_envs.game("karma", players=n)}, tmp_path)["own"] for n in (2, 3)
    )
    assert other.folder == first.folder
    monkeypatch.setattr(trainer, "train", lambda words, log: None)
    with executor(1) as run:
        for _ in range(2):
            trainer.make([first], run)
        with pytest.raises(ValueError, match="learned with other options; choose another --name"):
            trainer.make([other], run)


@pytest.mark.parametrize(
    ("name", "players", "program", "config"),
    [
        ("karma", 2, "ppo", "karma"),
        ("karma:sixty", 3, "ppo", "karma-sixty"),
        ("tantrix", 2, "q-learning", "tantrix-2p"),
        ("tantrix", 4, "q-learning", "tantrix"),
        ("tantrix:race", 3, "q-learning", "tantrix-gobble"),
        ("kanastic:any", 4, "ppo", "kanastic"),
    ],
)
def test_agents_learn_with_the_options_tuned_for_their_game(name, players, program, config):
    own = tantra_envs.game(name, players=players)
    words = learning.words_of(own, set(), 7)
    assert words[0] == program and str(learning.CONFIGS / f"{config}.toml") in words
    assert words[words.index("--seats") + 1] == str(players)


@pytest.mark.parametrize(
    ("name", "varied", "rewards"),
    [
        ("tarot", "target", ["reward='score'"]),  # points are the reward in training, and only the win in the game
        ("tarot", "reward", []),
        ("tarot:scored", "reward", ["reward='score'"]),
        ("karma:quick", "copies", ["reward='placement'", "truncation_reward=0.0"]),
    ],
)
def test_the_rewards_are_those_of_the_tuned_options_unless_the_study_sets_them(name, varied, rewards):
    words = learning.words_of(tantra_envs.game(name), {varied}, 1)
    assert [word for word in words if "reward" in word] == rewards


def test_every_agent_has_a_folder_of_its_own(tmp_path):
    games = dict.fromkeys(["dealt=11", "dealt=1-1", "dealt=1,1"], tantra_envs.game("karma"))
    training = learning.prepare(Args(game="karma", retrain=True, seeds=2), games, tmp_path)
    folders = [job.folder for jobs in training.values() for job in jobs]
    assert len(set(folders)) == len(folders) == 6


def test_the_mean_of_agents_needs_all_of_them_and_has_an_interval_over_deals_and_agents():
    rows = [
        {"measure": measure, "part": "", "variant": "a=1", "agent": f"trained-{i}", "others": "", "value": value,
         "low": value - 6, "high": value + 6, "deals": 100, **dict.fromkeys(CHANGES)}
        for i, measure, value in ((1, "length", 90.0), (2, "length", 110.0), (1, "other", 1.0))
    ]  # fmt: skip
    (mean,) = pooled(rows)
    assert (mean["agent"], mean["value"], mean["change"]) == ("trained", 100.0, None)
    spread = 12.71 * abs(rows[0]["value"] - rows[1]["value"]) / 2  # Student's t over two agents
    assert mean["high"] - mean["value"] == pytest.approx(max(6.0 / 2**0.5, spread))


def test_without_torch_the_command_that_installs_it_is_printed(tmp_path, monkeypatch, refusal):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "torch" else find(name, *more))
    assert "error: torch is not installed; " in refusal(main, [*WORDS, "--runs", str(tmp_path)])
