"""The end of rounds and games: verdicts, score sheets, open hands, the next round, and the tally of a session."""

import re

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.table import ending
from tantra_envs.table.history import deal
from tantra_envs.table.reader import Reader
from tantra_envs.table.session import Person, RefusedError, Session
from tantra_envs.table.table import Table

from .serving import is_over, play, seated, shown

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


@pytest.fixture
def hand():
    """A game of Tarot that waits after its first hand. The person decides next."""
    session = seated("tarot", "me,scripted", seed=2, config={"players": 2})
    play(session, lambda session: session.waiting)
    return session


def test_the_table_waits_between_hands_and_adds_them_up(hand):
    (person,), page, before = hand.people, shown(hand), hand.history.save()
    assert hand.history.state["seat"][0] == hand.seat(person)
    assert (page.waiting, page.over, page.yours, page.actions, hand.agent) == (True, False, False, [], None)
    rows = page.ending.sheet.rows
    assert [row[0] for row in rows] == ["hand 1", "total"]
    assert [int(cell) for cell in rows[0][1:]] == [int(cell) for cell in rows[1][1:]]
    with pytest.raises(RefusedError):
        hand.play(person, hand.version, 0)
    assert hand.history.save() == before
    hand.next(person, hand.version)
    for refused in (Reader(hand, person).opened, lambda: hand.next(person, hand.version)):
        with pytest.raises(RefusedError):
            refused()
    assert not hand.waiting


def test_the_end_of_a_hand_is_counted_to_its_last_trick(hand):
    page, person = shown(hand), hand.people[0]
    made, gains = (
        [int(cell) for cell in row[1:]] for row in (page.ending.sheet.reasons[-1], page.ending.sheet.rows[0])
    )
    assert max(gains) == abs(made[0] - made[1]) and min(gains) == 0
    winner = ("You", "Opponent")[made[1] > made[0]]
    assert page.ending.verdict == f"{winner} won the hand: {max(made)} - {min(made)} = +{max(gains)}."
    for picture in (page.svg, Reader(hand, person).opened()):
        tricks, points, totals = np.array(re.findall(r"(\d+) tricks? · (\d+) points? · total (\d+)", picture), int).T
        assert (sum(tricks), sorted(points), sorted(totals)) == (25, sorted(made), sorted(gains))
        assert 'stroke="var(--turn)"' not in picture and "wins<" in picture.replace(">win<", ">wins<")
    assert "Hand 2" not in page.log
    hand.next(person, hand.version)
    page = shown(hand)
    assert "Hand 2" in page.log and not re.search(">wins?<", page.svg)


@pytest.mark.parametrize(("name", "config"), [("kanastic", {"players": 2}), ("tantra", {"players": 3, "n_rounds": 2})])
def test_the_end_of_a_round_shows_the_scores_of_the_sheet(name, config):
    session = seated(name, config=config)
    play(session, lambda t: t.waiting)
    end = ending.end_of_round(session.game, session.history.moves[-1])
    assert end["over"][0] and ending.points(session.game, end) == session.history.scores[-1]
    verdict = shown(session).ending.verdict
    best = max(session.history.scores[-1])
    assert f" won the round: {best:+d} points against " in verdict
    session.undo(session.people[0], session.version)
    assert not session.waiting


def test_a_session_counts_the_games_of_teams_and_partners_stay_together():
    session = seated("kanastic", "me,scripted,scripted,scripted", config={"players": 4, "episode": "round"}, seed=7)
    (person, *others), wins = session.chairs, 0
    for games, seat in enumerate((1, 2, 0), 1):
        play(session)
        wins += session.history.totals[session.chairs.index(person)] > 0
        own = "Partner and You" if session.chairs.index(person) == 2 else "You and Partner"
        tally = shown(session).ending.tally
        assert tally.startswith(f"{games} game") and f"{own} won {wins}" in tally
        assert f"Opponent 1 and Opponent 2 won {games - wins}" in tally
        with pytest.raises(RefusedError, match="The game is over"):
            session.undo(person, session.version)
        session.deal(person, session.version, seed=games, seat=seat)
        assert shown(session).ending is None
        assert session.chairs.index(person) == seat and session.chairs[(seat + 2) % 4] is others[1]


def test_a_finished_game_that_is_resumed_is_not_counted_again():
    session, finished = seated("karma", "me,scripted", config={"players": 2}), []
    play(session)
    again = Session(session.history, session.chairs, ended=lambda _: finished.append(1) or "")
    assert not finished and shown(again).ending.tally == ""
    again.deal(again.people[0], again.version)
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
    watched = Session(session.history, [load("scripted", session.game)] * 2, [person := Person()])
    table, page = Table(watched, None, None), shown(watched)
    assert (page.seat, page.actions, page.yours) == (None, [], False)
    for wish in ({"do": "play", "action": 0}, {"do": "undo"}, {"do": "pace", "speed": "warp"}):
        with pytest.raises(RefusedError):
            table.act(person, **wish, version=watched.version)
    for looked in (table.replay, table.opened):
        with pytest.raises(RefusedError):
            looked(person)
    table.act(person, "pace", version=watched.version, speed="paused")
    assert shown(watched).speed == "paused"
    table.act(person, "deal", version=watched.version, seed=3)
    play(watched)
    assert shown(watched).ending.verdict.startswith(("scripted 1 won: ", "scripted 2 won: "))
    assert table.opened(person).startswith("<svg") and "<svg" in table.replay(person)


def test_a_table_that_is_only_watched_goes_on_from_round_to_round():
    game = tantra_envs.game("kanastic", players=2)
    watched = Session(deal(game, 1), [load("scripted", game)] * 2, [Person()])
    play(watched, lambda session: session.history.last_round)
    page = shown(watched)
    assert (page.over, page.waiting, page.ending) == (False, False, None)


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
    session = seated(name, config=config)
    play(session)
    assert shown(session).ending.covered is covered
