"""The result of a game is even chances plus the deal, the marked actions of all seats, and luck in play."""

import math

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.core.opinions import Opinion
from tantra_envs.drawing.replays import EVEN
from tantra_envs.table import replays
from tantra_envs.table.history import History
from tantra_envs.table.replays import judged, replay_of
from tantra_envs.table.review import luck, luck_in, no_luck
from tests.drawing.test_replay import content

from .serving import play, seated

UNIT = "win probability, in 64 sampled deals"


def opinion(values, error=0.01, worth=UNIT):
    return Opinion(worth, values, dict.fromkeys(values, error))


def kept_game(name, config):
    """A finished game, in which the scripted agent plays every seat."""
    session = seated(name, config=config)
    play(session)
    return session.history


def test_the_parts_of_a_duel_are_those_of_its_marks():
    game = tantra_envs.game("karma", players=2)
    decisions = [(0, 1), (1, 1), (0, 2), (1, 2), (0, 1)]
    opinions = {
        0: opinion({1: 0.6, 2: 0.62}),  # the action played has 0.6: nothing is marked
        1: opinion({1: 0.45}),
        2: opinion({1: 0.7, 2: 0.5}),  # gives away 0.2
        3: opinion({1: 0.5, 2: 0.4}),  # gives away 0.1
    }
    first, second = luck(game, [1.0, -1.0], decisions, opinions)
    assert (first.result, second.result) == (1.0, 0.0)
    assert np.allclose([first.deal, first.own, first.others, first.play], [0.1, -0.2, 0.1, 0.5])
    assert np.allclose([second.deal, second.own, second.others, second.play], [-0.05, -0.1, 0.2, -0.55])
    assert first.deal_error == 0.01 and math.isclose(first.play_error, math.sqrt(0.01**2 + 4 * 0.01**2))


def test_the_chances_before_a_marked_first_action_are_those_of_the_best():
    game = tantra_envs.game("karma", players=2)
    first, second = luck(game, [1.0, -1.0], [(0, 2), (1, 1)], {0: opinion({1: 0.8, 2: 0.5}), 1: opinion({1: 0.5})})
    assert np.allclose([first.deal, first.own, first.play], [0.3, -0.3, 0.5])
    assert np.allclose([second.others, second.own], [0.3, 0])


def test_a_loss_goes_to_all_other_teams_and_partners_lose_with_it():
    three = luck(tantra_envs.game("karma", players=3), [1, 1, -2], [(0, 2), (1, 1), (2, 1)],
                 {0: opinion({1: 0.7, 2: 0.5}), 1: opinion({1: 0.5}), 2: opinion({1: 0.5})})  # fmt: skip
    assert np.allclose([part.own for part in three], [-0.2, 0, 0])
    assert np.allclose([part.others for part in three], [0, 0.1, 0.1])
    assert [part.result for part in three] == [0.75, 0.75, 0]
    lost = math.hypot(0.01, 0.01)  # the error of the loss, of which each of the others gets a half
    assert np.allclose([part.play_error for part in three], [math.hypot(0.01, share * lost) for share in (1, 0.5, 0.5)])
    four = luck(tantra_envs.game("kanastic", players=4), [1, -1, 1, -1], [(0, 2), (1, 1), (2, 1), (3, 1)],
                {0: opinion({1: 0.7, 2: 0.5})} | {seat: opinion({1: 0.5}) for seat in (1, 2, 3)})  # fmt: skip
    assert np.allclose([part.others for part in four], [0, 0.2, -0.2, 0.2])


@pytest.mark.parametrize(("name", "config", "opinions"), [
    ("karma", {}, {0: opinion({1: 0.5}, worth="probability")}), ("karma", {}, {}),
    ("tantrix", {"mode": "solitaire"}, {0: opinion({1: 0.5})}),
])  # fmt: skip
def test_without_chances_or_opponents_there_is_no_luck(name, config, opinions):
    game = tantra_envs.game(name, **config)
    assert luck(game, [1.0, -1.0][: game.players], [(0, 1)], opinions) == []


@pytest.mark.parametrize(("name", "config"), [("karma", {"players": 3}), ("tarot", {"players": 2, "episode": "hand"})])
def test_the_parts_of_a_kept_game_add_up_to_its_result_and_are_on_the_page_with_all_cards(name, config):
    history = kept_game(name, config)
    judge = load("search:4", history.game)
    thoughts = judged(history, judge)
    parts = luck_in(history, thoughts, judge)
    assert [part.seat for part in parts] == list(range(history.game.players))
    assert adds_up(parts) and all(part.own <= 0 and part.play_error >= part.deal_error >= 0 for part in parts)
    told = content(replay_of(history, 0, (), judge, opened=True).html)[0]
    assert told["views"][1][1] == "all cards open"
    assert told["luck"] == [[], [part._asdict() for part in parts]]  # a seat alone does not know how others played
    assert told["no_luck"] == ["", ""]
    assert luck_in(History(history.game, history.start), thoughts, judge) == []  # not over


def test_several_rounds_have_parts_only_if_the_judge_plays_on_to_the_end_of_the_game():
    hands = kept_game("tarot", {"players": 2, "max_hands": 2})
    choices = {ply: opinion({past.action: 0.5}) for ply, past in enumerate(hands.moves)}
    of_hands, of_games = (load(name, hands.game) for name in ("search:4", "search:4,horizon=0"))
    assert luck_in(hands, choices, of_hands) == []
    assert all(part in no_luck(hands, of_hands) for part in ("2 hands", "horizon=0"))
    assert no_luck(hands, of_games) == no_luck(hands, None) == ""
    parts = luck_in(hands, choices, of_games)
    assert [part.seat for part in parts] == [0, 1]
    assert adds_up(parts)


def adds_up(parts):
    return all(np.isclose(EVEN + part.deal + part.own + part.others + part.play, part.result) for part in parts)


def test_the_replay_says_why_a_game_of_several_rounds_has_no_parts(monkeypatch):
    hands = kept_game("tarot", {"players": 2, "max_hands": 2})
    monkeypatch.setattr(replays, "opinions_on", lambda *_: {0: opinion({hands.moves[0].action: 0.5})})
    told = content(replay_of(hands, 0, (), load("search:4", hands.game), opened=True).html)[0]
    assert told["luck"] == [[], []] and told["no_luck"][0] == "" and "2 hands" in told["no_luck"][1]
    assert content(replay_of(hands, 0, (), opened=True).html)[0]["no_luck"] == ["", ""]  # nobody judged it
