"""Action features of Tantra, compared with the results of the actions by the rules."""

import pytest

import tantra_envs
from tantra_envs.games.tantra.actions import DISCARD, KIND, LAY_DOWN, TAKE_DISCARD
from tantra_envs.games.tantra.agents.features import OF_TABLE, A, T
from tantra_envs.games.tantra.agents.standing import lacking
from tantra_envs.games.tantra.material import NATURALS
from tantra_envs.games.tantra.state import Phase

from ..features import action_features, positions, scripted


@pytest.mark.parametrize("players", [3, 4, 6])
def test_every_legal_action_is_described(players):
    game, phases = tantra_envs.game("tantra", players=players), set()
    for state, seat in positions(game, 6):
        _, _, table = action_features(game, state, seat)
        phases.add(int(table[OF_TABLE["phase"].slice].argmax()))
    assert phases >= {Phase.ASK, Phase.DRAW, Phase.MAIN, Phase.TEMPLATE, Phase.PLACE}


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


def test_outs_of_the_best_discards_are_unseen_cards_of_which_one_fewer_is_lacking():
    game, seen = tantra_envs.game("tantra"), []
    for state, seat in positions(game, 3, every=7):
        actions, features, _ = action_features(game, state, seat)
        view, blocks = game.observation(state, seat), game.view
        discards = [a for a in actions if DISCARD <= a < KIND]
        if state["laid_turn"][0, seat] >= 0 or not discards:
            continue
        thrown = {action: _without(state, seat, action - DISCARD) for action in discards}
        left = {action: lacking(after, seat) for action, after in thrown.items()}
        lying = view[blocks["discard"].slice] + view[blocks["tabled"].slice]
        for action, after in thrown.items():
            found, asked = 0, left[action] == min(left.values())
            for card in range(NATURALS if asked and left[action] > 0 else 0):
                unseen = view[blocks["counters"].start + 8] - lying[card] - after["hands"][0, seat, card]
                nearer = after.copy()
                nearer["hands"][0, seat, card] += 1
                found += max(0, unseen) * (lacking(nearer, seat) < left[action])
            assert features[actions.index(action), A.outs] == pytest.approx(found / 10)
            seen.append((asked, found))
    assert len(set(seen)) > 5 and (False, 0) in seen


def _without(state, seat, card):
    """The table with a card of a hand gone."""
    thrown = state.copy()
    thrown["hands"][0, seat, card] -= 1
    return thrown


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
