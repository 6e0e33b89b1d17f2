"""The table over HTTP: a game goes through, nothing leaks, and whoever asks wrongly is refused and changes nothing."""

import http.client
import json
import re
import select
import socket
from dataclasses import fields

import numpy as np
import pytest

from tantra_envs.table.ending import Sheet
from tantra_envs.table.history import saved_history
from tantra_envs.table.page import PAGE
from tantra_envs.table.reader import Ending, Shown
from tantra_envs.table.server import Server

from .serving import Client, seated, served, shown


def test_a_game_goes_through_to_its_end_against_agents():
    session = seated("karma", "me,scripted,uniform", config={"players": 3})
    with served(session) as server:
        server.table.runner.start()
        client, version = Client(server), ""
        while not (state := client.state(f"?since={version}"))["over"]:
            version = state["version"]
            if state["yours"]:
                assert client.play(state["actions"][0][0]) == (200, {})
        assert state["actions"] == []
        assert not state["yours"]
        assert client.play(0) == (409, {"error": "The game is over; deal a new one."})
        history = saved_history(session.history.save())
        assert history.state.tobytes() == session.history.state.tobytes()
        assert client.act({"do": "deal", "version": state["version"], "seed": 9, "seat": 2}) == (200, {})
        assert client.state()["seat"] == 2
        assert session.history.start.tobytes() == session.game.new(9).tobytes()


def test_undo_goes_back_to_the_own_last_decision_and_not_beyond_that_of_another_person():
    session = seated("karma", "me,me", config={"players": 2, "auto_setup": True})
    with served(session) as server:
        one, two = (Client(server, person) for person in session.people)
        first, second = (one, two) if one.state()["yours"] else (two, one)
        before = session.history.state.tobytes()
        assert first.act({"do": "undo", "version": session.version})[1]["error"].startswith("You have no decision")
        while first.state()["yours"]:
            first.play(first.state()["actions"][0][0])
        after = session.history.state.tobytes()
        second.play(second.state()["actions"][0][0])
        assert first.act({"do": "undo", "version": session.version})[0] == 409
        assert second.act({"do": "undo", "version": session.version}) == (200, {})
        assert session.history.state.tobytes() == after
        assert second.act({"do": "deal", "version": session.version})[0] == 409
        while session.history.moves:
            assert first.act({"do": "undo", "version": session.version}) == (200, {})
        assert session.history.state.tobytes() == before


def test_an_action_of_another_tab_or_twice_or_out_of_turn_changes_nothing():
    session = seated("karma", "me,me", config={"players": 2})
    with served(session) as server:
        mine, theirs = (Client(server, person) for person in session.people)
        if not mine.state()["yours"]:
            mine, theirs = theirs, mine
        old = mine.state()
        assert mine.play(old["actions"][0][0]) == (200, {})
        before = session.history.state.tobytes(), session.version
        again = {"do": "play", "version": old["version"], "action": old["actions"][0][0]}
        for client in (mine, theirs):
            code, told = client.act(again)
            assert code == 409
            assert told["error"] in ("The table has changed. Look at it again.", "It is not your turn.")
        other = theirs if mine.state()["yours"] else mine
        assert other.play(0) == (409, {"error": "It is not your turn."})
        assert other.act({"do": "hint", "version": session.version}) == (409, {"error": "It is not your turn."})
        assert (session.history.state.tobytes(), session.version) == before


BAD = [
    (b"", "not JSON"), (b"{", "not JSON"), (b"[" * 1000, "not JSON"), (b"\xff", "not JSON"), ([], "do is not"),
    ({"do": "cheat"}, "do is not"), ({"do": ["play"]}, "do is not"), ({"do": "play"}, "version is not allowed"),
    ({"do": "play", "version": 1, "action": 1}, "version is not allowed"),
    ({"do": "play", "version": "", "action": True}, "action is not allowed"),
    ({"do": "play", "version": "", "action": 1.0}, "action is not allowed"),
    ({"do": "undo", "version": "", "seat": 1}, "unknown field"), (b"x" * 2000, "Content-Length of 0..1024"),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "told"), BAD)
def test_a_bad_body_is_refused_and_changes_nothing(wish, told):
    session = seated("karma", "me,me")
    with served(session) as server:
        before = session.history.save()
        code, answer = Client(server).act(wish)
        assert code == 400
        assert told in answer["error"]
        assert session.history.save() == before


def test_illegal_actions_and_deals_that_cannot_be_are_refused_and_change_nothing():
    session = seated("karma", "me,scripted,scripted", config={"players": 3, "dealer": 2})
    with served(session) as server:
        client, before = Client(server), session.history.save()
        illegal = int(np.flatnonzero(session.game.mask(session.history.state) == 0)[0])
        for action in (illegal, -1, 10**30):
            code, told = client.play(action)
            assert (code, "is illegal" in told["error"]) == (400, True)
        for wrong in ({"seat": 3}, {"seat": -1}, {"seed": -1}, {"seed": 2**31}):
            assert client.act({"do": "deal", "version": session.version, **wrong})[0] == 409
        assert client.get("state?palette=mauve")[0] == client.get("state?theme=bright")[0] == 400
        assert session.history.save() == before


def test_wrong_hosts_origins_kinds_tokens_routes_and_methods_are_refused():
    session = seated("karma", "me,me")
    wish = {"do": "deal", "version": session.version}
    with served(session) as server:
        client, before = Client(server), session.history.save()
        for host in (
            "evil.example",
            f"evil.example:{server.server_port}",
            "127.0.0.1:1",
            f"10.0.0.1:{server.server_port}",
        ):
            assert client.get("state", Host=host)[0] == 403
            assert client.act(wish, Host=host)[0] == 403
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Content-Type": "text/plain"}):
            assert client.act(wish, **headers)[0] == 400
        assert client.get("act")[0] == 405
        assert client.get("else")[0] == 404
        client.link = client.link[:-2] + "~/"  # no token has this letter
        assert client.get()[0] == client.get("state")[0] == client.act(wish)[0] == 404
        for method, path in (("PUT", "/"), ("DELETE", f"/t/{client.person.token}/act"), ("GET", "/"), ("GET", "/..")):
            line = http.client.HTTPConnection("127.0.0.1", server.server_port)
            line.request(method, path)
            assert line.getresponse().status in (404, 501)
            line.close()
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


def test_a_host_is_known_in_any_case_and_without_the_usual_port(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "MyPC")
    with Server(None, shared=True) as server:
        port = server.server_port
        for name in ("mypc", "MyPC", "LOCALHOST", "10.0.0.1", "[::1]"):
            assert server.is_here(f"{name}:{port}") and not server.is_here(name)
        server.server_port = 80
        for host in ("mypc", "127.0.0.1", "[::1]", "localhost:80"):
            assert server.is_here(host)
        for host in ("", ":80", "evil.example", "evil.example:80", "mypc:8080", "mypc:80:80", "mypc@evil.example"):
            assert not server.is_here(host)
    with Server(None, host="localhost") as server:
        server.server_port = 80
        assert server.is_here("localhost") and not server.is_here("mypc") and not server.is_here("10.0.0.1")


def test_the_page_is_the_same_for_everybody_and_asks_nobody_else():
    with served(seated("karma", "me:</script><b>,me")) as server:
        client = Client(server)
        code, page = client.get()
        assert (code, page) == (200, PAGE)
        svg = Client(server, server.table.session.people[1]).state()["svg"]
    for place in (b"http:", b"https:", b"//cdn", b"@import", b"url("):
        assert place not in page
    assert "</script>" not in svg
    assert "&lt;/script&gt;" in svg


def test_the_page_reads_all_that_it_is_told_and_nothing_else():
    page = PAGE.decode()
    for kind, holder, others in ((Shown, r"(?:reply|state)", {"error", "action", "hint"}), (Ending, "end", set()),
                                 (Sheet, r"end\.sheet", set())):  # fmt: skip
        assert set(re.findall(rf"\b{holder}\.(\w+)", page)) == {field.name for field in fields(kind)} | others


def test_answers_carry_a_policy_and_are_kept_nowhere():
    with served(seated("karma", "me,me")) as server:
        line = http.client.HTTPConnection("127.0.0.1", server.server_port)
        line.request("GET", Client(server).link.split(str(server.server_port))[1])
        headers = line.getresponse().headers
        line.close()
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "script-src 'sha256-" in headers["Content-Security-Policy"]
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")


class Failing:
    """An agent that cannot go on, and whose words would tell its cards."""

    name = "failing"

    def __init__(self, error):
        self.error = error

    def act(self, obs, rng):
        raise self.error("my cards are 2 3 4")


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_an_agent_that_fails_leaves_the_game_as_it_was(error, capsys):
    session = seated("karma", "me,me", config={"auto_setup": True})
    seat = int(session.history.state["seat"][0])
    session.chairs[seat] = Failing(error)
    with served(session) as server:
        server.table.runner.start()
        before, client = session.history.save(), Client(server, session.people[0])
        state = client.state()
        while "failed" not in state["question"]:
            state = client.state(f"?since={state['version']}")
        assert "my cards" not in json.dumps(state) and "2 3 4" not in json.dumps(state)
        assert session.history.save() == before
        assert client.act({"do": "deal", "version": state["version"], "seed": 1, "seat": seat}) == (200, {})
    assert "my cards" in capsys.readouterr().err


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_an_adviser_that_fails_is_named_and_the_game_goes_on(error):
    session = seated("karma", "me,me", config={"auto_setup": True})
    with served(session) as server:
        server.table._hinter = Failing(error)
        client = next(
            client for client in (Client(server, person) for person in session.people) if client.state()["yours"]
        )
        code, answer = client.act({"do": "hint", "version": session.version})
        assert code == 400 and "'failing' failed" in answer["error"]
        assert client.play(client.state()["actions"][0][0]) == (200, {})


def test_a_port_in_use_is_named():
    with served(seated("karma", "me,me")) as server, pytest.raises(OSError, match=f"port={server.server_port} of host"):
        Server(None, port=server.server_port)


@pytest.mark.parametrize("trouble", [OSError("no space"), ValueError("best.json holds no results")])
def test_a_file_that_cannot_be_written_is_told_and_the_game_goes_on(trouble):
    def fail(_):
        raise trouble

    session = seated("karma", "me,me", keep=fail)
    assert "cannot be saved" in shown(session).question


def raw(server, *parts: bytes) -> bytes:
    """What the server answers to bytes that arrive in parts, until it does."""
    with socket.create_connection((server.host, server.server_port), timeout=30) as connection:
        for part in parts:
            connection.sendall(part)
            if select.select([connection], [], [], 0.03)[0]:
                break
        return connection.makefile("rb").read()


@pytest.mark.parametrize("parts", [[b"{"], [b"{", b" ", b" ", b" ", b" ", b" ", b" ", b" "]])
def test_a_body_that_does_not_arrive_in_time_is_refused(monkeypatch, capsys, parts):
    """Neither one that stops nor one that goes on byte by byte holds its thread."""
    monkeypatch.setattr("tantra_envs.table.server.BODY_SECONDS", 0.1)
    with served(seated("karma", "me,scripted")) as server:
        answer = raw(server, act_head(server, 500), *parts)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"The body did not arrive within 0.1 seconds." in answer
        assert Client(server).state()["yours"] in (True, False)
    assert capsys.readouterr().err == ""


def test_a_body_in_parts_is_read_and_one_that_ends_early_refused():
    session = seated("karma", "me,me")
    with served(session) as server:
        person = session.chairs[session.history.state["seat"][0]]
        wish = {"do": "play", "version": session.version, "action": session.game.legal(session.history.state)[0]}
        body = json.dumps(wish).encode()
        head = act_head(server, len(body), person).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert raw(server, head, body[:9], body[9:]).startswith(b"HTTP/1.1 200 ")
        assert len(session.history.moves) == 1
        with socket.create_connection((server.host, server.server_port), timeout=30) as connection:
            connection.sendall(act_head(server, 99) + b"{")
            connection.shutdown(socket.SHUT_WR)
            assert b"The body is shorter than its Content-Length." in connection.makefile("rb").read()


def act_head(server, length: int, person=None) -> bytes:
    """The head of a request that does something, with a body of this length."""
    link = server.link(person or server.table.session.people[0])
    host = f"127.0.0.1:{server.server_port}"
    lines = [f"POST {link.removeprefix(f'http://{host}')}act HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
    lines += ["Content-Type: application/json", f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode()
