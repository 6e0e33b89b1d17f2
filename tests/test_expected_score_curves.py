"""Curves of expected scores: one number for each table, blind to hidden cards, with the result at the end."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.commands.replay import main
from tantra_envs.expected_scores import expected_scores
from tantra_envs.matches.match import team_scores
from tantra_envs.opponents.learned import shipped_critic
from tantra_envs.programs import cli
from tantra_envs.table.history import History

from .drawing.test_replay import content


def recorded(game, seed=1, plies=10_000):
    """Return the actions of random play, and the rewards of the seats."""
    state, rng, actions, rewards = game.new(seed), np.random.default_rng(seed), [], np.zeros(game.players)
    while len(actions) < plies and not state["over"][0]:
        actions.append(int(rng.choice(game.legal(state))))
        game.apply_action(state, actions[-1])
        rewards += state["rewards"][0, : game.players]
    return actions, rewards


TABLES = [("karma", 2, 2), ("tarot:hand", 3, 3), ("kanastic:round", 4, 2)]


@pytest.mark.parametrize(("name", "players", "teams"), TABLES)
def test_every_table_has_a_score_and_the_end_has_the_result(name, players, teams):
    """Partners have the score of their team."""
    game = cli.game(name, players)
    actions, rewards = recorded(game)
    curves = expected_scores(game, game.new(1), actions)
    assert set(curves) == {None, *range(players)}
    assert [list(curves[seat]) for seat in range(players)] == [[seat % teams] for seat in range(players)]
    opened = np.array([curves[None][team] for team in range(teams)])
    assert opened.shape == (teams, 1 + len(actions)) and np.allclose(opened.sum(axis=0), teams / 2, atol=0.1)
    assert opened[:, :-1].std() > 0.02
    result = team_scores(rewards[None, :teams])[0]
    assert (opened[:, -1] == result).all()
    assert [curves[seat][seat % teams][-1] for seat in range(players)] == [*result, *result][:players]


def test_a_game_of_one_action_has_its_result():
    game = tantra_envs.game("karma")
    start = game.from_position({"hands": [["9"], ["4", "5"]], "pile": "7"})
    curves = expected_scores(game, start, [game.parse_action(start, "play 9")])
    assert [curves[None][team][-1] for team in (0, 1)] == [curves[seat][seat][-1] for seat in (0, 1)] == [1, 0]
    assert 0 < curves[None][0][0] < 1 and len(curves[None][0]) == 2


@pytest.mark.parametrize("name", tantra_envs.GAMES)
def test_the_default_table_of_every_game_has_a_value_network(name):
    game = tantra_envs.game(name)
    scores = shipped_critic(game).scores(game.new(1))
    assert scores.shape == (1, len(game.teams)) and scores.sum() == pytest.approx(len(game.teams) / 2, abs=0.1)


def test_games_without_a_value_network_have_no_curves():
    game = tantra_envs.game("karma", karma_sets=False)
    assert shipped_critic(game) is None and expected_scores(game, game.new(1), recorded(game, plies=3)[0]) == {}


def test_the_command_draws_them(tmp_path):
    game = tantra_envs.game("karma")
    history = History(game, game.new(1))
    for action in recorded(game, plies=8)[0]:
        history.play(action)
    (tmp_path / "game.json").write_bytes(history.save())
    main([str(tmp_path / "game.json"), "--out", str(tmp_path / "game.html"), "--seat", "0"])
    (curves,) = content((tmp_path / "game.html").read_text(encoding="utf-8"))[0]["scores"]
    assert [(team, len(scores)) for team, scores in curves] == [(0, 9)]
