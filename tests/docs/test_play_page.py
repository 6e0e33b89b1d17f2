"""Karma on a page of the site: its files play the games of the package without Numba, and one click deals the cards."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from docs._site import play_page
from docs._site.play.table import PLAYERS, Door
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Scripted
from tests.table.browser import Browser, needed
from tests.table.test_accessibility import AXE, CHECKS, SIZES, serious

SEEDS = range(8)
# The person plays what hints say. Of libraries, the browser has NumPy alone.
PLAYED = """
import importlib.abc, json, sys

class OnlyNumPy(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "table", "tantra_envs"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, OnlyNumPy())
import table

def act(do, **wish):
    wish = {"do": do, "version": session.version, **wish}
    code, content = json.loads(door.answer(json.dumps({"route": "act", "query": {}, "wish": wish})))
    assert code == 200, content
    return content

games = []
for seed in json.loads(sys.argv[1]):
    door = table.Door()
    session = door._session
    act("deal", seed=seed)
    while not session.history.is_over:
        if door.pause() is None:
            act("play", action=act("hint")["action"])
        else:
            door.step()
    games.append([[past.action for past in session.history.moves], session.history.totals.tolist()])
print(json.dumps([table.configuration.__file__, games]))
"""
BY_REQUEST = """
function ask(method, text = "") {
  const request = new XMLHttpRequest();
  request.open("POST", `/${method}`, false);
  request.send(text);
  return request.status === 204 ? undefined : request.responseText;
}
const door = {answer: (text) => ask("answer", text), pause: () => ask("pause"), step: () => ask("step")};
export async function load() { return {pyimport: () => ({Door: () => door})}; }
"""
DRAWN = "typeof state === 'object' && state.yours && !!document.querySelector('#table svg')"
SAID = "document.getElementById('log').innerText"


class Files(SimpleHTTPRequestHandler):
    """The files of the site, and the methods of `door` in place of Python in the browser."""

    door: Door

    def log_message(self, *_):
        pass

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        reply = getattr(self.door, self.path.strip("/"))(*[text] * bool(text))
        content = b"" if reply is None else str(reply).encode()
        self.send_response(204 if reply is None else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def served(tmp_path):
    """The folder and the address of the page."""
    play_page.write(tmp_path)
    (tmp_path / "play/python.js").write_text(BY_REQUEST)
    Files.door = Door()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}/play.html"
        server.shutdown()


def test_the_files_of_the_page_play_the_games_of_the_package_with_numpy_alone(tmp_path):
    play_page.write(tmp_path)
    with zipfile.ZipFile(tmp_path / "play/files.zip") as files:
        files.extractall(tmp_path / "files")
    paths = f"{tmp_path / 'files'}{os.pathsep}{Path(np.__file__).parents[1]}"  # -S: without the package in this clone
    done = subprocess.run(
        [sys.executable, "-S", "-c", PLAYED, json.dumps([*SEEDS])],
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place, games = json.loads(done.stdout)
    assert place == str(tmp_path / "files/tantra_envs/configuration.py")
    game = tantra_envs.game(play_page.GAME, players=PLAYERS)
    played = play_tables(game, [Scripted(game)], [[0] * PLAYERS] * len(SEEDS), [*SEEDS], record=True)
    assert [moves for moves, _ in games] == [row.tolist() for row in played.actions]
    assert [totals for _, totals in games] == played.rewards.tolist()


@needed
def test_one_click_deals_the_cards_and_agents_answer_until_the_end(served):
    _, address = served
    with Browser() as page:
        page.open(address)
        page.wait("document.readyState === 'complete'")
        assert not page.run("performance.getEntriesByType('resource').some(({name}) => name.includes('worker'))")
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
def test_everybody_can_use_the_page_before_and_after_the_click(served):
    _, address = served
    with Browser() as page:
        for ready in ("document.readyState === 'complete'", DRAWN):
            for width, height in SIZES:
                for dark in (False, True):
                    page.look(width, height, dark)
                    if ready != DRAWN:
                        page.open(address)
                    page.wait(ready)
                    assert page.run(CHECKS) == [] and not (AXE.is_file() and serious(page)), (ready, width, dark)
            page.run("document.getElementById('play')?.click()")


@needed
def test_without_the_network_the_page_says_so(served):
    folder, address = served
    (folder / "play/python.js").write_text("export async function load() { throw Error('no network'); }")
    with Browser() as page:
        page.open(address)
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
