"""An agent that is broken in one kind of decision loses most there, and the page links to the tables."""

import re
import time
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import tantra_envs
from agents import load
from benchmarks.__main__ import main
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Shard, scripted_games
from benchmarks.views import losses
from tantra_envs.core.playouts import Playouts
from tantra_envs.programs.cli import UserError

MINUTE = 60.0  # CPU seconds, without compilation


class PicksUp:
    """The scripted agent of Karma, which picks up the pile at a fifth of the times when it may."""

    name = "picks-up"

    def __init__(self, game):
        self.game = game

    def act(self, obs, rng):
        ratings = np.where(obs.action_mask, Playouts(self.game).rate(obs.known, obs.action_mask), -np.inf)
        pickup = self.game.actions["pickup"].start
        ratings[obs.action_mask[:, pickup].astype(bool) & (rng.random(len(obs)) < 0.2), pickup] = np.inf
        return ratings.argmax(axis=1)


def recorded(folder, game, agents, deals):
    """Play each deal from every seat, with the first agent alone, and write the record."""
    names, lineup = [agent.name for agent in agents], (0, *(1,) * (game.players - 1))
    facts = {"agents": names, "lineup": lineup, "rotations": game.players, "seed": 0, "shuffled": False}
    games = plans.play_games(game, agents, Shard(MatchSpec(game.id, (), tuple(names), lineup, 0), 0, deals))
    (folder / "records").mkdir(parents=True)
    records.write(folder / f"records/match_0000000_{deals}.parquet", records.label(game, facts), games)
    return folder


def groups_of(folder, **options):
    """Return the results, and the groups of decisions in the order of their losses."""
    found = losses.results(losses.load(folder), losses.Args((folder,), **options))
    return found, found.filter(measure=losses.SHARE.name)["part"].to_list()


def test_the_broken_kind_of_decision_stands_first(tmp_path):
    game = tantra_envs.game("karma")
    folder = recorded(tmp_path, game, [PicksUp(game), load("scripted", game)], 40)
    began = time.process_time()
    found, groups = groups_of(folder, judge="scripted", decisions=400)
    assert time.process_time() - began < MINUTE
    assert groups[0].startswith("PLAY: pickup > ")
    share = found.filter(measure=losses.SHARE.name, part=groups[0]).row(0, named=True)
    loss = found.filter(measure=losses.LOSS.name, part=groups[0]).row(0, named=True)
    assert share["value"] > 0.3 and loss["low"] > 0.01
    rows = {row["measure"]: row for row in found.filter(part="").iter_rows(named=True)}
    total, match = rows[losses.TOTAL], rows[losses.MATCH]  # the same, as the judge plays the other seats
    assert total["low"] < match["high"] and match["low"] < total["high"]


def test_decisions_of_few_deals_come_last_without_an_interval():
    zeros = dict.fromkeys(("error", "best", "advised_value", "game", "ply", "seat"), 0.0)
    rows = [
        {"deal": deal, "kind": kind, "loss": loss, "phase": "A", "advised_kind": "b", "file": "", "words": "", **zeros}
        for kind, loss, deals in (("rare", 1.0, 3), ("usual", 0.1, 4))
        for deal in range(deals)
    ]
    match = pl.DataFrame({"deal": [0, 1], "score": [0.5, 0.5]})
    lines = losses._lines(pl.DataFrame(rows), {}, 9.0, 1.0, match)
    groups = [(line["part"], line["low"] is None) for line in lines if line["measure"] == losses.LOSS.name]
    assert groups[1:] == [("A: usual > b", False), ("A: rare > b", True)]
    rows += [{**rows[0], "loss": -9.0}]
    lines = losses._lines(pl.DataFrame(rows), {}, 9.0, 1.0, match)
    shares = {line["part"]: line["value"] for line in lines if line["measure"] == losses.SHARE.name}
    assert shares["A: usual > b"] > 0 > shares["A: rare > b"]  # a loss is above 0, also of an agent that gains


def test_an_agent_loses_nothing_before_itself_as_the_judge(tmp_path):
    game = tantra_envs.game("karma")
    folder = recorded(tmp_path, game, [load("scripted", game), load("uniform", game)], 10)
    with pytest.raises(UserError, match="scripted plays all actions of the judge scripted in games that end"):
        groups_of(folder, judge="scripted")
    endless = [replace(own, games=own.games.with_columns(truncated=True)) for own in losses.load(folder)]
    with pytest.raises(UserError, match=r"uniform plays all actions .* in games that end"):
        losses.results(endless, losses.Args((folder,), agent="uniform", judge="scripted"))
    other, _ = groups_of(folder, judge="scripted", decisions=100, samples=16, agent="uniform")
    assert other.filter(measure=losses.LOSS.name, part="")["low"][0] > 0


def test_the_command_prints_the_table_and_writes_a_page_with_links(tmp_path, capsys):
    game = tantra_envs.game("karma")
    folder = recorded(tmp_path / "my run", game, [PicksUp(game), load("scripted", game)], 20)
    words = ["show", "losses", str(folder), "--judge", "scripted", "--decisions", "150", "--samples", "16"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert (folder / "losses.csv").is_file() and not (folder / "results.csv").exists()  # that of the run stays
    assert (
        "pickup > one" in out and "loss in the match" in out and "scripted can be wrong, too: in these decisions" in out
    )
    page = (folder / "losses.md").read_text(encoding="utf-8")
    links = re.findall(r"\((losses/[\w-]+\.html)#(\d+)\)", page)
    record = records.read(next((folder / "records").iterdir()))
    for link, ply in links:
        row = int(link.rpartition("-")[2].removesuffix(".html"))
        assert (folder / link).is_file() and 0 <= int(ply) < record.plies[row]
    assert links


@pytest.mark.parametrize(("words", "message"), [
    (["--agent", "nobody"], "agent='nobody' is not allowed; allowed: scripted, uniform"),
    (["--judge", "nobody"], "nobody"),
])  # fmt: skip
def test_wrong_options_are_refused(tmp_path, refusal, words, message):
    game = tantra_envs.game("karma")
    folder = recorded(tmp_path, game, [load("scripted", game), load("uniform", game)], 1)
    assert message in refusal(main, ["show", "losses", str(folder), *words])
    assert [file.name for file in folder.iterdir()] == ["records"]


def played(name):
    """Return the phase and the kind of every action in some games."""
    game, found = tantra_envs.game(name), []

    def observe(t):
        phases = [game.phases[phase] for phase in t.before["phase"]]
        found.extend(zip(phases, losses.kinds_of(game, t.before, t.actions), strict=True))

    records.replay(scripted_games(game, 0, 4), observe)
    return found


def test_kinds_are_blocks():
    assert {kind for _, kind in played("karma")} <= {block.name for block in tantra_envs.game("karma").actions}


def test_half_of_the_cards_of_tarot_for_two_lead_and_the_others_follow():
    """The card after a Fool that was led counts as leading, too."""
    cards = [kind for phase, kind in played("tarot:hand") if phase == "PLAY"]
    assert len(cards) == 200 and 100 <= sum("leads" in kind for kind in cards) <= 100 + 4
    assert {"card, leads", "card, ruffs, is_trump"} <= set(cards)
