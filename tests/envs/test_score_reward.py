"""`score_reward` and `skip_forced`: opponents in compiled code, refusals; `test_interfaces.py` plays with both."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.matches.match import score_rewards
from tantra_envs.programs import cli


@pytest.mark.parametrize("opponents", [None, "scripted"], ids=str)
def test_scores_count_what_opponents_in_compiled_code_are_paid(opponents):
    env = tantra_envs.make_seat("karma", players=3, opponents=opponents, score_reward=True)
    for seed in range(4):
        env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, *ends, info = env.step(env.action_space.sample())
            ended = any(ends)
        assert reward == score_rewards(env.game, env._tables._states["rewards"][:, :3])[0, info["seat"]]


@pytest.mark.parametrize("make", ["make", "make_raw", "make_parallel", "make_seat", "make_seat_vector", "make_batch"])
def test_scores_need_opponents(make):
    tables = {"n": 2} if make == "make_batch" else {}
    with pytest.raises(ValueError, match="score_reward=True is not allowed; allowed: False"):
        getattr(tantra_envs, make)("tantrix:solitaire", score_reward=True, **tables)


def test_scores_of_seats_add_up_to_zero_and_are_those_of_a_match():
    game = cli.game("tantra", 4)
    points = np.array([[1.0, 2.0, 2.0, -3.0], [0.0, 0.0, 0.0, 0.0]])
    assert np.allclose(score_rewards(game, points), [[-1 / 3, 2 / 3, 2 / 3, -1], [0, 0, 0, 0]])
