"""A study trains agents for every variant, continues after a kill, and its verdict compares them with the others."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness import trainer
from benchmarks.study import learning
from benchmarks.study.command import Args
from benchmarks.study.results import SCHEMA, pooled
from tantra_envs.opponents.model_files import read_card

from .test_answers import figure, lines, results, seats

ROOT = Path(__file__).parents[3]
WORDS = [
    *(
        "study",
        "karma:easy",
        "--vary",
        "karma_sets=false",
        "--agents",
        "scripted",
        "--sections",
        "seats",
        "skill",
        "length",
    ),
    *("--deals", "4", "--retrain", "--seeds", "1", "--train-decisions", "150000", "--name", "mine"),
]
LENGTH = ("length", "median length")
TRAINING = {"agents": 2, "decisions": 1000}


@pytest.fixture
def no_pictures(monkeypatch):
    from benchmarks.harness import pages

    monkeypatch.setattr(pages, "_svg", lambda draw, theme, salt: "<svg></svg>")


def content(folder):
    """The page and the results without the command."""
    found = json.loads((folder / "mine/results.json").read_text())
    command = found.pop("command")
    return (folder / "mine/karma.html").read_text().replace(command, ""), found


@contextlib.contextmanager
def running(folder):
    command = [sys.executable, "-m", "benchmarks", *WORDS, "--runs", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        yield process


def wait_for(there, process=None, seconds=300):
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end and (process is None or process.poll() is None)
        time.sleep(0.02)


def test_killed_and_continued_it_gives_the_same_page(tmp_path, no_pictures):
    once, twice = tmp_path / "once", tmp_path / "twice"
    run = twice / "mine/agents/0-karma-sets-false-seed-1"
    with running(twice) as process:
        wait_for((run / "model-2.safetensors").exists, process)  # half is learned, and a checkpoint is saved
        os.kill(process.pid, signal.SIGKILL)
    trainer = int((run / "lock").read_text().split()[1])
    wait_for(lambda: not Path(f"/proc/{trainer}").exists(), seconds=30)  # it ends with its parent
    assert not (run / "results.json").exists()
    for folder in (twice, once):
        assert main([*WORDS, "--runs", str(folder)]) == 0
    assert content(once) == content(twice)
    cards = [read_card(run / name) for name in learning.MODELS.values()]
    assert [card.config["karma_sets"] for card in cards] == [False, False]
    assert 0 < cards[1].decisions < 150_000 <= cards[0].decisions
    before = (run / "model.safetensors").stat().st_mtime_ns
    assert main([*WORDS, "--runs", str(twice)]) == 0
    assert (run / "model.safetensors").stat().st_mtime_ns == before


def prepared(folder, words=(), **options):
    args = Args(game="karma", retrain=True, **options)
    return learning.prepare(args, {"as given": tantra_envs.game("karma")}, folder)


def test_agents_with_other_options_are_not_mixed(tmp_path, monkeypatch):
    (first, *_) = prepared(tmp_path).jobs["as given"]
    games = {"as given": tantra_envs.game("karma", players=3)}
    (other, *_) = learning.prepare(Args(game="karma", players=3, retrain=True), games, tmp_path).jobs["as given"]
    assert other.folder == first.folder
    learning._check_same(first)
    monkeypatch.setattr(trainer, "train", lambda words, log: None)
    monkeypatch.setattr(learning, "_keep_half", lambda folder: None)
    learning._train(first)
    learning._check_same(first)
    with pytest.raises(ValueError, match="learned with other options; choose another --name"):
        learning._check_same(other)


@pytest.mark.parametrize(
    ("name", "players", "program", "config"),
    [
        ("karma", 2, "ppo", "karma"),
        ("karma:party", 6, "ppo", "karma"),
        ("karma:sixty", 3, "ppo", "karma-sixty"),
        ("tantrix", 2, "q-learning", "tantrix-2p"),
        ("tantrix", 4, "q-learning", "tantrix"),
        ("tantrix:race", 3, "q-learning", "tantrix-gobble"),
        ("tarot:hand", 3, "ppo", "tarot"),
        ("kanastic:any", 4, "ppo", "kanastic"),
        ("tantra", 5, "ppo", "tantra"),
    ],
)
def test_agents_learn_with_the_options_tuned_for_their_game(tmp_path, name, players, program, config):
    own = tantra_envs.game(name, players=players)
    job = learning._job(own, set(), tmp_path, 7)
    assert job.program == program and str(learning.CONFIGS / f"{config}.toml") in job.words
    assert job.words[job.words.index("--seats") + 1] == str(players)


@pytest.mark.parametrize(
    ("name", "varied", "rewards"),
    [
        ("tarot", "target", ["reward='score'"]),  # points are the reward in training, and only the win in the game
        ("tarot", "reward", []),
        ("tarot:scored", "reward", ["reward='score'"]),
        ("karma:quick", "copies", ["reward='placement'", "truncation_reward=0.0"]),
    ],
)
def test_the_rewards_are_those_of_the_tuned_options_unless_the_study_sets_them(tmp_path, name, varied, rewards):
    words = learning._job(tantra_envs.game(name), {varied}, tmp_path, 1).words
    assert [word for word in words if "reward" in word] == rewards


def test_every_agent_has_a_folder_of_its_own(tmp_path):
    games = dict.fromkeys(["dealt=11", "dealt=1-1", "dealt=1,1"], tantra_envs.game("karma"))
    training = learning.prepare(Args(game="karma", retrain=True, seeds=2), games, tmp_path)
    folders = [job.folder for jobs in training.jobs.values() for job in jobs]
    assert len(set(folders)) == len(folders) == 6


def test_the_mean_of_agents_needs_all_of_them_and_has_a_smaller_interval():
    rows = [figure(*LENGTH, value, 6.0, lineup=f"trained-{i}") for i, value in ((1, 90.0), (2, 110.0))]
    half, pairs = {**rows[0], "lineup": "half-trained-1"}, [{**row, "lineup": f"{row['lineup']} - x"} for row in rows]
    (mean,) = pooled(pl.DataFrame([*rows, half], SCHEMA), 2).to_dicts()
    assert (mean["lineup"], mean["value"], mean["change"]) == ("trained", 100.0, None)
    assert mean["high"] - mean["value"] == pytest.approx(6.0 / 2**0.5)
    assert pooled(pl.DataFrame(pairs, SCHEMA), 1).is_empty()
    assert pooled(pl.DataFrame([half, *pairs], SCHEMA), 2).height == 1


def lengths(ours, theirs, *details, half=None, variant="a=2"):
    """Figures of the length of games, which changes by these numbers in a variant."""
    named = {"scripted": ours, "trained": theirs, **{f"trained-{i}": own for i, own in enumerate(details, 1)}}
    named |= {} if half is None else {"half-trained": half}
    return [
        figure(*LENGTH, 100 + change, 5.0, lineup=lineup, variant=variant, change=change)
        for lineup, change in named.items()
    ]


def verdict(*changes, **half):
    """The sentences about the length of games in two variants."""
    rows = lengths(*changes, **half)
    base = [{**row, "variant": "a=1", "change": None} for row in rows]
    (text,) = lines(results(*base, *rows, training=TRAINING))
    return text


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        (20, 30, "The same holds for trained agents."),
        (0, 0, "The same holds for trained agents."),
        (0, 30, "Only trained agents show that games are clearly longer (130): "),
        (20, 0, "Trained agents do not show this."),
        (20, -30, "But trained agents show that games are clearly shorter (70)."),
    ],
)
def test_the_verdict_compares_trained_agents_with_the_others(ours, theirs, words):
    text = verdict(ours, theirs, theirs - 1, theirs + 1, half=theirs - 9)
    assert words in text
    assert f"a change of {theirs:+d} ({theirs - 9:+d} after half of the training" in text
    assert f"{theirs - 1:+d} to {theirs + 1:+d} for each of the 2 agents)" in text


@pytest.mark.parametrize("sign", [1, -1])
def test_changes_of_shares_have_a_sign_and_a_decimal(sign):
    """Shares are numbers of 100: half of the training moved the figure by 20.3, the whole one by 30.4."""
    changes = {"scripted": 0.2, "trained": 0.304, "trained-1": 0.29, "trained-2": 0.318, "half-trained": 0.203}
    measure = ("tension", "score of the last at half")
    rows = [figure(*measure, 0.5, lineup=lineup) for lineup in changes]
    rows += [
        figure(*measure, 0.5 + sign * by, lineup=lineup, variant="a=2", change=sign * by)
        for lineup, by in changes.items()
    ]
    (text,) = lines(results(*rows, training=TRAINING))
    assert f"a change of {sign * 30.4:+} ({sign * 20.3:+} after half of the training" in text
    ends = sorted([sign * 29.0, sign * 31.8])
    assert f"{ends[0]:+} to {ends[1]:+} for each of the 2 agents)" in text


def test_several_variants_are_each_compared_with_the_first():
    base = [{**row, "variant": "a=1", "change": None} for row in lengths(0, 0, 0, 0, half=0)]
    changes = {"a=2": (20, 30, 29, 31), "a=3": (0, 1, 0, 2), "a=4": (0, 30, 28, 32)}
    rows = [row for name, own in changes.items() for row in lengths(*own, half=9, variant=name)]
    _, agree, only, nothing = lines(results(*base, *rows, variants=["a=1", *changes], training=TRAINING))
    assert agree.startswith("With a=2 instead of a=1: Games are clearly longer: ")
    assert "a change of +30 (+9 after half of the training" in agree
    assert only.startswith("With a=4 instead of a=1: ") and "Only trained agents show that games are clearly" in only
    assert nothing.startswith("With a=3 instead of a=1: ")


def test_several_variants_are_compared_by_figures_of_the_section_options():
    rows = [{**row, "section": "options"} for row in lengths(20, 30, 29, 31)]
    base = [{**row, "variant": "a=1", "change": None} for row in rows]
    sections = [{**row, "section": "length"} for row in base]
    *_, last = lines(results(*sections, *base, *rows, variants=["a=1", "a=2", "a=3"], training=TRAINING))[:2]
    assert "a change of +30" in last


def test_changes_of_pairs_without_trained_agents_are_listed_too():
    pairs = [
        figure("skill", "score of A", 0.7, lineup="scripted - greedy", variant=variant, **change)
        for variant, change in (("a=1", {}), ("a=2", {"change": 0.2}), ("a=3", {"change": 0.01}))
    ]
    *_, second, third = lines(results(*pairs, variants=["a=1", "a=2", "a=3"], training=TRAINING))
    assert second.startswith("With a=2 instead of a=1: Skill counts clearly more: ")
    assert third.startswith("With a=3 instead of a=1: ")


def test_agents_that_are_weak_are_called_weak():
    words = "weaker than scripted agents"
    pairs = [("scripted - greedy", 0.7), ("trained - scripted", 0.3)]
    rows = [figure("skill", "score of A", value, lineup=lineup) for lineup, value in pairs]
    first, second = lines(results(*rows, variants=["a=1"], training=TRAINING))
    assert "30 with a=1" in first and words in first and "trained" not in second


def test_agents_on_both_sides_show_nothing():
    assert "Trained agents do not show this." in verdict(20, 30, -5, 65)


def test_single_agents_and_half_of_the_training_are_no_tests_of_seats():
    crowd = [row for name in ("trained-1", "trained-2", "half-trained") for row in seats(0.5, 0.5, lineup=name)]
    alone = results(*crowd, *seats(0.44, 0.56), variants=["a=1"], training=TRAINING)
    assert "56 of 100" in lines(alone)[0]


def test_without_torch_the_command_that_installs_it_is_printed(tmp_path, monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "torch" else find(name, *more))
    with pytest.raises(SystemExit) as ended:
        main([*WORDS, "--runs", str(tmp_path)])
    assert ended.value.code == 2
    assert "error: torch is not installed; " in capsys.readouterr().err


@pytest.mark.parametrize("options", [{"ray": True}, {"seeds": 0}, {"train_decisions": 0}])
def test_options_that_are_not_allowed_are_refused(tmp_path, options):
    (name,) = options
    with pytest.raises(ValueError, match=f"{name}="):
        prepared(tmp_path, **options)
