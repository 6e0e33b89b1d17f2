"""Buffers are reused: masks, views, concealed and dealt tables are written whole, whatever was in them before."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .games import GAMES, contract

TABLES = [(name, config) for name in GAMES for config in contract(name).TABLES[:3]]
FEW = 40  # tables of a game that are looked at
STALE = 7


@pytest.mark.parametrize(("name", "config"), TABLES, ids=str)
def test_masks_views_and_concealed_tables_hide_what_was_in_the_buffer(name, config):
    game = tantra_envs.game(name, **config)
    states, row, used = [state.copy() for state in play(game, 1)], np.zeros(1, np.int64), game.blanks(1)
    for state in [*states[:: 1 + len(states) // FEW], states[-1]]:
        mask = np.full(game.actions.size, STALE, np.int8)
        game.drivers.legal_row(state, 0, mask)
        assert mask.tolist() == game.mask(state).tolist()
        for seat in range(game.players):
            narrow, view = np.full(game.view.size, STALE, game.view.dtype), np.zeros(game.view.size, np.float32)
            game.drivers.observe_row(state, 0, seat, narrow, game.view.factors, view)
            assert view.tobytes() == game.observation(state, seat).tobytes()
            game.drivers.conceal_rows(state, row, row + seat, row + seat, used)  # over what another seat knew
            assert used.tobytes() == game.conceal(state, seat).tobytes()


@pytest.mark.parametrize(("name", "config"), TABLES, ids=str)
def test_a_table_is_dealt_anew_over_a_finished_game(name, config):
    game = tantra_envs.game(name, **config)
    for seed in range(3):
        *_, state = play(game, seed)
        game.drivers.deal_rows(state, np.zeros(1, np.int64), np.array([seed]))
        assert state.tobytes() == game.new(seed).tobytes()
