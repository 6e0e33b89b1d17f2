"""Whole games compared with a second version of the rules: legal placements, scores and reasons agree at every move."""

import pytest

import tantra_envs
from tantra_envs.games.tantrix import legal_placements, score_board, scores, why_illegal
from tantra_envs.games.tantrix.material import COLOURS, turned
from tantra_envs.testing import play

from . import reference


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", [0, 1])
def test_legal_placements_and_scores_of_strategy(players, seed):
    game = tantra_envs.game("tantrix", players=players)
    for state in play(game, seed):
        position = game.position(state)
        board = reference.board_of(position["board"])
        assert scores(state) == [reference.score(board, colour) for colour in position["colours"]]
        if position["phase"] == "OVER":
            break
        if len(board) % 3:
            continue
        hand = [tile for tile in position["hands"][position["cur"]] if tile]
        expected = reference.placements(board, hand, position["bag"], position["phase"])
        assert legal_placements(state) == expected
        if board:
            words = {game.action_name(state, action) for action in game.legal(state)}
            assert words == {f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in expected}


@pytest.mark.parametrize("seed", range(3))
def test_legal_placements_and_scores_of_solitaire(seed):
    game = tantra_envs.game("tantrix", mode="solitaire")
    for state in play(game, seed):
        position = game.position(state)
        board = reference.board_of(position["board"])
        assert scores(state) == [max(reference.score(board, colour) for colour in "RYGB")]
        if position["phase"] == "OVER":
            assert position["rewards"] == [scores(state)[0] / 28]  # with seed 1 red alone is the best
            break
        if not board:
            continue
        tile = position["hand"]
        anywhere = reference.placements(board, [tile], [], "FREE")
        forced = reference.placements(board, [tile], [], "FILL")
        assert legal_placements(state) == (forced or anywhere)


@pytest.mark.parametrize("seed", [3, 4])
def test_reasons_agree_with_the_words_of_the_booklet(seed):
    """The look-ahead over all fills, and the one line of arithmetic that replaces it, never differ [R3, R4]."""
    game = tantra_envs.game("tantrix")
    for state in play(game, seed):
        position = game.position(state)
        board = reference.board_of(position["board"])
        if not position["bag"] or not board or len(board) % 4:
            continue
        for cell in reference.border(board):
            for rot in range(6):
                why = why_illegal(state, 56 if seed == 3 else 14, *cell, rot)
                tile = 56 if seed == 3 else 14
                if not reference.fits(board, cell, tile, rot):
                    assert why == "match"
                    continue
                after = {**board, cell: (tile, rot)}
                double = any(len(colours) > 3 for colours in reference.gobbles(after).values())
                if reference.three_alike(after, cell):
                    assert why == "R1"
                elif double:
                    assert why == "R2"
                else:
                    assert why == ("R3" if reference.ends_in_a_double_gobble(after) else None)


def mapped(placement, turns, mirror, names):
    """A placement turned about (0, 0) by 60 degrees `turns` times, mirrored or not, with other colours."""
    tile, q, r, rot = placement
    sides = turned(tile, rot).translate(str.maketrans(COLOURS, names))
    for _ in range(turns):
        q, r, sides = -r, q + r, sides[5:] + sides[:5]
    if mirror:  # left and right: side 0 becomes side 5
        q, sides = -q - r, sides[::-1]
    return (*WHICH[sides], q, r)


WHICH = {turned(tile, rot): (tile, rot) for tile in range(1, 57) for rot in range(6)}


@pytest.mark.parametrize(("turns", "mirror", "names"), [(1, False, "RYGB"), (0, True, "RYGB"), (5, True, "BRYG")])
def test_a_table_turned_mirrored_or_recoloured_has_the_same_placements(turns, mirror, names):
    """The tiles take other numbers with other looks; only the first player depends on numbers."""

    def image(placements):
        moved = (mapped(placement, turns, mirror, names) for placement in placements)
        return sorted((tile, q, r, rot) for tile, rot, q, r in moved)

    game = tantra_envs.game("tantrix")
    other = tantra_envs.game("tantrix", colours="".join(names["RYGB".index(colour)] for colour in "RY"))
    for state in play(game, 7):
        position = game.position(state)
        if len(position["board"]) % 9 or position["phase"] == "OVER":
            continue
        hands = [[image([(tile, 0, 0, 0)])[0][0] for tile in hand if tile] for hand in position["hands"]]
        bag = [image([(tile, 0, 0, 0)])[0][0] for tile in position["bag"]]
        seen = {"board": image(position["board"]), "hands": hands, "bag": bag}
        twin = other.from_position({**seen, "cur": position["cur"], "phase": position["phase"]})
        assert legal_placements(twin) == image(legal_placements(state))
        assert scores(twin) == position["scores"]


def test_scores_of_boards_in_any_order():
    game = tantra_envs.game("tantrix")
    *_, state = play(game, 9)
    board = game.position(state)["board"]
    for colour in "RYGB":
        assert (
            score_board(board, colour)
            == score_board(board[::-1], colour)
            == reference.score(reference.board_of(board), colour)
        )
