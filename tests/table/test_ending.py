"""The end of rounds and games: verdicts, score sheets, open hands, the next round, and the tally of a session."""

import re

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.table import ending
from tantra_envs.table.history import deal
from tantra_envs.table.reader import Reader
from tantra_envs.table.runner import Runner
from tantra_envs.table.session import Person, RefusedError, Session

from .serving import Client, is_over, play, seated, served, shown

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
    session = seated("tarot", "me,scripted", config={"players": 2})
    play(session, lambda t: t.waiting or is_over(t))
    with served(session) as server:
        client, before = Client(server), session.history.save()
        state = client.state()
        assert (state["waiting"], state["over"], state["yours"], state["actions"]) == (True, False, False, [])
        rows = state["ending"]["sheet"]["rows"]
        assert [row[0] for row in rows] == ["hand 1", "total"]
        assert [int(cell) for cell in rows[0][1:]] == [int(cell) for cell in rows[1][1:]]
        assert state["ending"]["sheet"]["reasons"][-1][0] == "points of the hand"
        code, picture = client.get("open")
        assert code == 200 and picture.startswith(b"<svg")
        assert client.play(0)[0] == 409
        assert session.history.save() == before and Runner(session)._agent() is None
        assert client.act({"do": "next", "version": state["version"]}) == (200, {})
        assert client.get("open")[0] == 409
        assert client.act({"do": "next", "version": session.version})[0] == 409
    assert not session.waiting


def test_the_end_of_a_hand_is_counted_to_its_last_trick():
    session = seated("tarot", "me,scripted", config={"players": 2})
    play(session, lambda t: t.waiting)
    person = session.people[0]
    page = shown(session)
    sheet = page.ending.sheet
    made, gains = ([int(cell) for cell in row[1:]] for row in (sheet.reasons[-1], sheet.rows[0]))
    assert max(gains) == abs(made[0] - made[1]) and min(gains) == 0
    winner = ("You", "Opponent")[made[1] > made[0]]
    assert page.ending.verdict == f"{winner} won the hand: {max(made)} - {min(made)} = +{max(gains)}."
    for picture in (page.svg, Reader(session, person).opened()):
        facts = re.findall(r"(\d+) tricks? · (\d+) points? · total (\d+)", picture)
        assert sum(int(tricks) for tricks, *_ in facts) == 25
        assert sorted(int(points) for _, points, _ in facts) == sorted(made)
        assert sorted(int(total) for *_, total in facts) == sorted(gains)
        assert 'stroke="var(--turn)"' not in picture and "wins<" in picture.replace(">win<", ">wins<")
    assert "Hand 2" not in page.log
    session.next(person, session.version)
    page = shown(session)
    assert "Hand 2" in page.log and not re.search(">wins?<", page.svg)


@pytest.mark.parametrize(("name", "config"), [("kanastic", {"players": 2}), ("tantra", {"players": 3, "n_rounds": 2})])
def test_the_end_of_a_round_shows_the_scores_of_the_sheet(name, config):
    session = seated(name, ",".join(["me"] + ["scripted"] * (config["players"] - 1)), config=config)
    play(session, lambda t: t.waiting)
    end = ending.end_of_round(session.game, session.history.moves[-1])
    assert end["over"][0] and ending.points(session.game, end) == session.history.scores[-1]
    verdict = shown(session).ending.verdict
    best = max(session.history.scores[-1])
    assert f" won the round: {best:+d} points against " in verdict


def test_a_session_counts_the_games_of_teams_and_partners_stay_together():
    session = seated("kanastic", "me,scripted,scripted,scripted", config={"players": 4, "episode": "round"}, seed=7)
    (person, *others), wins = session.chairs, 0
    for games, seat in enumerate((1, 2, 0), 1):
        play(session)
        wins += session.history.totals[session.chairs.index(person)] > 0
        tally = shown(session).ending.tally
        sides = {"You and Partner": wins, "Opponent 1 and Opponent 2": games - wins}
        if session.chairs.index(person) == 2:
            sides = {"Partner and You": wins, "Opponent 1 and Opponent 2": games - wins}
        assert tally.startswith(f"{games} game")
        assert {f"{names} won {number}" for names, number in sides.items()} == set(
            tally[:-1].partition(": ")[2].split(", ")
        )
        with pytest.raises(RefusedError, match="The game is over"):
            session.undo(person, session.version)
        session.deal(person, session.version, seed=games, seat=seat)
        assert shown(session).ending is None
        assert session.chairs.index(person) == seat and session.chairs[(seat + 2) % 4] is others[1]


def test_a_finished_game_that_is_resumed_is_not_counted_again():
    session, finished = seated("karma", "me,scripted", config={"players": 2}), []
    person = session.people[0]
    play(session)
    again = Session(session.history, session.chairs, ended=lambda _: finished.append(1) or "")
    assert not finished and shown(again).ending.tally == ""
    again.deal(person, again.version)
    play(again)
    assert finished == [1] and shown(again).ending.tally.startswith("1 game so far")


def test_nobody_chooses_the_deal_of_several_people():
    session = seated("karma", "me,me", config={"players": 2})
    play(session)
    with pytest.raises(RefusedError, match="the deal is random"):
        session.deal(session.people[0], session.version, seed=3)
    assert is_over(session)
    session.deal(session.people[0], session.version)
    assert not session.history.moves


def test_watchers_see_every_card_and_may_not_sit_with_people():
    session = seated("karma", "me,scripted", config={"players": 2})
    with pytest.raises(ValueError, match="watchers are not allowed at a table with people"):
        Session(session.history, session.chairs, [Person()])
    watched = Session(session.history, [load("scripted", session.game)] * 2, [Person()])
    with served(watched) as server:
        client = Client(server, watched.watchers[0])
        state = client.state()
        assert state["seat"] is None and state["actions"] == [] and not state["yours"]
        assert client.play(0) == (409, {"error": "It is not your turn."})
        assert client.act({"do": "undo", "version": session.version})[0] == 409
        assert client.act({"do": "pace", "version": watched.version, "speed": "paused"}) == (200, {})
        assert client.state()["speed"] == "paused"
        assert client.act({"do": "pace", "version": watched.version, "speed": "warp"})[0] == 409
        assert client.act({"do": "deal", "version": watched.version, "seed": 3}) == (200, {})
        play(watched)
        assert client.state()["ending"]["verdict"].startswith(("scripted 1 won: ", "scripted 2 won: "))
        assert client.get("open")[0] == 200 and client.get("open?palette=mauve")[0] == 400
        assert client.get("replay")[0] == 200


def test_a_table_that_is_only_watched_goes_on_from_round_to_round():
    game = tantra_envs.game("kanastic", players=2)
    watched = Session(deal(game, 1), [load("scripted", game)] * 2, [Person()])
    play(watched, lambda session: session.history.last_round)
    page = shown(watched)
    assert not page.over and not page.waiting and page.ending is None


def test_a_verdict_counts_what_decides_the_game():
    game = tantra_envs.game("tantra", players=3)
    state, totals = game.new(1), np.array([2.0, -1, -1])
    state["scores"][0, :3] = 50, -60, -115
    assert ending.verdict(game, state, totals, 0, NAMES[:3]) == "You won: 50 points against -60 and -115."
    assert ending.verdict(game, state, totals, 1, NAMES[:3]) == "You lost: -60 points against 50."


def test_a_secret_choice_of_several_cards_is_one_line_of_the_log():
    session = seated("karma", "me,scripted", config={"players": 2})
    play(session, lambda t: t.history.state["phase"][0] != t.history.start["phase"][0])
    log = shown(session).log
    assert log.count("Opponent chooses three cards to lay face up.") == 1
    assert len([line for line in log if line.startswith("You lay")]) == 3 and len(log) == 4


@pytest.mark.parametrize(("name", "config", "covered"), [
    ("tarot", {"players": 3, "episode": "hand"}, True),  # what the dealer has laid away
    ("karma", {"players": 2}, True),
    ("tantrix", {"players": 1, "mode": "solitaire"}, False),
])  # fmt: skip
def test_hands_can_be_closed_only_if_a_seat_would_not_see_them(name, config, covered):
    session = seated(name, ",".join(["me"] + ["scripted"] * (config["players"] - 1)), config=config)
    play(session)
    assert shown(session).ending.covered is covered
