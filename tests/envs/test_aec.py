"""TableEnv: bookkeeping, refusals and copies."""

import pickle

import numpy as np
import pytest

from tantra_envs import karma_v0
from tantra_envs.envs.episode import NoGameError


def play(env, moves, seed=1):
    """Play up to `moves` uniform legal actions."""
    rng = np.random.default_rng(seed)
    for _ in env.agent_iter(moves):
        view, _, *ended, _ = env.last()
        env.step(None if any(ended) else int(rng.choice(np.flatnonzero(view["action_mask"]))))


@pytest.fixture
def env():
    made = karma_v0.raw_env(players=3)
    made.reset(seed=5)
    return made


def test_reset_takes_positions_decks_and_unknown_options(env):
    position = {"config": {"players": 3}, "hands": [["7"], ["8"], ["9"]], "pile": ["3"], "cur": 2}
    env.reset(options={"position": position, "colour": "blue"})
    assert env.agent_selection == "player_2"
    deck = [card for card in range(20) for _ in range(2)]
    env.reset(seed=1, options={"deck": deck, "dealer": 0})
    assert env.game.position(env._states)["down"][0] == ["1", "1", "2"]
    with pytest.raises(ValueError, match="deck"):
        env.reset(options={"deck": deck[:-1]})


def test_what_was_handed_out_stays_as_it_is(env):
    shown = env.observe(env.agent_selection), [*env.infos.values()]
    before = pickle.dumps(shown)
    play(env, 30)
    assert pickle.dumps(shown) == before


def test_a_table_can_begin_at_an_end():
    env, again = karma_v0.raw_env(players=2), karma_v0.raw_env(players=2)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        play(env, 1)
    again.reset(options={"position": env.position()})
    assert all(again.terminations.values())
    play(again, 2)
    assert not again.agents


def test_nobody_can_write_to_the_empty_mask_of_a_copy(env):
    for copied in (env.clone(), pickle.loads(pickle.dumps(env))):
        other = next(agent for agent in copied.agents if agent != copied.agent_selection)
        with pytest.raises(ValueError, match="read-only"):
            copied.observe(other)["action_mask"][:] = 1


@pytest.mark.parametrize("make", [karma_v0.env, karma_v0.raw_env])
def test_an_array_without_axes_is_an_action(make):
    table = make()
    table.reset(seed=5)
    action = np.array(table.last()[0]["action_mask"].argmax())
    table.step(action)
    with pytest.raises(ValueError, match=r"action.array"):
        table.step(np.array([1]))


def test_an_error_before_the_first_game_survives_another_process():
    with pytest.raises(ValueError, match="no game is running") as error:
        karma_v0.raw_env().last()
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_after_the_end_nothing_is_left_to_see_until_the_next_reset():
    env = karma_v0.raw_env()
    env.reset(seed=1)
    play(env, 10**6)
    assert not env.agents
    for call in (env.last, lambda: env.last(observe=False), lambda: env.step(0)):
        with pytest.raises(NoGameError, match="no game is running"):
            call()
    env.reset(seed=1)
    assert env.last()[1:4] == (0.0, False, False)
