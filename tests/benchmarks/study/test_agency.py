"""Agency in Nim is that of perfect play, and the best of noisy values has no advantage by luck."""

from functools import cache

import numpy as np
import pytest

import tantra_envs
from agents import load
from benchmarks.__main__ import main
from benchmarks.harness import judged
from benchmarks.harness.figures import figures as harness_figures
from benchmarks.study import decisions
from benchmarks.study.results import rows_of
from benchmarks.study.tension import tables_by_tenth
from tantra_envs import Observation
from tantra_envs.core.playouts import Playouts
from tantra_envs.matches.match import team_scores
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.programs import results as files

pytestmark = pytest.mark.usefixtures("nim")


@cache
def wins(left, last):
    """Whether the seat to decide wins Nim by perfect play."""
    return any(left == take or not wins(left - take, take) for take in takes(left, last))


def takes(left, last):
    return [take for take in (1, 2, 3) if take == left or (take < left and take != last)]


class Perfect:
    """Takes the first number that wins, if there is one, otherwise the first legal one."""

    name = "perfect"

    def act(self, obs, rng):
        return np.array([self.choice(int(s["left"]), int(s["last"])) - 1 for s in obs.known])

    def choice(self, left, last):
        legal = takes(left, last)
        return next((take for take in legal if left == take or not wins(left - take, take)), legal[0])


def figures(record, rows):
    every = harness_figures(rows, decisions.figures(record.game)).drop("drawn").iter_rows(named=True)
    return {(row["measure"], row["part"]): row for row in every}


def test_every_decision_of_nim_has_the_agency_that_perfect_play_gives_it(recorded):
    record, agencies = recorded("nim", "uniform", deals=40, rotations=1), []
    rows = decisions.sampled(record, Perfect(), 16, 0)
    states, _, _ = tables_by_tenth(record, np.random.default_rng((0, 0, decisions.STREAM)))
    positions = [(int(s["left"]), int(s["last"])) for s in states.ravel()]
    for (left, last), row in zip(positions, rows.iter_rows(named=True), strict=True):
        good = [float(left == take or not wins(left - take, take)) for take in takes(left, last)]
        assert row["choice"] == (len(good) > 1)
        if row["choice"]:
            agencies.append(max(good) - np.mean(good))
            assert row["best"] - row["mean"] == pytest.approx(agencies[-1])
            assert row["clear_mean"] == (max(good) > np.mean(good))
        else:
            assert row["best"] is None
    found = figures(record, rows)
    assert found[decisions.RANDOM.name, ""]["value"] == pytest.approx(np.mean(agencies))
    assert found[decisions.CHOICE.name, ""]["value"] == pytest.approx(len(agencies) / len(rows))


def advantages(values, tried):
    found = judged.measured(values, tried)
    return found["best"] - found["mean"], found["clear_mean"]


def noisy(worth, samples, k=4000):
    """Values of actions with these expected scores in noise, and all of them as candidates."""
    actions = np.tile(np.arange(len(worth)), (k, 1))
    tried = judged.Candidates(actions, np.full(actions.shape, 1 / len(worth)), np.zeros(actions.shape, bool))
    drawn = np.random.default_rng(1).random((k, len(worth), samples))
    return (drawn < np.array(worth)[:, None]).astype(float), tried


def test_the_best_of_equal_actions_has_no_advantage_by_luck():
    values, tried = noisy([0.5] * 8, 32)
    assert values.mean(axis=2).max(axis=1).mean() > 0.6  # the winner's bias of a mean over the same samples
    advantage, clear = advantages(values, tried)
    assert abs(advantage.mean()) < 4 * advantage.std() / np.sqrt(len(advantage)) and 0.01 < clear.mean() < 0.05


def test_advantages_are_right_where_actions_clearly_differ_and_never_too_large_where_they_hardly_do():
    advantage, clear = advantages(*noisy([0.95, 0.5, 0.05], 128))
    assert advantage.mean() == pytest.approx(0.45, abs=0.01) and clear.mean() > 0.99
    few, many = (advantages(*noisy([0.55, 0.5, 0.45], samples)) for samples in (16, 256))
    assert all(0 < less.mean() < more.mean() < limit for less, more, limit in zip(few, many, (0.05, 1), strict=True))


def test_of_many_actions_some_stand_for_all():
    rng, worth = np.random.default_rng(2), np.random.default_rng(3).random(40)
    ratings = np.tile(np.where(np.arange(40) < 30, worth, -np.inf), (2000, 1))
    ratings[:, 5] = np.inf  # the action of the record
    tried = judged.candidates(ratings, rng)
    assert tried.actions.shape == (2000, judged.CANDIDATES) and tried.actions.max() < 30
    assert all(len(set(row)) == judged.CANDIDATES for row in tried.actions.tolist())
    assert (tried.actions[:, 0] == 5).all() and tried.weights.sum(axis=1) == pytest.approx(1)
    assert set(tried.actions[0, : judged.CANDIDATES // 2]) == {5, *np.argsort(-ratings[0])[1 : judged.CANDIDATES // 2]}
    means = (tried.weights * worth[tried.actions]).sum(axis=1)
    assert means.mean() == pytest.approx(worth[:30].mean(), abs=4 * means.std() / np.sqrt(2000))
    values = np.repeat(worth[tried.actions][:, :, None], 2, axis=2)
    assert judged._error_of_draw(values, tried).mean() == pytest.approx(means.std(), rel=0.2)


class Wrapped:
    """An agent without its compiled loop."""

    def __init__(self, agent):
        self.name, self.act = "wrapped", agent.act


@pytest.mark.parametrize("name", ["scripted", "learned"])
def test_compiled_playouts_are_those_of_the_agent(name):
    game = tantra_envs.game("karma", players=2)
    states = np.concatenate([game.new(1), game.new(2)])
    legal = [np.flatnonzero(mask)[:2] for mask in Observation(game, states).action_mask]
    compiled, asked = (
        judged.action_scores(game, agent, states, np.zeros((2, 2)), np.array(legal), 6, np.random.default_rng(3))
        for agent in (load(name, game), Wrapped(load(name, game)))
    )
    assert compiled.tolist() == asked.tolist() and 0 < compiled.mean() < 1


def test_values_are_scores_in_sampled_deals_that_fit_the_view():
    game = tantra_envs.game("karma", players=3)
    states = np.concatenate([game.new(1), game.new(2)])
    paid = np.array([[0.0, 0, 0], [0, 9, 9]])
    legal = [np.flatnonzero(mask)[:2] for mask in Observation(game, states).action_mask]
    scores = judged.action_scores(game, Scripted(game), states, paid, np.array(legal), 6, np.random.default_rng(3))
    seat = int(states["seat"][1])
    assert seat > 0 and (scores[1, :, :, seat] >= 0.5).all()  # it has been paid more than the first seat
    seeds = np.random.default_rng(3).integers(np.iinfo(np.int64).max, size=12, dtype=np.int64)
    deal = game.redeal(states[:1], int(seeds[4]), int(states["seat"][0]))
    game.apply_action(deal, int(legal[0][1]))
    rewards = deal["rewards"][:, :3] + Playouts(game).run(deal)
    assert scores[0, 1, 4].tolist() == team_scores(rewards)[0].tolist()


def test_a_study_measures_agency_and_its_change_once(tmp_path, monkeypatch):
    words = ["study", "karma", "--vary", "copies=2,3", "--agents", "scripted", "--deals", "4", "--shard", "2"]
    words += ["--sections", "agency", "--playouts", "16", "--runs", str(tmp_path), "--name", "mine"]
    assert main(words) == 0
    first = rows_of(files.read(tmp_path / "mine/results.csv"))
    whole = [row for row in first if row.measure == decisions.RANDOM.name]
    assert [row.variant for row in whole] == ["copies=2", "copies=3"] and whole[1].change is not None
    assert {row.part for row in first if row.measure == f"{decisions.RANDOM.name}, by kind of action"} > {"one"}
    valued = sorted((tmp_path / "mine/weighed").iterdir())
    assert len(valued) == 4
    valued[0].unlink()  # as if it had been stopped before
    kept, tried = valued[1].stat().st_mtime_ns, []
    original = decisions.sampled
    monkeypatch.setattr(decisions, "sampled", lambda *a, **b: tried.append(a) or original(*a, **b))
    assert main([*words, "--workers", "1"]) == 0
    assert len(tried) == 1 and valued[1].stat().st_mtime_ns == kept
    assert rows_of(files.read(tmp_path / "mine/results.csv")) == first


def test_a_game_without_measures_is_studied_too(tmp_path, capsys):
    words = ["study", "nim", "--agents", "uniform", "scripted", "--deals", "8", "--shard", "8", "--runs", str(tmp_path)]
    assert main([*words, "--sections", "agency", "--playouts", "16", "--name", "mine"]) == 0
    assert files.read(tmp_path / "mine/results.csv").filter(measure=decisions.RANDOM.name)["value"][0] > 0
    with pytest.raises(SystemExit):
        main([*words, "--sections", "worth", "--name", "other"])
    assert "nim has no measures; add the package tantra_envs/games/nim/measures" in capsys.readouterr().err
