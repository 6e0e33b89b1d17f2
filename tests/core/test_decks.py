"""Whole decks that are given beforehand, and the steps of dealing that games share."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core import decks
from tantra_envs.core.compiled import proxies
from tantra_envs.core.state import record

TABLE = record([("decks", np.int8, (3, 4)), ("decks_n", np.int8)])


def run(kernel, *arguments):
    """Call a kernel in pure Python."""
    return getattr(kernel, "py_func", kernel)(*arguments)


def test_given_decks_are_taken_in_their_order_and_move_up():
    state, cards = np.zeros(1, TABLE), np.zeros(4, np.int8)
    s = proxies.wrap(state)[0]
    run(decks.give_decks, s, np.array([[1, 2, 3], [4, 5, 6]]))
    run(decks.take_deck, s, cards, 3)
    assert cards.tolist() == [1, 2, 3, 0]
    assert (state["decks_n"][0], state["decks"][0].tolist()) == (1, [[4, 5, 6, 0], [0] * 4, [0] * 4])
    run(decks.drop_decks, s)
    assert (state["decks_n"][0], state["decks"].any()) == (0, False)


@pytest.mark.parametrize("name", ["karma", "tarot", "kanastic", "tantra"])
def test_decks_that_are_not_whole_are_refused(name):
    game = tantra_envs.game(name)
    with pytest.raises(ValueError, match=rf"^{game.name}: deck has \d+ of .*; allowed: \d+, \d+ cards in all"):
        game.new(1, deck=[1, 2, 3])
