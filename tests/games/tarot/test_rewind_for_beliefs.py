"""Rewinding: in the true world a table is what it was, in a drawn one nothing but what the seat saw stays."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tarot.agents.rewind import rewind
from tantra_envs.games.tarot.state import Phase, Place

from ..loop_bounds import bounded_while


def played(game, seed: int, plies: int):
    """A table after some random actions, and what others than its seat decided: positions and actions."""
    state, past = game.new(seed), []
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        action = int(rng.choice(game.legal(state)))
        past.append((state.copy(), action))
        game.apply_action(state, action)
    seat = state["seat"][0]
    return state, [(before, action) for before, action in past if before["seat"][0] != seat]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_with_the_cards_where_they_are_the_table_is_what_it_was(players, seed):
    game = tantra_envs.game("tarot", players=players)
    state, past = played(game, seed, 25 + 7 * seed)
    told = 0
    for before, _ in past:
        again = before.copy()
        known = rewind(again[0], before[0], state[0], int(state["seat"][0]))
        assert (known != 0) == (before["phase"][0] == Phase.PLAY)
        gifts = before["giver"][0] >= 0
        same = [name for name in before.dtype.names if name != "giver"]
        assert all((again[name] == before[name]).all() for name in same)
        assert (again["giver"][0][~gifts] == -1).all()
        told += known
    assert told


@pytest.mark.parametrize("players", [2, 3])
def test_with_other_cards_only_what_was_seen_stays_and_the_action_was_legal(players):
    game = tantra_envs.game("tarot", players=players)
    for seed in range(4):
        state, past = played(game, seed, 25 + 7 * seed)
        seat = int(state["seat"][0])
        for k, (before, action) in enumerate(past):
            world, again = game.redeal(state, k, seat), before.copy()
            if not rewind(again[0], before[0], world[0], seat):
                continue
            assert game.mask(again)[action] == 1
            assert (game.observation(again, seat) == game.observation(before, seat)).all()
            there = world["loc"][0] < Place.TRICK
            assert (again["loc"][0][there] == world["loc"][0][there]).all()


def test_a_seat_that_showed_nothing_held_nothing_to_show():
    """Seat 1 led from a hand in which a run of four Wands, had it been there, would have been shown."""
    game = tantra_envs.game("tarot", dealer=0)
    state = game.new(3)
    for _ in bounded_while(lambda: state["phase"][0] != Phase.PLAY):
        game.apply_action(state, game.legal(state)[0])
    before, seat = state.copy(), 1 - int(state["seat"][0])
    wands, deciding = range(22, 26), int(state["seat"][0])
    runs = {}
    for silent in (False, True):
        world = before.copy()
        loc = world["loc"][0]
        loc[:] = Place.THIRD
        loc[wands] = deciding if silent else Place.THIRD
        runs[silent] = rewind(before.copy()[0], before[0], world[0], seat)
    assert runs[False] == 1 and runs[True] == -1


def test_another_hand_tells_nothing():
    game = tantra_envs.game("tarot")
    state, past = played(game, 1, 40)
    state["hand_no"] += 1
    assert all(rewind(before.copy()[0], before[0], state[0], int(state["seat"][0])) == 0 for before, _ in past)
