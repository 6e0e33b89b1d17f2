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


def test_the_table_has_the_cards_that_other_seats_have_shown():
    game, known_cards = tantra_envs.game("karma", players=3), 0
    for state, seat in positions(game, 4, every=3, share=1):
        s, others = state[0], [(seat + j) % 3 for j in (1, 2)]
        if s["phase"] == Phase.SETUP:
            continue
        following = next(j for j in others if s["hand_n"][j] + s["up_n"][j] + s["down_n"][j] > 0)
        rest = [j for j in others if j != following]
        blocks = [s["known"][following], s["up"][following], s["known"][rest].sum(axis=0), s["up"][rest].sum(axis=0)]
        _, _, table = action_features(game, state, seat)
        assert table[f.T.next_known :] * s["opt"]["copies"] == pytest.approx(np.concatenate(blocks))
        known_cards += int(s["known"][others].sum())
    assert known_cards > 20
