"""The server of `python -m tantra_envs mcp`, asked by the client of the official SDK."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tantra_envs.adapters.tools import ToolTable
from tantra_envs.commands.mcp import Args, main, prepare

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ["-m", "tantra_envs", "mcp", "karma", "--seats", "scripted", "me", "--seed", "3"]
SERVER = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "cwd": str(ROOT)}


@pytest.fixture(scope="module")
def mcp():
    return pytest.importorskip("mcp")


@contextlib.contextmanager
def over_http(*options):
    """Yield the address of a server on a free port."""
    words = [sys.executable, *COMMAND, "--port", "0", *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, **SERVER) as server:
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 130


def over_stdio(mcp, words):
    """Return a client that starts the server itself."""
    return mcp.Client(mcp.stdio_client(mcp.StdioServerParameters(command=sys.executable, args=words, **SERVER)))


async def asked(client, tool, **arguments):
    """Return whether a call was refused, and its texts."""
    result = await client.call_tool(tool, arguments)
    return result.is_error, "\n".join(content.text for content in result.content)


async def played(client):
    """Play a whole game, with an illegal action in between, and return all answers; compare them with a local table."""
    local = prepare(Args("karma", seats=("scripted", "me"), seed=3))
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert names == set(local.tools)
    assert await asked(client, "rules") == (False, local.rules())
    refused, why = await asked(client, "play", action="play 99")
    assert refused and "'play 99' was not played" in why and local.legal_actions()[0] in why
    while legal := local.legal_actions():
        assert await asked(client, "legal_actions") == (False, "\n".join(legal))
        assert await asked(client, "play", action=legal[0]) == (False, local.play(legal[0]))
    assert await asked(client, "look") == (False, local.look())
    assert await asked(client, "history", last=0) == (False, local.history(0))
    assert (await asked(client, "play", action="pickup"))[0] and (await asked(client, "hint"))[0]
    assert await asked(client, "new_game", seed=5) == (False, local.new_game(5))


def test_a_game_over_stdio(mcp):
    async def play():
        async with over_stdio(mcp, COMMAND) as client:
            await played(client)

    asyncio.run(play())


def test_a_game_over_http_and_only_from_this_machine(mcp):
    async def play(address):
        async with mcp.Client(address) as client:
            await played(client)

    with over_http() as address:
        asyncio.run(play(address))
        host, port = urlsplit(address).netloc, urlsplit(address).port
        assert posted(host) == posted(f"localhost:{port}") == posted(host, Origin=address.removesuffix("/mcp")) == 200
        for wrong in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}"):
            assert 400 <= posted(host, Host=wrong) < 500
        assert 400 <= posted(host, Origin="http://evil.example") < 500


def posted(host, **headers):
    """Return the code of the first request of a session."""
    first = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first}
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection = http.client.HTTPConnection(host.replace("localhost", "127.0.0.1"), timeout=60)
    try:
        connection.request("POST", "/mcp", json.dumps(body), {**usual, "Host": host, **headers})
        return connection.getresponse().status
    finally:
        connection.close()


def test_hints_are_a_tool_on_demand(mcp):
    async def ask():
        async with over_stdio(mcp, [*COMMAND, "--hints"]) as client:
            return await asked(client, "hint")

    refused, hint = asyncio.run(ask())
    assert not refused and "lace " in hint


def test_without_the_sdk_the_command_names_the_extra(monkeypatch, refusal):
    for name in ("mcp", "mcp.server.mcpserver"):
        monkeypatch.setitem(sys.modules, name, None)
    error = refusal(main, ["karma"])
    assert "[mcp]" in error and "constraints/mcp.txt" in error


def test_without_seats_the_model_plays_scripted_agents():
    table = prepare(Args("karma", ("players=3",)))
    assert isinstance(table, ToolTable) and table.game.players == 3 and "You are seat 0 of 3." in table.look()
