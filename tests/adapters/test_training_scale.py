"""Self-play with RLlib on Ray: episodes of env runners, a run, and the run that continues it."""

import json

import numpy as np
import pytest

import tantra_envs
from agents import load

ray = pytest.importorskip("ray")
scale = pytest.importorskip("training.scale")
runner = pytest.importorskip("training.table_runner")
read_card = pytest.importorskip("tantra_envs.opponents.model_files").read_card


@pytest.mark.parametrize("name", ["karma", "kanastic:round"])
def test_a_runner_hands_in_the_games_of_every_seat(name):
    args = scale.Args(game=name, tables=16)
    one = runner.TableRunner(config=runner.config_for(args), worker_index=None)
    episodes = [episode for _ in range(8) for episode in one.sample()]
    assert any(episode.is_done for episode in episodes)
    for episode in episodes:
        seen, taken = episode.get_observations(slice(0, len(episode) + 1)), episode.actions.data
        masks, logits = seen["action_mask"], episode.extra_model_outputs["action_dist_inputs"].data
        assert len(masks) == len(episode) + 1 and (masks.sum(axis=1) > 1).all()
        assert (masks[range(len(taken)), taken] == 1).all() and (logits[masks[:-1] == 0] < -1e7).all()
        likely = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        known = np.exp(episode.extra_model_outputs["action_logp"].data)
        assert np.allclose(likely[range(len(taken)), taken], known, atol=1e-5)
        assert not episode.rewards.data[:-1].any()  # a game pays at its end
        assert episode.is_done or episode.rewards.data[-1] == 0
    paid = [float(episode.rewards.data[-1]) for episode in episodes if episode.is_done]
    assert {-1.0, 1.0} & set(paid) and abs(np.mean(paid)) < 0.5


@pytest.mark.trainers
def test_a_run_goes_on_from_its_checkpoint_and_its_model_plays(tmp_path):
    first = ["--total-decisions", "2000", "--tables", "32", "--update-size", "1024", "--net-arch", "8"]
    scale.main(["--runs", str(tmp_path), "--name", "one", "--workers", "1", *first])
    folder, game = tmp_path / "one", tantra_envs.game("karma")
    (checkpoint,) = folder.glob("checkpoint-*")
    before, card = int(checkpoint.name.partition("-")[2]), read_card(folder / scale.MODEL)
    assert card.decisions == before >= 2000
    scale.main(["--resume", str(folder), "--more", str(before), "--workers", "2"])
    again = read_card(folder / scale.MODEL)
    assert again.decisions >= 2000 + before > card.decisions and again.digest != card.digest
    (checkpoint,) = folder.glob("checkpoint-*")
    assert checkpoint.name == f"checkpoint-{again.decisions}"
    assert json.loads((folder / "options.json").read_text())["total_decisions"] == 2000 + before
    assert load(f"ppo:{folder / scale.MODEL}", game)
    assert not ray.is_initialized()


@pytest.mark.parametrize(("words", "told"), [
    (["--resume", "nowhere"], "nowhere holds no checkpoint"),
    (["--wrkers", "2"], "training scale --help"),
])  # fmt: skip
def test_wrong_options_are_refused_before_anything_begins(words, told, tmp_path, refusal):
    assert told in refusal(scale.main, ["--runs", str(tmp_path), *words])
    assert not ray.is_initialized() and not list(tmp_path.iterdir())


@pytest.mark.parametrize(("address", "error", "told"), [
    ("127.0.0.1:1", OSError, "no answer from 127.0.0.1:1, which should be the head of a Ray cluster: .*refused"),
    ("10.0.0.1", ValueError, "address='10.0.0.1' is not allowed; allowed: HOST:PORT, or auto"),
])  # fmt: skip
def test_a_cluster_that_is_not_there_is_told(address, error, told):
    with pytest.raises(error, match=told):
        scale.begin_ray(address, 1)
