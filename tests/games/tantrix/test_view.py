"""Properties of observations; `tests/contract/test_meanings_of_observations.py` checks every number."""

import pytest

import tantra_envs
from tantra_envs.games.tantrix.puzzles.solver import solve
from tantra_envs.testing.positions import check_views


def test_O1_only_the_order_of_the_tiles_to_come_is_hidden():
    for config in ({}, {"mode": "solitaire"}):
        game = tantra_envs.game("tantrix", **config)
        before = game.position(game.new(1))
        after = game.position(game.redeal(game.new(1), 8, 0))
        assert before.pop("bag") != after["bag"] and sorted(after.pop("bag")) == sorted(
            game.position(game.new(1))["bag"]
        )
        assert before == after


def test_O2_everything_is_relative_to_the_observer():
    """Seats and colours changed about: every seat sees what the other saw."""
    game, other = tantra_envs.game("tantrix"), tantra_envs.game("tantrix", colours="YR")
    position = game.position(game.new(4))
    moved = {**position, "config": {}, "colours": "YR", "hands": position["hands"][::-1], "cur": 1 - position["cur"]}
    del moved["scores"]
    for seat in range(2):
        one = game.observation(game.from_position(position), seat)
        two = other.observation(other.from_position(moved), 1 - seat)
        assert (one == two).all()


def test_D8_scores_stay_within_their_range_when_a_loop_counts_three_times():
    """A loop of 29 tiles, and the most that 42 tiles with a colour could score."""
    board = solve(tantra_envs.game("tantrix", mode="discovery", puzzle=29)).board
    for factor, score in ((1, 29), (2, 58), (3, 87)):
        game = tantra_envs.game("tantrix", loop_factor=factor)
        state = game.from_position({"board": board, "hands": [[30], [31]], "bag": [32]})
        assert game.position(state)["scores"][0] == score
        check_views(game, state)
        assert game.view["scores"].high == pytest.approx(factor * 42 / 56)


def test_O3_the_blocks_are_the_table_of_entities():
    game = tantra_envs.game("tantrix", players=3)
    sizes = {block.name: block.size for block in game.view}
    assert (sizes["cells"], sizes["cell_facing"], sizes["cell_touch"], sizes["cell_gobble"]) == (228, 684, 114, 114)
    assert (sizes["board"], sizes["hands"], sizes["status"]) == (56 * 9, 3 * 6 * 7, 56)
