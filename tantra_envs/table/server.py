"""The server of tables and of their lobby: pages, the state as a long poll, and the actions of people.

    GET  /                 leads to the lobby, for the user of this machine only
    GET  /l/TOKEN/         the lobby: games to choose from
    GET  /l/TOKEN/games    the games, their variants and the agents, as JSON
    GET  /l/TOKEN/picture  the picture of `game`, as SVG
    GET  /l/TOKEN/saved    open games, saved games, as JSON
    GET  /l/TOKEN/ready    for how long `game` has been compiled, as JSON; the first request begins it
    GET  /l/TOKEN/rival    the result of the strongest agent with the deal of the day of `game`, as JSON
    GET  /l/TOKEN/solution the solution of the daily puzzle of yesterday, as SVG
    GET  /l/TOKEN/replay   the finished game in `file`; `judged=1` and `download=1` as at a table
    POST /l/TOKEN/act      {"do": "open", "game": "karma", "seats": ["me", "scripted"]}, or resume

    GET  /t/TOKEN/         the page of a table, equal for all people
    GET  /t/TOKEN/state    all that the person may know, when it differs from `since`
    GET  /t/TOKEN/terms    the meaning of cards and phases, as JSON
    GET  /t/TOKEN/book     rules and terms as a page
    GET  /t/TOKEN/open     the drawing with all cards open, when a round or the game is over
    GET  /t/TOKEN/review   what decided the finished game, as JSON
    GET  /t/TOKEN/replay   the finished game; `judged=1` adds a judgement of all actions, `download=1`: as a file
    POST /t/TOKEN/act      {"do": "play", "version": "..", "action": 17}, or undo, hint, deal, same, branch, next, pace

The server refuses requests whose Host is not this server, and changes that do not come from its page.
"""

from __future__ import annotations

import ipaddress
import json
import re
import secrets
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import signature
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from .. import configuration
from ..core.options import Matching, Within, require, require_in
from ..programs.cli import check_values
from ..words.english import ORDINALS
from ..words.sentences import glossary
from . import days
from .book import book
from .history import people_at
from .lobby import Lobby, catalogue, picture, today
from .page import BOOK_POLICY, GONE, GONE_POLICY, LOBBY, LOBBY_POLICY, PAGE, POLICY, REPLAY_POLICY
from .rehearsal import begin, rehearse
from .session import LEVELS, Person, RefusedError, Session
from .table import Table

LOCAL = ("127.0.0.1", "localhost")
EVERYWHERE = ("0.0.0.0", "")
PORTS = Within(0, 65535)
HTTP = 80  # port that browsers leave out of addresses
HOST = re.compile(r"(\[[^]]+\]|[^:]+)(?::([0-9]+))?")  # name or address, and port
LONGEST = 1024  # bytes of a body
WIDE = Matching(r"[0-9](\.[0-9]{1,2})?", "a number such as 1.6")  # width / height of the room for the drawing
WAIT = 20.0  # seconds of a long poll
LEAST_SECONDS = 0.01  # shortest wait: 0 would mean not to wait at all
BODY_SECONDS = 5.0  # time for a body to arrive: bodies are short, and each wait occupies a thread
FIRST_LINE = re.compile(rb"[A-Z]+ [!-~]+ HTTP/1\.[01]\r?\n")
Requests = dict[str, Callable[..., Any]]  # the methods that carry out requests, whose arguments are the fields
REQUESTS: Requests = {
    "play": Session.play,
    "undo": Session.undo,
    "hint": Session.hint,
    "next": Session.next,
    "pace": Session.pace,
    "deal": Session.deal,
    "same": Session.same,
    "branch": Session.branch,
}
LOBBY_REQUESTS: Requests = {"open": Lobby.open, "resume": Lobby.resume}
NO_FIELDS = ("self", "person")  # arguments that a request cannot set
HTML, SVG = "text/html; charset=utf-8", "image/svg+xml"
Routes = dict[str, Callable[..., None]]


class Server(ThreadingHTTPServer):
    """An HTTP server of a table, of a lobby and its tables, or of both.

    Args:
        table: The table, which joins those of the lobby; None = only the lobby.
        lobby: The lobby; None = nobody can open more tables.
        host: Address to listen at.
        port: Port; 0 selects any free port.
        shared: Allow requests from other machines, by address or host name.

    Raises:
        OSError: The port is in use, or the address is not one of this machine.
    """

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there, two servers could share a port

    def __init__(
        self,
        table: Table | None,
        host: str = LOCAL[0],
        port: int = 0,
        *,
        lobby: Lobby | None = None,
        shared: bool = False,
    ) -> None:
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            allowed = "a port that is free, or 0 for any free one"
            raise OSError(f"port={port} of host {host} cannot be used: {error}; allowed: {allowed}") from None
        self.tables = lobby.tables if lobby else []
        if table:
            self.tables.append(table)
        self.lobby, self.shared, self.host = lobby, shared, host

    @property
    def table(self) -> Table:
        """The first table."""
        return self.tables[0]

    @property
    def address(self) -> str:
        """The address of this server, without a path."""
        name = socket.gethostname() if self.host in EVERYWHERE else self.host
        return f"http://{name}:{self.server_port}"

    def link(self, person: Person) -> str:
        """Return the address of a person's page."""
        return f"{self.address}/t/{person.token}/"

    def lobby_link(self) -> str:
        """Return the address of the lobby, or "" without a lobby."""
        return f"{self.address}/l/{self.lobby.token}/" if self.lobby else ""

    def reader(self, token: str) -> tuple[Table, Person] | None:
        """Return the person with this token and the table, or None."""
        everyone = ((table, person) for table in list(self.tables) for person in table.session.readers)
        return next((entry for entry in everyone if _same(entry[1].token, token)), None)

    def is_here(self, host: str) -> bool:
        """Return whether a Host header names this server. Browsers write names in lower case.

        Without this check, pages of other sites could reach it by DNS rebinding.
        """
        parts = HOST.fullmatch(host.lower())
        if parts is None:
            return False
        name, port = parts.groups(str(HTTP))
        own = self.host.lower(), socket.gethostname().lower()
        known = name in LOCAL or (self.shared and (name in own or _is_address(name)))
        return known and port == str(self.server_port)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, except for a closed connection: a page may be closed at any time."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """The handler of one request."""

    server: Server
    raw_requestline: bytes
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "table", ""
    timeout = 60

    def parse_request(self) -> bool:
        """Read a request; refuse a first line that the base class would take for HTTP/0.9, or could not read."""
        if not FIRST_LINE.fullmatch(self.raw_requestline):
            self.command, self.request_version, self.requestline = "", self.protocol_version, ""
            self.send_error(400, "The first line is not one of HTTP/1.1.")
            return False
        return super().parse_request()

    def _routes(self) -> dict[str, Routes]:
        """Return the functions that answer requests, by command and word of the address, and by route."""
        return {
            "GET l": {
                "": lambda lobby: self._send(200, HTML, LOBBY, LOBBY_POLICY),
                "games": self._games,
                "picture": self._picture,
                "saved": lambda lobby: self._send_json(200, lobby.saved()),
                "ready": self._ready,
                "rival": self._rival,
                "solution": lambda lobby: self._send_svg(days.solution(days.number(days_ago=1)).encode()),
                "replay": self._saved_replay,
            },
            "GET t": {
                "": lambda table, person: self._send(200, HTML, PAGE, POLICY),
                "state": self._state,
                "terms": lambda table, person: self._send_json(200, glossary(table.session.game)),
                "book": lambda table, person: self._send(200, HTML, book(table.session.game).encode(), BOOK_POLICY),
                "open": lambda table, person: self._send_svg(table.opened(person, **self._look()).encode()),
                "review": lambda table, person: self._send_json(200, table.review(person)),
                "replay": self._replay,
            },
            "POST l": {"act": self._open_table},
            "POST t": {"act": self._act},
        }

    def do_GET(self) -> None:
        """Refuse a request, or answer it by its route."""
        if not self.server.is_here(self.headers.get("Host", "")):
            return self.send_error(403, "This Host is not the server of the table. Use the link that was printed.")
        try:
            path = urlsplit(self.path).path
        except ValueError:  # for example `http://[::1/`
            return self.send_error(400, "The address is not a URL.")
        word, token, route = [*path.split("/", 3), "", "", ""][1:4]
        if not word and self.command == "GET" and self.server.lobby and self._is_own():
            return self._send(302, "text/plain", b"", POLICY, Location=f"/l/{self.server.lobby.token}/")
        given = self._given(word, token) or self._revived(word, token, route)
        if given is None and not route and self.command == "GET":
            return self._send(404, HTML, GONE, GONE_POLICY)
        if given is None:
            return self.send_error(404, "This table is not open any more, or the server has started again.")
        routes = self._routes()
        answer = routes[f"{self.command} {word}"].get(route)
        if answer is None:
            exists = any(route in others for others in routes.values())
            return self.send_error(405 if exists else 404, "This page does not exist.")
        try:
            return answer(*given)
        except RefusedError as error:
            return self.send_error(409, str(error))
        except ValueError as error:
            return self.send_error(400, str(error))
        except TimeoutError:
            return self.send_error(408, f"The body did not arrive within {BODY_SECONDS:g} seconds.")

    do_POST = do_GET  # noqa: N815  # the name that the base class calls

    def _given(self, word: str, token: str) -> tuple[Any, ...] | None:
        """Return what the handlers of an address are given: the lobby, or a table and a person; None = not valid."""
        if word == "t":
            return self.server.reader(token)
        lobby = self.server.lobby
        return (lobby,) if word == "l" and lobby and _same(lobby.token, token) else None

    def _is_own(self) -> bool:
        """Return whether the user of this machine asks, who may open the lobby without its link."""
        return not self.server.shared and ipaddress.ip_address(self.client_address[0]).is_loopback

    def _revived(self, word: str, token: str, route: str) -> tuple[Table, Person] | None:
        """Return the table of a link of before, if its page is loaded: pages that are open do not open tables again."""
        lobby = self.server.lobby if word == "t" and not route and self.command == "GET" else None
        return lobby.revive(token) if lobby else None

    def _query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}

    def _look(self) -> dict[str, Any]:
        """Return the palette, the theme, the order of hands and the room for the drawing, where they are given."""
        query = self._query()
        look: dict[str, Any] = {name: query[name] for name in ("palette", "theme", "order") if name in query}
        if "wide" in query:
            require_in("wide", query["wide"], WIDE)
            look["wide"] = float(query["wide"])
        return look

    # The lobby

    def _games(self, lobby: Lobby) -> None:
        levels = [{"name": name, "title": title, "text": text} for name, (title, text) in LEVELS.items()]
        self._send_json(200, {"games": catalogue(), "levels": levels, "today": today()})

    def _picture(self, lobby: Lobby) -> None:
        content = picture(self._query().get("game", ""))
        if content is None:
            self.send_error(404, "There is no picture of this game.")
        else:
            self._send_svg(content)

    def _open_table(self, lobby: Lobby) -> None:
        """Open a table. Answer with the paths of its people or of its watcher."""
        request = self._body(LOBBY_REQUESTS)
        table = (lobby.open if request.pop("do") == "open" else lobby.resume)(**request)
        pages = [{"name": _place(table, person), "path": f"/t/{person.token}/"} for person in table.session.readers]
        self._send_json(200, {"pages": pages})

    def _ready(self, lobby: Lobby) -> None:
        """Begin to compile a game. Answer with the seconds so far, None when it is done."""
        name = self._query().get("game", "")
        if name not in [entry["id"] for entry in catalogue()]:
            return self.send_error(404, "There is no such game.")
        return self._send_json(200, {"seconds": begin(configuration.game(name), ["scripted"])})

    def _rival(self, lobby: Lobby) -> None:
        self._send_json(200, {"verdict": days.rival(self._query().get("game", ""), days.number())})

    def _saved_replay(self, lobby: Lobby) -> None:
        query = self._query()
        judged, file = "judged" in query, query.get("file", "")
        page, history, judge = lobby.replay(file, judged=judged)
        own = len(people_at(history.facts.seats)) == 1
        links = [("./", "All games")]
        self._send_replay(page, history.game.name, links, judge, {"file": file}, {"file": file} if own else {})

    # A table

    def _state(self, table: Table, person: Person) -> None:
        since = self._query().get("since")
        if since:
            table.runner.wait(since, WAIT)
        self._send_json(200, asdict(table.shown(person, self._lobby_path(table), **self._look())))

    def _lobby_path(self, table: Table) -> str:
        """Return the path of the lobby, "" with several people, who must not open tables on this machine."""
        lobby = self.server.lobby if len(table.session.readers) == 1 else None
        return f"/l/{lobby.token}/" if lobby else ""

    def _replay(self, table: Table, person: Person) -> None:
        session, version = table.session, table.session.version  # of the finished game: a new deal has another
        page = table.replay(person, is_judged="judged" in self._query())
        links = [("./", "Back to the table")]
        if lobby := self._lobby_path(table):
            links.append((lobby, "All games"))
        branch = {"version": version} if session.is_alone else {}
        saved = f"{lobby}replay?{urlencode({'file': session.file.name, 'judged': 1})}" if lobby and session.file else ""
        self._send_replay(page, session.game.name, links, table.judge.name if table.judge else "", {}, branch, saved)

    def _send_replay(
        self,
        page: str,
        name: str,
        links: list[tuple[str, str]],
        judge: str,
        query: dict[str, str],
        branch: dict[str, str],
        saved: str = "",
    ) -> None:
        """Send a replay with links above it, or without them as a file, from which they would lead nowhere.

        Args:
            page: The replay.
            name: The name of the game, for the file.
            links: Addresses and words.
            judge: The name of the agent that can judge the actions, or "".
            query: What selects the replay in its address.
            branch: What the page at "./" needs to play on from a table of the replay; {} = this is not possible.
            saved: The address at which the replay is found later; "" = that of this request.
        """
        asked = self._query()
        if "download" in asked:
            return self._send(200, HTML, page.encode(), REPLAY_POLICY)
        judged = {"judged": "1"} if "judged" in asked else {}
        parts = [f'<a href="{escape(address)}">{escape(words)}</a>' for address, words in links]
        if branch:
            there = f"./#{urlencode({**branch, 'from': 0})}"  # the script of the page counts `from` along
            parts.append(f'<a class="branch" href="{escape(there)}">Play on from here</a>')
        if judge and not judged:
            there = f"replay?{urlencode({**query, 'judged': 1})}"
            parts.append(f'<a href="{escape(there)}">Judgement by {escape(judge)} (some seconds)</a>')
        there = f"replay?{urlencode({**query, **judged, 'download': 1})}"
        parts.append(f'<a href="{escape(there)}" download="{name}-replay.html">Download</a>')
        page = page.replace("<header>", f'<header data-saved="{escape(saved)}"><span>{"".join(parts)}</span>', 1)
        return self._send(200, HTML, page.encode(), REPLAY_POLICY)

    def _act(self, table: Table, person: Person) -> None:
        """Carry out a checked request. Answer with the hint if it was a hint, otherwise with {}."""
        request = self._body(REQUESTS)
        if request.get("level") in LEVELS:  # before the agent has a turn
            rehearse(table.session.game, [request["level"]])
        self._send_json(200, table.act(person, **request))

    def _body(self, requests: Requests) -> dict[str, Any]:
        """Return a request with checked fields. Raise ValueError for anything else."""
        if self.headers.get("Origin") != f"http://{self.headers.get('Host')}":
            raise ValueError("Only the page of this table may send this request.")
        if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise ValueError("The body must be application/json.")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST:
            raise ValueError(f"The body must have a Content-Length of 0..{LONGEST}.")
        body = self._read(int(length))
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            raise ValueError("The body is not JSON.") from None
        return _checked(request, requests)

    def _read(self, length: int) -> bytes:
        """Return a body of `length` bytes.

        Raises:
            TimeoutError: The body is not complete after BODY_SECONDS.
            ValueError: The connection ends before the body is complete.
        """
        until, body = time.monotonic() + BODY_SECONDS, b""
        try:
            while len(body) < length:
                self.connection.settimeout(max(LEAST_SECONDS, until - time.monotonic()))
                part = self.rfile.read1(length - len(body))
                if not part:
                    raise ValueError("The body is shorter than its Content-Length.")
                body += part
                if time.monotonic() > until:
                    raise TimeoutError
        finally:
            self.connection.settimeout(self.timeout)
        return body

    # Answers

    def _send_svg(self, content: bytes) -> None:
        self._send(200, SVG, content, BOOK_POLICY)

    def _send_json(self, code: int, reply: dict[str, Any]) -> None:
        self._send(code, "application/json", json.dumps(reply).encode(), POLICY)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request as text and close the connection: an unread body must not become the next request."""
        self.close_connection = True
        self._send_json(code, {"error": message or "The server cannot answer this request."})

    def _send(self, code: int, kind: str, content: bytes, policy: str, **more: str) -> None:
        self.send_response(code)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            **more,
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because a log would contain the links."""


def _checked(content: Any, requests: Requests) -> dict[str, Any]:
    """Return the request. Raise ValueError with the name of a field that is wrong."""
    request: dict[str, Any] = content if isinstance(content, dict) else {}
    do: Any = request.get("do")
    require("do", do, do in tuple(requests), ", ".join(requests))
    fields = {name: own for name, own in signature(requests[do]).parameters.items() if name not in NO_FIELDS}
    if not request.keys() <= {"do", *fields}:
        raise ValueError(f"unknown field; fields: do, {', '.join(fields)}")
    given = {name: request.get(name) for name, own in fields.items() if name in request or own.default is own.empty}
    check_values(requests[do], given)
    return request


def _same(token: str, given: str) -> bool:
    """Return whether two tokens are equal, in a time that does not depend on where they differ."""
    return secrets.compare_digest(token.encode(), given.encode())


def _place(table: Table, person: Person) -> str:
    """Return the words of a link: "first player", "second player, Ann" or "watch"."""
    seat = table.session.seat(person)
    return "watch" if seat is None else f"{ORDINALS[seat]} player{', ' + person.name if person.name else ''}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
