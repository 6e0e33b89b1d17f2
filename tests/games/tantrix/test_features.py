"""Action features of Tantrix: they agree with the rules, and with what can be read off a table."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantrix.agents.features.gobble import GIVES_PENALTY, A
from tantra_envs.games.tantrix.agents.features.sets import code_of, matching, sets_by_code
from tantra_envs.games.tantrix.agents.features.strategy import MOMENTS, OF_LINES, OF_MOMENT, L
from tantra_envs.games.tantrix.board.tiles import rotations
from tantra_envs.games.tantrix.material import TILES
from tantra_envs.games.tantrix.state import Phase

from ..features import action_features, positions


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


def test_in_a_race_seats_stand_after_an_action_as_the_rules_say():
    """Except the tile that the next seat turns up."""
    game, given = tantra_envs.game("tantrix", mode="gobble", players=3), set()
    for state, seat in positions(game, 8, share=0.3):
        actions, features, _ = action_features(game, state, seat)
        for action, row in list(zip(actions, features, strict=True))[-4:]:
            after = state.copy()
            game.apply_action(after, action)
            owned = [tiles_of(after, (seat + i) % 3) for i in range(3)]
            still_in = [tiles for i, tiles in enumerate(owned[1:], 1) if not state["out"][0, (seat + i) % 3]]
            assert row[A.owned] == pytest.approx(owned[0] / 27)
            assert row[A.penalties] == pytest.approx(after["penalty_n"][0, seat] / 10)
            assert row[A.fewest_owned] == pytest.approx(min(still_in) / 27)
            assert row[A.lead] == pytest.approx(np.clip((min(still_in) - owned[0]) / 10, -2, 2))
            if state["phase"][0] == Phase.OFFLOAD:
                to = next(i for i in (1, 2) if owned[i] > tiles_of(state, (seat + i) % 3))
                assert row[A.receiver_owned] == pytest.approx((owned[to] - 1) / 27)
                next_in = next(i for i in (1, 2) if not state["out"][0, (seat + i) % 3])
                assert row[A.receiver_next] == (to == next_in)
                given.add((to, bool(row[A.kind + GIVES_PENALTY])))
    assert given == {(1, False), (1, True), (2, False), (2, True)}


def tiles_of(state, seat):
    return int(state["piles_n"][0, seat] + state["penalty_n"][0, seat] + (state["hands"][0, seat, 0] > 0))
