"""T1 to T6: one player, fourteen tiles."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.playouts import standings
from tantra_envs.drawing import draw
from tantra_envs.drawing.chart import Standing
from tantra_envs.games.tantrix import legal_placements, score_board
from tantra_envs.games.tantrix.agents.standing import points
from tantra_envs.games.tantrix.material import EDGES, without
from tantra_envs.games.tantrix.words import drawing
from tantra_envs.testing import play
from tantra_envs.words.english import in_digits

from . import reference
from .table import Table


def alone(**config):
    return {"mode": "solitaire", **config}


def test_T1_fourteen_tiles_without_one_colour():
    for colour in "RYGB":
        table = Table(alone(missing=colour), seed=3)
        tiles = [table["hand"], *table["bag"]]
        assert sorted(tiles) == without(colour) and not any(colour in EDGES[tile - 1] for tile in tiles)
    assert {Table(alone(), seed=seed)["missing"] for seed in range(20)} == set("RYGB")
    assert {Table(alone(goal="R"), seed=seed)["missing"] for seed in range(20)} == set("YGB")
    with pytest.raises(ValueError, match="goal='R'"):
        tantra_envs.game("tantrix", mode="solitaire", goal="R", missing="R")
    assert Table(alone(), seed=0, deck=without("G"))["hand"] == 1
    with pytest.raises(ValueError, match="deck is not the 14 tiles"):
        Table(alone(missing="R"), seed=0, deck=without("G"))


def test_T2_only_the_tile_in_hand_is_seen():
    table = Table(alone(missing="G"), seed=0, deck=without("G"))
    status = table.seen(0, "status")
    assert status[0] == 2 and set(status[1:14]) == {0} and set(status[14:]) == {-1}
    assert "to come (13)\n" in table.game.picture(table.state, 0)


def test_T2_or_the_next_ones_too():
    table = Table(alone(missing="G", lookahead=2), seed=0, deck=without("G"))
    assert table.seen(0, "ahead") == [float(n) for tile in (2, 3) for n in (1, *map("_RYBG".index, EDGES[tile - 1]))]
    assert "to come (13): 2 3\n" in table.game.picture(table.state, 0)
    redealt = table.game.position(table.game.redeal(table.state, 4, 0))["bag"]
    assert redealt[:2] == [2, 3] and redealt[2:] != table["bag"][2:]


def test_T2_the_last_tiles_are_all_seen():
    table = Table(alone(missing="G", lookahead=2), seed=0, deck=without("G"))
    for state in play(table.game, 1):
        bag = table.game.position(state)["bag"]
        again = table.game.position(table.game.redeal(state, 4, 0))["bag"]
        assert again[:2] == bag[:2] and sorted(again) == sorted(bag)
    assert bag == []


def test_T3_a_gobble_it_fits_must_be_filled():
    game, forced = tantra_envs.game("tantrix", mode="solitaire"), 0
    for seed in range(20):
        for state in play(game, seed):
            position = game.position(state)
            board = reference.board_of(position["board"])
            if board and position["hand"]:
                fills = reference.placements(board, [position["hand"]], [], "FILL")
                if fills:
                    assert legal_placements(state) == fills
                    forced += 1
    assert forced


def test_T4_a_placement_always_exists():
    game = tantra_envs.game("tantrix", mode="solitaire")
    for seed in range(40):
        *_, state = play(game, seed)
        assert state["placed"][0] == 14


def test_T5_a_playout_that_stops_counts_the_goal():
    for goal in ("best", "R"):
        game = tantra_envs.game("tantrix", mode="solitaire", goal=goal, missing="B")
        states = np.concatenate([game.new(seed) for seed in range(8)])
        for i in range(len(states)):
            for _ in range(9):
                game.apply_action(states[i : i + 1], game.legal(states[i : i + 1])[0])
        wanted = states["best"].max(axis=1) if goal == "best" else states["best"][:, 1]
        assert standings(game, states)[:, 0].tolist() == wanted.tolist() == points(game, states)[:, 0].tolist()
    assert (wanted < states["best"].max(axis=1)).any()


def test_T5_the_goal_is_the_best_colour_or_a_fixed_one():
    for seed in range(5):
        for goal in ("best", "R"):
            game = tantra_envs.game("tantrix", mode="solitaire", goal=goal, missing="B")
            *_, state = play(game, seed)
            board = game.position(state)["board"]
            scores = {colour: score_board(board, colour) for colour in "RYG"}
            score = scores.get(goal, max(scores.values()))
            assert game.position(state)["scores"] == points(game, state)[0].tolist() == [score]
            assert drawing.result(game, state, ["You"]) == f"The end: You {score}"
            assert drawing.standing(game, state) == Standing("points", [score])
            assert f">{in_digits(score, 'point')}</text>" in draw(game, state)


def test_T6_the_end_pays_the_score_as_a_share_of_28_or_as_it_is():
    for reward, whole in (("place", 28), ("margin", 1)):
        game = tantra_envs.game("tantrix", mode="solitaire", reward=reward)
        *_, state = play(game, 2)
        position = game.position(state)
        assert position["rewards"] == [position["scores"][0] / whole]
