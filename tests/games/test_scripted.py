"""The scripted agents are better than chance and than greed."""

import pytest

import tantra_envs
from agents import load_all
from tantra_envs.matches.match import play_match

ALONE = [0, 1, 1]  # against two others


@pytest.mark.parametrize(("name", "config", "other", "lineup", "deals", "least"), [
    ("kanastic:round", {}, "uniform", [0, 1], 4, 0.8),
    ("tantra", {"players": 4}, "uniform", [*ALONE, 1], 4, 0.8),
    ("tantra", {"players": 4}, "greedy", [*ALONE, 1], 4, 0.8),
    ("tantrix", {}, "uniform", [0, 1], 150, 0.52),
    ("tantrix", {}, "greedy", [0, 1], 100, 0.52),
    ("tantrix", {"players": 3}, "uniform", ALONE, 150, 0.52),
    ("tantrix", {"mode": "gobble", "players": 3}, "uniform", ALONE, 100, 0.6),
])  # fmt: skip
def test_it_beats_uniform_and_greedy(name, config, other, lineup, deals, least):
    game = tantra_envs.game(name, **config)
    match = play_match(game, load_all(["scripted", other], game), lineup=lineup, deals=deals)
    assert match.score(0).mean > least
