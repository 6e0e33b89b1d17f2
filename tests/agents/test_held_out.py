"""Held-out agents: benchmarks load them by name, and training refuses their weights under any name."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from agents import held_out, load
from tantra_envs import game
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.games import BENCHMARKS
from tantra_envs.opponents.model_files import read_card, read_tensors, write_model
from training import evaluate, options, ppo
from training.examples.baselines import course


@pytest.fixture
def renamed(tmp_path):
    """The weights of a held-out agent of Karma under another name."""
    return shutil.copy(held_out.file_of("karma", "late"), tmp_path / "mine.safetensors")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_game_has_all_held_out_networks(name):
    digests = {read_card(held_out.file_of(name, agent)).digest for agent in held_out.NETWORKS}
    assert len(digests) == len(held_out.NETWORKS)


def test_held_out_agents_play():
    karma = game("karma")
    for name in held_out.AGENTS:
        agent = load(f"held-out:{name}", karma)
        assert agent.name == f"held-out:{name}" and "digest" in agent.origin
        ask(agent, Observation(karma, karma.new(3)), np.random.default_rng(0))


@pytest.mark.parametrize("word", ["held-out:nobody", "held-out:late,samples=3", "held-out"])
def test_other_held_out_agents_do_not_exist(word):
    with pytest.raises(ValueError, match="held-out"):
        load(word, game("karma"))


@pytest.mark.parametrize(("option", "value"), [
    ("opponents", lambda file: ("scripted", f"ppo:{file}")), ("opponents", lambda file: (f"search:4,base=ppo:{file}",)),
    ("exploit", lambda file: f"ppo:{file}"), ("eval_opponents", lambda file: (f"ppo:{file}",)), ("start", Path),
    ("opponents", lambda file: ("held-out:late",)),
])  # fmt: skip
def test_training_refuses_held_out_weights_under_any_name(renamed, option, value):
    given = {"game": "karma", "players": 2, "tables": 4, "steps": 4, "name": "x", option: value(renamed)}
    with pytest.raises(ValueError, match=rf"{option}=.*(mine\.safetensors|held-out:late)' is not allowed") as refused:
        ppo.PPO(ppo.Args(**given))
    assert "held-out:late" in str(refused.value)


def test_other_precision_is_no_disguise(renamed, tmp_path):
    karma, card = game("karma"), read_card(renamed)
    single = tmp_path / "single.safetensors"
    write_model(single, read_tensors(renamed, card, karma), card.spec, karma)
    with pytest.raises(ValueError, match="held-out:late of karma"):
        options.load_agent("opponents", f"ppo:{single}", karma)


def test_measuring_and_baselines_in_training_refuse_them_too(renamed, tmp_path, capsys):
    with pytest.raises(ValueError, match="held-out:late of karma"):
        evaluate.prepare(evaluate.Args(game="karma", agent="scripted", opponents=(f"ppo:{renamed}",)))
    with pytest.raises(SystemExit):
        course.main(["ppo", "karma", "--opponents", f"ppo:{renamed}", "--runs", str(tmp_path)])
    assert "held-out:late of karma" in capsys.readouterr().err


def test_other_weights_are_allowed():
    assert options.load_agent("opponents", "learned", game("karma")).name == "learned"
    held_out.refuse("start", "mine", "0" * 64)
