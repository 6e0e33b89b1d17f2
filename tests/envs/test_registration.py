"""The registries of Gymnasium and PettingZoo, and the modules `karma_v0` and its siblings."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

import tantra_envs
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


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_a_module_that_is_a_file(name):
    module = importlib.import_module(f"tantra_envs.{name}")
    assert Path(inspect.getfile(module)) == ROOT / "tantra_envs" / f"{name}.py"
    assert getattr(tantra_envs, name) is module
    game = name.rpartition("_")[0]
    assert module.raw_env().game.id == game
    assert module.env().metadata["name"] == module.parallel_env().metadata["name"] == name


def test_a_type_checker_follows_the_modules(tmp_path):
    pytest.importorskip("mypy")
    file = tmp_path / "user.py"
    file.write_text(
        "import tantra_envs\nfrom tantra_envs import karma_v0\n"
        "reveal_type(karma_v0.raw_env(players=3))\nreveal_type(tantra_envs.tarot_v0.raw_env())\nkarma_v0.no_env()\n"
        "tantra_envs.no_v0\n"
    )
    command = [sys.executable, "-m", "mypy", str(file)]  # with the cache of `make lint`
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count('Revealed type is "tantra_envs.envs.aec.TableEnv"') == 2, done.stdout
    assert 'Module has no attribute "no_env"' in done.stdout
    assert 'Module has no attribute "no_v0"' in done.stdout
