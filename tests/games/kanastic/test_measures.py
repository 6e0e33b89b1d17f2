"""Measures follow the options: what a Shield in a hand costs, and what going out earns (KN-71, KN-73)."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.kanastic.measures import SECTIONS, Behaviour, Worth, behaviour, sections, worth
from tantra_envs.measures import AgentTransitions, Counter

OPTIONS = {"episode": "round", "shield_penalty": 35, "go_out_bonus": 100}
END = {  # seat 0 goes out; its partner holds a Shield and an ace
    "hands": ["KH", "4H", "SH AH", "4D"],
    "tables": [{"ranks": {"9": "9H 9H 9D 9D 9S 9C 9C"}}],
}


def ended(last):
    """The last action of a round, from the view of seats 0 and 2."""
    game = tantra_envs.game("kanastic", **OPTIONS)
    before = game.from_position({**END, "hands": [last, *END["hands"][1:]]})
    after, action = before.copy(), game.parse_action(before, f"DISCARD {last}")
    game.apply_action(after, action)
    row = np.arange(1)
    return AgentTransitions(game, row, before, np.array([action]), after, np.array([[0, 2]]))


@pytest.mark.parametrize(("last", "factor"), [("KH", 1), ("SW", 2)])
def test_KN71_and_KN73_are_sources_of_their_own(last, factor):
    t = ended(last)
    counter = Counter([measure for section in SECTIONS for measure in section.measures], 1)
    Behaviour(t.game, t.seats, np.ones(1, int), counter).observe(t)
    points = dict(zip(behaviour.SOURCES.names, counter.sums(behaviour.POINTS)[0, :, 0], strict=True))
    once = 600 + 70 - 55 + 100
    doubling = once * (factor - 1)
    assert points == dict(zip(points, [600, 0, 70, 0, -55, 100, doubling], strict=True))
    assert counter.sums(behaviour.LEFT)[0].tolist() == [[55, 1], [0, 0]]
    assert t.after["last_scores"][0, 0] == once * factor


@pytest.mark.parametrize(("last", "factor"), [("KH", 1), ("SW", 2)])
def test_KN73_counts_apart_from_cards_in_the_worth_of_a_round(last, factor):
    t = ended(last)
    counter = Counter([measure for section in sections(t.game) for measure in section.measures], 2)
    observer = Worth(t.game, t.before, np.array([[0, 1]]), counter)
    observer.observe(t)
    observer.end(t.after, np.array([[1.0, 0.0]]), t.after["score"][:, :2])
    points = counter.sums(worth.SOURCES)[:, :, 0]
    once = 600 + 70 - 55 + 100
    assert points[0].tolist() == [0, 600, 0, 70 - 55, 100, once * (factor - 1)]
    assert points[1].tolist() == [0, 0, 0, -10, 0, -10 * (factor - 1)]
