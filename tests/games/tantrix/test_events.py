"""Events of Tantrix in every mode: the tile that was laid, gobbles, points."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix.board.hexes import cell_at
from tantra_envs.games.tantrix.state import Phase
from tantra_envs.games.tantrix.words import placements
from tantra_envs.games.tantrix.words.events import events

VARIANTS = ["strategy", "points", "gobble", "race", "solitaire", "discovery", "pyramid", "daily"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_tile_is_that_of_the_action(variant):
    """Without the names and numbers of actions: they differ between encodings."""
    game, rng, laid = tantra_envs.game(f"tantrix:{variant}"), np.random.default_rng(5), 0
    for seed in range(2):
        after = game.new(seed)
        while not after["over"][0] and after["plies"][0] < 60:
            before, action = after.copy(), int(rng.choice(game.legal(after)))
            game.apply_action(after, action)
            event, placement = events(before, action, after)[0], placements.decode(game, before, action)
            assert event["tile"] == (placement[0] if placement else 0)
            assert not placement or event["cell"] == cell_at(*placement[1:3])
            laid += placement is not None
    assert laid > 10


def test_points_gained_add_up_to_the_score_and_forced_moves_fill_gobbles():
    game, rng, fills = tantra_envs.game("tantrix", players=3), np.random.default_rng(5), 0
    for seed in range(3):
        after, points = game.new(seed), np.zeros(6, int)
        while not after["over"][0]:
            before, action = after.copy(), int(rng.choice(game.legal(after)))
            game.apply_action(after, action)
            event = events(before, action, after)[0]
            points += event["gained"]
            fills += event["fills"]
            assert event["fills"] == (before["phase"][0] != Phase.FREE)
        assert points[:3].tolist() == after["best"][0, after["colours"][0, :3]].tolist()
        assert not points[3:].any()
    assert fills > 5
