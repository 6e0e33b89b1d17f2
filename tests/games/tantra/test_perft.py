"""Counting: how many sequences of legal actions there are from some tables, and that play never gets stuck."""

import os

import numpy as np
import pytest

import tantra_envs
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.games.tantra.actions import KIND, LAY_OFF

from ..perft import sequences
from .table import Table

DECISIONS = int(os.environ.get("TANTRA_DECISIONS", "30000"))  # of each configuration
POSITIONS = [  # a table, and the number of sequences of 1, 2, 3 .. actions
    (  # asking, selling, drawing
        {"display": 10, "wild": "10", "hands": ["2C 3D", "3D 4S", "4D 5C"], "phase": "ASK",
         "stock": "5D 6D 7D 8D 9D", "discard": "9S 2H"},
        [2, 4, 9, 23, 48, 98, 231, 597],
    ),
    (  # laying down two runs, one of them with a pair
        {"config": {"auto_forced": False}, "display": 21, "hands": ["5H 5H 6H 7H 7H 8H 9H 9H 2C", "3D", "3S"]},
        [7, 7, 13, 13, 25, 25, 163, 163],
    ),
    (  # kinds and a run with wild cards
        {"config": {"auto_forced": False}, "display": 2, "wild": "A",
         "hands": ["4C 4D 4H KC KD WILD 6S 7S 8S 9S 2C", "3D", "3S"]},
        [12, 12, 23, 23, 45, 45, 499, 499],
    ),
    (  # laying off, a group with a duplicate among it
        {"display": 30, "hands": ["7H 9H JK 4C", "3D", "3S"], "laid_turn": [0, 0, -1],
         "sets": [{"seat": 1, "slot": 1, "run": "H", "start": 5, "cards": "5H 6H 7H"},
                  {"seat": 1, "slot": 0, "kind": "4", "cards": "4D 4S 4H"}]},
        [7, 13, 36, 53, 77, 98, 205, 364],
    ),
]  # fmt: skip

RICH = {"players": 3, "n_packs": 4, "jokers_per_pack": 4, "max_turns_per_player": 20}  # sets come together by chance


@pytest.mark.parametrize(("position", "counts"), POSITIONS)
def test_sequences_from_a_position(position, counts):
    table = Table(**{"config": None, **position})
    assert sequences(table.game, table.state, len(counts)) == counts


@pytest.mark.parametrize("config", [{}, RICH, {**RICH, "auto_forced": False, "min_naturals_per_set": 1}], ids=str)
def test_random_play_meets_no_dead_end(config):
    """Over all Display Cards; a batch deals ended tables again, so at each there must always be something to do."""
    game = tantra_envs.game("tantra", **config)
    env = BatchEnv(game, 500, seed=1)
    displays, phases = set(), set()
    for _ in range(DECISIONS // env.n):
        _, masks, *_ = env.step(env.sample())
        stuck = np.flatnonzero(~masks.any(axis=1))
        assert not len(stuck), f"nothing is legal: {game.position(env.states[stuck[:1]], full=True)}"
        displays |= set(env.states["display"].tolist())
        phases |= set(env.states["phase"].tolist())
    assert displays == set(range(1, 45))
    assert len(phases) == len(game.phases) - 1 or not config  # all but OVER


def test_the_table_keeps_a_bit_for_every_choice_of_a_set_and_nothing_else():
    """Also for the last rank, run and card; in other phases there is none."""
    game = tantra_envs.game("tantra", auto_forced=False)
    env, seen = BatchEnv(game, 256), set()
    env.reset(seed=5)
    for _ in range(400):
        _, masks, *_ = env.step(env.sample())
        building = np.isin(env.states["phase"], [game.phases.index("TEMPLATE"), game.phases.index("PLACE")])
        bits = (env.states["choices"][:, None] >> np.arange(63)) & 1
        assert bits.sum(1).tolist() == np.where(building, masks[:, KIND:LAY_OFF].sum(1), 0).tolist()
        seen |= set(np.flatnonzero(masks[building, KIND:LAY_OFF].any(axis=0)).tolist())
    assert len(seen) > 100
