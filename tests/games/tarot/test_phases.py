"""All checks of a game, leaks and redealing among them, at tables of every phase, for two and for three players."""

from __future__ import annotations

import pytest

import tantra_envs
from tantra_envs.testing import check_game

from .contract import invariants


@pytest.mark.parametrize("players", [2, 3])
def test_the_checks_reach_every_phase(players):
    game = tantra_envs.game("tarot", players=players, target=20)
    assert check_game(game, games=2, seed=105, invariants=invariants, zero_sum=True) == set(game.phases)
