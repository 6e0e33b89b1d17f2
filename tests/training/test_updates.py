"""One update of each learner on three decisions, against numbers that are worked out by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
ppo = pytest.importorskip("training.ppo")
q_learning = pytest.importorskip("training.q_learning")
optimizers = pytest.importorskip("training.optimizer")
runs = pytest.importorskip("training.run")
Optimizer = optimizers.Optimizer
trajectories = pytest.importorskip("training.trajectories")
Batch, Moment, Sample = trajectories.Batch, trajectories.Moment, trajectories.Sample
Trajectories = trajectories.Trajectories

SMALL = {"net_arch": (1,), "tables": 2, "total_decisions": 1000, "eval_opponents": ("uniform",), "gae_lambda": 0.75}
SHIFT = 4.0  # keeps the one hidden unit above zero, where its activation changes nothing
LN2, LN3 = math.log(2), math.log(3)

# The learner decides at two tables: first A at table 0 and the waiting decision W at table 1, then B, last C. Seat 0
# has A and C, seat 1 has B. C ends the game at table 0 with the rewards 1.5 and -1.25. W has no result yet.
#
#   advantage of C:  1.5 - 0.5                          =  1        return  1.5
#   advantage of B: -1.25 + 0.25                        = -1        return -1.25
#   advantage of A:  0.5 - 0.25 + 0.75 * (1)            =  1        return  1.25
#
# Their mean is 1/3 and their standard deviation sqrt(8)/3, so scaled they are r, -2r, r with r = 1 / sqrt(2).
R = math.sqrt(0.5)
REWARDS = [1.5, -1.25]
OLD_VALUES = {"A": 0.25, "W": 9.0, "B": -0.25, "C": 0.5}
ORDER = "AWBC"
VARIANCE = (0.75**2 + 1.75**2 + 1.0**2) / 3  # of the returns 1.25, -1.25, 1.5, whose mean is 0.5


def played(run, places, log_probs, values, ratings):
    """Return the trajectories of the four decisions, each with these ratings of its actions as first features."""
    of_action, of_table = run.game.features.sizes
    flat = np.concatenate([ratings[name] for name in ORDER])
    table, actions = np.zeros((len(ORDER), of_table), np.float32), np.zeros((len(flat), of_action), np.float32)
    table[:, 0], actions[:, 0] = [values[name] for name in ORDER], flat
    counts = np.array([len(ratings[name]) for name in ORDER])
    batch = Batch(np.empty((len(ORDER), 0)), table, counts, np.arange(len(flat)), actions)

    def moment(names, rows, seats, ends):
        old = np.array([[log_probs[name], OLD_VALUES[name]] for name in names], np.float32)
        sample = Sample(np.array([places[name] for name in names]), old[:, 0], old[:, 1])
        rewards, over = np.array([REWARDS] * ends, np.float32).reshape(ends, 2), np.ones(ends, bool)
        return Moment(np.array(rows), np.array(seats), sample, np.zeros(ends, np.int64), rewards, over)

    moments = [moment("AW", [0, 1], [0, 0], 0), moment("B", [0], [1], 0), moment("C", [0], [0], 1)]
    return [Trajectories((2, 2), [batch], moments)]


def copy_first_input(layers, factor=1.0):
    """Let a network of one hidden unit return its first input, times `factor`."""
    with torch.no_grad():
        for parameter in layers.parameters():
            parameter.zero_()
        layers[0].weight[0, 0], layers[0].bias[0] = 1, SHIFT
        layers[2].weight[0, 0], layers[2].bias[0] = factor, -SHIFT * factor


def steps_of(run, monkeypatch, trajectory):
    """Return the losses of one update, with the share of the run. Weights stay as they are."""
    steps = []
    monkeypatch.setattr(run, "play", lambda *_: trajectory)
    monkeypatch.setattr(run, "optimizer", SimpleNamespace(step=lambda loss, share: steps.append((loss.item(), share))))
    run.update()
    return steps


# PPO: probabilities of the legal actions now, of the chosen one when it was played, and values now

PROBS = {"A": (0.5, 0.5), "W": (0.5, 0.5), "B": (0.5, 0.25, 0.25), "C": (0.25, 0.75)}
CHOSEN = {"A": 0, "W": 0, "B": 1, "C": 1}
OLD_PROBS = {"A": 0.25, "W": 1.0, "B": 0.5, "C": 0.75 / 1.1}
VALUES = {"A": 1.0, "W": 7.0, "B": -1.0, "C": 0.5}

ERRORS = {"A": 0.0625, "B": 0.0625, "C": 1.0}
# Probability ratios 2, 0.5 and 1.1 with a clip of 0.2. The first gains no more than 1.2, the second no less than 0.8.
CLIPPED = {"A": 1.2 * R, "B": 0.8 * -2 * R, "C": 1.1 * R}
ENTROPIES = {"A": LN2, "B": 1.5 * LN2, "C": 2 * LN2 - 0.75 * LN3}
# From the magnet, which is uniform.
DIVERGENCES = {"A": 0.0, "B": LN3 - 1.5 * LN2, "C": 0.75 * LN3 - LN2}
KL = {"A": 1 - LN2, "B": LN2 - 0.5, "C": 0.1 - math.log(1.1)}  # ratio - 1 - log(ratio)


def mean(parts):
    return sum(parts.values()) / len(parts)


@pytest.fixture
def ppo_run(tmp_path):
    """Return a function that builds a run of PPO whose networks have the probabilities and values above."""

    def build(**other):
        plain = {"skip_smallest": 0.0, "entropy": (0.2, 0.1), "clip": 0.2}
        run = ppo.PPO(ppo.Args(**{**SMALL, **plain, **other}, game="karma", runs=tmp_path, name="a"))
        copy_first_input(run.learner.actor[1].score)
        copy_first_input(run.learner.critic)
        copy_first_input(run.magnet.actor[1].score, factor=0.0)
        run.updates = 1
        return run

    return build


def ppo_played(run):
    ratings = {name: np.log(probs) for name, probs in PROBS.items()}
    return played(run, CHOSEN, {name: math.log(prob) for name, prob in OLD_PROBS.items()}, VALUES, ratings)


@pytest.mark.parametrize(("entropy", "decisions", "weight"), [
    ((0.2, 0.1), 0, 0.2),
    ((0.2, 0.1), 300, 0.17),
    ((0.2, 0.1), 1000, 0.1),
    ((0.05,), 300, 0.05),
])  # fmt: skip
@pytest.mark.parametrize("magnet", [0.0, 0.5])
def test_the_loss_of_ppo_by_hand(ppo_run, monkeypatch, entropy, decisions, weight, magnet):
    run = ppo_run(entropy=entropy, magnet=magnet)
    run.decisions = decisions
    ((loss, share),) = steps_of(run, monkeypatch, ppo_played(run))
    assert share == decisions / 1000
    objective = 0.7 * R / 3 + weight * mean(ENTROPIES) - magnet * mean(DIVERGENCES)
    assert loss == pytest.approx(0.5 * 0.375 - objective, abs=1e-5)
    assert (run.decisions, run.updates) == (decisions + 3, 2)
    figures = {"error": 0.375, "entropy": mean(ENTROPIES), "kl": mean(KL), "explained": 1 - 0.375 / VARIANCE}
    assert run.metrics == pytest.approx(figures, abs=1e-5)


def test_every_pass_of_ppo_takes_each_decision_once(ppo_run, monkeypatch):
    run = ppo_run(batch_size=1, epochs=2, entropy=(0.1,), magnet=0.5)
    steps = steps_of(run, monkeypatch, ppo_played(run))
    alone = [0.5 * ERRORS[x] - CLIPPED[x] - 0.1 * ENTROPIES[x] + 0.5 * DIVERGENCES[x] for x in "ABC"]
    for passed in (steps[:3], steps[3:]):
        assert sorted(loss for loss, _ in passed) == pytest.approx(sorted(alone), abs=1e-5)
    figures = {"error": 0.375, "entropy": mean(ENTROPIES), "kl": max(KL.values()), "explained": 1 - 0.375 / VARIANCE}
    assert run.metrics == pytest.approx(figures, abs=1e-5)


@pytest.mark.parametrize(("updates", "weight"), [(39, 0.5), (40, 0.0), (41, 0.5)])
def test_the_magnet_is_replaced_before_every_fortieth_update(ppo_run, monkeypatch, updates, weight):
    run = ppo_run(entropy=(0.0,), magnet=0.5)
    run.updates = updates
    ((loss, _),) = steps_of(run, monkeypatch, ppo_played(run))
    assert loss == pytest.approx(0.5 * 0.375 - 0.7 * R / 3 + weight * mean(DIVERGENCES), abs=1e-5)


@pytest.mark.parametrize(("skip", "learns"), [(0.0, "ABC"), (0.5, "AC"), (0.51, "A"), (0.99, "A")])
def test_the_policy_skips_the_share_of_the_decisions_with_the_smallest_advantages(ppo_run, monkeypatch, skip, learns):
    """The advantages 3, -1 and 2 are worth 5, -7 and 2 in units of sqrt(26) after scaling."""
    run, steps = ppo_run(skip_smallest=skip, batch_size=1, entropy=(0.1,)), []
    (trajectory,) = ppo_played(run)
    batch = trajectories.join(trajectory.batches)
    sample = trajectories.join([moment.sample for moment in trajectory.moments])
    advantages = np.array([3, np.nan, -1, 2], np.float32)
    monkeypatch.setattr(run, "optimizer", SimpleNamespace(step=lambda loss, _: steps.append(loss.item())))
    run.fit(batch, sample, advantages, np.array([0, 2, 3]), 0.0)
    # Returns: advantages and old values, 3.25, -1.25 and 2.5. Values now: 1, -1 and 0.5.
    alone = {"A": 0.5 * 2.25**2, "B": 0.5 * 0.25**2, "C": 0.5 * 2.0**2}
    scaled = {"A": 1.2 * 5, "B": 0.8 * -7, "C": 1.1 * 2}
    for name in learns:
        alone[name] -= scaled[name] / math.sqrt(26) + 0.1 * ENTROPIES[name]
    assert sorted(steps) == pytest.approx(sorted(alone.values()), abs=1e-5)


# Q-learning


@pytest.fixture
def q_run(tmp_path):
    """Return a function that builds a run of Q-learning whose network rates an action by its first feature."""

    def build(**other):
        run = q_learning.QLearning(q_learning.Args(**{**SMALL, **other}, game="karma", runs=tmp_path, name="a"))
        copy_first_input(run.learner.actor[1].score)
        return run

    return build


RATINGS = {"A": (0.75, 3.0), "W": (8.0, 9.0), "B": (4.0, -1.0, 5.0), "C": (6.0, 0.5)}
Q_ERRORS = {"A": 0.25, "B": 0.0625, "C": 1.0}  # of 0.75, -1 and 0.5 from the returns


def q_played(run):
    return played(run, CHOSEN, dict.fromkeys(ORDER, 0.0), dict.fromkeys(ORDER, 0.0), RATINGS)


def test_the_loss_the_figures_and_the_random_actions_of_q_learning_by_hand(q_run, monkeypatch):
    run = q_run(epsilon=(0.4, 0.1))
    run.decisions = 300
    ((loss, share),) = steps_of(run, monkeypatch, q_played(run))
    assert (loss, share, run.learner.epsilon) == pytest.approx((1.3125 / 3, 0.3, 0.31), abs=1e-5)
    assert run.metrics == pytest.approx({"error": 1.3125 / 3, "explained": 1 - 1.3125 / 3 / VARIANCE}, abs=1e-5)
    assert (run.decisions, run.updates) == (303, 1)


def test_every_pass_of_q_learning_takes_each_decision_once(q_run, monkeypatch):
    run = q_run(batch_size=1, epochs=2)
    steps = steps_of(run, monkeypatch, q_played(run))
    for passed in (steps[:3], steps[3:]):
        assert sorted(loss for loss, _ in passed) == pytest.approx(sorted(Q_ERRORS.values()), abs=1e-5)
    assert run.metrics["error"] == pytest.approx(1.3125 / 3, abs=1e-5)


# Schedules and the optimizer


@pytest.mark.parametrize(("progress", "rate"), [(0.0, 0.2), (0.5, 0.11), (1.0, 0.02), (1.5, 0.02)])
def test_the_learning_rate_falls_to_a_tenth(progress, rate):
    """The first step of Adam moves a weight by the learning rate, against the sign of its gradient."""
    assert optimizers.linear_schedule(0.2, progress) == pytest.approx(rate)
    weight = torch.nn.Parameter(torch.tensor([1.0, 1.0]))
    Optimizer([weight], 0.2).step((weight * torch.tensor([3.0, -5.0])).sum(), progress)
    assert weight.tolist() == pytest.approx([1 - rate, 1 + rate], abs=1e-6)


def test_long_gradients_are_cut_and_short_ones_are_not():
    for scale, length in ((10.0, 0.5), (0.01, 0.05)):
        weight = torch.nn.Parameter(torch.zeros(2))
        optimizer = Optimizer([weight], 0.1, max_norm=0.5)
        for _ in range(2):  # gradients do not add up from one step to the next
            optimizer.step((weight * torch.tensor([3.0, 4.0]) * scale).sum(), 0.0)
        assert weight.grad.tolist() == pytest.approx([0.6 * length, 0.8 * length], abs=1e-6)


@pytest.mark.parametrize(
    ("before", "now", "is_due"), [(0, 9, False), (9, 10, True), (10, 11, False), (10, 19, False), (10, 30, True)]
)
def test_a_measurement_is_due_when_a_multiple_is_reached(before, now, is_due):
    assert runs.due(10, before, now) is is_due
