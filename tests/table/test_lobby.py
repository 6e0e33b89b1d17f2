"""The lobby: what it offers, tables that it opens, what it refuses, and who may use it."""

import json
import urllib.request
from dataclasses import replace

import pytest

from tantra_envs.games import SHIPPED
from tantra_envs.table import lobby as rooms
from tantra_envs.table.page import GONE, LOBBY, PAGE

from .browser import Browser, needed
from .serving import ask, play, seated, served


def send(server, wish, **headers):
    link = server.lobby_link()
    usual = {"Origin": link.split("/l/")[0], "Content-Type": "application/json"}
    code, content = ask(urllib.request.Request(f"{link}act", json.dumps(wish).encode(), {**usual, **headers}))
    return code, json.loads(content)


KARMA = {"do": "open", "game": "karma", "seats": ["me", "uniform"], "seed": 3}


def test_the_lobby_lists_every_game_with_its_variants_seats_and_picture(lobby):
    with served(None, lobby=lobby) as server:
        assert ask(urllib.request.Request(server.lobby_link())) == (200, LOBBY)
        code, content = ask(urllib.request.Request(f"{server.lobby_link()}games"))
        games = json.loads(content)["games"]
        assert code == 200 and {game["id"] for game in games} == set(SHIPPED)
        for game in games:
            assert len(game["text"]) > 80
            assert all(one["players"] in one["seats"] and len(one["text"]) > 10 for one in game["variants"])
            code, picture = ask(urllib.request.Request(f"{server.lobby_link()}picture?game={game['id']}"))
            assert code == 200 and picture.startswith(b"<svg") and b'class="te"' in picture and b"<text" not in picture
        for path in ("picture?game=chess", "picture?game=../karma", "picture", "else", "state"):
            assert ask(urllib.request.Request(server.lobby_link() + path))[0] in (404, 405)


def test_variants_for_training_are_not_offered_and_can_be_opened(lobby):
    offered = {(game["id"], one["name"]) for game in rooms.catalogue() for one in game["variants"]}
    assert ("tarot", "hand") in offered and ("tarot", "") in offered
    assert not {("tarot", "scored"), ("tantra", "ranked"), ("kanastic", "dense")} & offered
    assert lobby.open("tarot", ["me", "uniform"], variant="scored").session.game.config["reward"] == "score"


@pytest.mark.parametrize(("seats", "names", "places"), [
    (["me", "uniform"], ["first player"], [0]),
    (["me", "greedy", "me"], ["first player", "third player"], [0, 2]),
    (["uniform", "uniform"], ["watch"], [None]),
    (["me:Ann <b>", "me", "uniform"], ["first player, Ann <b>", "second player"], [0, 1]),
])  # fmt: skip
def test_everybody_has_a_page_and_one_reader_alone_a_way_back(lobby, seats, names, places):
    with served(None, lobby=lobby) as server:
        code, reply = send(server, {**KARMA, "seats": seats})
        assert code == 200 and [page["name"] for page in reply["pages"]] == names
        links = [server.address + page["path"] for page in reply["pages"]]
        assert ask(urllib.request.Request(links[0])) == (200, PAGE)
        states = [json.loads(ask(urllib.request.Request(f"{link}state"))[1]) for link in links]
        assert [state["seat"] for state in states] == places
        assert {state["lobby"] for state in states} == {"" if len(names) > 1 else f"/l/{lobby.token}/"}
        assert seats[0] != "me:Ann <b>" or states[1]["seats"] == ["Ann <b>", "You", "Opponent"]
        session = server.table.session
        assert session.history.start.tobytes() == session.game.new(3).tobytes()


@needed
def test_open_games_of_one_person_are_found_from_any_browser(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        alone = send(server, KARMA)[1]["pages"][0]["path"]
        send(server, {**KARMA, "seats": ["me", "me"]})  # their links are secret
        assert [game["path"] for game in lobby.saved()["open"]] == [alone]
        page.open(server.lobby_link())
        page.wait("document.querySelectorAll('#tables a').length")
        assert page.run("[...document.querySelectorAll('#tables a')].map((link) => link.pathname)") == [alone]
        play(lobby.tables[0].session)
        page.run("shelf()")
        page.wait("$('running').hidden && document.querySelectorAll('#saved a').length === 1")


@pytest.mark.parametrize(("wish", "code", "words"), [
    ({"game": "chess"}, 409, "game='chess' is not allowed"),
    ({"game": "../karma"}, 409, "is not allowed"),
    ({"game": "karma:sixty"}, 409, "is not allowed"),
    ({"variant": "nine"}, 409, "unknown variant 'nine'"),
    ({"seats": ["me"]}, 409, "players=1 is not allowed"),
    ({"seats": []}, 409, "players=0 is not allowed"),
    ({"seats": ["me", "/tmp/agent.py:Agent"]}, 409, "is not allowed; allowed: me, me:NAME, uniform"),
    ({"seats": ["me", "ppo:/etc/passwd"]}, 409, "is not allowed; allowed: me, me:NAME, uniform"),
    ({"seats": ["me:", "uniform"]}, 409, "is not allowed"),
    ({"seats": ["me:a\nb", "uniform"]}, 409, "is not allowed"),
    ({"seats": ["me:" + 21 * "x", "uniform"]}, 409, "is not allowed"),
    ({"seats": ["me", ["me"]]}, 409, "is not allowed; allowed: me, me:NAME, uniform"),
    ({"seats": "me"}, 400, "seats is not allowed; allowed: a list"),
    ({"seed": -1}, 409, "seed=-1 is not allowed"),
    ({"step": 3}, 409, "step=3 is not allowed; allowed: none"),
    ({"game": "tantrix", "variant": "discovery", "seats": ["me"], "step": 31}, 409, "allowed: 3..30"),
    ({"step": "3"}, 400, "step is not allowed; allowed: a whole number"),
    ({"seed": True}, 400, "seed is not allowed; allowed: a whole number"),
    ({"version": "1"}, 400, "unknown field"),
    ({"do": "play"}, 400, "do is not allowed; allowed: open"),
])  # fmt: skip
def test_a_table_that_cannot_be_opened_is_refused_and_changes_nothing(lobby, wish, code, words):
    with served(None, lobby=lobby) as server:
        status, reply = send(server, {**KARMA, **wish})
        assert (status, words in reply["error"]) == (code, True), reply
        assert lobby.tables == []


def test_only_the_page_of_the_lobby_opens_tables(lobby):
    with served(None, lobby=lobby) as server:
        for headers in ({"Origin": "http://evil.example"}, {"Content-Type": "text/plain"}):
            assert send(server, KARMA, **headers)[0] == 400
        assert send(server, KARMA, Host="evil.example")[0] == 403
        lobby.token = "another"
        code, reply = send(server, KARMA)
        assert code == 200 and reply["pages"]
        link = server.lobby_link().replace("another", "x")
        assert ask(urllib.request.Request(link))[0] == 404
        assert ask(urllib.request.Request(link.replace("/l/x/", "/l/")))[0] == 404
    with served(seated("karma", "me,me")) as plain:
        assert plain.lobby_link() == ""


def test_a_finished_table_is_closed_before_a_watched_one_and_then_the_oldest_game(lobby, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_TABLES", 3)
    game, watched, finished = (lobby.open("karma", ["me", "uniform"]), lobby.open("karma", ["uniform"] * 2),
                               lobby.open("karma", ["me", "uniform"]))  # fmt: skip
    watched.session.pace(watched.session.watchers[0], watched.session.version, "paused")
    play(finished.session)
    second = lobby.open("karma", ["me", "uniform"])
    assert lobby.tables == [game, watched, second]
    third = lobby.open("karma", ["me", "uniform"])
    assert lobby.tables == [game, second, third]
    fourth = lobby.open("karma", ["me", "uniform"])
    assert lobby.tables == [second, third, fourth]
    for table in (game, watched, finished):
        assert table.runner._turn() is None


@needed
def test_a_link_opens_its_table_again_after_it_was_closed_or_the_server_has_started_again(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        link = server.address + send(server, KARMA)[1]["pages"][0]["path"]
        table = lobby.tables[0]
        play(table.session, lambda session: len(session.history.moves) > 4)
        page.open(link)
        page.wait("typeof state === 'object' && state.svg")
        lobby.tables.clear()
        table.runner.close()
        page.wait("$('message').textContent.startsWith('This table is closed.') && !state.yours")
        assert ask(urllib.request.Request(f"{link}state"))[0] == 404  # a page that is open opens nothing
        page.run("location.reload()")
        page.wait("typeof state === 'object' && state.svg && !$('message').textContent")
    (again,) = lobby.tables
    assert again.session.file == table.session.file and again.session.people[0].token == table.session.people[0].token
    play(again.session)
    again.session.deal(again.session.people[0], again.session.version)
    play(again.session, lambda session: len(session.history.moves) > 4)
    other = replace(lobby, tables=[])  # as a server that has started again
    with served(None, lobby=other) as server:
        for token, code in ((table.session.people[0].token, 200), ("another", 404)):
            assert ask(urllib.request.Request(f"{server.address}/t/{token}/"))[0] == code
        assert (
            [table.session.file.name for table in other.tables]
            == [again.session.file.name]
            != [table.session.file.name]
        )


@needed
def test_opponents_are_offered_by_what_they_do(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        page.open(server.lobby_link())
        page.wait("typeof games === 'object' && games.length && $('seats').querySelector('select')")
        for options in ("$('level')", "$('seats').querySelectorAll('select')[1]"):
            assert "usual: follows rules of thumb" in page.run(f"[...{options}.options].map((one) => one.text)")


@needed
def test_a_link_that_is_unknown_leads_to_the_lobby(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        page.open(server.address + send(server, KARMA)[1]["pages"][0]["path"])
        page.wait("typeof state === 'object' && state.svg")
        page.open(f"{server.address}/t/another/")
        page.wait(f"document.getElementById('lobby')?.checkVisibility() && $('lobby').pathname === '/l/{lobby.token}/'")
        assert ask(urllib.request.Request(f"{server.address}/t/another/")) == (404, GONE)


def test_the_address_without_a_path_leads_to_the_lobby_on_the_own_machine_only(lobby):
    for shared in (False, True):
        with served(None, lobby=lobby, shared=shared) as server:
            code, content = ask(urllib.request.Request(server.address))
            assert (code, content) == ((404, GONE) if shared else (200, LOBBY))
            assert ask(urllib.request.Request(server.address, headers={"Host": "evil.example"}))[0] == 403


def test_every_number_of_players_that_is_offered_can_be_played():
    offered = {(game["id"], one["name"]): one["seats"] for game in rooms.catalogue() for one in game["variants"]}
    assert offered["karma", ""] == [2, 3, 4] and offered["karma", "sixty"] == [2, 3, 4, 5, 6]
    for (name, variant), seats in offered.items():
        assert seats and all(rooms.game_at_table(name, variant, players) for players in seats)
