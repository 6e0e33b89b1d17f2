"""Figures of studies, computed again from the recorded actions by separate code."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness.figures import figures
from benchmarks.study import report, skill
from benchmarks.study.tally import LENGTH, SEAT, figures_of, tally

DEALS = 3
TABLES = ("karma", "kanastic:round", "tantra", "tantrix", "tarot:hand")


class Replayed:
    """A game of a record: who sat where, what each team was paid, and who had the first turn."""

    def __init__(self, game, row):
        state = game.new(row["deal"])
        self.seats, self.first, self.length = row["seats"], int(state["seat"][0]), len(row["actions"])
        if game.id == "tantra":  # whoever speaks about the first discard need not be in turn
            self.first = (int(state["dealer"][0]) + 1) % game.players
        self.paid = np.zeros(game.players)
        for action in row["actions"]:
            game.apply_action(state, action)
            self.paid += state["rewards"][0, : game.players]
        self.teams = game.teams

    def score(self, seat):
        """The share of the other teams that have less than the seat's, half for as much."""
        others = [self.paid[team[0]] for team in self.teams if seat not in team]
        return sum((self.paid[seat] > other) + 0.5 * (self.paid[seat] == other) for other in others) / len(others)


@pytest.fixture(params=TABLES, ids=lambda table: table.replace(":", "-"))
def played(request, tmp_path, monkeypatch):
    """The game, the figures of a pair of agents, its bare games and their tally."""
    monkeypatch.setattr(report, "write_study_page", lambda *_: None)  # drawing takes longest
    deals = ["--deals", str(DEALS), "--agents", "uniform", "scripted", "--sections", "skill"]
    assert main(["study", request.param, *deals, "--runs", str(tmp_path), "--name", "mine"]) == 0
    game = tantra_envs.game(request.param)
    pair = pl.read_parquet(tmp_path / "mine/figures.parquet").filter(lineup="scripted - uniform")
    rows = {row["measure"]: row for row in pair.iter_rows(named=True)}
    (file,) = (tmp_path / "mine/records").glob("0_scripted-among-uniform_*")
    bare = [Replayed(game, own) for own in pl.read_parquet(file).iter_rows(named=True)]
    return game, rows, bare, tally(file)


def test_figures_are_what_the_bare_actions_say(played):
    game, rows, bare, games = played
    assert len(bare) == DEALS * len(game.teams)
    mean_length, score = figures_of(game, [LENGTH, SEAT])
    assert figures(games, [mean_length])["value"][0] == pytest.approx(np.mean([own.length for own in bare]))
    (first, *_) = figures(games, [score], ["place"])["value"]
    assert first == pytest.approx(np.mean([own.score(own.first) for own in bare]))
    scores = [own.score(own.seats.index("scripted")) for own in bare]
    assert rows["score of A"]["value"] == pytest.approx(np.mean(scores))
    (gap,) = figures(games, skill.figures(game)[:1])["value"]
    assert gap == pytest.approx(np.mean(scores))
