"""The scripted player plays as it did: digests of whole games under all 44 Display Cards, and of its ratings."""

import hashlib

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.playouts import Playouts

from ..loop_bounds import bounded_while

ALL_CARDS = {"display_order": "numeric", "n_rounds": 44}
TOLD = ("plies", "game_turns", "rng", "scores", "hands", "discard", "last")  # of the ends of games
EVERY = 41  # plies, between looks at the ratings
PLAYED = {
    "three": ({"players": 3}, "7e802fa9bda610c0"),
    "four": ({"players": 4}, "b1d72bcee0886aaf"),
    "six": ({"players": 6}, "6a1b4a1bc39ecb3c"),
    "nine": ({"players": 9}, "0f5fd33228007fe6"),
    "naturals": ({"players": 4, "min_naturals_per_set": 1, "max_turns_per_player": 12}, "d0f00f64d0b23ae0"),
    "four packs": ({"players": 3, "n_packs": 4, "jokers_per_pack": 4, "max_turns_per_player": 15}, "858b5366ceb53114"),
}


@pytest.mark.parametrize("name", PLAYED)
def test_games_and_ratings_are_as_they_were(name):
    config, digest = PLAYED[name]
    assert played(tantra_envs.game("tantra", **ALL_CARDS, **config)) == digest


def played(game):
    """The digest of a game of 44 rounds, in which every seat is the scripted player."""
    seen, state, playouts = hashlib.sha256(), game.new(7), Playouts(game)
    for _ in bounded_while(lambda: not state["over"][0]):
        seen.update(np.round(ratings(game, state), 5).tobytes())
        playouts.run(state, plies=EVERY)
    for field in TOLD:
        seen.update(state[field].tobytes())
    return seen.hexdigest()[:16]


def ratings(game, state):
    """What the seat in turn thinks of every action."""
    known, mask = game.conceal(state, state["seat"]), game.mask(state)[None]
    values = np.empty(mask.shape)
    game.drivers.rate_rows(known, mask, game.scripted.prepare(game), values)
    return values
