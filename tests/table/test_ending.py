"""The end of rounds and games: verdicts, score sheets, open hands, the next round, and the tally of a session."""

import re

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.table import ending
from tantra_envs.table.history import deal
from tantra_envs.table.table import Person, RefusedError, Table

from .serving import Client, is_over, play, seated, served

NAMES = ["You", "Ann", "Bob", "Cid"]


@pytest.mark.parametrize(("name", "config", "totals", "verdict", "others"), [
    ("karma", {"players": 2}, [1, -1], "You won.", ""),
    ("karma", {"players": 2}, [-1, 1], "You lost.", ""),
    ("karma", {"players": 3}, [1, -1, 1], "You won.", "Ann lost."),
    ("karma", {"players": 3}, [-1, 1, 1], "You lost.", "Ann and Bob won."),
    ("tantrix", {"players": 4}, [0.2, 1, -1, -0.2], "You came second.", "Ann won."),
    ("tantrix", {"players": 4}, [1, 1, -1, -0.2], "You share first place.", ""),
    ("tantrix", {"players": 2}, [0, 0], "It is a draw.", ""),
    ("kanastic", {}, [2, -2, 2, -2], "Your team won.", ""),
    ("kanastic", {}, [-2, 2, -2, 2], "Your team lost.", ""),
])  # fmt: skip
def test_a_verdict_says_who_won(name, config, totals, verdict, others):
    game = tantra_envs.game(name, **config)
    names = NAMES[: game.players]
    said = ending.verdict(game, game.new(1), np.array(totals, float), 0, names)
    assert f"{said.partition(':')[0].removesuffix('.')}." == verdict
    assert ending.others(game, np.array(totals, float), 0, names) == others


def test_a_game_that_was_stopped_has_no_winner():
    game = tantra_envs.game("karma", players=2)
    state = game.new(1)
    state["truncated"] = 1
    assert ending.verdict(game, state, np.zeros(2), 0, NAMES[:2]).startswith("The game was stopped at its limit.")


def test_the_table_waits_between_hands_and_adds_them_up():
    table = seated("tarot", "me,scripted", config={"players": 2})
    play(table, lambda t: t._waiting or is_over(t))
    person = table.people[0]
    with served(table) as server:
        client, before = Client(server), table.history.save()
        state = client.state()
        assert (state["waiting"], state["over"], state["yours"], state["actions"]) == (True, False, False, [])
        rows = state["ending"]["sheet"]["rows"]
        assert [row[0] for row in rows] == ["hand 1", "total"]
        assert [int(cell) for cell in rows[0][1:]] == [int(cell) for cell in rows[1][1:]]
        assert state["ending"]["sheet"]["reasons"][-1][0] == "points of the hand"
        code, picture = client.get("open")
        assert code == 200 and picture.startswith(b"<svg")
        assert client.play(0)[0] == 409
        assert table.history.save() == before
        assert client.act({"do": "next", "version": state["version"]}) == (200, {})
        assert client.get("open")[0] == 409
        assert client.act({"do": "next", "version": table.version})[0] == 409
    assert not table.shown(person)["waiting"]


def test_the_end_of_a_hand_is_counted_to_its_last_trick():
    table = seated("tarot", "me,scripted", config={"players": 2})
    play(table, lambda t: t._waiting)
    person = table.people[0]
    shown = table.shown(person)
    sheet = shown["ending"]["sheet"]
    made, gains = ([int(cell) for cell in row[1:]] for row in (sheet["reasons"][-1], sheet["rows"][0]))
    assert max(gains) == abs(made[0] - made[1]) and min(gains) == 0
    winner = ("You", "Opponent")[made[1] > made[0]]
    assert shown["ending"]["verdict"] == f"{winner} won the hand: {max(made)} - {min(made)} = +{max(gains)}."
    for picture in (shown["svg"], table.opened(person)):
        facts = re.findall(r"(\d+) tricks? · (\d+) points? · total (\d+)", picture)
        assert sum(int(tricks) for tricks, *_ in facts) == 25
        assert sorted(int(points) for _, points, _ in facts) == sorted(made)
        assert sorted(int(total) for *_, total in facts) == sorted(gains)
        assert 'stroke="var(--turn)"' not in picture and "wins<" in picture.replace(">win<", ">wins<")
    assert "Hand 2" not in shown["log"]
    table.next(person, table.version)
    shown = table.shown(person)
    assert "Hand 2" in shown["log"] and not re.search(">wins?<", shown["svg"])


@pytest.mark.parametrize(("name", "config"), [("kanastic", {"players": 2}), ("tantra", {"players": 3, "n_rounds": 2})])
def test_the_end_of_a_round_shows_the_scores_of_the_sheet(name, config):
    table = seated(name, ",".join(["me"] + ["scripted"] * (config["players"] - 1)), config=config)
    play(table, lambda t: t._waiting)
    end = ending.end_of_round(table.game, table.history.moves[-1])
    assert end["over"][0] and ending.points(table.game, end) == table.history.scores[-1]
    verdict = table.shown(table.people[0])["ending"]["verdict"]
    best = max(table.history.scores[-1])
    assert f" won the round: {best:+d} points against " in verdict


def test_agents_do_not_play_on_while_the_table_waits():
    table = seated("tarot", "me,scripted", config={"players": 2})
    play(table, lambda t: t._waiting)
    assert table._decides() is None
    table.undo(table.people[0], table.version)
    assert not table._waiting


def test_all_hands_are_open_at_the_end_and_not_before():
    table = seated("karma", "me,me", config={"players": 2})
    with served(table) as server:
        client = Client(server)
        code, refusal = client.get("open")
        assert code == 409 and b"when the round is over" in refusal
        play(table, is_over)
        assert client.get("open")[0] == 200
        assert client.get("open?palette=mauve")[0] == 400


def test_a_session_counts_the_games_won():
    table = seated("karma", "me,scripted", config={"players": 2})
    person, won = table.people[0], 0
    for seed in range(2):
        play(table, is_over)
        won += table.history.totals[0] > 0
        tally = table.shown(person)["ending"]["tally"]
        assert tally.startswith(f"{seed + 1} game") and f"You won {won}" in tally
        with pytest.raises(RefusedError, match="The game is over"):
            table.undo(person, table.version)
        table.deal(person, table.version, seed=seed)
    assert table._games == 2
    assert sum(table._wins.values()) == 2
    assert table.shown(person)["ending"] is None


def test_a_session_counts_the_games_of_teams_and_partners_stay_together():
    table = seated("kanastic", "me,scripted,scripted,scripted", config={"players": 4, "episode": "round"}, seed=7)
    (person, *others), wins = table.chairs, 0
    for games, seat in enumerate((1, 2, 0), 1):
        play(table, is_over)
        wins += table.history.totals[table.chairs.index(person)] > 0
        tally = table.shown(person)["ending"]["tally"]
        sides = {"You and Partner": wins, "Opponent 1 and Opponent 2": games - wins}
        if table.chairs.index(person) == 2:
            sides = {"Partner and You": wins, "Opponent 1 and Opponent 2": games - wins}
        assert tally.startswith(f"{games} game")
        assert {f"{names} won {number}" for names, number in sides.items()} == set(
            tally[:-1].partition(": ")[2].split(", ")
        )
        table.deal(person, table.version, seed=games, seat=seat)
        assert table.chairs.index(person) == seat and table.chairs[(seat + 2) % 4] is others[1]


def test_a_finished_game_that_is_resumed_is_not_counted_again():
    table, finished = seated("karma", "me,scripted", config={"players": 2}), []
    person = table.people[0]
    play(table, is_over)
    again = type(table)(table.history, table.chairs, table._adviser, ended=lambda _: finished.append(1) or "")
    assert not finished and again.shown(person)["ending"]["tally"] == ""
    again.deal(person, again.version)
    play(again, is_over)
    assert finished == [1] and again.shown(person)["ending"]["tally"].startswith("1 game so far")


def test_nobody_chooses_the_deal_of_several_people():
    table = seated("karma", "me,me", config={"players": 2})
    play(table, is_over)
    with pytest.raises(RefusedError, match="the deal is random"):
        table.deal(table.people[0], table.version, seed=3)
    assert is_over(table)
    table.deal(table.people[0], table.version)
    assert not table.history.moves


def test_watchers_see_every_card_and_may_not_sit_with_people():
    table = seated("karma", "me,scripted", config={"players": 2})
    with pytest.raises(ValueError, match="watchers are not allowed at a table with people"):
        type(table)(table.history, table.chairs, load("scripted", table.game), watchers=[Person()])
    agents = [load("scripted", table.game)] * 2
    watched = type(table)(table.history, agents, agents[0], watchers=[Person()])
    (watcher,) = watched.watchers
    with served(watched) as server:
        client = Client(server, watcher)
        state = client.state()
        assert state["seat"] is None and state["actions"] == [] and not state["yours"]
        assert client.play(0) == (409, {"error": "It is not your turn."})
        assert client.act({"do": "undo", "version": table.version})[0] == 409
        assert client.act({"do": "pace", "version": watched.version, "speed": "paused"}) == (200, {})
        assert client.state()["speed"] == "paused"
        assert client.act({"do": "pace", "version": watched.version, "speed": "warp"})[0] == 409
        assert client.act({"do": "deal", "version": watched.version, "seed": 3}) == (200, {})
        play(watched, is_over)
        assert client.state()["ending"]["verdict"].startswith(("scripted 1 won: ", "scripted 2 won: "))
        assert client.get("replay")[0] == 200


def test_a_table_that_is_only_watched_goes_on_from_round_to_round():
    game = tantra_envs.game("kanastic", players=2)
    agents = [load("scripted", game)] * 2
    watched = Table(deal(game, 1), agents, agents[0], watchers=[Person()])
    play(watched, lambda table: table.history.last_round)
    state = watched.shown(watched.watchers[0])
    assert not state["over"] and not state["waiting"] and state["ending"] is None


def test_a_verdict_counts_what_decides_the_game():
    game = tantra_envs.game("tantra", players=3)
    state, totals = game.new(1), np.array([2.0, -1, -1])
    state["scores"][0, :3] = 50, -60, -115
    assert ending.verdict(game, state, totals, 0, NAMES[:3]) == "You won: 50 points against -60 and -115."
    assert ending.verdict(game, state, totals, 1, NAMES[:3]) == "You lost: -60 points against 50."


def test_a_secret_choice_of_several_cards_is_one_line_of_the_log():
    table = seated("karma", "me,scripted", config={"players": 2})
    play(table, lambda t: t.history.state["phase"][0] != t.history.start["phase"][0])
    log = table.shown(table.people[0])["log"]
    assert log.count("Opponent chooses three cards to lay face up.") == 1
    assert len([line for line in log if line.startswith("You lay")]) == 3 and len(log) == 4


@pytest.mark.parametrize(("name", "config", "covered"), [
    ("tarot", {"players": 3, "episode": "hand"}, True),  # what the dealer has laid away
    ("karma", {"players": 2}, True),
    ("tantrix", {"players": 1, "mode": "solitaire"}, False),
])  # fmt: skip
def test_hands_can_be_closed_only_if_a_seat_would_not_see_them(name, config, covered):
    table = seated(name, ",".join(["me"] + ["scripted"] * (config["players"] - 1)), config=config)
    play(table, is_over)
    assert table.shown(table.people[0])["ending"]["covered"] is covered
