"""Q-learning: decisions get the returns of their seats, and a run goes on where it was stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from tantra_envs.opponents.networks import feature_inputs

torch = pytest.importorskip("torch")
returns = pytest.importorskip("training.learn.returns")
tables_module = pytest.importorskip("training.learn.tables")
q_learning = pytest.importorskip("training.learn.q_learning")
Learn = pytest.importorskip("training.learn.run").Learn
options = pytest.importorskip("training.learn.options")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
agents = pytest.importorskip("agents")
Args = options.Args

SMALL = {"algorithm": "q-learning", "game": "kanastic", "seats": (4, 2), "tables": 12, "steps": 60, "iterations": 3}
SMALL |= {"average": 0.5}
SMALL |= {
    "net_arch": (8,),
    "batch_size": 64,
    "eval_every": 2,
    "eval_deals": 2,
    "final_deals": 2,
    "eval_opponents": ("uniform",),
}


def numbers(*values):
    return np.array(values, np.float32)


def ints(*values):
    return np.array(values, np.int64)


def test_a_return_mixes_ratings_on_the_way_with_the_reward_at_the_end():
    decisions = returns.Decisions(2, 2)
    for rating in (0.1, 0.2, 0.4):  # three decisions of seat 1 at table 0, and one each of others
        decisions.add(ints(0), ints(1), numbers([rating]), numbers(rating), numbers(0.1))
    decisions.add(ints(0, 1), ints(0, 0), numbers([0.5], [0.6]), numbers(0.5, 0.6), numbers(0.1, 0.1))
    decisions.pay(ints(0), numbers([-1.0, 1.0]))
    decisions.add(
        ints(0), ints(1), numbers([0.8]), numbers(0.8), numbers(0)
    )  # after the reward: waits for the next one
    inputs, targets = decisions.returns(trace=0.5)
    second = 0.5 * 0.4 + 0.5 * 1 - 0.1
    first = 0.5 * 0.2 + 0.5 * second - 0.1
    assert inputs[:, 0] == pytest.approx([0.1, 0.2, 0.4, 0.5])
    assert targets == pytest.approx([first, second, 1, -1])


def test_a_return_pays_the_cost_of_its_own_decision():
    decisions = returns.Decisions(1, 1)
    for rating, cost in ((0.1, 0.01), (0.3, 0.02), (0.5, 0.04)):
        decisions.add(ints(0), ints(0), numbers([rating]), numbers(rating), numbers(cost))
    decisions.pay(ints(0), numbers([1.0]))
    _, targets = decisions.returns(trace=0.5)
    second = 0.5 * 0.5 + 0.5 * 1 - 0.02
    assert targets == pytest.approx([0.5 * 0.3 + 0.5 * second - 0.01, second, 1])


def test_what_waits_for_its_reward_when_the_iteration_ends_counts_by_its_rating():
    decisions = returns.Decisions(1, 1)
    for rating in (0.1, 0.3):
        decisions.add(ints(0), ints(0), numbers([rating]), numbers(rating), numbers(0.1))
    inputs, targets = decisions.returns(trace=0.9)
    assert (inputs[:, 0], targets) == (pytest.approx([0.1]), pytest.approx([0.2]))


class Recorded(tables_module.Decisions):
    """Decisions that keep what they are given."""

    def __init__(self, tables, seats):
        super().__init__(tables, seats)
        self.added, self.costs, self.paid = [], [], []

    def add(self, tables, seats, inputs, ratings, costs):
        self.added += zip(tables.tolist(), seats.tolist(), inputs, strict=True)
        self.costs += zip(tables.tolist(), costs.tolist(), strict=True)
        super().add(tables, seats, inputs, ratings, costs)

    def pay(self, tables, rewards):
        self.paid += zip(tables.tolist(), rewards.tolist(), strict=True)
        super().pay(tables, rewards)


def play(monkeypatch, steps, self_play, players=4, count=6, patience=300):
    monkeypatch.setattr(tables_module, "Decisions", Recorded)
    game = tantra_envs.game("kanastic", players=players)
    tables = tables_module.Tables(game, agents.load_all(("scripted",), game), count, self_play, seed=3)
    rate = lambda features, table, which: features.sum(axis=1) + table[which, -1]  # noqa: E731
    how = tables_module.Play(epsilon=0.1, squash=1.5, patience=patience, cost=0.01)
    return game, tables, tables.play(rate, steps, how, np.random.default_rng(1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_learner_decides_for_one_team_or_for_all(monkeypatch, players):
    game, tables, decisions = play(monkeypatch, 80, 0.5, players, count=20)
    decided = {table: {seat for t, seat, _ in decisions.added if t == table} for table in range(20)}
    assert {frozenset(seats) for seats in decided.values()} == {*map(frozenset, game.teams), frozenset(range(players))}
    assert all(set(np.flatnonzero(tables.learner[table])) == seats for table, seats in decided.items())


def test_rewards_are_those_of_rounds(monkeypatch):
    _, tables, decisions = play(monkeypatch, 400, 0.5)
    assert len(decisions.paid) >= tables.states["round_no"].sum() > 0
    for _, rewards in decisions.paid:
        assert rewards[0] == pytest.approx(-rewards[1]) and abs(rewards[0]) <= 1
    last = {}
    for table, rewards in decisions.paid:
        last[table] = rewards
    for table, rewards in last.items():
        one, other = tables.states["last_scores"][table][:2]
        assert rewards[0] == pytest.approx(np.tanh((one - other) / 1000 / 1.5), abs=1e-6)


def test_decisions_cost_something_where_the_last_reward_is_long_ago(monkeypatch):
    _, tables, decisions = play(monkeypatch, 60, 1.0, patience=50)
    costs = [[cost for t, cost in decisions.costs if t == table] for table in range(6)]
    assert not decisions.paid and (tables.waited == 60).all()
    for own in costs:
        late = sum(cost > 0 for cost in own)
        assert 0 < late < 10 and own == pytest.approx([0] * (len(own) - late) + [0.01] * late)


def test_inputs_are_those_of_the_action_played(monkeypatch):
    _, _, decisions = play(monkeypatch, 1, 1.0, count=3)
    game, seen = tantra_envs.game("kanastic"), 0
    for table, seat, inputs in decisions.added:
        seed = tables_module.deal_seeds(3, tables_module.MOST_DEALS + table, 1)
        known = game.conceal(game.new(int(seed[0])), seat)
        seen += (feature_inputs(game, known)[2] == inputs).all(axis=1).any()
    assert seen == len(decisions.added) == 3


def test_a_resumed_run_ends_as_one_that_was_not_stopped(tmp_path, monkeypatch):
    whole = Learn.begin(Args(**SMALL, runs=tmp_path, name="whole"))
    assert whole.train()
    stopped = Learn.begin(Args(**SMALL, runs=tmp_path, name="stopped"))
    monkeypatch.setattr(q_learning, "asked_to_stop", stop_at_once)
    assert not stopped.train()
    stopped.save()
    monkeypatch.undo()
    resumed = Learn.resume(Args(resume=tmp_path / "stopped"))
    assert resumed.algorithm.iteration == 1 and resumed.train()
    assert resumed.decisions == whole.decisions > 100
    assert checkpoint.digest_of(resumed.tensors()) == checkpoint.digest_of(whole.tensors())
    resumed.finish()
    assert [entry["iteration"] for entry in resumed.history] == [2, 3]
    card = checkpoint.read_card(tmp_path / "stopped/model.safetensors")
    assert card.trained_for == {"game": "kanastic", "variant": "", "players": 4, "seats": [2, 4]}


def stop_at_once():
    class Stop:
        def __enter__(self):
            return lambda: True

        def __exit__(self, *error):
            return None

    return Stop()


def test_ratings_are_those_of_the_network_that_ships(tmp_path):
    learner = Learn(Args(**SMALL, runs=tmp_path)).algorithm
    game = learner.game
    which, _, inputs, table = feature_inputs(game, np.concatenate([game.conceal(game.new(d), 0) for d in range(4)]))
    ratings = learner.rate(inputs[:, : -table.shape[1]], table, which)
    assert ratings == pytest.approx(learner.network.score(torch.from_numpy(inputs))[:, 0].detach().numpy(), abs=1e-5)


def test_the_result_is_the_moving_average_of_the_weights(tmp_path):
    learner = Learn.begin(Args(**{**SMALL, "runs": tmp_path})).algorithm
    weights = [learner.network.score[0].weight.detach().numpy().copy()]
    for _ in range(2):
        learner.iterate()
        weights.append(learner.network.score[0].weight.detach().numpy().copy())
    expected = 0.25 * weights[0] + 0.25 * weights[1] + 0.5 * weights[2]
    assert learner.tensors()["1.score.0.weight"] == pytest.approx(expected, abs=1e-6)


def test_an_iteration_without_decisions_changes_nothing(tmp_path):
    learner = Learn.begin(Args(**{**SMALL, "tables": 2, "steps": 2, "seats": (), "runs": tmp_path})).algorithm
    for tables in learner.tables:
        tables.play = lambda *_: returns.Decisions(1, 1)
    before = checkpoint.digest_of(learner.tensors())
    assert np.isnan(learner.iterate()) and learner.iteration == 1 and learner.decisions == 0
    waiting = returns.Decisions(1, 1)
    waiting.add(ints(0), ints(0), numbers([0.5]), numbers(0.5), numbers(0))  # neither a reward nor a next decision
    learner.tables[0].play = lambda *_: waiting
    assert np.isnan(learner.iterate()) and learner.iteration == 2
    assert checkpoint.digest_of(learner.tensors()) == before


def test_a_run_begins_with_the_weights_of_its_base(tmp_path):
    options_ = {**SMALL, "base": "learned:kanastic", "net_arch": (64, 64), "runs": tmp_path}
    learner = Learn(Args(**options_)).algorithm
    shipped = agents.load("learned:kanastic", learner.game).tensors
    assert checkpoint.digest_of(learner.tensors()) == checkpoint.digest_of(shipped)
    with pytest.raises(ValueError, match=r"base='learned:kanastic' is not allowed .* net_arch=\(8,\)"):
        Learn.begin(Args(**{**options_, "net_arch": (8,)}))


def test_the_error_falls(tmp_path):
    run = Learn.begin(Args(**{**SMALL, "epochs": 20, "trace": 1.0, "tables": 48, "runs": tmp_path})).algorithm
    inputs, rng = np.random.default_rng(1).normal(size=(512, run.network.score[0].in_features)), None
    returns_ = np.tanh(inputs[:, 0]).astype(np.float32)
    rng = np.random.default_rng(2)
    first, last = (run._fit(inputs.astype(np.float32), returns_, rng) for _ in range(2))
    assert last < first / 2


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"iterations": 0}, "iterations=0 is not allowed"),
        ({"opponents": ()}, "opponents=() is not allowed with self_play=0.4; allowed: one agent or more"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"trace": 1.5}, "trace=1.5 is not allowed"),
        ({"average": -1.0}, "average=-1.0 is not allowed"),
        ({"base": "greedy"}, "base='greedy' is not allowed with algorithm='q-learning'; allowed: scripted"),
        ({"squash": 0.0}, "squash=0.0 is not allowed"),
        ({"seats": (7,)}, "players=7"),
        ({"seats": (2, 3, 4), "tables": 2}, "tables=2 is not allowed with seats=(2, 3, 4); allowed: 3 or more"),
        ({"game": "tantrix:discovery", "seats": ()}, "policy='features' is not allowed for tantrix discovery"),
        ({"policy": "mlp"}, "policy='mlp' is not allowed with algorithm='q-learning'; allowed: features"),
        ({"workers": 2}, "workers=2 is not allowed with algorithm='q-learning', which does not use it; allowed: 1"),
        ({"deals": (5,)}, "deals=(5,) is not allowed with algorithm='q-learning'"),
    ],
)
def test_options_that_are_not_allowed(other, message, tmp_path):
    with pytest.raises(ValueError) as refused:
        Learn.begin(replace(Args(**SMALL), runs=tmp_path, **other))
    assert message in str(refused.value) and not any(tmp_path.iterdir())
