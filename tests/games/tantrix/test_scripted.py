"""The scripted Tantrix agent: what it reads, and how it solves puzzles."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Scripted, Uniform

from ..loop_bounds import bounded_while


def test_it_reads_the_compact_frontier_only_but_walks_along_loops():
    game = tantra_envs.game("tantrix", encoding="frontier")
    with pytest.raises(ValueError, match="allowed: 'compact'"):
        play_tables(game, [Scripted(game)], [[0, 0]], [1])
    walk = tantra_envs.game("tantrix", mode="discovery", puzzle=12, walk=True)
    assert play_tables(walk, [Scripted(walk)], [[0]], [1]).rewards == [[1.0]]


@pytest.mark.parametrize(
    "config", [{"mode": "discovery", "puzzle": 12}, {"mode": "rainbow", "puzzle": "blue"}], ids=str
)
def test_puzzles_are_solved_and_a_table_off_the_way_is_played_on(config):
    game = tantra_envs.game("tantrix", **config)
    outcome = play_tables(game, [Scripted(game)], [[0]], [1])
    assert outcome.rewards == [[1.0]]
    state, rng = game.new(), np.random.default_rng(2)
    for _ in bounded_while(lambda: not state["over"][0]):
        obs = Observation(game, state)
        player = Uniform(game) if state["plies"][0] == 0 else Scripted(game)
        game.apply_action(state, int(player.act(obs, rng)[0]))


def test_S18_a_step_limit_below_the_number_of_tiles_does_not_stop_the_solver():
    game = tantra_envs.game("tantrix", mode="discovery", puzzle=10, max_steps=5)
    assert game.scripted.prepare(game)["steps_n"] == 9
    outcome = play_tables(game, [Scripted(game)], [[0]], [1])
    assert outcome.rewards == [[0.0]] and outcome.truncated == [True]
