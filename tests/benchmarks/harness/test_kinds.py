"""Kinds of actions are the blocks of a game, and need nothing of it but its rules."""

from __future__ import annotations

import numpy as np

import tantra_envs
from benchmarks.harness import kinds


def test_kinds_have_the_names_of_blocks_and_of_features_that_tell_their_actions_apart():
    karma, tarot = tantra_envs.game("karma"), tantra_envs.game("tarot")
    assert kinds.names(karma) == [block.name for block in karma.actions]
    assert {"yes", "card, leads", "card, ruffs, is_trump"} <= set(kinds.names(tarot))
    states = np.concatenate([tarot.new(seed) for seed in range(3)])
    legal = kinds.legal(tarot, states)
    assert legal.actions.tolist() == [action for i in range(3) for action in tarot.legal(states[i : i + 1])]
    first = np.array([tarot.legal(states[i : i + 1])[0] for i in range(3)])
    blocks = [tarot.actions.at(int(action)).name for action in first]
    assert [kind.partition(",")[0] for kind in kinds.of_actions(tarot, states, first)] == blocks
