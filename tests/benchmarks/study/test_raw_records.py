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
# An ablation of each game, the actions that go with it, and where; what lengthens a loop is no block of actions.
TABLES = {
    "karma": ("declining", "decline", ("PLAY", "FOLLOW")),
    "kanastic:round": ("stack", "take_stack", ()),
    "tantra": ("buying", "buy", ()),
    "tantrix": ("loops", None, ()),
    "tarot:hand": ("showing", "yes", ("DECLARE",)),
}


class Replayed:
    """A game of a record: who sat where, what each team was paid, who had the first turn, and all decisions."""

    def __init__(self, game, row):
        state = game.new(row["deal"])
        self.seats, self.first, self.length = row["seats"], int(state["seat"][0]), len(row["actions"])
        if game.id == "tantra":  # whoever speaks about the first discard need not be in turn
            self.first = (int(state["dealer"][0]) + 1) % game.players
        self.paid, self.decisions = np.zeros(game.players), []
        for action in row["actions"]:
            phase = game.phases[int(state["phase"][0])]
            self.decisions.append((int(state["seat"][0]), phase, game.legal(state)))
            game.apply_action(state, action)
            self.paid += state["rewards"][0, : game.players]
        self.teams = game.teams

    def score(self, seat):
        """The share of the other teams that have less than the seat's, half for as much."""
        others = [self.paid[team[0]] for team in self.teams if seat not in team]
        return sum((self.paid[seat] > other) + 0.5 * (self.paid[seat] == other) for other in others) / len(others)

    def missed(self, seats, gone, phases):
        """In how many decisions these seats would have had such actions to choose from besides others."""
        asked = [set(legal) for seat, phase, legal in self.decisions if seat in seats and phase in (phases or [phase])]
        return sum(bool(gone & legal) and not legal <= gone for legal in asked)


@pytest.fixture(params=TABLES, ids=lambda table: table.replace(":", "-"))
def played(request, tmp_path, monkeypatch):
    """The game, the figures of its ablation, the bare games and their tally."""
    monkeypatch.setattr(report, "write_study_page", lambda *_: None)  # drawing takes longest
    name = TABLES[request.param][0]
    deals = ["--deals", str(DEALS), "--ablated", "scripted", "--without", name, "--sections", "ablations"]
    assert main(["study", request.param, *deals, "--runs", str(tmp_path), "--name", "mine"]) == 0
    game = tantra_envs.game(request.param)
    rows = {row["measure"]: row for row in pl.read_parquet(tmp_path / "mine/figures.parquet").iter_rows(named=True)}
    (file,) = (tmp_path / "mine/records").iterdir()
    bare = [Replayed(game, own) for own in pl.read_parquet(file).iter_rows(named=True)]
    return game, rows, bare, tally(file), TABLES[request.param]


def test_figures_are_what_the_bare_actions_say(played):
    game, rows, bare, games, (_, denied, phases) = played
    assert len(bare) == DEALS * len(game.teams)
    mean_length, score = figures_of(game, [LENGTH, SEAT])
    assert figures(games, [mean_length])["value"][0] == pytest.approx(np.mean([own.length for own in bare]))
    (first, *_) = figures(games, [score], ["place"])["value"]
    assert first == pytest.approx(np.mean([own.score(own.first) for own in bare]))
    alone = [[seat for seat, agent in enumerate(own.seats) if "without" in agent] for own in bare]
    scores = [own.score(mine[0]) for own, mine in zip(bare, alone, strict=True)]
    assert rows["worth of an option"]["value"] == pytest.approx(0.5 - np.mean(scores))
    (gap,) = figures(games, skill.figures(game)[:1])["value"]
    assert gap == pytest.approx(np.mean(scores))
    if denied:
        block = game.actions[denied]
        gone = set(range(block.start, block.stop))
        missed = [own.missed(mine, gone, phases) for own, mine in zip(bare, alone, strict=True)]
        assert rows["decisions without it"]["value"] == pytest.approx(np.mean(missed))
