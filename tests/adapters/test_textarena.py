"""Our games behind TextArena's interface."""

import numpy as np
import pytest

from tantra_envs import adapters

ta = pytest.importorskip("textarena")


def played(env, seed, players):
    """A game of random legal replies, as TextArena's own loops play it."""
    rng, done = np.random.default_rng(seed), False
    env.reset(num_players=players, seed=seed)
    asked = []
    while not done:
        player, observation = env.get_observation()
        ((_, prompt, kind),) = observation
        assert kind is ta.ObservationType.PROMPT and f"You are seat {player}" in prompt
        legal = [line[2:] for line in prompt.split("You may:\n")[1].splitlines() if line.startswith("- ")]
        asked.append(player)
        done, info = env.step(legal[int(rng.integers(len(legal)))])
        assert not info["error"]
    return asked, env.close()


@pytest.mark.parametrize("name", ["karma", "tarot:hand", "tantrix"])
def test_all_seats_are_played_and_paid(name):
    env = adapters.textarena(name)
    asked, (rewards, infos) = played(env, 3, env.game.players)
    assert set(asked) == set(rewards) == set(range(env.game.players))
    assert sum(rewards.values()) == pytest.approx(0.0)
    assert [infos[player]["turn_count"] for player in sorted(infos)] == [asked.count(p) for p in sorted(infos)]
    assert all("The game is over" in infos[player]["reason"] for player in infos)
    assert env.state.done and not any(infos[player]["invalid_move"] for player in infos)


def test_one_player_among_other_agents():
    env = adapters.textarena("karma", opponents="scripted", seats=1)
    asked, (rewards, _) = played(env, 5, 1)
    assert set(asked) == {0} == set(rewards)


def test_nonsense_is_told_and_then_marked():
    env = adapters.textarena("karma", retries=1)
    env.reset(2, seed=1)
    player, _ = env.get_observation()
    done, info = env.step("hm")
    again, observation = env.get_observation()
    assert not done and info["error"] and again == player and observation[0][1].startswith(info["error"])
    _, info = env.step("hm")
    assert info["drawn"] and env.state.game_info[player]["invalid_move"]


def test_it_is_registered_like_any_other():
    if "Karma-v0" not in ta.envs.registration.ENV_REGISTRY:
        ta.envs.registration.register("Karma-v0", adapters.textarena, game="karma")
    asked, _ = played(ta.make("Karma-v0", opponents="greedy", seats=1), 2, 1)
    assert asked


def test_another_number_of_players_is_refused():
    with pytest.raises(ValueError, match="num_players=3"):
        adapters.textarena("karma").reset(num_players=3)
    for seats in (0, 3, 1.5):
        with pytest.raises(ValueError, match=f"seats={seats} is not allowed; allowed: 1..2"):
            adapters.textarena("karma", seats=seats)
