"""`env(flat=True)`: observations without a dict, for PettingZoo's checks, SuperSuit and trainers that want a Box."""

import importlib

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

import tantra_envs
from tantra_envs import karma_v0

SUPERSUIT = {
    "flatten_v0": (),
    "frame_stack_v1": (4,),
    "agent_indicator_v0": (),
    "pad_observations_v0": (),
    "dtype_v0": (np.float64,),
}


BLACK_DEATH = {  # options of games that end soon
    "karma": {"players": 3},
    "kanastic": {"episode": "round", "max_turns": 20},
    "tantra": {"max_turns_per_player": 5},
    "tantrix": {"mode": "strategy"},
    "tarot": {"episode": "hand"},
}


def played(env, look, moves=40):
    """What `look(env, agent)` shows before each of some moves by the smallest legal id."""
    env.reset(seed=3)
    shown = []
    for agent in env.agent_iter(moves):
        shown.append(look(env, agent))
        over = env.terminations[agent] or env.truncations[agent]
        env.step(None if over else int(env.infos[agent]["action_mask"].argmax()))
    return shown


def test_masks_are_where_they_are_looked_for():
    env = karma_v0.env(flat=True, players=3)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.action_mask("player_0")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="agent='player_3' is not allowed"):
        env.action_mask("player_3")
    observations, infos = karma_v0.parallel_env(flat=True).reset(seed=1)
    assert all(seen.dtype == np.float32 for seen in observations.values())
    assert sum(info["action_mask"].any() for info in infos.values()) == 1


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_checks_it(capsys):
    api_test(karma_v0.env(flat=True), num_cycles=300)
    parallel_api_test(karma_v0.parallel_env(flat=True), num_cycles=300)


@pytest.mark.parametrize("name", ["karma", "kanastic:round", "tantra", "tantrix", "tarot:hand"])
@pytest.mark.parametrize("wrapper", SUPERSUIT)
def test_supersuit_takes_it(wrapper, name):
    supersuit = pytest.importorskip("supersuit")
    wrapped = getattr(supersuit, wrapper)(tantra_envs.make(name, flat=True), *SUPERSUIT[wrapper])
    masks = played(wrapped, lambda env, agent: env.action_mask(agent).tobytes())
    assert masks == played(tantra_envs.make(name, flat=True), lambda env, agent: env.action_mask(agent).tobytes())
    wrapped.reset(seed=1)
    for agent in wrapped.agents:
        seen = wrapped.observe(agent)
        assert wrapped.observation_space(agent).contains(np.asarray(seen, wrapped.observation_space(agent).dtype))


@pytest.mark.parametrize("name", BLACK_DEATH)
def test_supersuit_black_death_keeps_all_agents(name):
    supersuit = pytest.importorskip("supersuit")
    rewards = [returned(wrap(parallel(name))) for wrap in (lambda env: env, supersuit.black_death_v3)]
    assert rewards[0] == rewards[1] and any(rewards[0].values())


def parallel(name):
    return importlib.import_module(f"tantra_envs.{name}_v0").parallel_env(flat=True, **BLACK_DEATH[name])


def returned(env):
    """The return of every agent in a game by uniform choice; all agents see something in every step."""
    _, infos = env.reset(seed=1)
    rng, returns, masks = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0), {}
    for _ in range(5000):
        masks |= {agent: info["action_mask"] for agent, info in infos.items() if "action_mask" in info}
        actions = {
            agent: int(rng.choice(np.flatnonzero(masks[agent]))) if masks[agent].any() else 0 for agent in env.agents
        }
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert set(observations) == set(env.possible_agents)
        returns = {agent: returns[agent] + rewards[agent] for agent in returns}
        if all(terminations[agent] or truncations[agent] for agent in env.possible_agents):
            return returns
    raise AssertionError("the game does not end")


def test_a_parallel_environment_that_is_over_answers_with_five_empty_dicts():
    env = parallel("tarot")
    returned(env)
    assert env.agents == [] and env.step({}) == ({}, {}, {}, {}, {})
