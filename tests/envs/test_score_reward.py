"""`score_reward` in every environment, and batches that skip forced actions: the same games, rewards at their ends."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.matches.match import score_rewards
from tantra_envs.programs import cli

GAMES = ("karma", "kanastic:round", "tarot:scored")  # one reward at the end, of a team, and one for every hand


def step_of(game, state, action, skips):
    """Play an action, and the forced ones after it; return the rewards of the seats."""
    game.apply_action(state, action)
    rewards = state["rewards"][0, : game.players].copy()
    while skips and not state["over"][0] and game.mask(state).sum() == 1:
        game.apply_action(state, int(game.mask(state).argmax()))
        rewards += state["rewards"][0, : game.players]
    return rewards


@pytest.mark.parametrize("view", ["observation", "features"])
@pytest.mark.parametrize(("skips", "scores"), [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_what_single_tables_play(name, view, skips, scores):
    batch = tantra_envs.make_batch(name, 2, seed=3, view=view, skip_forced=skips, score_reward=scores, max_cycles=60)
    game = batch.game
    states, deals, ended = [game.new(3 + i) for i in range(2)], [5, 6], 0
    totals = np.zeros((2, game.players))
    for _ in range(120):
        actions = batch.sample().copy()
        shown, masks, rewards, terminated, truncated = batch.step(actions)
        for i, state in enumerate(states):
            paid = step_of(game, state, int(actions[i]), skips)
            totals[i] += paid
            over, cut = state["over"][0] == 1, state["truncated"][0] == 1
            if scores:
                paid = score_rewards(game, totals[i : i + 1])[0] if over else np.zeros(game.players)
                assert abs(rewards[i].sum()) < 1e-12
            assert rewards[i].tolist() == paid.tolist()
            assert (terminated[i], truncated[i]) == (over and not cut, cut)
            now = state
            if over:
                now, totals[i], ended = game.new(deals[i]), 0.0, ended + 1
                states[i], deals[i] = now, deals[i] + 2
            assert batch.states[i : i + 1].tobytes() == now.tobytes()
            assert (masks[i] == game.mask(now)).all()
            if view == "observation":
                assert (shown[i] == game.observation(now, int(now["seat"][0]))).all()
            else:
                assert (shown.take(np.array([i])).features == game.describe(now).features).all()
    assert ended


def test_a_forfeit_is_no_score_and_ends_what_was_earned():
    batch = tantra_envs.make_batch("tarot:scored", 2, seed=3, score_reward=True, skip_forced=True, illegal_reward=-0.5)
    batch._points[:] = 7.0
    seat, actions = batch.seats[1], batch.sample().copy()
    actions[1] = -1
    _, _, rewards, terminated, _ = batch.step(actions)
    assert rewards[1, seat] == -0.5 and np.abs(rewards).sum() == 0.5 and terminated.tolist() == [False, True]
    assert (batch._points[1] == 0).all() and (batch._points[0] == 7).all()


@pytest.mark.parametrize("opponents", [None, "scripted", "greedy"], ids=str)
@pytest.mark.parametrize("team", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_a_learner_gets_the_score_of_its_seat_at_the_end(name, team, opponents):
    """The same games are played as without scores: uniform and scripted opponents in compiled code, others called."""
    limit = {"max_cycles": 120}
    scored = tantra_envs.make_seat(name, opponents=opponents, team=team, score_reward=True, **limit)
    plain = tantra_envs.make_seat(name, opponents=opponents, team=team, **limit)
    game, ends = scored.game, 0
    for seed in range(2):
        scored.reset(seed=seed)
        plain.reset(seed=seed)
        ended = False
        while not ended:
            action = scored.action_space.sample()
            view, reward, terminated, truncated, infos = scored.step(action)
            other, _, *ends_there, _ = plain.step(action)
            ended = terminated or truncated
            assert (view == other).all() and [terminated, truncated] == ends_there
            assert ended or reward == 0
        states = scored._tables._states
        totals = scored._tables._totals
        if name != "tarot:scored":  # they pay once, at the end
            assert (totals == states["rewards"][:, : game.players]).all()
        assert reward == score_rewards(game, totals)[0, infos["seat"]]
        ends += 1
    assert ends == 2


@pytest.mark.parametrize("name", GAMES)
def test_agents_at_a_table_get_their_scores_at_the_end(name):
    scored, plain = (tantra_envs.make(name, score_reward=score, max_cycles=120) for score in (True, False))
    scored.reset(seed=4)
    plain.reset(seed=4)
    gained, points = (dict.fromkeys(scored.possible_agents, 0.0) for _ in range(2))
    for agent in scored.agent_iter():
        observation, reward, terminated, truncated, _ = scored.last()
        gained[agent] += reward
        points[agent] += plain.last()[1]
        over = terminated or truncated
        assert over or reward == 0
        action = None if over else int(observation["action_mask"].argmax())
        scored.step(action)
        plain.step(action)
    wanted = score_rewards(scored.unwrapped.game, np.array([list(points.values())]))[0]
    assert list(gained.values()) == wanted.tolist()


@pytest.mark.parametrize("make", ["make", "make_raw", "make_parallel", "make_seat", "make_seat_vector", "make_batch"])
def test_scores_need_opponents(make):
    tables = {"n": 2} if make == "make_batch" else {}
    for game, value in (("tantrix:solitaire", True), ("karma", 1)):
        with pytest.raises(ValueError, match=f"score_reward={value} is not allowed; allowed: False"):
            getattr(tantra_envs, make)(game, score_reward=value, **tables)


def test_skip_forced_is_a_bool():
    with pytest.raises(ValueError, match="skip_forced=1 is not allowed; allowed: False, True"):
        tantra_envs.make_batch("karma", 2, skip_forced=1)


def test_scores_of_seats_add_up_to_zero_and_are_those_of_a_match():
    game = cli.game("tantra", 4)
    points = np.array([[1.0, 2.0, 2.0, -3.0], [0.0, 0.0, 0.0, 0.0]])
    assert np.allclose(score_rewards(game, points), [[-1 / 3, 2 / 3, 2 / 3, -1], [0, 0, 0, 0]])
