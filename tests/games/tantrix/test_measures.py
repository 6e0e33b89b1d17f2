"""Measures of studies: what has a meaning in Strategy only is not counted elsewhere."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix.measures.worth import Worth, measures
from tantra_envs.measures import Counter


@pytest.mark.parametrize("variant", ["race", "solitaire", "discovery"])
def test_only_strategy_counts_loops_lines_and_colours(variant):
    """In a race a seat has no colour, and its points are the tiles that it owns."""
    game = tantra_envs.game(f"tantrix:{variant}")
    assert measures(game) == ()
    dealt, places = game.new(1), np.arange(game.players)[None]
    Worth(game, dealt, places, Counter([], game.players)).end(dealt, np.zeros(places.shape), np.zeros(places.shape))


def test_strategy_counts_loops_lines_and_colours():
    names = {measure.name for measure in measures(tantra_envs.game("tantrix"))}
    assert {"seats with a loop", "score of a colour", "worth of a tile"} <= names
