"""The lines that Tantrix emphasises are those that it scores."""

import pytest

import tantra_envs
from tantra_envs.games.tantrix.words import drawing

from .tables import moments


@pytest.mark.parametrize("config", [{"players": 4}, {"mode": "solitaire"}])
def test_the_emphasised_line_is_worth_the_score(config):
    game = tantra_envs.game("tantrix", **config)
    for seed in range(4):
        for state, _ in moments(game, seed):
            board = {(q, r): (tile, rot) for tile, q, r, rot in game.position(state)["board"]}
            for number, colour in enumerate("RYGB", start=1):
                line = drawing._longest(board, colour, 2)
                assert state["best"][0, number] in (len(line), 2 * len(line))
