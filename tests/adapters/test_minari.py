"""Data sets of Minari: recorded, saved and loaded again."""

import gymnasium
import pytest

import tantra_envs  # noqa: F401  # registers the games

minari = pytest.importorskip("minari")
pytest.importorskip("jax")  # Minari records with it
pytest.importorskip("h5py")


def test_a_minari_data_set_is_recorded_saved_and_loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    env = minari.DataCollector(
        gymnasium.make("tantra_envs/Karma-v0", opponents="scripted", players=3), record_infos=True
    )
    steps = 0
    for seed in range(3):
        env.reset(seed=seed)
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            done, steps = terminated or truncated, steps + 1
    env.create_dataset(dataset_id="karma/random-v0", algorithm_name="random", description="Random play.")
    loaded = minari.load_dataset("karma/random-v0")
    assert (loaded.total_episodes, loaded.total_steps) == (3, steps)
    episode = loaded[0]
    legal = episode.infos["action_mask"][:-1]
    assert legal[range(len(legal)), episode.actions].all()
    again = loaded.recover_environment()
    first, _ = again.reset(seed=0)
    assert again.unwrapped.game.players == 3
    assert first.tolist() == episode.observations[0].tolist()
