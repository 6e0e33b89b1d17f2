"""Q-learning: the network learns lambda-returns, plays its best actions, and a stopped run is resumed."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from tantra_envs.matches.match import play_match
from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import digest_of, read_card, read_tensors

torch = pytest.importorskip("torch")
q_learning = pytest.importorskip("training.q_learning")
runs_module = pytest.importorskip("training.run")
trajectories = pytest.importorskip("training.trajectories")
Args, QLearning = q_learning.Args, q_learning.QLearning

SMALL = {"game": "kanastic", "seats": (4, 2), "tables": 12, "steps": 60, "net_arch": (8,), "batch_size": 64}
SMALL |= {"total_decisions": 1500, "eval_every": 600, "eval_deals": 2, "final_deals": 2}
SMALL |= {"reward": "points", "episode": "round", "opponents": ("scripted",), "eval_opponents": ("scripted",)}


def ints(*values):
    return np.array(values, np.int64)


def batch_of(network, counts, seed=0):
    """Return decisions with these numbers of legal actions and random features."""
    score, rng = network.actor[1].score, np.random.default_rng(seed)
    of_action, of_table = tantra_envs.game("kanastic").features.sizes
    assert score[0].in_features == of_action + of_table
    table = rng.normal(size=(len(counts), of_table)).astype(np.float32)
    of_actions = rng.normal(size=(sum(counts), of_action)).astype(np.float32)
    return trajectories.Batch(np.empty((len(counts), 0)), table, ints(*counts), np.arange(sum(counts)), of_actions)


@pytest.fixture
def run(tmp_path):
    return QLearning.begin(Args(**SMALL, runs=tmp_path, name="a"))


# Decisions


def test_the_best_rated_action_is_played_and_its_rating_is_the_value(run):
    batch = batch_of(run.learner, [3, 2, 7, 1])
    sample = run.learner.draw(batch, np.random.default_rng(1))
    rows = np.repeat(np.arange(4), batch.counts)
    inputs = torch.from_numpy(np.concatenate([batch.features, batch.table[rows]], axis=1))
    ratings = run.learner.actor[1].score(inputs)[:, 0].detach().numpy()
    for decision in range(4):
        own = ratings[rows == decision]
        assert sample.places[decision] == own.argmax()
        assert sample.values[decision] == pytest.approx(own.max(), abs=1e-5)


def test_a_share_of_the_actions_is_random(run):
    batch = batch_of(run.learner, [4] * 4000)
    best = run.learner.draw(batch, np.random.default_rng(1)).places
    run.learner.epsilon = 0.4
    differs = run.learner.draw(batch, np.random.default_rng(2)).places != best
    assert differs.mean() == pytest.approx(0.4 * 3 / 4, abs=0.03)


def test_without_a_decision_no_action_is_drawn(run):
    assert len(run.learner.draw(batch_of(run.learner, []), np.random.default_rng(1)).places) == 0


# Updates


def test_the_target_mixes_rewards_with_ratings_of_the_next_decision(run, monkeypatch):
    """Two decisions of one seat: the reward belongs to the second, and the first one gets a mixture."""
    batch = batch_of(run.learner, [2, 3])
    first, second = batch.take(ints(0)), batch.take(ints(1))
    samples = [
        trajectories.Sample(ints(place), np.zeros(1, np.float32), np.array([value], np.float32))
        for place, value in ((1, 0.25), (2, 0.5))
    ]
    nothing = (ints(), np.zeros((0, 1), np.float32), np.zeros(0, bool))
    end = (ints(0), np.ones((1, 1), np.float32), np.ones(1, bool))
    moments = [
        trajectories.Moment(ints(0), ints(0), samples[0], *nothing),
        trajectories.Moment(ints(0), ints(0), samples[1], *end),
    ]
    fitted = []
    monkeypatch.setattr(run, "play", lambda *_: [trajectories.Trajectories((1, 1), [first, second], moments)])
    monkeypatch.setattr(run, "fit", lambda *parts: fitted.extend(parts))
    run.args = replace(run.args, gae_lambda=0.8)
    run.update()
    features, table, returns, _ = fitted
    assert (features == batch.features[[1, 4]]).all()
    assert (table == batch.table).all()
    assert returns == pytest.approx([0.2 * 0.5 + 0.8 * 1, 1])


def test_without_returns_nothing_changes(run, monkeypatch):
    before = digest_of(run.tensors())
    waiting = batch_of(run.learner, [2])
    moment = trajectories.Moment(
        ints(0),
        ints(0),
        run.learner.draw(waiting, np.random.default_rng(1)),
        ints(),
        np.zeros((0, 1)),
        np.zeros(0, bool),
    )
    monkeypatch.setattr(run, "play", lambda *_: [trajectories.Trajectories((1, 1), [waiting], [moment])])
    run.update()
    assert (run.updates, run.decisions) == (1, 0)
    assert digest_of(run.tensors()) == before


def test_the_error_falls(run):
    run.args = replace(run.args, epochs=20)
    batch = batch_of(run.learner, [1] * 512)
    returns = np.tanh(batch.features[:, 0])
    run.fit(batch.features, batch.table, returns, 0.0)
    first = run.metrics["error"]
    run.fit(batch.features, batch.table, returns, 0.0)
    assert run.metrics["error"] < first / 2


def test_the_saved_weights_are_a_moving_average(run):
    weights = lambda network: network.actor[1].score[0].weight.detach().numpy().copy()  # noqa: E731
    average = weights(run.learner)
    for update in range(2):
        run.update()
        keep = min(run.args.average_weights, (update + 1) / (update + 10))
        average = keep * average + (1 - keep) * weights(run.learner)
    assert run.tensors()["1.score.0.weight"] == pytest.approx(average, abs=1e-6)


# Runs


def test_a_resumed_run_ends_as_one_that_was_not_stopped(tmp_path, monkeypatch):
    options = {**SMALL, "epsilon": (0.3, 0.0)}
    whole = QLearning.begin(Args(**options, runs=tmp_path, name="whole"))
    assert whole.train()
    stopped = QLearning.begin(Args(**options, runs=tmp_path, name="stopped"))
    with monkeypatch.context() as patch:
        patch.setattr(runs_module, "asked_to_stop", lambda: contextlib.nullcontext(lambda: stopped.updates == 2))
        assert not stopped.train()
    stopped.save()
    resumed = QLearning.resume(Args(resume=tmp_path / "stopped"))
    assert resumed.updates == 2
    assert resumed.train()
    assert resumed.decisions == whole.decisions
    assert digest_of(resumed.tensors()) == digest_of(whole.tensors())
    resumed.finish()
    resumed.finish()  # as a run that is resumed after its end: it is measured again, and has one final entry
    assert [entry["decisions"] for entry in resumed.history] == [*sorted({*_measured(whole), whole.decisions})]
    card = read_card(tmp_path / "stopped/model.safetensors")
    assert card.trained_for == {"game": "kanastic", "variant": "", "players": 4, "seats": [2, 4]}


def test_two_threads_learn_the_weights_of_one(tmp_path):
    one, two = (QLearning.begin(Args(**SMALL, threads=n, runs=tmp_path, name=f"{n}")) for n in (1, 2))
    for run in (one, two):
        assert run.train()
    assert digest_of(one.tensors()) == digest_of(two.tensors())


def _measured(run):
    return [entry["decisions"] for entry in run.history]


def test_a_run_of_another_command_is_not_resumed(run):
    ppo = pytest.importorskip("training.ppo")
    with pytest.raises(ValueError, match="another command"):
        ppo.PPO.resume(ppo.Args(resume=run.args.folder))


def test_a_run_starts_from_a_model_file(tmp_path):
    from tantra_envs.opponents.learned import file_of

    shipped = file_of("karma")
    spec = read_card(shipped).spec
    options = {"net_arch": spec.net_arch, "activation": spec.activation, "start": shipped, "runs": tmp_path}
    run = QLearning.begin(Args(**options, tables=8, steps=20, name="a"))
    whole = read_tensors(shipped, read_card(shipped), tantra_envs.game("karma"))
    assert all((tensor == whole[name]).all() for name, tensor in run.tensors().items())
    with pytest.raises(ValueError, match="net_arch"):
        QLearning(Args(**{**options, "net_arch": (8,)}))


def test_it_learns_karma_and_its_file_plays_without_torch(tmp_path):
    """The figure is far above chance (0.5) and far below what more training reaches."""
    options = {"total_decisions": 300_000, "tables": 256, "net_arch": (32, 32)}
    run = QLearning.begin(Args(**options, runs=tmp_path, name="a"))
    run.train()
    run.save()
    game = tantra_envs.game("karma")
    agents = [LearnedAgent(game, tmp_path / "a/model.safetensors"), opponent("uniform", game)]
    assert play_match(game, agents, [0, 1], 100, seed=5).score(0).low > 0.65


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"total_decisions": 0}, "total_decisions"),
        ({"epsilon": ()}, "epsilon"),
        ({"epsilon": (1.5,)}, "epsilon"),
        ({"opponents": ("nobody",)}, "nobody"),
        ({"gae_lambda": 1.5}, "gae_lambda"),
        ({"average_weights": -1.0}, "average_weights"),
        ({"reward_scale": 0.0}, "reward_scale"),
        ({"threads": 3}, "threads=3"),
        ({"seats": (7,)}, "players=7"),
        ({"seats": (2, 3, 4), "tables": 2}, "tables=2"),
    ],
)
def test_options_that_are_not_allowed(other, field, tmp_path):
    with pytest.raises(ValueError, match=field):
        QLearning.begin(replace(Args(**SMALL), runs=tmp_path, **other))
    assert not any(tmp_path.iterdir())
