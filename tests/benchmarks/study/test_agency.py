"""Agency in Nim is that of perfect play; the best of noisy values, and kingmaking, hardly ever come by luck."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import polars as pl
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
KARMA = tantra_envs.game("karma", players=3)


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


@pytest.mark.parametrize("name", ["scripted", "learned"])
def test_compiled_playouts_are_those_of_the_agent(name):
    game = tantra_envs.game("karma", players=2)
    states = np.concatenate([game.new(1), game.new(2)])
    legal = [np.flatnonzero(mask)[:2] for mask in Observation(game, states).action_mask]
    compiled, asked = (
        judged.action_scores(game, agent, states, np.zeros((2, 2)), np.array(legal), 6, np.random.default_rng(3))
        for agent in (load(name, game), SimpleNamespace(name="wrapped", act=load(name, game).act))
    )
    assert compiled.tolist() == asked.tolist() and 0 < compiled.mean() < 1


def test_values_are_scores_in_sampled_deals_that_fit_the_view():
    game = KARMA
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


def decided(*actions, team=0, tried=None):
    """The result of one decision of a team. An action has a mean score for each of three teams."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.1, (1, len(actions), 64, 3))
    scores = np.array(actions)[None, :, None, :] + noise
    tried = np.ones((1, len(actions)), np.bool_) if tried is None else np.array([tried])
    (found,) = judged.decided(scores, np.array([team]), tried)
    return found


def test_two_equal_actions_that_put_one_or_the_other_ahead_are_kingmaking():
    assert decided((0, 1, 0.5), (0, 0.5, 1)) == 1
    assert decided((0, 0.7, 0.7), (0, 1, 0.5), (0, 0.5, 1)) == 1


@pytest.mark.parametrize(
    "actions",
    [
        ((0, 1, 0.5), (0, 0.9, 0.6)),  # the same team is ahead after both
        ((0, 1, 0.5), (0.2, 0.6, 0.7)),  # the second action is better for itself
        ((0, 0.75, 0.75), (0, 0.75, 0.75)),  # neither is ahead
    ],
)
def test_other_decisions_of_the_last_team_are_not(actions):
    assert decided(*actions) == 0


def test_only_decisions_of_the_last_team_of_three_or_more_are_counted():
    assert np.isnan(decided((0.6, 1, 0), (0.6, 0, 1)))  # it stands better than one of the others on average
    assert np.isnan(judged.decided(np.zeros((1, 2, 4, 2)), np.array([0]), np.ones((1, 2), np.bool_)))[0]
    assert decided((0, 1, 0.5), (9, 9, 9), (0, 0.5, 1), tried=(True, False, True)) == 1  # the second is no action


def test_equal_actions_are_hardly_ever_kingmaking_by_chance():
    rng = np.random.default_rng(1)
    order = rng.permuted(np.tile([1.0, 0.5], (400, 8, 32, 1)), axis=3)
    scores = np.concatenate([np.zeros((400, 8, 32, 1)), order], axis=3)
    found = judged.decided(scores, np.zeros(400, np.int64), np.ones((400, 8), np.bool_))
    assert found.mean() < 0.005


def test_deals_with_one_such_decision_are_counted():
    rows = [(0, "1", None), (0, "4", 1.0), (0, "10", 0.0), (1, "4", 0.5), (1, "5", 0.0), (2, "6", None)]
    games = pl.DataFrame(rows, {"deal": pl.Int64, "tenth": pl.String, "king": pl.Float64}, orient="row")
    values = {(row["measure"], row["part"]): row["value"] for row in
              harness_figures(games, decisions.figures(KARMA)[-2:]).iter_rows(named=True)}  # fmt: skip
    assert values[decisions.KINGMAKING.name, ""] == pytest.approx(1.5 / 4)
    assert values[decisions.KINGMAKING_DEALS.name, ""] == pytest.approx(1 / 2)
    measures = [
        {figure.measure for figure in decisions.figures(game)} for game in (KARMA, tantra_envs.game("karma", players=2))
    ]
    assert [decisions.KINGMAKING in own for own in measures] == [True, False]
