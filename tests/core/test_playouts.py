"""Compiled playouts: the scripted player of every seat, move for move, in slices of any size."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts, chosen
from tantra_envs.games import SHIPPED

TABLES = [
    ("karma", {}, 60),
    ("karma", {"players": 4, "copies": 3}, 30),
    ("kanastic", {"episode": "round"}, 4),
    ("kanastic", {"players": 2, "episode": "round"}, 4),
    ("tarot", {"episode": "hand"}, 30),
    ("tarot", {"players": 3, "episode": "hand"}, 30),
    ("tantra", {"players": 3}, 6),
    ("tantra", {"auto_forced": False}, 4),
    ("tantrix", {}, 8),
    ("tantrix", {"players": 4, "colours": "random"}, 4),
    ("tantrix", {"mode": "solitaire"}, 8),
    ("tantrix", {"mode": "gobble", "players": 1}, 8),
    ("tantrix", {"mode": "gobble", "players": 3}, 4),
    ("tantrix", {"mode": "discovery", "puzzle": 12}, 2),
]
IDS = [f"{name} {config}" for name, config, _ in TABLES]


def dealt(game, n):
    states = game.blanks(n)
    game.drivers.deal_rows(states, np.arange(n), np.arange(n) + 3)
    return states


@pytest.mark.parametrize(("name", "config", "n"), TABLES, ids=IDS)
def test_a_playout_is_what_the_scripted_player_chooses_ply_by_ply(name, config, n):
    game = tantra_envs.game(name, **config)
    ours, whole = dealt(game, n), dealt(game, n)
    playouts, paid, paid_at_once = Playouts(game), np.zeros((n, game.players)), Playouts(game).run(whole)
    while not ours["over"].all():
        rows = np.flatnonzero(ours["over"] == 0)
        obs, stepped = Observation(game, ours, rows), ours[rows]
        game.drivers.apply_rows(ours, rows, chosen(game, obs.known, obs.action_mask))
        paid[rows] += playouts.run(stepped, plies=1)
        assert stepped.tobytes() == ours[rows].tobytes()
    assert whole.tobytes() == ours.tobytes()
    assert (paid == paid_at_once).all() and playouts.played == ours["plies"].sum()


@pytest.mark.parametrize("name", SHIPPED)
def test_threads_and_slices_give_the_same_tables(name):
    game = tantra_envs.game(name)
    whole, sliced = dealt(game, 4), dealt(game, 4)
    rewards = Playouts(game).run(whole, plies=60)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda lo: Playouts(game).run(sliced[lo : lo + 2], plies=60), (0, 2)))
    assert whole.tobytes() == sliced.tobytes() and (np.concatenate(parts) == rewards).all()


@pytest.mark.parametrize(("name", "field"), [("kanastic", "round_no"), ("tarot", "hand_no"), ("karma", "plies")])
def test_a_horizon_is_counted_in_rounds_where_a_game_has_them(name, field):
    game = tantra_envs.game(name)
    states = dealt(game, 3)
    before = states[field].copy()
    Playouts(game).run(states, horizon=1)
    assert ((states[field] == before + 1) | (states["over"] == 1)).all()
