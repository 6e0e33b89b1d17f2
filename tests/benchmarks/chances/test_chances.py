"""Chances are those of playouts, and what is read from them is right for games whose chances are known."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.chances import __main__ as command
from benchmarks.chances import reading, report, sampling, study
from benchmarks.chances.args import Args
from benchmarks.chances.sampling import TENTHS
from benchmarks.harness import records
from benchmarks.harness.hopes import hopes
from tantra_envs import Observation, cli
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Scripted

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "docs/chances").glob("*.md"))
CONFIGS = sorted((ROOT / "configs/chances").glob("*.toml"))
KARMA = tantra_envs.game("karma", players=3)
WORDS = ("karma", "--agents", "scripted", "uniform over 2 deals", "--deals", "5", "--shard", "3", "--worlds", "2")


def played_on(game, states):
    """Totals of scripted play, asked decision by decision."""
    states, totals = states.copy(), np.zeros((len(states), game.players))
    while len(live := np.flatnonzero(states["over"] == 0)):
        actions = Scripted(game).act(Observation(game, states, live), None)
        game.drivers.apply_rows(states, live, actions)
        totals[live] += states["rewards"][live, : game.players]
    return totals


def test_a_chance_is_the_mean_score_of_worlds_played_on():
    states = np.concatenate([KARMA.new(1), KARMA.new(2)])
    paid = np.array([[0.0, 0, 0], [5.0, 0, 0]])
    found = hopes(KARMA, states, paid, 1, 6, np.random.default_rng(3))[:, 1]
    seeds = np.random.default_rng(3).integers(np.iinfo(np.int64).max, size=12, dtype=np.int64)
    worlds = np.concatenate([KARMA.redeal(states[i // 6 : i // 6 + 1], int(seed), 1) for i, seed in enumerate(seeds)])
    scores = team_scores(played_on(KARMA, worlds) + np.repeat(paid, 6, axis=0))[:, 1]
    assert found.tolist() == pytest.approx([scores[:6].mean(), scores[6:].mean()])
    assert 0 < found[0] < 1


def test_when_a_game_is_over_the_chance_is_its_score():
    outcome = play_tables(KARMA, [Scripted(KARMA)], np.zeros((4, 3), int), np.arange(4))
    for seat in range(3):
        found = hopes(KARMA, outcome.states, outcome.rewards, seat, 2, np.random.default_rng(0))
        assert found.tolist() == team_scores(outcome.rewards).tolist()


def gamblers(n, seed=0, size=6, start=2):
    """Games as `sampled` tells of them, of a walk from `start` to 0 or `size`: the chance of the first is at / size."""
    rng, rows = np.random.default_rng(seed), []
    for deal in range(n):
        way = [start]
        while 0 < way[-1] < size:
            way.append(way[-1] + rng.choice((-1, 1)))
        plies = len(way) - 1
        at = ((np.arange(len(TENTHS)) + rng.random(len(TENTHS))) / len(TENTHS) * plies).astype(int)
        won = float(way[-1] == size)
        row = {"deal": deal, "plies": plies, "score_0": won, "score_1": 1 - won}
        for k in TENTHS:
            up = way[at[k]] / size
            row |= {f"ply_{k}": at[k], f"chance_0_{k}": up, f"chance_1_{k}": 1 - up}
            row |= {f"ahead_0_{k}": way[at[k]] - size / 2, f"ahead_1_{k}": size / 2 - way[at[k]]}
        rows.append(row)
    return pl.DataFrame(rows)


def off_the_line(games):
    """By how many half intervals what came of the chances of a bin differs from them, at most."""
    rows = [row for row in reading.figures(games, 1) if row["group"] == "reliability" and row["value"] is not None]
    said, came = ([row for row in rows if row["figure"] == name] for name in ("chance", "score"))
    assert len(said) == len(came) == 5  # 1/6 .. 5/6
    return max(2 * abs(c["value"] - s["value"]) / (c["high"] - c["low"]) for s, c in zip(said, came, strict=True))


def test_true_chances_lie_on_the_line_and_false_ones_do_not(monkeypatch):
    games = gamblers(2000)
    assert off_the_line(games) < 1.5
    shifted = games.with_columns(
        *((pl.col(f"chance_{t}_{k}") * 0.6 + 0.2).alias(f"chance_{t}_{k}") for t in (0, 1) for k in TENTHS)
    )
    rows = [row for row in reading.figures(shifted, 1) if row["group"] == "reliability" and row["value"] is not None]
    lowest = {row["figure"]: row for row in rows if row["at"] == min(r["at"] for r in rows)}
    assert lowest["score"]["high"] < lowest["chance"]["value"] - 0.05
    monkeypatch.setattr(reading, "_weights", lambda games: np.ones((len(games), 1, len(TENTHS))))
    assert off_the_line(games) > 2  # short games are those in which the favourite won at once


def test_errors_are_those_of_the_walk():
    found = {row["figure"]: row for row in reading.figures(gamblers(2000), 1) if row["group"] == "games"}
    even, own = found["squared error of saying even"], found["squared error of the chances"]
    assert even["value"] == pytest.approx(0.25)
    # Of a walk that is often at x, x (6 - x) / 36 on the mean; from 2 it is at 1 .. 4 twice 4, 8, 6, 4, 2 / 6 times.
    times = np.array([4, 8, 6, 4, 2])
    at = np.arange(1, 6) / 6
    assert own["low"] < (times * at * (1 - at)).sum() / times.sum() < own["high"]


def told(chance, score):
    """A row for games of two in which the first had these chances (n, tenths) and scored so."""
    columns = {"deal": np.arange(len(chance)), "plies": np.full(len(chance), 10)}
    columns |= {"score_0": np.array(score), "score_1": 1 - np.array(score)}
    for k in TENTHS:
        columns |= {
            f"ply_{k}": np.full(len(chance), k),
            f"chance_0_{k}": chance[:, k],
            f"chance_1_{k}": 1 - chance[:, k],
        }
        columns |= {f"ahead_0_{k}": chance[:, 0] - 0.5, f"ahead_1_{k}": 0.5 - chance[:, 0]}
    return reading.by_game(pl.DataFrame(columns))


def test_what_is_told_of_a_game_is_what_one_would_count():
    chance = np.array([
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # won: decided from tenth 6 on, a comeback
        [0.5, 0.7, 0.95, 0.4, 0.1, 0.3, 0.9, 0.95, 0.99, 1.0],  # lost: never decided
        [0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],  # drawn
    ])  # fmt: skip
    won, lost, drawn = told(chance, [1.0, 0.0, 0.5]).iter_rows(named=True)
    assert [won[f"decided_{k}"] for k in TENTHS] == [0] * 6 + [1] * 4
    assert [lost[f"decided_{k}"] for k in TENTHS] == [0] * 10
    assert (won["lowest"], won["comeback"], won["changes"]) == (0.1, 1, 2)
    assert (lost["lowest"], lost["comeback"]) == (0.0, 1)
    assert (drawn["lowest"], drawn["comeback"], drawn["winner_3"], drawn["changes"]) == (None, None, None, 0)
    assert [won["favourite_1"], won["favourite_4"], won["favourite_0"]] == [1.0, 0.0, None]
    assert (won["leader_5"], drawn["leader_5"]) == (None, 0.5)
    assert lost["winner_3"] == pytest.approx(0.6)


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["chances"])


def play(runs, *words):
    return command.main([*WORDS, "--runs", str(runs), "--name", "mine", *words])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    assert play(folder) == 0
    return folder


def test_positions_are_those_of_the_games(runs):
    file = next((runs / "mine" / "records").glob("uniform_*.parquet"))
    record = records.read(file)
    seen = sampling.Watched(record, np.random.default_rng(0))
    records.replay(record, seen.observe)
    for row, actions in enumerate(record.games["actions"].to_list()):
        for tenth in TENTHS:
            at = seen.when[tenth, row]
            assert len(actions) * tenth // 10 <= at <= len(actions) * (tenth + 1) / 10
            state = record.game.new(record.games["deal"][row])
            for action in actions[:at]:
                record.game.apply_action(state, action)
            assert seen.states[tenth][row].tobytes() == state[0].tobytes()


def test_everything_is_kept_and_tells_the_same(runs):
    folder = runs / "mine"
    found, page = json.loads((folder / "karma.json").read_text()), (folder / "karma.md").read_text()
    games = pl.read_parquet(folder / "games.parquet")
    assert games.group_by("agent").len().sort("agent").rows() == [("scripted", 5), ("uniform", 2)]
    assert [own["games"] for own in found["agents"]] == [5, 2]
    for own in found["agents"]:
        assert_told(own, page)
        mine = games.filter(pl.col("agent") == own["agent"])
        assert own["figures"] == reading.figures(mine, 0)
    rows = pl.read_parquet(folder / "figures.parquet")
    assert len(rows) == sum(len(own["figures"]) for own in found["agents"])
    for theme in ("light", "dark"):
        assert "score that came of it" in (folder / f"karma-{theme}.svg").read_text()


def assert_told(own, page):
    """All figures of an agent stand on the page, and what came of its chances beside what they said."""
    assert all(report.in_words(row) in page for row in own["figures"] if row["group"] != "reliability")
    for said, came in report.reliability(own):
        assert f"| {said['value']:.3f} | {report.in_words(came)} |" in page
    assert f"In {report.calibrated(own)} ranges" in page


def test_how_many_ranges_agree_is_counted():
    def rows(at, said, low, high):
        told = {"group": "reliability", "at": at}
        return [
            {**told, "figure": "chance", "value": said},
            {**told, "figure": "score", "value": 0.5, "low": low, "high": high},
        ]

    own = {"figures": [*rows(3, 0.4, 0.3, 0.6), *rows(5, 0.52, 0.55, 0.6), {**rows(9, None, 0, 0)[0]}]}
    assert len(report.reliability(own)) == 2 and report.calibrated(own) == "1 of 2"


@pytest.mark.parametrize("page", PAGES, ids=lambda file: file.stem)
def test_shipped_pages_are_of_the_results_beside_them(page):
    found, text = json.loads(page.with_suffix(".json").read_text()), page.read_text()
    assert found["command"] in text and f"--config configs/chances/{page.stem}.toml" in found["command"]
    for own in found["agents"]:
        assert f"`{own['agent']}`, {own['games']:,} games of" in text
        assert_told(own, text)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.stem)
def test_shipped_configs_can_be_played(tmp_path, config):
    words = ["--config", str(config), "--runs", str(tmp_path), "--page", str(tmp_path / "p")]
    prepared = study.prepare(cli.read(Args, command.PROGRAM, words))
    assert prepared.game.id == config.stem and len(prepared.agents) == 3


def test_a_stopped_study_goes_on_and_ends_alike_with_workers(runs, tmp_path, monkeypatch):
    keep, kept = sampling.keep, []

    def stops(*args):
        if kept:
            raise KeyboardInterrupt
        kept.append(args)
        return keep(*args)

    with monkeypatch.context() as broken:
        broken.setattr("benchmarks.chances.study.keep", stops)
        with pytest.raises(SystemExit) as stop:
            play(tmp_path)
    assert stop.value.code == 130
    assert len(list((tmp_path / "mine" / "sampled").iterdir())) == 1
    assert play(tmp_path, "--workers", "2") == 0
    one, two = (pl.read_parquet(place / "mine" / "games.parquet") for place in (runs, tmp_path))
    assert one.equals(two)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["karma", "--worlds", "0"], "worlds=0 is not allowed"),
        (["karma", "--precision", "0.1"], "precision=0.1 is not allowed; allowed: None"),
        (["karma", "--agents", "scripted", "scripted"], "allowed: agents that differ"),
        (["karma", "--deals", "1"], "deals=1 is not allowed"),
    ],
    ids=["worlds", "precision", "same", "deals"],
)
def test_mistakes_are_told_in_a_line(words, message, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([*words, "--runs", str(tmp_path)])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
