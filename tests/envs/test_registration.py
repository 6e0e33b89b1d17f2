"""The registries of Gymnasium and PettingZoo, and the modules `karma_v0` and its siblings."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path

import gymnasium
import pytest

import tantra_envs
from tantra_envs import adapters
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.games import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
NAMES = [f"{name}_{tantra_envs.GAMES[name]}" for name in SHIPPED]


def env_id(name: str) -> str:
    return f"tantra_envs/{name.capitalize()}-{tantra_envs.GAMES[name]}"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_spec_of_a_game_is_json_that_makes_it_again(name):
    text = gymnasium.spec(env_id(name)).to_json()
    assert json.loads(text)["kwargs"] == {"name": name}
    env = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(text), opponents="scripted")
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.reset(seed=1)[0].tolist() == env.reset(seed=1)[0].tolist()


def test_specs_have_no_limit_of_their_own():
    """Games end by their own limits, which are options."""
    env, tables = (gymnasium.make("tantra_envs/Karma-v0"), gymnasium.make_vec("tantra_envs/Karma-v0", num_envs=2))
    assert env.spec.max_episode_steps is tables.spec.max_episode_steps is None
    with pytest.raises(ValueError, match="max_episode_steps"):
        gymnasium.make_vec("tantra_envs/Karma-v0", num_envs=2, max_episode_steps=9)
    short = gymnasium.make("tantra_envs/Karma-v0", max_episode_steps=1)
    _, infos = short.reset(seed=1)
    assert short.step(int(infos["action_mask"].argmax()))[3]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_a_module_that_is_a_file(name):
    module = importlib.import_module(f"tantra_envs.{name}")
    assert Path(inspect.getfile(module)) == ROOT / "tantra_envs" / f"{name}.py"
    assert getattr(tantra_envs, name) is module
    game = name.rpartition("_")[0]
    assert module.raw_env().game.id == game
    assert module.env().metadata["name"] == module.parallel_env().metadata["name"] == name


FIXED = {"game", "n", "num_envs"}  # the first arguments of an environment
MADE_BY = [
    (tantra_envs.make_raw, TableEnv, set()),
    (tantra_envs.make, TableEnv, set()),
    (tantra_envs.make_parallel, TableEnv, set()),
    (tantra_envs.make_batch, BatchEnv, set()),
    (tantra_envs.make_seat, SeatEnv, {"seating"}),
    (tantra_envs.make_seat_vector, SeatVectorEnv, set()),
    (adapters.sb3, SeatVectorEnv, {"autoreset_mode", "mask_in_observation", "render_mode", "score_reward"}),
    (adapters.jax, BatchEnv, {"skip_forced", "score_reward"}),
]


@pytest.mark.parametrize(("make", "environment", "not_passed"), MADE_BY, ids=[make.__name__ for make, _, _ in MADE_BY])
def test_a_function_that_makes_an_environment_shows_its_arguments_and_their_defaults(make, environment, not_passed):
    shown = inspect.signature(make).parameters
    for name, argument in inspect.signature(environment).parameters.items():
        if name not in FIXED | not_passed:
            assert name in shown and shown[name].default == argument.default, name
