"""Measures follow the options: the cost of a Shield in a hand, and the points for going out (KN-71, KN-73)."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.kanastic.measures import Worth, measures, worth
from tantra_envs.measures import Counter, Transitions

OPTIONS = {"episode": "round", "shield_penalty": 35, "go_out_bonus": 100}
END = {  # seat 0 goes out; its partner holds a Shield and an ace
    "hands": ["KH", "4H", "SH AH", "4D"],
    "tables": [{"ranks": {"9": "9H 9H 9D 9D 9S 9C 9C"}}],
}


def ended(last):
    """The last action of a round."""
    game = tantra_envs.game("kanastic", **OPTIONS)
    before = game.from_position({**END, "hands": [last, *END["hands"][1:]]})
    after, action = before.copy(), game.parse_action(before, f"DISCARD {last}")
    game.apply_action(after, action)
    return Transitions(game, np.arange(1), before, np.array([action]), after)


@pytest.mark.parametrize(("last", "factor"), [("KH", 1), ("SW", 2)])
def test_KN73_counts_apart_from_cards_in_the_worth_of_a_round(last, factor):
    t = ended(last)
    counter = Counter(measures(t.game), 2)
    observer = Worth(t.game, t.before, np.array([[0, 1]]), counter)
    observer.observe(t)
    observer.end(t.after, np.array([[1.0, 0.0]]), t.after["score"][:, :2])
    points = counter.sums(worth.SOURCES)[:, :, 0]
    assert t.after["last_scores"][0, 0] == points[0].sum()
    once = 600 + 70 - 55 + 100
    assert points[0].tolist() == [0, 600, 0, 70 - 55, 100, once * (factor - 1)]
    assert points[1].tolist() == [0, 0, 0, -10, 0, -10 * (factor - 1)]
