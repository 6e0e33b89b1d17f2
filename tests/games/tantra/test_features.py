"""Action features of Tantra, compared with the results of the actions by the rules."""

import pytest

import tantra_envs
from tantra_envs.games.tantra.actions import DISCARD, KIND, LAY_DOWN, TAKE_DISCARD
from tantra_envs.games.tantra.agents.features import A, T
from tantra_envs.games.tantra.agents.standing import lacking
from tantra_envs.games.tantra.state import Phase

from ..features import action_features, positions, scripted


def test_cards_that_are_lacking_are_those_after_the_action():
    game, seen = tantra_envs.game("tantra"), set()
    for state, seat in positions(game, 4, every=5):
        if state["laid_turn"][0, seat] >= 0 or state["phase"][0] not in (Phase.DRAW, Phase.MAIN):
            continue
        before = lacking(state, seat)
        actions, features, _ = action_features(game, state, seat)
        for action in actions:
            if action == TAKE_DISCARD or DISCARD <= action < KIND:
                after = state.copy()
                game.apply_action(after, action)
                if after["over"][0]:
                    continue
                row, now = features[actions.index(action)], lacking(after, seat)
                sign = 1 if action == TAKE_DISCARD else -1
                assert row[A.lacking] == pytest.approx(now / 5) and row[A.change] == sign * (before - now)
                seen.add((action == TAKE_DISCARD, before - now))
    assert {(False, 0), (False, -1), (True, 0), (True, 1)} <= seen


def test_laying_down_is_told_by_the_cards_that_are_left():
    game, seen = tantra_envs.game("tantra"), set()
    for state, seat in positions(game, 12):
        actions, features, table = action_features(game, state, seat)
        if LAY_DOWN not in actions:
            assert table[T.may_lay_down] == 0
            continue
        after = state.copy()
        game.apply_action(after, LAY_DOWN)
        left = _left_when_it_discards(game, after, seat)
        row = features[actions.index(LAY_DOWN)]
        assert row[A.change] == table[T.would_leave] == pytest.approx(left / 5) and table[T.may_lay_down] == 1
        assert row[[A.lacking, A.worth, A.is_wild]].tolist() == [left == 1, left == 2, left == 3]
        seen.add(left)
    assert len(seen) > 2


def _left_when_it_discards(game, state, seat):
    """Cards in hand when the scripted player has built and laid off all it can."""
    while not state["over"][0] and state["seat"][0] == seat:
        if DISCARD <= (action := scripted(game, state)) < KIND:
            break
        game.apply_action(state, action)
    return int(state["hand_n"][0, seat])
