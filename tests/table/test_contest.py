"""A match of a person: its deals, what it forbids, its result, and how it goes on."""

import json
import time

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.commands.play import Args, prepare
from tantra_envs.core.observation import Observation
from tantra_envs.matches.seeds import deal_seeds
from tantra_envs.table.contest import Contest, why_not
from tantra_envs.table.history import deal, saved_history
from tantra_envs.table.table import RefusedError

from .serving import Client, is_over, play, served

WAIT = 120.0  # seconds for the agents of a match


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def match(here, deals=2, **given):
    options = {"seats": ("me", "scripted"), "seed": 7, "deals": deals, "compare": ("scripted", "uniform")}
    args = Args("karma", ("players=2",), record=here / "people", best=here / "best.json", **{**options, **given})
    return prepare(args)[0]


def result(table):
    """The rows of the result, when the agents have played."""
    end = time.monotonic() + WAIT
    while not (rows := table.shown(table.people[0])["ending"]["match"]):
        assert time.monotonic() < end
        time.sleep(0.05)
    return rows


def test_a_match_ends_with_a_comparison_on_the_same_deals(here, capsys):
    table = match(here)
    person, deals = table.people[0], []
    for again in ("Next deal", "Play again"):
        deals.append(table.history.facts.deal)
        play(table, is_over)
        assert table.shown(person)["ending"]["again"] == again
        if again == "Next deal":
            table.deal(person, table.version)
    assert deals == deal_seeds(7, 0, 2).tolist()
    rows = result(table)
    assert [row[0] for row in rows] == ["", "you", "scripted", "uniform"]
    assert rows[2][1] == rows[1][1] and rows[2][2].startswith("+0.000")  # the scripted agent had played for the person
    assert "2 deals of karma_v0 against scripted:" in capsys.readouterr().out
    files = sorted((here / "people").iterdir(), key=lambda file: file.stem)
    assert [saved_history(file.read_bytes()).facts.deal for file in files] == deals
    table.deal(person, table.version)
    assert table.history.facts.deal not in deals and table.shown(person)["hints"] is True


def test_a_match_allows_no_help_and_no_other_deal(here):
    table = match(here)
    person = table.people[0]
    play(table, lambda table: table.history.state["plies"][0] > 6 and table.history.state["seat"][0] == 0)
    shown, before = table.shown(person), table.history.save()
    assert shown["hints"] is False and shown["undo"] is False
    for act in (
        lambda: table.undo(person, table.version),
        lambda: table.hint(person, table.version),
        lambda: table.deal(person, table.version),
        lambda: table.deal(person, table.version, seed=1),
        lambda: table.deal(person, table.version, seat=1),
        lambda: table.same(person, table.version, "greedy"),
        lambda: table.branch(person, table.version, 0),
    ):
        with pytest.raises(RefusedError):
            act()
    assert table.history.save() == before
    play(table, is_over)
    for refused in (
        lambda: table.same(person, table.version, "greedy"),
        lambda: table.branch(person, table.version, 0),
    ):
        with pytest.raises(RefusedError):
            refused()


def test_a_match_goes_on_from_its_records(here, capsys):
    play(match(here), is_over)
    table = match(here)
    assert "1 of 2 deals of the match are played" in capsys.readouterr().out
    assert table.history.facts.deal == deal_seeds(7, 1, 1)[0]
    play(table, is_over)
    assert [row[0] for row in result(table)][1:] == ["you", "scripted", "uniform"]
    with pytest.raises(ValueError, match="deals=2 is not allowed: all of them are recorded"):
        match(here)
    assert match(here, deals=3).history.facts.deal == deal_seeds(7, 2, 1)[0]
    assert match(here, seats=("scripted", "me")).history.facts.deal == deal_seeds(7, 0, 1)[0]  # another match


def finished(game, seats, **facts):
    """A game that scripted agents have played."""
    history, agent = deal(game, 3), load("scripted", game)
    while not history.state["over"][0]:
        history.play(int(agent.act(Observation(game, history.state), np.random.default_rng(1))[0]))
    for name, value in {"seats": seats, **facts}.items():
        setattr(history.facts, name, value)
    return history


def test_a_game_with_help_or_without_a_numbered_deal_says_nothing_about_a_person():
    game = tantra_envs.game("karma", players=2)
    assert why_not(finished(game, ["me:Ann", "scripted"])) == ""
    assert why_not(deal(game, 3)) == "is not finished"
    for facts, words in (
        ({"seats": ["me", "me"]}, "one person"),
        ({"seats": ["uniform", "scripted"]}, "one person"),
        ({"deal": None}, "numbered deal"),
        ({"deal": 4}, "numbered deal"),
        ({"branch": True}, "numbered deal"),
        ({"hints": 1}, "hints"),
        ({"undone": 2}, "undone"),
        ({"repeated": True}, "repeats"),
    ):
        assert words in why_not(finished(game, **{"seats": ["me", "scripted"], **facts})), facts


def test_a_match_is_for_one_person():
    game = tantra_envs.game("karma", players=3)
    with pytest.raises(ValueError, match="for one person against agents, not for 2 people"):
        Contest(game, ["me", "me:Ann", "scripted"], 1, 2, [], lambda name: load(name, game))


def test_an_agent_that_cannot_play_is_refused_before_the_match(here):
    with pytest.raises(ValueError, match="unknown agent 'wizard'"):
        match(here, compare=("wizard",))
    for wrong in ({"deals": None}, {"deals": 0}):
        with pytest.raises(ValueError, match=r"--compare is not allowed|deals=0 is not allowed"):
            match(here, **wrong)


def test_the_page_shows_the_match(here):
    table = match(here, deals=1)
    with served(table) as server:
        client = Client(server)
        assert client.state()["hints"] is False
        play(table, is_over)
        result(table)
        rows = client.state()["ending"]["match"]
        assert len(rows) == 4 and json.dumps(rows).count("[") > 6
