"""Action features of Karma: they agree with the rules, and nothing hidden changes them."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.features import describe
from tantra_envs.games.karma import features as f
from tantra_envs.games.karma.actions import PICKUP
from tantra_envs.games.karma.material import TYPES
from tantra_envs.games.karma.state import Phase
from tantra_envs.testing import play

CONFIGS = [{}, {"players": 4}, {"players": 3, "copies": 3}, {"karma_sets": False, "chain_clears": False}]


def positions(deals, every=1, **config):
    """Yield positions of games that random agents play, with the seat to decide and its features."""
    game = tantra_envs.game("karma", **config)
    for deal in range(deals):
        for state in play(game, deal):
            if not state["over"][0] and state["plies"][0] % every == 0:
                seat = int(state["seat"][0])
                _, actions, features, table = describe(game, game.conceal(state, seat))
                yield game, state.copy(), seat, actions, features, table[0]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_legal_action_is_described(config):
    phases = set()
    for game, state, _, actions, features, table in positions(3, **config):
        assert actions.tolist() == game.legal(state)
        assert features.shape == (len(actions), f.FEATURES) and table.shape == (f.TABLE,)
        assert (features[:, : f.CARD].sum(axis=1) == 1).all() and np.isfinite(features).all()
        phases.add(int(table[: f.PHASES].argmax()))
    assert phases >= {Phase.SETUP, Phase.PLAY, Phase.FOLLOW}


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_an_action_leaves_the_cards_and_the_pile_that_its_features_promise(config):
    seen = set()
    for game, state, seat, actions, features, _ in positions(2, every=2, **config):
        if state["phase"][0] != Phase.PLAY or state["draw_n"][0] > 0 or state["hand_n"][0, seat] == 0:
            continue
        for action, row in zip(actions, features, strict=True):
            after, choice = state.copy(), int(action) - TYPES * int(state["opt"]["clear_set"][0])
            game.apply_action(after, int(action))
            if after["over"][0] or (0 <= choice != PICKUP):
                continue
            left = (after["hands"] + after["up"])[0, seat]
            assert row[f.AFTER : f.AFTER + TYPES] * state["opt"]["copies"][0] == pytest.approx(left)
            assert row[f.PAIRS] * 3 == pytest.approx((left > 1).sum())
            assert row[f.LOWEST] * TYPES == pytest.approx(np.flatnonzero(left).min(initial=TYPES))
            if choice < 0 and after["phase"][0] == Phase.PLAY:
                assert row[f.PILE] * f.MANY == pytest.approx(after["pile_n"][0])
            seen.add((choice == PICKUP, bool(row[f.SET])))
    assert len(seen) > 2


def test_the_table_has_the_cards_that_other_seats_have_shown():
    known_cards = 0
    for _, state, seat, _, _, table in positions(4, every=3, players=3):
        s, others = state[0], [(seat + j) % 3 for j in (1, 2)]
        if s["phase"] == Phase.SETUP:
            continue
        following = next(j for j in others if s["hand_n"][j] + s["up_n"][j] + s["down_n"][j] > 0)
        rest = [j for j in others if j != following]
        blocks = [s["known"][following], s["up"][following], s["known"][rest].sum(axis=0), s["up"][rest].sum(axis=0)]
        assert table[f.NEXT_KNOWN :] * s["opt"]["copies"] == pytest.approx(np.concatenate(blocks))
        known_cards += int(s["known"][others].sum())
    assert known_cards > 20


@pytest.mark.parametrize("players", [2, 3])
def test_nothing_hidden_changes_the_features(players):
    changed = 0
    for game, state, seat, actions, features, table in positions(2, every=5, players=players):
        other = game.redeal(state, 5, seat)
        changed += (other["hands"] != state["hands"]).any()
        _, again, other_features, other_table = describe(game, game.conceal(other, seat))
        assert np.array_equal(again, actions)
        assert np.array_equal(other_features, features) and np.array_equal(other_table[0], table)
    assert changed > 5
