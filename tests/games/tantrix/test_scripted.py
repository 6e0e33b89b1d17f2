"""The scripted Tantrix player: better than chance in every mode."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.matches.match import play_match
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Greedy, Scripted, Uniform

from ..loop_bounds import bounded_while


def test_it_reads_the_compact_frontier_only_but_walks_along_loops():
    game = tantra_envs.game("tantrix", encoding="frontier")
    with pytest.raises(ValueError, match="allowed: 'compact'"):
        play_tables(game, [Scripted(game)], [[0, 0]], [1])
    walk = tantra_envs.game("tantrix", mode="discovery", puzzle=12, walk=True)
    assert play_tables(walk, [Scripted(walk)], [[0]], [1]).rewards == [[1.0]]


@pytest.mark.parametrize("players", [2, 3])
def test_it_beats_uniform_and_greedy_at_strategy(players):
    game = tantra_envs.game("tantrix", players=players)
    for other in (Uniform(game), Greedy(game)):
        match = play_match(game, [Scripted(game), other], lineup=[0] + [1] * (players - 1), deals=150)
        assert match.score(0).mean > 0.52


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


def test_it_beats_uniform_at_a_race():
    game = tantra_envs.game("tantrix", mode="gobble", players=3)
    assert play_match(game, [Scripted(game), Uniform(game)], lineup=[0, 1, 1], deals=100).score(0).low > 0.6


def test_alone_it_makes_longer_lines_than_chance():
    game, tables = tantra_envs.game("tantrix", mode="solitaire"), 200
    means = []
    for player in (Scripted(game), Uniform(game)):
        states, rng = game.blanks(tables), np.random.default_rng(1)
        game.drivers.deal_rows(states, np.arange(tables), np.arange(tables))
        for _ in bounded_while(lambda: not states["over"].all()):
            game.drivers.apply_rows(states, np.arange(tables), player.act(Observation(game, states), rng))
        means.append(states["rewards"][:, 0].mean())
    assert means[0] > 1.3 * means[1]
