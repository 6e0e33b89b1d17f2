"""After the end: the same deal against other agents, and playing on from a table of the replay."""

import re
from urllib.parse import parse_qs

import pytest

import tantra_envs
from agents import load
from tantra_envs.commands.play import Args, prepare
from tantra_envs.table.history import deal, saved_history
from tantra_envs.table.table import Person, Table

from .serving import Client, is_over, play, seated, served


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table, _ = prepare(Args("karma", ("players=3",), seats=("me", "scripted", "scripted"), seed=3, delay=0))
    play(table, is_over)
    return table


def test_the_same_deal_is_played_against_other_agents(table):
    first, file = table.history, table.file
    with served(table) as server:
        client = Client(server)
        state = client.state()
        assert state["ending"]["same"] is True and "greedy" in [name for name, _ in state["levels"]]
        wish = {"do": "same", "version": state["version"]}
        code, reply = client.act({**wish, "level": "my_agent.py:Agent"})
        assert code == 400 and "level is not allowed; allowed: uniform, greedy" in reply["error"]
        assert client.act({**wish, "level": "greedy"}) == (200, {})
        assert client.act({**wish, "level": "greedy"})[0] == 409  # this game is not over
    assert [chair.name for chair in table.chairs] == ["", "greedy", "greedy"]
    assert table.history.start.tobytes() == first.start.tobytes() and not table.history.moves
    assert table.history.facts.repeated and table.history.facts.deal == first.facts.deal == 3
    play(table, is_over)
    (earlier,) = table.shown(table.people[0])["ending"]["earlier"]
    assert earlier == f"against scripted: {first.facts.verdict}"
    assert table.file != file and saved_history(file.read_bytes()).save() == first.save()  # no game is lost
    assert saved_history(table.file.read_bytes()).facts.seats == ["me", "greedy", "greedy"]


def linked(client):
    """What the link of the replay gives to the page of the table."""
    page = client.get("replay")[1].decode()
    found = re.search(r'<a class="branch" href="\./#([^"]+)"', page)
    return {name: value for name, (value,) in parse_qs(found[1].replace("&amp;", "&")).items()} if found else {}


def test_a_person_plays_on_from_a_table_of_the_replay_as_another_game(table):
    first, file = table.history, table.file
    with served(table) as server:
        client = Client(server)
        link = linked(client)
        assert link == {"version": table.version, "from": "0"}
        wish = {"do": "branch", "version": link["version"]}
        for wrong in (-1, len(first.moves)):
            assert client.act({**wish, "length": wrong})[0] == 409
        assert client.act({**wish, "length": 20}) == (200, {})
        assert client.get("replay")[0] == 409
        assert client.act({**wish, "length": 10})[0] == 409  # the replay was of another game
    assert [past.action for past in table.history.moves[:20]] == [past.action for past in first.moves[:20]]
    assert table.history.facts.branch and not table.history.facts.repeated and not table.fresh
    assert file.read_bytes() == first.save() and table.file != file
    play(table, is_over)
    assert saved_history(table.file.read_bytes()).facts.branch


def test_watchers_and_several_people_cannot_play_a_game_again():
    game = tantra_envs.game("karma", players=2)
    agents = [load("scripted", game)] * 2
    watched, people = Table(deal(game, 1), agents, agents[0], watchers=[Person()]), seated("karma", "me,me")
    for table in (watched, people):
        play(table, is_over)
        with served(table) as server:
            client = Client(server, table.readers[0])
            assert linked(client) == {} and client.state()["ending"]["same"] is False
            for wish in ({"do": "branch", "length": 3}, {"do": "same", "level": "greedy"}):
                assert client.act({**wish, "version": table.version})[0] == 409
