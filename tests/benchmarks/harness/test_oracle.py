"""The ceiling of search: it sees everything, and no tournament can name it."""

import numpy as np
import pytest

import tantra_envs
from agents import load
from benchmarks.harness.oracle import OpenObservation, Oracle
from tantra_envs.matches.playing import play_tables


def test_it_is_far_above_the_scripted_player_and_leaves_the_table_alone():
    game = tantra_envs.game("tarot", episode="hand")
    state = game.new(3)
    before = state.tobytes()
    Oracle(game, ceiling=True).act(OpenObservation(game, state, np.arange(1)), np.random.default_rng(0))
    assert state.tobytes() == before
    seating, agents = np.tile([[0, 1], [1, 0]], (20, 1)), [Oracle(game, ceiling=True), load("scripted", game)]
    rewards = play_tables(game, agents, seating, np.arange(20).repeat(2), observation=OpenObservation).rewards
    assert (rewards[seating == 0] > rewards[seating == 1]).mean() > 0.6


def test_it_cannot_be_named_nor_can_its_file():
    reasons = {
        "oracle": "unknown agent 'oracle'",
        "benchmarks/harness/oracle.py:Oracle": r"Oracle is not an agent: the call Oracle\(game\) fails: missing a",
    }
    for name, reason in reasons.items():
        with pytest.raises(ValueError, match=reason):
            load(name, tantra_envs.game("karma"))
