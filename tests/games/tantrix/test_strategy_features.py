"""Action features of Strategy, compared with a slow search by the rules."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix import legal_placements
from tantra_envs.games.tantrix.agents.features.sets import code_of, matching, sets_by_code
from tantra_envs.games.tantrix.agents.features.strategy import MOMENTS, OF_LINES, OF_MOMENT, L
from tantra_envs.games.tantrix.board.tiles import rotations
from tantra_envs.games.tantrix.material import EDGES, TILES

from ..features import action_features, added, positions
from .greedy import best_placement, ends_at, tiles_that_fit
from .reference import around, board_of, border, gobbles, sound

GAMES = [  # and the share of random actions; the scripted agent plays with the compact encoding only
    ({}, 0.0),
    ({}, 1.0),
    ({"players": 3, "colours": "GRB", "encoding": "frontier"}, 1.0),
    ({"players": 3}, 0.2),
    ({"players": 4, "deadlock": "pass"}, 0.2),
    ({"players": 2, "encoding": "window", "window": 15, "hand_size": 3, "unrestrained": 20}, 1.0),
]


@pytest.mark.parametrize(("config", "share"), GAMES, ids=str)
def test_features_are_how_the_lines_stand_after_each_turn(config, share):
    """Sums are made in the order of the spaces, so that every bit is equal."""
    game, seen = tantra_envs.game("tantrix", **config), 0
    for state, seat in positions(game, 1, every=11, share=share):
        actions, features, _ = action_features(game, state, seat)
        for action, row in list(zip(actions, features, strict=True))[state["plies"][0] % 7 :: 14]:
            expected = np.array(_features(game, state, seat, action), np.float32)
            assert np.array_equal(row, expected), np.flatnonzero(row != expected)
            seen += 1
    assert seen > 2


def test_sets_of_tiles_by_the_code_of_a_space():
    sets, rng = sets_by_code(), np.random.default_rng(3)
    for colours in rng.integers(0, 5, (300, 6)):
        facing = sum(int(colour) << 3 * d for d, colour in enumerate(colours))
        tiles = [tile for tile in range(1, TILES + 1) if rotations(tile, facing)]
        assert sets[code_of(facing)] == matching(facing) == sum(1 << tile - 1 for tile in tiles)


def test_what_can_be_read_off_a_table_of_two_tiles():
    """Red is to place a tile, and yellow the only one it holds; nobody draws anything that is seen."""
    game = tantra_envs.game("tantrix")
    hands = [[1, 7], [49]]  # BRBRYY, BBYRYR; BBGYYG
    position = {"board": [[14, 0, 0, 0]], "hands": hands, "phase": "FREE", "cur": 0, "bag": list(range(20, 40))}
    state = game.from_position(position)
    _, actions, features, _ = game.describe(game.conceal(state, 0))
    words = [game.action_name(state, action) for action in actions.tolist()]
    moments = features[:, : MOMENTS * OF_MOMENT.size].reshape(-1, MOMENTS, OF_MOMENT.size)
    lines = dict(zip(words, moments[..., : 2 * OF_LINES.size].reshape(-1, MOMENTS, 2, OF_LINES.size), strict=True))
    both_ends_open = {L.score: 0.2, L.squares: 0.04, L.lengths: 0.2, L.longest: 0.2, L.second: 0.2}
    assert lines["7:-1,1/1"][0, 0, list(both_ends_open)] == pytest.approx(list(both_ends_open.values()))
    two_short_lines = {L.score: 0.1, L.squares: 0.02, L.lengths: 0.2, L.reach: 0.3, L.hand_reach: 0.3}
    assert lines["7:-1,1/1"][0, 1, list(two_short_lines)] == pytest.approx(list(two_short_lines.values()))
    a_loop_of_four = 0.8
    assert lines["7:0,-1/0"][1, 1, [L.score, L.reach, L.hand_reach]] == pytest.approx([0.3, a_loop_of_four, 0.3])


def _features(game, state, seat, action):
    """The features of a placement: the true table with nothing to draw is played on by greedy replies."""
    before, state = game.position(state), state.copy()
    unseen = {int(tile) for tile in state["bag"][0, : state["bag_n"][0]]}
    state["bag"] = 0
    board = board_of(before["board"])
    game.apply_action(state, action)
    after, features, rest = board_of(game.position(state)["board"]), [], []
    touched, placed = [len(around(board, cell)) / 6 for cell in set(after) - set(board)], len(board)
    for moment in range(MOMENTS):
        while not state["over"][0] and (state["seat"][0] != seat) == (moment % 2 == 1):
            _reply(game, state, unseen)
        position = game.position(state)
        others = [(seat + i) % game.players for i in range(1, game.players)]
        leader = max(others, key=lambda other: position["scores"][other])
        for whose in (seat, leader):
            features += _standing(position, whose, unseen, game.config["unrestrained"])
        features += [np.mean([position["scores"][other] for other in others]) / 10]
        features += [(len(position["board"]) - placed) / 4]
        placed = len(position["board"])
        rest = rest or _rest(position, (seat, leader), unseen)
    return [*features, *touched, *rest]


def _reply(game, state, unseen):
    """Play the greedy reply; of equal placements the first by space, rotation and slot."""
    position, seat = game.position(state), int(state["seat"][0])
    hand = state["hands"][0, seat].tolist()
    legal = sorted(legal_placements(state), key=lambda one: (one[2], one[1], one[3], hand.index(one[0])))
    placements = [(tile, (q, r), rot) for tile, q, r, rot in legal]
    colours, score = [position["colours"][seat]], position["scores"][seat]
    board, unplaced = board_of(position["board"]), _unplaced(position, unseen)
    tile, (q, r), rot = best_placement(board, placements, colours, score, unplaced)
    game.apply_action(state, game.parse_action(state, f"{tile}:{q},{r}/{rot}"))


def _standing(position, seat, unseen, unrestrained):
    """The numbers of OF_LINES for the lines of a seat."""
    board, colour, score = board_of(position["board"]), position["colours"][seat], position["scores"][seat]
    hand, unplaced = _hand(position, seat), _unplaced(position, unseen)
    ends, everywhere, held, forced, reached = [0, 0], [score], [score], [score], {}
    for cell in sorted(border(board), key=lambda cell: cell[::-1]):
        shown = [d for d, there in around(board, cell).items() if there == colour]
        fitting = tiles_that_fit(board, cell, unplaced)
        if shown and fitting:
            lengths, made = ends_at(board, cell, colour)
            ends += lengths
            everywhere.append(made)
            if fitting & hand and (len(position["bag"]) <= unrestrained or sound([*board, cell])):
                held.append(made)
            if cell in gobbles(board):
                forced.append(made)
            for tile in fitting & unseen:
                reached[tile] = max(made, reached.get(tile, score))
    mean = np.mean([reached.get(tile, score) for tile in unseen]) if unseen else score
    squares, lengths = np.float32(0), np.float32(0)
    for tens in np.array(ends, np.float32) / np.float32(10):
        squares += tens * tens / np.float32(2)
        lengths += tens / np.float32(2)
    rest = [*sorted(ends)[-1:-3:-1], max(everywhere), max(held), mean, max(forced)]
    return [score / 10, squares, lengths, *(number / 10 for number in rest)]


def _rest(position, seats, unseen):
    """Gobbles, those that no tile fits, and tiles of the own colour in two hands."""
    board, unplaced = board_of(position["board"]), _unplaced(position, unseen)
    dead = [cell for cell in gobbles(board) if not tiles_that_fit(board, cell, unplaced)]
    own_tiles = [sum(position["colours"][seat] in EDGES[tile - 1] for tile in _hand(position, seat)) for seat in seats]
    return [added([0.2] * len(gobbles(board))), added([0.2] * len(dead)), *(number / 6 for number in own_tiles)]


def _hand(position, seat):
    return {tile for tile in position["hands"][seat] if tile}


def _unplaced(position, unseen):
    return unseen.union(*(_hand(position, seat) for seat in range(len(position["hands"]))))
