"""What Stable-Baselines3 is handed, and who plays in the pool."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from agents import load_all
from tantra_envs.envs.vector import SeatVectorEnv

torch = pytest.importorskip("torch")
vec_env = pytest.importorskip("training.vec_env")
opponents = pytest.importorskip("training.opponents")


def tables(n=6, **config):
    game = tantra_envs.game("karma", **config)
    return SeatVectorEnv(game, n, autoreset_mode="SameStep")


def test_sb3_sees_ends_returns_and_cut_offs():
    plain, adapted = tables(max_moves=150), vec_env.SB3VecEnv(tables(max_moves=150))
    adapted.seed(4)
    assert (adapted.reset() == plain.reset(seed=4)[0]).all()
    returns, lengths, seen = np.zeros(6), np.zeros(6, int), []
    for _ in range(200):
        actions = plain.action_masks().argmax(axis=1)
        assert (np.stack(adapted.env_method("action_masks")) == plain.action_masks()).all()
        views, rewards, terminated, truncated, infos = plain.step(actions)
        again, same, dones, told = adapted.step(actions)
        assert (views == again).all() and (rewards == same).all() and (dones == terminated | truncated).all()
        returns, lengths = returns + rewards, lengths + 1
        for i in range(6):
            if not dones[i]:
                assert told[i] == {}
                continue
            assert (told[i]["terminal_observation"] == infos["final_obs"][i]).all()
            assert told[i]["TimeLimit.truncated"] == truncated[i]
            assert told[i]["episode"] == {"r": returns[i], "l": lengths[i]}
            seen.append(bool(truncated[i]))
            returns[i], lengths[i] = 0, 0
    assert True in seen and False in seen


def test_sb3_needs_same_step_tables():
    with pytest.raises(ValueError, match="SAME_STEP"):
        vec_env.SB3VecEnv(SeatVectorEnv(tantra_envs.game("karma"), 2))


def net(actions, inputs=202):
    """A network that always likes action 0 most, then 1, .."""
    layer = torch.nn.Linear(inputs, actions)
    torch.nn.init.zeros_(layer.weight)
    layer.bias.data = -100.0 * torch.arange(actions)
    return layer


def test_the_pool_mixes_by_share_and_forgets_the_old():
    game, rng = tantra_envs.game("karma"), np.random.default_rng(1)
    pool = opponents.OpponentPool(load_all(["uniform", "greedy"], game), size=2, self_play=0.25)
    assert pool.draw(1000, 2, rng).max() == 1  # no snapshots yet
    for _ in range(3):
        pool.add_snapshot(net(44), rng, in_play=())
    assert len(pool.agents) == 4
    shares = np.bincount(pool.draw(4000, 2, rng).ravel()) / 8000
    assert np.abs(shares - [0.375, 0.375, 0.125, 0.125]).max() < 0.02


def test_partners_in_the_pool_are_one_agent():
    pool = opponents.OpponentPool(
        load_all(["uniform", "greedy"], tantra_envs.game("karma")), 2, 0.25, teams=((0, 2), (1, 3))
    )
    drawn = pool.draw(1000, 4, np.random.default_rng(1))
    assert (drawn[:, :2] == drawn[:, 2:]).all() and 0.4 < (drawn[:, 0] == drawn[:, 1]).mean() < 0.6


def test_a_snapshot_stays_as_it_was_and_draws_from_its_distribution():
    game, rng = tantra_envs.game("karma"), np.random.default_rng(1)
    learner = net(44)
    pool = opponents.OpponentPool([], size=1, self_play=0.0)
    pool.add_snapshot(learner, rng, in_play=())
    learner.bias.data *= -1
    obs = tantra_envs.Observation(game, game.new(1))
    assert pool.agents[0].act(obs, rng) == obs.action_mask.argmax(axis=1)


def test_a_table_keeps_its_opponents_until_its_game_ends():
    game, rng = tantra_envs.game("karma", players=3), np.random.default_rng(1)
    pool = opponents.OpponentPool(load_all(["uniform"], game), size=2, self_play=0.7)
    pool.add_snapshot(net(game.actions.size, game.view.size), rng, in_play=())
    tables = SeatVectorEnv(game, 8, opponents=pool, autoreset_mode="SameStep")
    tables.reset(seed=3)
    deals, seated = np.zeros(8, int), seating(pool, tables)
    for _ in range(200):
        pool.add_snapshot(net(game.actions.size, game.view.size), rng, tables.opponents_in_play())
        _, _, ended, cut, _ = tables.step(tables.action_masks().argmax(axis=1))
        now = seating(pool, tables)
        for i in np.flatnonzero(~(ended | cut)):
            assert all(one is other for one, other in zip(seated[i], now[i], strict=True))
        deals, seated = deals + (ended | cut), now
    assert deals.min() > 1 and len(pool.snapshots) == 2
    assert len(pool.agents) <= 1 + 2 + 3 * 8  # places are used again


def seating(pool, tables):
    """The opponents at every table, by seat, with None for the learner."""
    agents, saved = pool.agents, tables.save()
    return [
        [None if seat == learner else agents[i] for seat, i in enumerate(row)]
        for row, learner in zip(saved["_sitting"], saved["_learners"], strict=True)
    ]


def test_opponents_in_play_are_those_of_the_other_seats():
    game = tantra_envs.game("karma")
    pool = opponents.OpponentPool(load_all(["uniform", "greedy", "scripted"], game), size=0, self_play=0.0)
    tables = SeatVectorEnv(game, 1, opponents=pool, seat=0)
    expected = set()
    for seed in range(20):
        tables.reset(seed=seed)
        expected.add(int(tables.save()["_sitting"][0, 1]))
        assert tables.opponents_in_play() == {tables.save()["_sitting"][0, 1]}
    assert expected == {0, 1, 2}
