"""After the end: the same deal against other agents, and playing on from a table of the replay."""

import html
import re
from urllib.parse import parse_qsl

import pytest

import tantra_envs
from agents import load
from tantra_envs.commands.play import Args, prepare
from tantra_envs.table.history import deal, saved_history
from tantra_envs.table.session import ALONE, Person, RefusedError, Session

from .serving import Client, play, seated, served, shown


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = prepare(Args("karma", ("players=3",), seats=("me", "scripted", "scripted"), seed=3, delay=0))[0].session
    play(session)
    return session


def test_the_same_deal_is_played_against_other_agents(session):
    (person,), first, file = session.people, session.history, session.file
    assert shown(session).ending.same and "greedy" in [name for name, _ in shown(session).levels]
    with pytest.raises(ValueError, match=r"level='my_agent\.py:Agent' is not allowed; allowed: uniform, greedy"):
        session.same(person, session.version, "my_agent.py:Agent")
    session.same(person, session.version, "greedy")
    with pytest.raises(RefusedError, match=ALONE):  # this game is not over
        session.same(person, session.version, "greedy")
    assert [chair.name for chair in session.chairs] == ["", "greedy", "greedy"]
    assert session.history.start.tobytes() == first.start.tobytes() and not session.history.moves
    assert session.history.facts.repeated and session.history.facts.deal == first.facts.deal == 3
    play(session)
    assert session.earlier == [f"against scripted: {first.facts.verdict}"]
    assert session.file != file and saved_history(file.read_bytes()).save() == first.save()  # no game is lost
    assert saved_history(session.file.read_bytes()).facts.seats == ["me", "greedy", "greedy"]


def linked(client):
    """What the link of the replay gives to the page of the table."""
    page = client.get("replay")[1].decode()
    found = re.search(r'<a class="branch" href="\./#([^"]+)"', page)
    return dict(parse_qsl(html.unescape(found[1]))) if found else {}


def test_a_person_plays_on_from_a_table_of_the_replay_as_another_game(session):
    first, file = session.history, session.file
    with served(session) as server:
        client = Client(server)
        link = linked(client)
        assert link == {"version": session.version, "from": "0"}
        wish = {"do": "branch", "version": link["version"]}
        for wrong in ({"length": -1}, {"length": len(first.moves)}, {"length": 20, "version": "another"}):
            assert client.act({**wish, **wrong})[0] == 409
        assert client.act({**wish, "length": 20}) == (200, {})
        assert client.get("replay")[0] == client.act({**wish, "length": 10})[0] == 409  # it was of another game
    assert [past.action for past in session.history.moves[:20]] == [past.action for past in first.moves[:20]]
    assert session.history.facts.branch and not session.history.facts.repeated and not session.fresh
    assert file.read_bytes() == first.save() and session.file != file
    play(session)
    assert saved_history(session.file.read_bytes()).facts.branch


def test_watchers_and_several_people_cannot_play_a_game_again():
    game = tantra_envs.game("karma", players=2)
    watched = Session(deal(game, 1), [load("scripted", game)] * 2, [Person()])
    for session in (watched, seated("karma", "me,me")):
        play(session)
        with served(session) as server:
            assert linked(Client(server, session.readers[0])) == {} and not shown(session).ending.same
        for again in ((session.branch, 3), (session.same, "greedy")):
            with pytest.raises(RefusedError, match=ALONE):
                again[0](session.readers[0], session.version, again[1])
