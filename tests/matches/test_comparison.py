"""A person and agents on the same deals: values, differences, and what cannot be compared."""

import numpy as np
import pytest

from agents import load
from tantra_envs.games import game
from tantra_envs.matches.comparison import YOU, PersonalGame, compare
from tantra_envs.matches.playing import play_tables

DEALS = [3, 4, 5, 6]


class First:
    """The first legal action."""

    name = "first"

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)


def games_of(rules, agent, seats):
    """The games that an agent plays at `seats` as if it were a person, against scripted agents."""
    seating = np.ones((len(DEALS), rules.players), int)
    seating[range(len(DEALS)), seats] = 0
    outcome = play_tables(rules, [agent, load("scripted", rules)], seating, DEALS)
    return [
        PersonalGame(deal, [YOU if other == seat else "scripted" for other in range(rules.players)], seat, rewards)
        for deal, seat, rewards in zip(DEALS, seats, outcome.rewards.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("rules", "seats"), [(game("karma", players=3), [0, 1, 2, 0]), (game("kanastic", episode="round"), [3, 0, 1, 2])]
)
def test_an_agent_in_the_place_of_a_person_who_plays_alike_has_the_same_values(rules, seats):
    scripted, first = load("scripted", rules), First()
    comparison = compare(rules, games_of(rules, scripted, seats), {"a": scripted, "b": first}, {"scripted": scripted})
    assert comparison.names == (YOU, "a", "b") and comparison.values.shape == (4, 3)
    assert (comparison.values[:, 0] == comparison.values[:, 1]).all()
    assert comparison.difference(1).mean == 0
    won = [games.rewards[seat] > 0 for games, seat in zip(games_of(rules, first, seats), seats, strict=True)]
    if len(rules.teams) == 2:
        assert (comparison.values[:, 2] == won).all()
    own = comparison.value(0).mean - comparison.value(2).mean
    assert comparison.difference(2).mean == pytest.approx(own) and own > 0
    rows = comparison.rows()
    assert [row[0] for row in rows] == ["", YOU, "a", "b"] and rows[1][2] == "" and "no clear" in rows[2][2]
    assert len(comparison.text().splitlines()) == 4


def test_a_game_for_one_is_compared_by_rewards():
    rules = game("tantrix", mode="solitaire")
    scripted = load("scripted", rules)
    comparison = compare(rules, games_of(rules, First(), [0] * 4), {"scripted": scripted}, {})
    assert comparison.unit == "reward"
    rewards = play_tables(rules, [scripted], np.zeros((4, 1), int), DEALS).rewards[:, 0]
    assert (comparison.values[:, 1] == rewards).all()
    estimate = comparison.difference(1)
    assert estimate.low <= estimate.mean == pytest.approx(comparison.values[:, 0].mean() - rewards.mean())


def test_deals_are_played_once_and_all_seats_have_agents():
    rules = game("karma", players=3)
    scripted = load("scripted", rules)
    games = games_of(rules, scripted, [0] * 4)
    for wrong in ([], [games[0], games[0]]):
        with pytest.raises(ValueError, match=r"deals=\[.*\] are not allowed; allowed: one or more, each once"):
            compare(rules, wrong, {"scripted": scripted}, {"scripted": scripted})
    with pytest.raises(ValueError, match="the agent 'scripted' of seat 1 is missing"):
        compare(rules, games, {"scripted": scripted}, {"greedy": scripted})
