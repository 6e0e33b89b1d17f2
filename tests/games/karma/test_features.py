"""Action features of Karma: they agree with the rules."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.karma.actions import PICKUP
from tantra_envs.games.karma.agents import features as f
from tantra_envs.games.karma.material import TYPES
from tantra_envs.games.karma.state import Phase

from ..features import action_features, positions

CONFIGS = [{}, {"players": 4}, {"players": 3, "copies": 3}, {"karma_sets": False, "chain_clears": False}]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_an_action_leaves_the_cards_and_the_pile_that_its_features_promise(config):
    game, seen = tantra_envs.game("karma", **config), set()
    for state, seat in positions(game, 2, every=2, share=1):
        if state["phase"][0] != Phase.PLAY or state["draw_n"][0] > 0 or state["hand_n"][0, seat] == 0:
            continue
        actions, features, _ = action_features(game, state, seat)
        for action, row in zip(actions, features, strict=True):
            after, choice = state.copy(), action - TYPES * int(state["opt"]["clear_set"][0])
            game.apply_action(after, action)
            if after["over"][0] or (0 <= choice != PICKUP):
                continue
            left = (after["hands"] + after["up"])[0, seat]
            assert row[f.OF_ACTION["kept"].slice] * state["opt"]["copies"][0] == pytest.approx(left)
            assert row[f.A.pairs] * 3 == pytest.approx((left > 1).sum())
            assert row[f.A.lowest] * TYPES == pytest.approx(np.flatnonzero(left).min(initial=TYPES))
            if choice < 0 and after["phase"][0] == Phase.PLAY:
                assert row[f.A.pile] * f.MANY == pytest.approx(after["pile_n"][0])
            seen.add((choice == PICKUP, bool(row[f.A.completes_set])))
    assert len(seen) > 2
