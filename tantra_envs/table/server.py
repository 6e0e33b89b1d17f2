"""The server of a table: a page for each person, the state as a long poll, and the actions of people.

    GET  /t/TOKEN/         the page, equal for all people
    GET  /t/TOKEN/state    all that the person may know, when it differs from `since`
    POST /t/TOKEN/act      {"do": "play", "version": "..", "action": 17}, or undo, hint, deal
    GET  /t/TOKEN/rules    the rules of the game, in plain text
    GET  /t/TOKEN/replay   the finished game, as the person's seat saw it

The server refuses requests whose Host is not this server, and changes that do not come from its page.
"""

from __future__ import annotations

import ipaddress
import json
import secrets
import socket
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .page import PAGE, POLICY, REPLAY_POLICY
from .table import Person, RefusedError, Table

LOCAL = ("127.0.0.1", "localhost")
EVERYWHERE = ("0.0.0.0", "::", "")
LONGEST = 1024  # bytes of a body
ROUTES = ("", "state", "rules", "replay", "act")
WAIT = 20.0  # seconds of a long poll
LEAST_SECONDS = 0.01  # shortest wait: 0 would mean not to wait at all
BODY_SECONDS = 5.0  # time for a body to arrive: bodies are short, and each wait occupies a thread
REQUESTS: dict[str, dict[str, tuple[type, bool]]] = {  # fields of each request: type, and whether required
    "play": {"version": (str, True), "action": (int, True)},
    "undo": {"version": (str, True)},
    "hint": {"version": (str, True)},
    "deal": {"version": (str, True), "seed": (int, False), "seat": (int, False)},
}


class Server(ThreadingHTTPServer):
    """An HTTP server of one table.

    Args:
        table: The table.
        host: Address to listen at.
        port: Port; 0 selects any free port.
        shared: Allow requests from other machines, by address or host name.
    """

    daemon_threads = True
    table: Table

    def __init__(self, table: Table, host: str = LOCAL[0], port: int = 0, *, shared: bool = False) -> None:
        super().__init__((host, port), Handler)
        self.table, self.shared, self.host = table, shared, host

    def link(self, person: Person) -> str:
        """Return the address of a person's page."""
        name = socket.gethostname() if self.host in EVERYWHERE else self.host
        return f"http://{name}:{self.server_port}/t/{person.token}/"

    def person(self, token: str) -> Person | None:
        """Return the person with this token, or None."""
        secret = token.encode()
        return next((p for p in self.table.people if secrets.compare_digest(p.token.encode(), secret)), None)

    def is_here(self, host: str) -> bool:
        """Return whether a Host header names this server.

        Without this check, pages of other sites could reach it by DNS rebinding.
        """
        name, _, port = host.rpartition(":")
        if port != str(self.server_port):
            return False
        return name in LOCAL or (self.shared and (name == socket.gethostname() or _is_address(name)))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, except for a closed connection: a page may be closed at any time."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """The handler of one request."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "table", ""
    timeout = 60

    def do_GET(self) -> None:
        """Answer with the page, the state, the rules or the replay."""
        self._answer({"": self._page, "state": self._state, "rules": self._rules, "replay": self._replay})

    def do_POST(self) -> None:
        """Do what a person asks for: play, undo, hint or deal."""
        self._answer({"act": self._act})

    def _answer(self, routes: dict[str, Any]) -> None:
        """Refuse a request, or answer it by its route."""
        if not self.server.is_here(self.headers.get("Host", "")):
            return self.send_error(403, "This Host is not the server of the table. Use the link that was printed.")
        try:
            path = urlsplit(self.path).path
        except ValueError:  # for example `http://[::1/`
            return self.send_error(400, "The address is not a URL.")
        word, token, route = [*path.split("/", 3), "", "", ""][1:4]
        person = self.server.person(token) if word == "t" else None
        if person is None:
            return self.send_error(404, "This link is not valid: use the link that was printed last.")
        if route not in routes:
            return self.send_error(405 if route in ROUTES else 404, "This page does not exist.")
        try:
            return routes[route](person)  # type: ignore[no-any-return]
        except RefusedError as error:
            return self.send_error(409, str(error))
        except ValueError as error:
            return self.send_error(400, str(error))
        except TimeoutError:
            return self.send_error(408, f"The body did not arrive within {BODY_SECONDS:g} seconds.")

    def _page(self, person: Person) -> None:
        self._send(200, "text/html; charset=utf-8", PAGE, POLICY)

    def _state(self, person: Person) -> None:
        query = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
        if query.get("since"):
            self.server.table.wait(query.pop("since"), WAIT)
        look = {name: query[name] for name in ("palette", "theme") if name in query}
        self._send_json(200, self.server.table.shown(person, **look))

    def _rules(self, person: Person) -> None:
        self._send(200, "text/plain; charset=utf-8", self.server.table.game.rules_text.encode(), POLICY)

    def _replay(self, person: Person) -> None:
        self._send(200, "text/html; charset=utf-8", self.server.table.replay(person).encode(), REPLAY_POLICY)

    def _act(self, person: Person) -> None:
        """Carry out a checked request. Answer with the hint if it was a hint, otherwise with {}."""
        request = self._body()
        do, table = request.pop("do"), self.server.table
        ways: dict[str, Callable[..., Any]] = {"play": table.play, "undo": table.undo, "hint": table.hint}
        reply = {**ways, "deal": table.deal}[do](person, **request)
        self._send_json(200, reply or {})

    def _body(self) -> dict[str, Any]:
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
        return _checked(request)

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

    def _send_json(self, code: int, reply: dict[str, Any]) -> None:
        self._send(code, "application/json", json.dumps(reply).encode(), POLICY)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request as text and close the connection: an unread body must not become the next request."""
        self.close_connection = True
        self._send_json(code, {"error": message or "The server cannot answer this request."})

    def _send(self, code: int, kind: str, content: bytes, policy: str) -> None:
        self.send_response(code)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because a log would contain the links."""


def _checked(request: Any) -> dict[str, Any]:
    """Return the request. Raise ValueError with the name of a field that is wrong."""
    if not isinstance(request, dict) or request.get("do") not in tuple(REQUESTS):
        raise ValueError(f"do is not allowed; allowed: {', '.join(REQUESTS)}")
    fields = REQUESTS[request["do"]]
    for name in request:
        if name != "do" and name not in fields:
            raise ValueError(f"unknown field; fields: do, {', '.join(fields)}")
    for name, (kind, needed) in fields.items():
        if (needed or name in request) and type(request.get(name)) is not kind:
            raise ValueError(f"{name} is not allowed; allowed: {'text' if kind is str else 'a whole number'}")
    return request


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
