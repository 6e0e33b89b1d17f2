"""Karma on a page of the site: its worker plays the games of the package, and one click deals the cards."""

from __future__ import annotations

import functools
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import tantra_envs
from docs._site import play_page
from docs._site.play.table import Door
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Scripted
from tests.table.browser import Browser, needed
from tests.table.test_accessibility import CHECKS, SIZES, serious

LIBRARIES = Path(__file__).parents[1] / "table" / "node_modules"
installed = pytest.mark.skipif(
    not all((LIBRARIES / name).is_dir() for name in ("axe-core", "pyodide")),
    reason="Pyodide or axe-core is not installed: npm ci --prefix tests/table",
)
GAMES = [(2, seed) for seed in range(20)] + [(3, seed) for seed in range(10)]  # seats and deals
PLAYED = """
import json
from tantra_envs import configuration
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.table.history import deal

game = configuration.game("karma", players={})
history = deal(game, {})
while not history.state["over"][0]:
    history.ask(Scripted(game), None)
json.dumps([[past.action for past in history.moves], history.totals.tolist()])
"""
LOAD = "import('./python.js').then(async ({load}) => { globalThis.python = await load(); })"
DRAWN = "typeof state === 'object' && state.yours && !!document.querySelector('#table svg')"
SAID = "document.getElementById('log').innerText"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the page, with Pyodide from this machine and plain Python in place of NumPy."""
    folder = tmp_path_factory.mktemp("site")
    play_page.write(folder, "/pyodide/", (), Path(__file__).parent / "instead_of_numpy")
    (folder / "apart").mkdir()
    play_page.write(folder / "apart", "/nowhere/")
    (folder / "pyodide").symlink_to(LIBRARIES / "pyodide")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/play.html"
        server.shutdown()


@needed
@installed
def test_python_in_the_browser_plays_the_games_of_the_package(address):
    with Browser() as page:
        page.open(address.replace("play.html", "play/rules.html"))  # whose requests go to the server
        page.wait("!!document.querySelector('h1')")
        page.run(LOAD)
        for players, seed in GAMES:
            game = tantra_envs.game("karma", players=players)
            outcome = play_tables(game, [Scripted(game)], [[0] * players], [seed], record=True)
            expected = [outcome.actions[0].tolist(), outcome.rewards[0].tolist()]
            assert json.loads(page.run(f"python.runPython({json.dumps(PLAYED.format(players, seed))})")) == expected


@needed
@installed
def test_one_click_deals_the_cards_and_agents_answer_until_the_end(address):
    with Browser() as page:
        page.open(address)
        page.wait("document.readyState === 'complete'")
        assert not page.run("performance.getEntriesByType('resource').some(({name}) => name.includes('pyodide'))")
        page.run("document.getElementById('play').click()")
        page.wait(DRAWN)
        page.run("act({do: 'pace', speed: 'fast'})")
        page.wait("!busy && state.speed === 'fast'")
        page.run("document.getElementById('hint').click()")
        page.wait("document.getElementById('advice').textContent.includes('rules of thumb')")
        page.run("document.querySelector('#actions button').click()")
        page.wait(f"{SAID}.includes('You lay')")
        page.wait("!busy && !document.getElementById('undo').disabled")
        page.run("document.getElementById('undo').click()")
        page.wait(f"!busy && !{SAID}.includes('You lay')")
        page.run("act({do: 'deal', seed: 8})")  # which ends after 59 actions
        page.wait(f"!busy && !{SAID}.includes('You lay') && state.yours")
        page.run("setInterval(() => document.querySelector('#actions button:enabled')?.click(), 20)")
        page.wait("state.over && !document.getElementById('ending').hidden")
        assert page.run("document.getElementById('message').textContent") == ""
        assert "Opponent 2" in page.run("document.getElementById('sheet').innerText.replaceAll('\\u00ad', '')")


@needed
@installed
def test_axe_finds_nothing_before_and_after_the_click(address):
    with Browser() as page:
        for ready in ("document.readyState === 'complete'", DRAWN):
            for width, height in SIZES:
                for dark in (False, True):
                    page.look(width, height, dark)
                    if ready != DRAWN:
                        page.open(address)
                    page.wait(ready)
                    assert page.run(CHECKS) == [] and serious(page) == [], (ready, width, dark)
            page.run("document.getElementById('play')?.click()")


@needed
@installed
def test_without_the_network_the_page_says_so(address):
    with Browser() as page:
        page.open(address.replace("play.html", "apart/play.html"))
        page.wait("document.readyState === 'complete'")
        page.run("document.getElementById('play').click()")
        page.wait("document.getElementById('message').textContent.includes('It needs the network once')")


def test_the_door_refuses_what_the_server_refuses():
    door = Door()

    def answer(route, query=(), wish=()):
        return door.answer(json.dumps({"route": route, "query": dict(query), "wish": dict(wish)}))

    code, shown = json.loads(answer("state", {"wide": "1.5"}))
    assert code == 200 and answer("state", {"since": shown["version"]}) is None
    assert json.loads(answer("act", (), {"do": "undo", "version": shown["version"]}))[0] == 409
    assert json.loads(answer("act", (), {"do": "play", "version": "before", "action": 0}))[0] == 409
    assert json.loads(answer("state", {"palette": "none"}))[0] == 400
    assert json.loads(answer("open"))[0] == 409
    assert "Table" in answer("terms")
