"""Q-learning: the network learns lambda-returns, plays its best actions, and a stopped run is resumed."""

import numpy as np
import pytest

from tantra_envs.opponents.model_files import digest_of, read_card

torch = pytest.importorskip("torch")
q_learning = pytest.importorskip("training.q_learning")
trajectories = pytest.importorskip("training.trajectories")
Args, QLearning = q_learning.Args, q_learning.QLearning

SMALL = {"game": "kanastic", "seats": (4, 2), "tables": 12, "steps": 60, "net_arch": (8,), "batch_size": 64}
SMALL |= {"total_decisions": 1500, "eval_every": 600, "eval_deals": 2, "final_deals": 2}
SMALL |= {"reward": "points", "episode": "round", "opponents": ("scripted",), "eval_opponents": ("scripted",)}


@pytest.fixture
def run(tmp_path):
    return QLearning.begin(Args(**SMALL, runs=tmp_path, name="a"))


@pytest.fixture
def batch(run):
    """Return the decisions of an update."""
    (first, _) = run.play(run.learner.draw, run.named, np.array([0]), 0)
    return trajectories.join(first.batches)


# Decisions


def test_the_best_rated_action_is_played_and_its_rating_is_the_value(run, batch):
    sample = run.learner.draw(batch, np.random.default_rng(1))
    rows = np.repeat(np.arange(len(batch.counts)), batch.counts)
    inputs = torch.from_numpy(np.concatenate([batch.features, batch.table[rows]], axis=1))
    ratings = run.learner.actor[1].score(inputs)[:, 0].detach().numpy()
    for decision in range(len(batch.counts)):
        own = ratings[rows == decision]
        assert own[sample.places[decision]] == pytest.approx(own.max(), abs=1e-6)
        assert sample.values[decision] == pytest.approx(own.max(), abs=1e-5)


def test_a_share_of_the_actions_is_random(run, batch):
    batch = trajectories.join([batch] * 20)
    best = run.learner.draw(batch, np.random.default_rng(1)).places
    run.learner.epsilon = 0.4
    differs = run.learner.draw(batch, np.random.default_rng(2)).places != best
    assert differs.mean() == pytest.approx(0.4 * (1 - 1 / batch.counts).mean(), abs=0.03)


# Updates


def test_the_saved_weights_are_a_moving_average(run):
    weights = lambda network: network.actor[1].score[0].weight.detach().numpy().copy()  # noqa: E731
    average = weights(run.learner)
    for update in range(2):
        run.update()
        keep = min(run.args.average_weights, (update + 1) / (update + 10))
        average = keep * average + (1 - keep) * weights(run.learner)
    assert run.tensors()["1.score.0.weight"] == pytest.approx(average, abs=1e-6)


# Runs


def test_two_threads_learn_the_weights_of_one(tmp_path):
    one, two = (QLearning.begin(Args(**SMALL, threads=n, runs=tmp_path, name=f"{n}")) for n in (1, 2))
    for run in (one, two):
        assert run.train()
    assert digest_of(one.tensors()) == digest_of(two.tensors())
    two.save()
    card = read_card(tmp_path / "2/model.safetensors")
    assert card.trained_for == {"game": "kanastic", "variant": "", "players": 4, "seats": [2, 4]}


def test_a_run_of_another_command_is_not_resumed(run):
    ppo = pytest.importorskip("training.ppo")
    with pytest.raises(ValueError, match="another command"):
        ppo.PPO.resume(ppo.Args(resume=run.args.folder))
