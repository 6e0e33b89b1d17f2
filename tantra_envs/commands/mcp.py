"""`python -m tantra_envs mcp`: a table as an MCP server, on which a language model plays one seat with tools."""

from __future__ import annotations

import functools
import inspect
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from .. import __version__
from ..adapters.tools import ToolTable
from ..programs import cli
from ..table.history import SEEDS
from ..table.server import HTTP, LOCAL, PORTS
from ..table.session import Person
from .play import chairs, hinter

INSTRUCTIONS = """You play one seat of {title}. Call rules once, then look. Play one of the legal actions with play, by
its name, until the game is over. The other seats play by themselves."""


@dataclass(frozen=True)
class Args:
    """Serve a table to a language model by the Model Context Protocol, over stdio or HTTP.

    Example: python -m tantra_envs mcp karma --seats me learned search:16

    The model plays the seat `me`, with the tools rules, look, legal_actions, play, history, new_game, and with --hints
    also hint.
    """

    game: str
    """Game, or GAME:VARIANT."""
    fields: tuple[str, ...] = ()
    """Options of the game, each OPTION=VALUE, such as players=4."""
    seats: tuple[str, ...] = field(default=(), kw_only=True)
    """One word per seat: me once, and agents. [default: me, then scripted agents]"""
    seed: Annotated[int, SEEDS] | None = field(default=None, kw_only=True)
    """Seed of the first game. [default: random]"""
    hints: bool = field(default=False, kw_only=True)
    """Offer the tool hint, which asks an adviser for the best action."""
    port: Annotated[int, PORTS] | None = field(default=None, kw_only=True)
    """Serve streamable HTTP on this port of 127.0.0.1; 0 = any free one. [default: stdio]"""


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, deal a game, and serve its tools until the client leaves or Ctrl-C."""
    with cli.user_errors("mcp", "constraints/mcp.txt"):
        options = cli.read(Args, "tantra_envs mcp", argv)
        table = prepare(options)
        server = serving(table)
        listener = None if options.port is None else socket.create_server((LOCAL[0], options.port))
    with cli.work():
        if listener is None:
            server.run()
        else:
            _serve_http(server, listener)
    return 0


def prepare(options: Args) -> ToolTable:
    """Return the table of the command line; raise ValueError if an option is not allowed."""
    game = cli.game(options.game, len(options.seats) or None, options.fields)
    seated = chairs(options.seats, game, watched=True)
    people = [seat for seat, chair in enumerate(seated) if isinstance(chair, Person)]
    if len(people) != 1:
        raise ValueError(f"--seats {' '.join(options.seats)} is not allowed; allowed: me once, and agents")
    agents = {seat: chair for seat, chair in enumerate(seated) if not isinstance(chair, Person)}
    return ToolTable(game, people[0], agents, hinter(game) if options.hints else None, options.seed)


def serving(table: ToolTable) -> Any:
    """Return an MCP server whose tools are those of the table."""
    from mcp.server.mcpserver import MCPServer

    title = table.game.title
    instructions = " ".join(INSTRUCTIONS.format(title=title).split())
    server = MCPServer(f"tantra_envs {title}", instructions=instructions, version=__version__, log_level="WARNING")
    lock = threading.Lock()
    for name in table.tools:
        method = getattr(table, name)
        server.add_tool(_tool(method, lock), description=inspect.getdoc(method), structured_output=False)
    return server


def _tool(method: Callable[..., Any], lock: threading.Lock) -> Callable[..., Any]:
    """Return a method that one thread runs at a time and that shows the client why it refuses a request."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(method)
    def call(**arguments: Any) -> Any:
        try:
            with lock:
                return method(**arguments)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return call


def _serve_http(server: Any, listener: socket.socket) -> None:
    """Serve streamable HTTP, to requests that name this server as their Host and, if any, as their Origin."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    port = listener.getsockname()[1]
    hosts = [f"{name}:{port}" for name in LOCAL]
    if port == HTTP:
        hosts += LOCAL  # clients leave this port out
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    app = server.streamable_http_app(transport_security=security)
    print(f"http://{hosts[0]}/mcp", flush=True)
    print("Press Ctrl-C to stop.", file=sys.stderr)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
