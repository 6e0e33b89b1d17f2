"""The placements a network scores: every legal one is among them, and their features are what the board says."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from agents.placement_features import FEATURES, TABLE, placements
from tantra_envs.games.tantrix import decode, score_board
from tantra_envs.testing import play

CONFIGS = [{}, {"players": 3}, {"mode": "solitaire"}, {"mode": "solitaire", "goal": "R"}]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_legal_placement_is_described_once(config):
    game = tantra_envs.game("tantrix", **config)
    states = [state.copy() for state in play(game, 3) if not state["over"][0]]
    views = np.stack([game.observation(state, int(state["seat"][0])) for state in states])
    rows, actions, features, table = placements(game, views)
    assert features.shape == (len(rows), FEATURES) and table.shape == (len(states), TABLE)
    pairs = list(zip(rows.tolist(), actions.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert {(k, action) for k, state in enumerate(states) for action in game.legal(state)} <= set(pairs)


def test_a_gain_is_what_the_score_rises_by():
    game = tantra_envs.game("tantrix")
    for state in play(game, 5):
        position = game.position(state)
        if position["phase"] == "OVER" or len(position["board"]) % 9 != 5:
            continue
        seat = position["cur"]
        _, actions, features, _ = placements(game, game.observation(state, seat)[None])
        own, other = position["colours"][seat], position["colours"][1 - seat]
        legal = set(game.legal(state))
        for action, told in zip(actions.tolist(), features, strict=True):
            if action in legal:
                board = [*position["board"], list(decode(game, state, action))]
                for colour, gain in ((own, told[5]), (other, told[10])):
                    before = score_board(position["board"], colour)
                    assert max(0.0, 10 * gain) == pytest.approx(score_board(board, colour) - before, abs=1e-4)
