"""Counting: sequences of legal actions, as chess engines do with perft, and games played at random."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States


def sequences(game: Game, state: States, longest: int) -> list[int]:
    """The numbers of sequences of 1, 2 .. `longest` legal actions; a game that ends earlier counts nothing more."""
    legal = game.legal(state)
    counts = [len(legal)] + [0] * (longest - 1)
    for action in legal if longest > 1 else []:
        after = state.copy()
        game.apply_action(after, action)
        for i, number in enumerate(sequences(game, after, longest - 1), start=1):
            counts[i] += number
    return counts


def random_games(game: Game, tables: int) -> tuple[States, int]:
    """The last positions of tables dealt from the seeds 0, 1 .. and played at random, and all their actions counted."""
    states, every = game.blanks(tables), np.arange(tables)
    game.drivers.deal_rows(states, every, every)
    return states, game.drivers.random_playouts(states, np.zeros(game.actions.size, np.int8), 0, tables)
