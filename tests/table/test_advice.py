"""Hints: the best number is advised, chance is admitted, and what is hidden has no say."""

from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.core.observation import Observation
from tantra_envs.table import advice
from tantra_envs.table.advice import Comparison, Scale, advise, compare, in_words, scale_of

from .serving import Client, seated, served

WINS = Scale("you win", "of 100 games from here", hundreds=True)


def words(action):
    return f"play the {action}"


def test_a_hint_names_the_best_action_and_the_next_ones_with_their_numbers():
    values = np.array([[1.0] * 63 + [0.0] * 37, [0.0] * 42 + [1.0] * 58, [0.0] * 100])
    hint = in_words(Comparison([7, 5, 3], values), words, WINS)
    assert hint == (
        "Play the 7: you win about 63 of 100 games from here. Play the 5: about 58; play the 3: about 0. "
        "The first two may be equally good: the difference is within chance. This was tried in 100 sampled deals."
    )


@pytest.mark.parametrize(("wins", "words_about_them"), [
    ([60, 58, 57], "All three may be equally good: the difference is within chance."),
    ([60, 58], "Both may be equally good: the difference is within chance."),
    ([60, 58, 5], "The first two may be equally good: the difference is within chance."),
    ([60, 5, 4], "The first is better by more than chance explains."),
])  # fmt: skip
def test_a_hint_leaves_out_no_action_that_may_be_as_good(wins, words_about_them):
    values = np.array([np.random.default_rng(i).permutation(np.arange(100) < won) for i, won in enumerate(wins)], float)
    assert f" {words_about_them} " in in_words(Comparison([7, 5, 3], values), words, WINS)


def test_the_adviser_stops_when_the_time_is_up(monkeypatch):
    asked = []
    search = SimpleNamespace(compare=lambda *given: asked.append(given[3]) or np.zeros((1, 2, given[3])))
    for seconds, samples in ((0, advice.PART), (float("inf"), advice.SAMPLES)):
        monkeypatch.setattr(advice, "SECONDS", seconds)
        assert advice._sampled(search, None, None, None).shape == (2, samples)
    assert max(asked) == advice.PART


def test_points_decide_between_actions_that_win_equally_often():
    values = np.array([[-1e-6] * 100, [-9e-6] * 99 + [-8e-6]])
    hint = in_words(Comparison([7, 5], values), words, WINS)
    assert hint.startswith("Play the 7: you win about 0 of 100 games from here. Play the 5: about 0. ")
    assert "The numbers are equal, but the first ends with more points, or loses by fewer." in hint


def test_a_clear_difference_is_said_to_be_clear():
    values = np.array([[1.0] * 90 + [0.0] * 10, [0.0] * 90 + [1.0] * 10])
    hint = in_words(Comparison([7, 5], values), words, WINS)
    assert "Play the 5: about 10. The first is better by more than chance explains." in hint


@pytest.mark.parametrize(("name", "config"), [("karma", {"players": 2, "auto_setup": True}), ("tarot", {"players": 2})])
def test_the_advised_action_has_the_highest_number(name, config):
    game = tantra_envs.game(name, **config)
    search = load("search:8", game)
    for seed in range(3):
        obs = Observation(game, game.new(seed))
        if obs.action_mask.sum() < 2:
            continue
        comparison = compare(search, obs, np.random.default_rng(0))
        means = comparison.values.mean(axis=1)
        assert (np.diff(means) <= 0).all()
        assert advise(search, obs, np.random.default_rng(0), str)[0] == comparison.actions[0]


def test_the_only_action_and_rules_of_thumb_need_no_numbers():
    game = tantra_envs.game("karma", players=2)
    state, scripted, rng = game.new(1), load("scripted", game), np.random.default_rng(0)
    action, hint = advise(scripted, Observation(game, state), rng, words)
    assert action in game.legal(state)
    assert hint == f"Play the {action}. The adviser follows rules of thumb here and has no numbers."
    forced = SimpleNamespace(action_mask=np.array([[0, 0, 0, 1]]))
    assert advise(scripted, forced, rng, words) == (3, "Play the 3. It is the only action now.")


def test_scales_say_how_far_the_adviser_looks():
    karma, hand = tantra_envs.game("karma", players=3), tantra_envs.game("tarot", players=2)
    assert scale_of(load("search", karma), karma).unit == "% of the opponents from here"
    assert scale_of(load("search", hand), hand) == Scale("after this hand you lead in", "of 100 games", True)
    assert Scale("it brings", "points from here", hundreds=False).number(2.5) == "2.50"


def test_a_hint_over_http_is_repeatable_and_independent_of_what_is_hidden(monkeypatch):
    monkeypatch.setattr(advice, "SECONDS", float("inf"))  # the number of samples must not depend on the time
    table = seated("karma", "me,me", config={"auto_setup": True})
    table._adviser = load("search:8", table.game)
    seat = int(table.history.state["seat"][0])
    person = table.chairs[seat]
    with served(table) as server:
        code, reply = Client(server, person).act({"do": "hint", "version": table.version})
    assert code == 200 and " of 100 games from here." in reply["hint"]
    assert reply["action"] in table.game.legal(table.history.state)
    state = table.history.state
    for seed in (0, 1, 2):
        table.history.state = table.game.redeal(state, seed, seat) if seed else state
        assert table.hint(person, table.version) == reply
