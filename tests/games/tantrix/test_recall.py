"""A table laid out again from a view: it looks the same, and may be played on as far as its tiles are seen."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.games.tantrix.recall import recall, seen_at
from tantra_envs.testing import play

CONFIGS = [
    {},
    {"players": 3, "colours": "random"},
    {"players": 4, "colours": "BGRY"},
    {"mode": "solitaire"},
    {"mode": "solitaire", "goal": "G"},
]
RACES = [{"players": 1}, {"players": 2, "free_discard": True}, {"players": 4, "speeds": (1, 2, 1, 3)}]


@entry_point
def lay_out(views, at, states):
    for k in range(len(views)):
        recall(views[k], at, states[k])


def recalled(game, views):
    lay_out(views, seen_at(game), states := game.blanks(len(views)))
    return states


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_it_looks_the_same_to_the_seat(config):
    game = tantra_envs.game("tantrix", **config)
    states = [state.copy() for state in play(game, 3) if not state["over"][0]]
    views = np.stack([game.observation(state, int(state["seat"][0])) for state in states])
    laid = recalled(game, views)
    hidden = game.view["status"].slice  # of the tiles to come
    for k, state in enumerate(states):
        table = laid[k : k + 1]
        seen = game.observation(table, 0)
        to_come = (views[k, hidden] == 0) & (seen[hidden] == -1)
        seen[hidden][to_come] = 0
        assert (seen == views[k]).all() and to_come.sum() == state["bag_n"][0]
        assert game.legal(table) == game.legal(state)


@pytest.mark.parametrize("config", RACES, ids=str)
def test_what_seats_of_gobble_own_is_laid_out_too(config):
    game = tantra_envs.game("tantrix", mode="gobble", **config)
    states = [state.copy() for deal in (3, 4) for state in play(game, deal) if not state["over"][0]]
    laid = recalled(game, np.stack([game.observation(state, int(state["seat"][0])) for state in states]))
    for state, table in zip(states, np.split(laid, len(laid)), strict=True):
        assert game.legal(table) == game.legal(state)
        (old,), (new,) = state, table
        turned = np.roll(np.arange(game.players), -int(old["seat"]))
        for name in ("hands", "piles_n", "penalty_n"):
            assert (new[name][: game.players] == old[name][turned]).all()
        assert (new["known"] == old["known"]).all() and new["bag_n"] == old["bag_n"]
        assert new["acts"] == max(old["acts"], 0)
        assert ((new["out"][: game.players] > 0) == (old["out"][turned] > 0)).all() and new["gone"] == old["gone"]
        for seat, of in enumerate(turned):
            n = old["penalty_n"][of]
            assert sorted(new["penalty"][seat, :n]) == sorted(old["penalty"][of, :n])
            assert n == 0 or new["penalty"][seat, n - 1] == old["penalty"][of, n - 1]
            known = [tile for tile in old["piles"][of, : old["piles_n"][of]] if old["known"][tile]]
            assert new["piles"][seat][new["piles"][seat] > 0].tolist() == sorted(known)


def test_it_is_played_on_by_the_rules_and_draws_nothing():
    game = tantra_envs.game("tantrix")
    checked = 0
    for state in play(game, 6):
        if state["over"][0] or state["plies"][0] % 5:
            continue
        seat = int(state["seat"][0])
        table = recalled(game, game.observation(state, seat)[None])
        action = game.legal(state)[-1]
        held = int((table["hands"][0, 0] > 0).sum())
        game.drivers.apply_rows(table, np.zeros(1, np.int64), np.array([action]))
        assert (table["hands"][0, 0] > 0).sum() == held - 1
        game.apply_action(state.copy(), action)
        after = state.copy()
        game.apply_action(after, action)
        told, true = (game.position(one) for one in (table, after))
        seats = [told["scores"], true["scores"]]
        assert seats[0] == seats[1][seat:] + seats[1][:seat] and table["bag_n"] == after["bag_n"]
        checked += 1
    assert checked > 8


def test_what_is_no_view_of_a_table_leaves_nothing_to_do():
    game = tantra_envs.game("tantrix")
    view = game.observation(state := game.new(1), int(state["seat"][0]))
    of_nothing, odd = np.zeros_like(view), view.copy()
    odd[game.view["hands"].start + 1] = 7  # no colour
    for table in recalled(game, np.stack([of_nothing, odd])):
        assert not game.mask(table.reshape(1)).any()
