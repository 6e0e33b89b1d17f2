"""Action features of Tantra, compared with the results of the actions by the rules."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.features import describe
from tantra_envs.core.playouts import chosen
from tantra_envs.games.tantra.actions import DISCARD, KIND, LAY_DOWN, TAKE_DISCARD
from tantra_envs.games.tantra.features import (
    AFTER,
    CHANGE,
    FEATURES,
    LEFT,
    MAY_LAY_DOWN,
    OUTS,
    PHASES,
    TABLE,
    WOULD_LEAVE,
)
from tantra_envs.games.tantra.material import NATURALS, TYPES
from tantra_envs.games.tantra.state import Phase


def positions(game, deals, every=1):
    """Positions of games by the scripted player, and who is to decide."""
    for deal in range(deals):
        state = game.new(deal)
        while not state["over"][0]:
            if state["plies"][0] % every == 0:
                yield state.copy(), int(state["seat"][0])
            game.apply_action(state, scripted(game, state))


def scripted(game, state):
    """What the scripted player does."""
    obs = tantra_envs.Observation(game, state)
    return int(chosen(game, obs.known, obs.action_mask)[0])


def told(game, state, seat):
    """Ids of the described actions, their features, and those of the table."""
    _, actions, features, table = describe(game, game.conceal(state, seat))
    return actions.tolist(), features, table[0]


def lacks(game, state, seat):
    """Cards, found by the game's own search."""
    return game.observation(state, seat)[game.view["aux"].start + 1]


@pytest.mark.parametrize("players", [3, 4, 6])
def test_every_legal_action_is_described(players):
    game, phases = tantra_envs.game("tantra", players=players), set()
    for state, seat in positions(game, 6):
        actions, features, table = told(game, state, seat)
        assert game.legal(state) == actions
        assert features.shape == (len(actions), FEATURES) and table.shape == (TABLE,)
        phases.add(int(table[:PHASES].argmax()))
    assert phases >= {Phase.ASK, Phase.DRAW, Phase.MAIN, Phase.TEMPLATE, Phase.PLACE}


def test_cards_that_are_lacking_are_those_after_the_action():
    game, seen = tantra_envs.game("tantra", aux_deficit=True), set()
    for state, seat in positions(game, 4, every=5):
        if state["laid_turn"][0, seat] >= 0 or state["phase"][0] not in (Phase.DRAW, Phase.MAIN):
            continue
        before = lacks(game, state, seat)
        actions, features, _ = told(game, state, seat)
        for action in actions:
            if action == TAKE_DISCARD or DISCARD <= action < KIND:
                after = state.copy()
                game.apply_action(after, action)
                if after["over"][0]:
                    continue
                row, now = features[actions.index(action)], lacks(game, after, seat)
                sign = 1 if action == TAKE_DISCARD else -1
                assert row[AFTER] == pytest.approx(now / 5) and row[CHANGE] == sign * (before - now)
                seen.add((action == TAKE_DISCARD, before - now))
    assert {(False, 0), (False, -1), (True, 0), (True, 1)} <= seen


def test_outs_of_the_best_discards_are_unseen_cards_of_which_one_fewer_is_lacking():
    game, seen = tantra_envs.game("tantra", aux_deficit=True), []
    for state, seat in positions(game, 3, every=7):
        actions, features, _ = told(game, state, seat)
        view, blocks = game.observation(state, seat), game.view
        discards = [a for a in actions if DISCARD <= a < KIND]
        if state["laid_turn"][0, seat] >= 0 or not discards:
            continue
        thrown = {action: _without(state, seat, action - DISCARD) for action in discards}
        left = {action: lacks(game, after, seat) for action, after in thrown.items()}
        lying = view[blocks["discard"].slice] + view[blocks["tabled"].slice]
        for action, after in thrown.items():
            found, asked = 0, left[action] == min(left.values())
            for card in range(NATURALS if asked and left[action] > 0 else 0):
                unseen = view[blocks["counters"].start + 8] - lying[card] - after["hands"][0, seat, card]
                nearer = after.copy()
                nearer["hands"][0, seat, card] += 1
                found += max(0, unseen) * (lacks(game, nearer, seat) < left[action])
            assert features[actions.index(action), OUTS] == pytest.approx(found / 10)
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
        actions, features, table = told(game, state, seat)
        if LAY_DOWN not in actions:
            assert table[TABLE - 2] == 0
            continue
        after = state.copy()
        game.apply_action(after, LAY_DOWN)
        left = _left_when_it_discards(game, after, seat)
        row = features[actions.index(LAY_DOWN)]
        assert row[LEFT] == table[WOULD_LEAVE] == pytest.approx(left / 5) and table[MAY_LAY_DOWN] == 1
        assert row[LEFT + 1 : LEFT + 4].tolist() == [left == 1, left == 2, left == 3]
        seen.add(left)
    assert len(seen) > 2


def test_nothing_hidden_is_looked_at():
    game = tantra_envs.game("tantra")
    for state, seat in positions(game, 2, every=11):
        other = game.redeal(state, 5, seat)
        assert (other["hands"] != state["hands"]).any() or state["phase"][0] == Phase.PLACE
        for one, two in zip(told(game, state, seat), told(game, other, seat), strict=True):
            assert np.array_equal(one, two)


def test_one_set_of_weights_serves_all_tables():
    """What the network is given is of the same size for any number of seats, and of its own only where it should be."""
    sizes = {describe(game, game.conceal(game.new(1), 0))[2].shape[1] for game in tables()}
    assert sizes == {FEATURES} and len({game.actions.size for game in tables()}) == 4 and TYPES == NATURALS + 2


def tables():
    return [tantra_envs.game("tantra", players=players) for players in (3, 4, 5, 6)]


def _left_when_it_discards(game, state, seat):
    """Cards in hand when the scripted player has built and laid off all it can."""
    while not state["over"][0] and state["seat"][0] == seat:
        if DISCARD <= (action := scripted(game, state)) < KIND:
            break
        game.apply_action(state, action)
    return int(state["hand_n"][0, seat])
