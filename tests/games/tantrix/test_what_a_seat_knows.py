"""What a seat is shown of a table as a record: all tiles, except the order of those that nobody has seen."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

CONFIGS = [
    {"players": 3, "colours": "random"},
    {"mode": "solitaire", "lookahead": 3},
    {"mode": "gobble", "players": 1},
    {"mode": "gobble", "players": 3, "speeds": (1, 2, 1)},
]


def positions(game):
    """Tables of two games, true and as the seat to decide knows them."""
    for state in (state for deal in (3, 4) for state in play(game, deal)):
        yield state[0].copy(), game.conceal(state, int(state["seat"][0]))[0]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_tiles_to_come_are_seen_without_their_order(config):
    game, ordered = tantra_envs.game("tantrix", **config), 0
    for true, known in positions(game):
        n, open_tiles = int(true["bag_n"]), min(int(true["opt"]["lookahead"]), int(true["bag_n"]))
        piled = [tile for tile in true["piles"].ravel().tolist() if tile and not true["known"][tile]]
        unseen = sorted(true["bag"][: n - open_tiles].tolist() + piled)
        assert known["bag"][: len(unseen)].tolist() == unseen and known["bag_n"] == n
        assert known["bag"][len(unseen) :].tolist() == true["bag"][n - open_tiles :].tolist()[: 56 - len(unseen)]
        ordered += piled == [] and unseen == true["bag"][: n - open_tiles].tolist() and len(unseen) > 2
    assert ordered < 3


def test_tiles_that_have_lain_open_are_seen_where_they_are_in_a_pile():
    game, seen, hidden = tantra_envs.game("tantrix", mode="gobble", players=3), 0, 0
    for true, known in positions(game):
        turned = np.roll(true["piles"][:3], -int(true["seat"]), axis=0)
        open_ones = true["known"][turned] == 1
        assert (known["piles"][:3] == np.where(open_ones, turned, 0)).all()
        seen, hidden = seen + open_ones.sum(), hidden + (~open_ones & (turned > 0)).sum()
    assert seen > 10 and hidden > 100


def test_seats_are_counted_from_the_observer_and_colours_are_the_true_ones():
    game, others = tantra_envs.game("tantrix", players=3, colours="BGR"), 0
    for true, known in positions(game):
        seat = int(true["seat"])
        assert known["hands"][:3].tolist() == np.roll(true["hands"][:3], -seat, axis=0).tolist()
        assert known["colours"].tolist() == [*np.roll([4, 3, 1], -seat).tolist(), 2]
        assert (known["board"] == true["board"]).all() and (known["best"] == true["best"]).all()
        others += seat > 0
    assert others > 20


@pytest.mark.parametrize("config", [*CONFIGS, {"mode": "discovery", "puzzle": 6, "allow_remove": True}], ids=str)
def test_a_record_that_held_another_table_is_filled_as_an_empty_one(config):
    game = tantra_envs.game("tantrix", **config)
    states = np.concatenate([state for deal in (1, 2) for state, _ in zip(play(game, deal), range(80), strict=False)])
    order = np.random.default_rng(0).permutation(len(states))
    used, seat = game.blank.copy(), np.zeros(1, np.int64)
    for row in order:
        empty = np.zeros(1, states.dtype)
        for known in (empty, used):
            game.drivers.conceal_rows(states, order[order == row], seat, seat, known)
        assert used.tobytes() == empty.tobytes()
        assert (used["board"] == states["board"][row]).all() and (used["box"] == states["box"][row]).all()
