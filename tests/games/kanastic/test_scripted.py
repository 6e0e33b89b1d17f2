"""The scripted player knows what it is doing: its team beats a team that plays anything."""

import numpy as np

import tantra_envs
from agents import load_all
from tantra_envs.matches.playing import play_tables


def test_a_scripted_team_beats_a_uniform_team_from_either_side():
    game = tantra_envs.game("kanastic:round")
    seating = [[0, 1, 0, 1], [1, 0, 1, 0]] * 4
    outcome = play_tables(game, load_all(["scripted", "uniform"], game), seating, np.repeat(np.arange(4), 2), 1)
    scripted = np.where(np.array(seating) == 0, outcome.rewards, 0).sum(axis=1)
    assert scripted.mean() > 1
