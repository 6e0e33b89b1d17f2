"""The table over HTTP: a game goes through, nothing leaks, and whoever asks wrongly is refused and changes nothing."""

import re
import select
import socket
import urllib.request
from dataclasses import asdict, fields
from unittest.mock import Mock

import numpy as np
import pytest

from tantra_envs.table.ending import Sheet
from tantra_envs.table.page import PAGE
from tantra_envs.table.reader import Ending, Shown
from tantra_envs.table.runner import Runner
from tantra_envs.table.server import Server
from tantra_envs.table.session import RefusedError
from tantra_envs.table.table import Table

from .serving import Client, ask, seated, served, shown

TWO = {"players": 2, "auto_setup": True}


def test_a_game_goes_through_to_its_end_against_agents():
    session = seated("karma", "me,scripted,uniform", config={"players": 3})
    with served(session) as server:
        server.table.runner.start()
        client, version = Client(server), ""
        while not (state := client.state(f"?since={version}"))["over"]:
            version = state["version"]
            if state["yours"]:
                assert client.play(state["actions"][0][0]) == (200, {})
        assert (state["actions"], state["yours"]) == ([], False)
        assert client.play(0) == (409, {"error": "The game is over; deal a new one."})
        assert client.act({"do": "deal", "version": state["version"], "seed": 9, "seat": 2}) == (200, {})
        assert client.state()["seat"] == 2
        assert session.history.start.tobytes() == session.game.new(9).tobytes()


def people(session):
    """The person who decides, and the other one."""
    first = session.chairs[session.history.state["seat"][0]]
    return first, next(person for person in session.people if person is not first)


def play_first(session, person):
    session.play(person, session.version, session.game.legal(session.history.state)[0])


def test_undo_goes_back_to_the_own_last_decision_and_not_beyond_that_of_another_person():
    session = seated("karma", "me,me", config=TWO)
    first, second = people(session)
    before = session.history.state.tobytes()
    with pytest.raises(RefusedError, match="You have no decision"):
        session.undo(first, session.version)
    while people(session)[0] is first:
        play_first(session, first)
    after = session.history.state.tobytes()
    play_first(session, second)
    for refused in (session.undo, session.deal):
        with pytest.raises(RefusedError, match=r"Another person has decided|Several people play"):
            refused(first, session.version)
    session.undo(second, session.version)
    assert session.history.state.tobytes() == after
    while session.history.moves:
        session.undo(first, session.version)
    assert session.history.state.tobytes() == before


def test_an_action_of_another_tab_or_twice_or_out_of_turn_changes_nothing():
    session = seated("karma", "me,me", config=TWO)
    (mine, theirs), old = people(session), session.version
    play_first(session, mine)
    before, (now, other) = (session.history.save(), session.version), people(session)
    for person, version in ((mine, old), (theirs, old), (now, old), (other, session.version)):
        for wish in ({"do": "play", "action": session.history.moves[0].action}, {"do": "hint"}):
            with pytest.raises(RefusedError, match=r"The table has changed|It is not your turn"):
                Table(session, None, None).act(person, **wish, version=version)
    assert (session.history.save(), session.version) == before


BAD = [
    (b"", "not JSON"), (b"{", "not JSON"), (b"[" * 1000, "not JSON"), (b"\xff", "not JSON"), ([], "do=None is not"),
    ({"do": "cheat"}, "do='cheat' is not"), ({"do": ["play"]}, "do=['play'] is not"),
    ({"do": "play"}, "version=None is not allowed"),
    ({"do": "play", "version": 1, "action": 1}, "version=1 is not allowed"),
    ({"do": "play", "version": "", "action": True}, "action=True is not allowed"),
    ({"do": "play", "version": "", "action": 1.0}, "action=1.0 is not allowed"),
    ({"do": "play", "version": "", "action": 10**30}, "allowed: whole numbers below 2**63"),
    ({"do": "undo", "version": "", "seat": 1}, "unknown field"), (b"x" * 2000, "Content-Length of 0..1024"),
]  # fmt: skip


def test_bad_bodies_illegal_actions_and_deals_that_cannot_be_are_refused_and_change_nothing():
    session = seated("karma", "me,scripted,scripted", config={"players": 3, "dealer": 2})
    illegal, deal = int(np.flatnonzero(session.game.mask(session.history.state) == 0)[0]), {"do": "deal"}
    with served(session) as server:
        client, before, version = Client(server), session.history.save(), {"version": session.version}
        for wish, told in BAD:
            code, answer = client.act(wish)
            assert (code, told in answer["error"]) == (400, True), wish
        for action in (illegal, -1):
            code, answer = client.play(action)
            assert (code, "is illegal" in answer["error"]) == (400, True), action
        for wrong in ({"seat": 3}, {"seat": -1}, {"seed": -1}, {"seed": 2**31}):
            assert client.act({**deal, **version, **wrong})[0] == 409, wrong
        for look in ("state?palette=mauve", "state?theme=bright", "state?wide=1e9"):
            assert client.get(look)[0] == 400, look
        assert session.history.save() == before


def test_wrong_hosts_origins_kinds_tokens_routes_and_methods_are_refused():
    session = seated("karma", "me,me")
    wish = {"do": "deal", "version": session.version}
    with served(session) as server:
        client, before, port = Client(server), session.history.save(), server.server_port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", f"10.0.0.1:{port}"):
            assert client.get("state", Host=host)[0] == client.act(wish, Host=host)[0] == 403, host
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Content-Type": "text/plain"}):
            assert client.act(wish, **headers)[0] == 400, headers
        assert (client.get("act")[0], client.get("else")[0], ask(server.address)[0]) == (405, 404, 404)
        client.link = client.link[:-2] + "~/"  # no token has this letter
        assert client.get()[0] == client.get("state")[0] == client.act(wish)[0] == 404
        assert raw(server, f"PUT / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()).startswith(b"HTTP/1.1 501 ")
        assert session.history.save() == before


@pytest.mark.parametrize("line", [
    b"GET http://[::1/ HTTP/1.1",
    *(b"FOO", b"foo / HTTP/1.1", b"G\xc3\x89T / HTTP/1.1", b"GET /", b"POST /", b"GET  / HTTP/1.1", b" GET / HTTP/1.1"),
    *(b"GET / HTTP/", b"GET / HTTP/2.0", b"GET / HTTP/1.1 more", b"GET /\xff HTTP/1.1", b"\x00"),
])  # fmt: skip
def test_a_malformed_first_line_is_answered_in_http_and_prints_nothing(line, capfd):
    with served(seated("karma", "me,me")) as server:
        answer = raw(server, line + f"\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 400 ") and b"Content-Length: " in answer
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("shared", "port", "here", "elsewhere"), [
    ({"shared": True}, 8080, "mypc:8080 MyPC:8080 LOCALHOST:8080 10.0.0.1:8080 [::1]:8080",
     "mypc MyPC LOCALHOST 10.0.0.1 [::1] mypc:80"),
    ({"shared": True}, 80, "mypc 127.0.0.1 [::1] localhost:80",
     ":80 evil.example evil.example:80 mypc:8080 mypc:80:80 mypc@evil.example"),
    ({"host": "localhost"}, 80, "localhost", "mypc 10.0.0.1"),
])  # fmt: skip
def test_a_host_is_known_in_any_case_and_without_the_usual_port(monkeypatch, shared, port, here, elsewhere):
    monkeypatch.setattr(socket, "gethostname", lambda: "MyPC")
    with Server(None, **shared) as server:
        server.server_port = port
        assert all(map(server.is_here, here.split())) and not any(map(server.is_here, ["", *elsewhere.split()]))


def test_the_page_is_the_same_for_everybody_asks_nobody_else_and_is_kept_nowhere():
    with served(session := seated("karma", "me:</script><b>,me")) as server:
        with urllib.request.urlopen(Client(server).link) as answer:
            headers, page = answer.headers, answer.read()
        svg = shown(session, session.people[1]).svg
    assert page == PAGE and not re.search(rb"https?:|//cdn|@import|url\(", page)
    assert "</script>" not in svg and "&lt;/script&gt;" in svg
    for rule in ("default-src 'none'", "script-src 'sha256-"):
        assert rule in headers["Content-Security-Policy"]
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")


def test_the_page_reads_all_that_it_is_told_and_nothing_else():
    page = PAGE.decode()
    for kind, holder, others in ((Shown, r"(?:reply|state)", {"error", "action", "hint"}), (Ending, "end", set()),
                                 (Sheet, r"end\.sheet", set())):  # fmt: skip
        assert set(re.findall(rf"\b{holder}\.(\w+)", page)) == {field.name for field in fields(kind)} | others


class Answering:
    """An agent with a name that answers as a function does."""

    name = "answering"

    def __init__(self, answer):
        self.answer = answer

    def act(self, obs, rng):
        return self.answer(obs)


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_an_agent_or_adviser_that_fails_is_named_and_leaves_the_game_as_it_was(error, capsys):
    session = seated("karma", "me,me", config=TWO)
    runner, seat, before = Runner(session), int(session.history.state["seat"][0]), session.history.save()

    def fail(obs):
        raise error("my cards are 2 3 4")

    person, session.chairs[seat], version = session.chairs[seat], Answering(fail), session.version
    runner.start()
    assert runner.wait(version, 60)
    runner.close()
    told = str(asdict(shown(session)))
    assert "answering failed" in told and "my cards" not in told and "my cards" in capsys.readouterr().err
    assert session.history.save() == before
    session.chairs[seat] = person
    with pytest.raises(ValueError, match="'answering' failed"):
        Table(session, None, Answering(fail)).act(person, "hint", version=session.version)
    play_first(session, person)


def test_the_answer_of_an_agent_counts_only_for_the_table_that_it_was_asked_about_while_that_is_open():
    session, asked = seated("karma", "me,me", config=TWO), []
    runner = Runner(session)

    def slow(obs):
        asked.append(session.version)
        if len(asked) == 1:
            session.pace(None, "", "fast")
        if len(asked) == 3:
            runner.close()
        return np.flatnonzero(obs.action_mask[0])[:1]

    session.chairs = [Answering(slow)] * 2
    runner._run()
    assert len(asked) == 3 and len(session.history.moves) == 1


def test_a_port_in_use_is_named():
    with served(seated("karma", "me,me")) as server, pytest.raises(OSError, match=f"port={server.server_port} of host"):
        Server(None, port=server.server_port)


@pytest.mark.parametrize("trouble", [OSError("no space"), ValueError("best.json holds no results")])
def test_a_file_that_cannot_be_written_is_told_and_the_game_goes_on(trouble):
    assert "cannot be saved" in shown(seated("karma", "me,me", keep=Mock(side_effect=trouble))).question


def raw(server, *parts: bytes, ends=False) -> bytes:
    """What the server answers to bytes that arrive in parts, until it does, or when nothing more can come."""
    with socket.create_connection((server.host, server.server_port), timeout=30) as connection:
        for part in parts:
            connection.sendall(part)
            if select.select([connection], [], [], 0.03)[0]:
                break
        if ends:
            connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").read()


@pytest.mark.parametrize("parts", [[b"{"], [b"{", b" ", b" ", b" ", b" ", b" ", b" ", b" "]])
def test_a_body_that_does_not_arrive_in_time_is_refused(monkeypatch, capsys, parts):
    """Neither one that stops nor one that goes on byte by byte holds its thread."""
    monkeypatch.setattr("tantra_envs.table.server.BODY_SECONDS", 0.1)
    with served(seated("karma", "me,scripted")) as server:
        answer = raw(server, act_head(server, 500), *parts)
        assert answer.startswith(b"HTTP/1.1 408 ") and b"The body did not arrive within 0.1 seconds." in answer
        assert Client(server).get("state")[0] == 200
    assert capsys.readouterr().err == ""


def test_a_body_in_parts_is_read_and_one_that_ends_early_refused():
    session = seated("karma", "me,me")
    body = b'{"do": "pace", "version": "", "speed": "slow"}'
    with served(session) as server:
        head = act_head(server, len(body)).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert raw(server, head, body[:9], body[9:]).startswith(b"HTTP/1.1 200 ") and session.delay == 2.5
        assert b"The body is shorter than its Content-Length." in raw(server, act_head(server, 99), b"{", ends=True)


def act_head(server, length: int) -> bytes:
    """The head of a request that does something, with a body of this length."""
    host = f"127.0.0.1:{server.server_port}"
    path = Client(server).link.removeprefix(f"http://{host}")
    lines = [f"POST {path}act HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
    lines += ["Content-Type: application/json", f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode()
