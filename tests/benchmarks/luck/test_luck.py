"""Luck is nothing on the average and is what playing on says, and scores without it mean the same and are surer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from benchmarks.harness import records, shards
from benchmarks.harness.luck import CHECKS, FEWEST, checks, lucks, without
from benchmarks.harness.shards import MatchSpec, Shard
from benchmarks.luck import __main__ as command
from benchmarks.luck import report
from benchmarks.luck.args import Args
from tantra_envs import Observation, cli
from tantra_envs.matches.match import team_scores
from tantra_envs.opponents.scripted import Scripted

ROOT = Path(__file__).resolve().parents[3]
WORDS = ("karma", "--alone", "scripted over 90 deals", "--compare", "greedy against scripted over 80 deals")
SMALL = ("--shard", "40", "--worlds", "2", "--name", "mine")


def play(runs, *words):
    return command.main([*WORDS, *SMALL, "--runs", str(runs), *words])


def kept(runs):
    found = json.loads((runs / "mine" / "karma.json").read_text())
    del found["command"]
    return found


@pytest.fixture(autouse=True)
def command_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["luck"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    assert play(folder) == 0
    return folder


def recorded(folder, game, agents, lineup, deals, seed=1):
    match = MatchSpec(game, (), agents, lineup, seed)
    file = folder / f"{game.replace(':', '-')}-{seed}.parquet"
    records.write(file, shards.label(match), shards.play(Shard(match, 0, deals)))
    return file


def ended(game, state):
    """What all seats are paid in scripted play from a table on, decision by decision."""
    state, paid = state.copy(), np.zeros(game.players)
    while not state["over"][0]:
        game.apply_action(state, int(Scripted(game).act(Observation(game, state), None)[0]))
        paid += state["rewards"][0, : game.players]
    return paid


@pytest.mark.parametrize("name", ["karma", "kanastic:round"])
def test_luck_is_what_playing_on_says(name, tmp_path):
    file = recorded(tmp_path, name, ("uniform", "scripted"), (0, 1), 2)
    record, found = records.read(file), lucks(file, 2, 5)
    game, rng = record.game, np.random.default_rng((5, 0))
    asked = checks(game)
    states, paid = records.dealt(record), np.zeros((len(record.games), game.players))
    for ply in range(asked[1] + 1):
        live = np.flatnonzero(states["over"] == 0)
        if ply in asked:
            seeds = iter(rng.integers(np.iinfo(np.int64).max, size=2 * len(live), dtype=np.int64))
            for k in live:
                truth = ended(game, states[k : k + 1])
                worlds = [ended(game, game.redeal(states[k : k + 1], int(next(seeds)), None)) for _ in range(2)]
                scores = team_scores((np.stack([truth, *worlds]) + paid[k])[:, game.speakers])
                wanted = scores[0] - scores[1:].mean(axis=0)
                assert found[k, :, asked.index(ply)] == pytest.approx(wanted)
        for k in live:
            game.apply_action(states[k : k + 1], record.games["actions"][int(k)][ply])
            paid[k] += states["rewards"][k, : game.players]


@pytest.mark.parametrize("name", ["karma", "kanastic:round", "tantra", "tantrix", "tarot:hand"])
def test_luck_is_nothing_on_the_average_whoever_plays(name, tmp_path):
    teams = len(tantra_envs.game(name).teams)
    file = recorded(tmp_path, name, ("uniform", "greedy"), (0, *(1,) * (teams - 1)), 24)
    found = lucks(file, 2, 0)
    assert found.shape == (24 * teams, teams, CHECKS)
    assert found.sum(axis=1) == pytest.approx(0)  # what one team has of it the others have not
    by_deal = found[:, 0].reshape(24, teams, CHECKS).mean(axis=1)
    assert (abs(by_deal.mean(axis=0)) <= 4 * by_deal.std(axis=0) / np.sqrt(24)).all()


def test_the_plies_asked_about_are_known_before_a_game():
    game = tantra_envs.game("karma")
    assert checks(game) == checks(tantra_envs.game("karma"))
    assert checks(game)[0] == 0 and list(checks(game)) == sorted(set(checks(game)))
    assert 20 < checks(game)[-1] < 200


def test_scores_without_luck_mean_the_same_and_are_surer():
    """A match whose result is known: luck of two checks, one of which counts, and skill that is worth 0.6."""
    rng, errors, widths = np.random.default_rng(0), [], []
    for _ in range(400):
        chance = rng.normal(size=(200, 2))
        scores = 0.6 + 0.3 * chance[:, 0] + rng.normal(size=200) * 0.4
        told = without(scores, chance)
        errors.append(told.mean() - 0.6)
        widths.append(told.std() / scores.std())
    assert abs(np.mean(errors)) < 3 * np.std(errors) / 20  # unbiased
    assert np.mean(widths) == pytest.approx(0.4 / 0.5, abs=0.02)
    assert np.std(errors) == pytest.approx(0.4 / np.sqrt(200), rel=0.15)  # and as sure as it says


def test_luck_that_counts_for_nothing_changes_nothing():
    scores = np.random.default_rng(0).random(100)
    assert without(scores, np.zeros((100, CHECKS))).tolist() == scores.tolist()
    with pytest.raises(ValueError, match=f"deals=10 is not allowed.*{FEWEST}"):
        without(scores[:10], np.zeros((10, CHECKS)))


def test_a_player_against_itself_scores_a_half(runs):
    alone, compared = kept(runs)["rows"]
    assert (alone["against"], alone["plain"]["n"], compared["plain"]["n"]) == (None, 90, 80)
    for kind in ("plain", "without"):
        assert alone[kind]["low"] < 0.5 < alone[kind]["high"]
        assert compared[kind]["high"] < 0.5  # greedy loses to the scripted player
    assert alone["taken"]["low"] <= 0 <= alone["taken"]["high"]


def test_the_page_and_the_pictures_tell_what_was_found(runs):
    folder = runs / "mine"
    rows, page = kept(runs)["rows"], (folder / "karma.md").read_text()
    for row in rows:
        assert report.taken_in_words(row) in page and report.score_in_words(row["without"]) in page
    for theme in ("light", "dark"):
        assert f"karma-{theme}.svg" in page and "scripted and itself" in (folder / f"karma-{theme}.svg").read_text()


def test_a_stopped_study_goes_on_and_ends_alike_with_workers(runs, tmp_path, stopped_after):
    stopped_after(2, lambda: play(tmp_path))
    assert play(tmp_path, "--workers", "2") == 0
    assert kept(tmp_path) == kept(runs)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--worlds", "0"), "worlds=0 is not allowed"),
        (("--alone", "scripted against greedy"), "alone='scripted against greedy' is not allowed"),
        (("--compare", "scripted"), "compare='scripted' is not allowed"),
        (("--alone", "scripted over 20 deals"), f"allowed: {FEWEST} or more"),
        (("--precision", "0.1"), "precision=0.1 is not allowed"),
    ],
    ids=["worlds", "alone", "compare", "deals", "precision"],
)
def test_mistakes_are_told_in_a_line(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        play(tmp_path, *words)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_the_config_can_be_played_and_the_page_is_that_of_its_study():
    args = cli.read(Args, command.PROGRAM, ["--config", str(ROOT / "configs/luck.toml")])
    found = json.loads((ROOT / args.page).with_suffix(".json").read_text())
    assert {row["title"] for row in found["rows"]} == {tantra_envs.game(name).title for name in tantra_envs.GAMES}
    page = (ROOT / args.page).read_text()
    assert found["command"] in page
    for row in found["rows"]:
        assert report.taken_in_words(row) in page and report.score_in_words(row["without"]) in page
