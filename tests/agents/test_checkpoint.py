"""Model files: what is kept in them, and what is refused."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

import tantra_envs
from agents import parse
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.matches.playing import play_tables

sb3_contrib = pytest.importorskip("sb3_contrib")
learned = pytest.importorskip("agents.checkpoint")


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    game = tantra_envs.game("karma")
    model = sb3_contrib.MaskablePPO("MlpPolicy", SeatEnv(game), n_steps=8, batch_size=8, seed=1, device="cpu")
    file = tmp_path_factory.mktemp("models") / "model.zip"
    learned.save_model(model, game, file)
    assert [made.name for made in file.parent.iterdir()] == ["model.zip"]
    return file


def test_a_model_file_plays_legally_and_repeats(model_file):
    game = tantra_envs.game("karma", max_moves=300)
    agents = parse(f"ppo:{model_file},uniform", game)
    one, two = (play_tables(game, agents, np.tile([0, 1], (6, 1)), np.arange(6)) for _ in range(2))
    assert (one.rewards == two.rewards).all()


def test_it_plays_what_the_policy_likes_best(model_file):
    game = tantra_envs.game("karma")
    obs = tantra_envs.Observation(game, game.new(3))
    model = learned.load_model(str(model_file), game)
    likes, _ = model.predict(obs.observation, deterministic=True, action_masks=obs.action_mask)
    assert parse(f"ppo:{model_file}", game)[0].act(obs, None) == likes


def test_refusals_say_what_is_wrong(model_file, tmp_path):
    game = tantra_envs.game("karma")
    with pytest.raises(ValueError, match=r"there is no model file '.*none.zip'"):
        parse(f"ppo:{tmp_path}/none.zip", game)
    with pytest.raises(ValueError, match="was trained for players=2; this game has players=3"):
        parse(f"ppo:{model_file}", tantra_envs.game("karma", players=3))
    with pytest.raises(ValueError, match="was trained for actions=44; this game has actions=64"):
        parse(f"ppo:{model_file}", tantra_envs.game("karma", copies=3))
    (tmp_path / "noise.zip").write_bytes(b"noise")
    with pytest.raises(ValueError, match=r"is no model file: it is no zip with game.json inside"):
        parse(f"ppo:{tmp_path}/noise.zip", game)
    cut = tmp_path / "cut.zip"
    with zipfile.ZipFile(model_file) as whole, zipfile.ZipFile(cut, "w") as part:
        part.writestr("game.json", whole.read("game.json"))
    with pytest.raises(ValueError, match="cannot be read as a MaskablePPO model"):
        parse(f"ppo:{cut}", game)


def test_without_the_library_the_extra_is_named(model_file, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sb3_contrib", None)
    with pytest.raises(ValueError, match=r"agent 'ppo' needs sb3_contrib: pip install -e '.\[train\]'"):
        parse(f"ppo:{model_file}", tantra_envs.game("karma"))
