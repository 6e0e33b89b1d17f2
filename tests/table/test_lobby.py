"""The lobby: what it offers, tables that it opens, what it refuses, and who may use it."""

import json
from dataclasses import replace

import pytest

from tantra_envs.games import SHIPPED
from tantra_envs.table import lobby as rooms
from tantra_envs.table.page import GONE, LOBBY, PAGE

from .browser import Browser, needed
from .serving import DRAWN, ask, begun, play, seated, send, served

KARMA = {"do": "open", "game": "karma", "seats": ["me", "uniform"], "seed": 3}


def test_the_lobby_lists_every_game_with_its_variants_seats_and_picture(lobby):
    with served(None, lobby=lobby) as server:
        link = server.lobby_link()
        assert ask(link) == (200, LOBBY)
        games = json.loads(ask(f"{link}games")[1])["games"]
        assert {game["id"] for game in games} == set(SHIPPED)
        for game in games:
            assert len(game["text"]) > 80
            assert all(one["players"] in one["seats"] and len(one["text"]) > 10 for one in game["variants"])
            code, picture = ask(f"{link}picture?game={game['id']}")
            assert code == 200 and picture.startswith(b"<svg") and b'class="te"' in picture and b"<text" not in picture
        for path in ("picture?game=chess", "picture?game=../karma", "picture", "else", "state"):
            assert ask(link + path)[0] in (404, 405)


def test_variants_for_training_can_be_opened_but_are_not_offered_and_all_that_is_offered_can_be_played(lobby):
    offered = {(game["id"], one["name"]): one["seats"] for game in rooms.catalogue() for one in game["variants"]}
    assert (
        offered["karma", ""] == [2, 3, 4] and offered["karma", "sixty"] == [2, 3, 4, 5, 6] and offered["tarot", "hand"]
    )
    for (name, variant), seats in offered.items():
        assert seats and all(rooms.game_at_table(name, variant, players) for players in seats)
    assert not {("tarot", "scored"), ("tantra", "ranked"), ("kanastic", "dense")} & set(offered)
    assert lobby.open("tarot", ["me", "uniform"], variant="scored").session.game.config["reward"] == "score"


@pytest.mark.parametrize(("seats", "names", "places"), [
    (["me", "uniform"], ["first player"], [0]),
    (["me", "greedy", "me"], ["first player", "third player"], [0, 2]),
    (["uniform", "uniform"], ["watch"], [None]),
    (["me:Ann <b>", "me", "uniform"], ["first player, Ann <b>", "second player"], [0, 1]),
])  # fmt: skip
def test_everybody_has_a_page_and_one_reader_alone_a_way_back(lobby, seats, names, places):
    with served(None, lobby=lobby) as server:
        code, reply = send(server.lobby_link(), {**KARMA, "seats": seats})
        assert code == 200 and [page["name"] for page in reply["pages"]] == names
        links = [server.address + page["path"] for page in reply["pages"]]
        assert ask(links[0]) == (200, PAGE)
        states = [json.loads(ask(f"{link}state")[1]) for link in links]
        assert [state["seat"] for state in states] == places
        assert {state["lobby"] for state in states} == {"" if len(names) > 1 else f"/l/{lobby.token}/"}
        assert seats[0] != "me:Ann <b>" or states[1]["seats"] == ["Ann <b>", "You", "Opponent"]
        session = server.table.session
        assert session.history.start.tobytes() == session.game.new(3).tobytes()


@needed
def test_the_page_shows_open_games_of_one_person_and_opponents_by_what_they_do(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        alone = send(server.lobby_link(), KARMA)[1]["pages"][0]["path"]
        send(server.lobby_link(), {**KARMA, "seats": ["me", "me"]})  # their links are secret
        assert [game["path"] for game in lobby.saved()["open"]] == [alone]
        page.open(server.lobby_link())
        page.wait("document.querySelectorAll('#tables a').length && $('seats').querySelector('select')")
        assert page.run("[...document.querySelectorAll('#tables a')].map((link) => link.pathname)") == [alone]
        for options in ("$('level')", "$('seats').querySelectorAll('select')[1]"):
            assert "usual: follows rules of thumb" in page.run(f"[...{options}.options].map((one) => one.text)")
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
    ({"seats": "me"}, 400, "seats='me' is not allowed; allowed: a list"),
    ({"seed": -1}, 409, "seed=-1 is not allowed"),
    ({"step": 3}, 409, "step=3 is not allowed; allowed: none"),
    ({"game": "tantrix", "variant": "discovery", "seats": ["me"], "step": 31}, 409, "allowed: 3..30"),
    ({"step": "3"}, 400, "step='3' is not allowed; allowed: whole numbers"),
    ({"seed": True}, 400, "seed=True is not allowed; allowed: whole numbers"),
    ({"version": "1"}, 400, "unknown field"),
    ({"do": "play"}, 400, "do='play' is not allowed; allowed: open"),
])  # fmt: skip
def test_a_table_that_cannot_be_opened_is_refused_and_changes_nothing(lobby, wish, code, words):
    with served(None, lobby=lobby) as server:
        status, reply = send(server.lobby_link(), {**KARMA, **wish})
        assert (status, words in reply["error"]) == (code, True), reply
        assert lobby.tables == []


def test_only_the_page_of_the_lobby_opens_tables(lobby):
    with served(None, lobby=lobby) as server:
        link = server.lobby_link()
        for headers, code in (({"Origin": "http://evil.example"}, 400), ({"Content-Type": "text/plain"}, 400),
                              ({"Host": "evil.example"}, 403)):  # fmt: skip
            assert send(link, KARMA, **headers)[0] == code
        for wrong in ("x/", ""):
            assert ask(f"{server.address}/l/{wrong}")[0] == 404
        lobby.token = "another"
        code, reply = send(server.lobby_link(), KARMA)
        assert code == 200 and reply["pages"] and ask(link)[0] == 404
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
def test_a_link_opens_its_table_again_after_it_was_closed_and_an_unknown_one_leads_to_the_lobby(lobby):
    with served(None, lobby=lobby) as server, Browser() as page:
        link = server.address + send(server.lobby_link(), KARMA)[1]["pages"][0]["path"]
        (table,) = lobby.tables
        play(table.session, begun)
        page.open(link)
        page.wait(DRAWN)
        lobby.tables.clear()
        table.runner.close()
        page.wait("$('message').textContent.startsWith('This table is closed.') && !state.yours")
        assert ask(f"{link}state")[0] == 404  # a page that is open opens nothing
        page.run("location.reload()")
        page.wait(f"{DRAWN} && !$('message').textContent")
        (again,) = lobby.tables
        assert again.session.file == table.session.file
        page.open(f"{server.address}/t/another/")
        page.wait(f"document.getElementById('lobby')?.checkVisibility() && $('lobby').pathname === '/l/{lobby.token}/'")
        assert ask(f"{server.address}/t/another/") == (404, GONE)


def test_a_link_leads_to_the_last_game_of_its_table_when_the_server_has_started_again(lobby):
    session = lobby.open("karma", ["me", "uniform"], seed=3).session
    (person,), first = session.people, session.file
    play(session)
    session.deal(person, session.version)
    play(session, begun)
    other = replace(lobby, tables=[])
    table, again = other.revive(person.token)
    assert other.tables == [table] and again.token == person.token and other.revive("another") is None
    assert table.session.file.name == session.file.name != first.name


def test_the_address_without_a_path_leads_to_the_lobby_on_the_own_machine_only(lobby):
    for shared, reply in ((False, (200, LOBBY)), (True, (404, GONE))):
        with served(None, lobby=lobby, shared=shared) as server:
            assert ask(server.address) == reply and ask(server.address, Host="evil.example")[0] == 403
