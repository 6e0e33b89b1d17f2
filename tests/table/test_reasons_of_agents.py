"""A replay shows why agents chose their actions: by their own ratings, from what their seats could know."""

import numpy as np
import pytest

from agents import load
from tantra_envs.core.observation import Observation
from tantra_envs.table.lobby import saved_agents
from tantra_envs.table.replays import replay_of
from tests.drawing.test_replay import content

from .serving import Client, play, seated, served


def finished(agent="scripted"):
    """A table with a short game that is over."""
    session = seated("karma", f"me,{agent}", config={"players": 2, "max_moves": 14})
    play(session)
    return session


@pytest.mark.parametrize("route", ["replay", "replay?judged=1"])
def test_the_reasons_of_a_network_are_its_probabilities_next_to_the_chances_of_the_judge(route):
    session = finished("learned")
    with served(session, "search:2") as server:
        told = content(Client(server).get(route)[1].decode())[0]
    agent = load("learned", session.game)
    for ply, past in enumerate(session.history.moves):
        (opinion,) = agent.weigh(Observation(session.game, past.before), np.random.default_rng(0))[1]
        rows = told["reasons"].get(str(ply), {"best": []})["best"]
        assert bool(rows) == (past.seat == 1 and len(opinion.values) > 1)  # a person has no reasons
        if rows:
            assert rows[0][1] == pytest.approx(max(opinion.values.values()), abs=1e-5)
            assert [row[2] for row in rows].count(True) == 1
            assert ("judged" in route) == any(row[4] is not None for row in rows)
        judged = {row[0]: [row[1], row[3]] for row in told["thoughts"].get(str(ply), {"best": []})["best"]}
        for row in rows:
            assert row[0] not in judged or row[4:] == pytest.approx(judged[row[0]], abs=1e-5)
    assert told["reasons"] and told["methods"] == ["", ""]


def asked(session, judge, names, seat=None):
    """What the replay for a reader tells, and the seats whose reasons it shows."""
    agents = [load(name, session.game) for name in names]
    told = content(replay_of(session.history, seat, (), judge and load(judge, session.game), agents).html)[0]
    return told, {told["moves"][int(ply)] for ply in told["reasons"]}


def test_a_reader_of_one_seat_gets_no_reasons_of_others_and_searches_are_asked_only_with_a_judge():
    session = finished()
    assert [asked(session, None, ["learned"] * 2, seat)[1] for seat in (None, 0)] == [{0, 1}, {0}]
    (plain, seats), (judged, judged_seats) = (
        asked(session, judge, ["search:2", "scripted"]) for judge in ("", "search:2")
    )
    assert (seats, judged_seats) == (set(), {0}) and judged["methods"][0] == ""
    assert "search:2" in plain["methods"][0] and "rules of thumb" in plain["methods"][1]


def test_a_saved_game_has_the_reasons_of_agents_that_the_lobby_knows(tmp_path):
    history = finished().history
    history.facts.seats = ["me", "learned"]
    assert [agent and agent.name for agent in saved_agents(history)] == [None, "learned"]
    for words in (["text:touch ran", f"{tmp_path}/agent.py:Agent"], []):  # neither a program nor a file is run
        history.facts.seats = words
        assert saved_agents(history) == [None, None]
