"""The page of a replay in a browser, where Chromium is found: keys, clicks, slider, seats, playing by itself."""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest

from tantra_envs import drawing
from tantra_envs.opinions import Opinion

from .tables import built
from .test_replay import played

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is found")
DRIVE = """<script>addEventListener("error", (event) => { document.title = event.message; });
(async () => {
  const at = (id) => document.getElementById(id), seen = [];
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const note = () => seen.push([at("ply").textContent, at("stage").querySelector("svg").getAttribute("aria-label"),
    document.querySelector("#moves .on span").textContent, at("thoughts").hidden]);
  const key = (name) => { document.dispatchEvent(new KeyboardEvent("keydown", { key: name })); note(); };
  while (!at("ply").textContent) await wait(20);
  note();
  for (const name of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]) key(name);
  for (const name of ["next", "end", "back", "first"]) { at(name).click(); note(); }
  at("slider").value = 5; at("slider").dispatchEvent(new Event("input")); note();
  document.querySelectorAll("#moves button")[3].click(); note();
  at("view").value = 2; at("view").dispatchEvent(new Event("change")); note();
  const box = at("chart").getBoundingClientRect();
  at("chart").dispatchEvent(new MouseEvent("click", { clientX: box.right - 1 })); note();
  key("Home"); at("speed").value = 10; key(" "); await wait(3000); note();
  const ink = getComputedStyle(document.body).color;
  at("back").click();
  const shape = document.querySelector("#stage use").getBoundingClientRect();
  document.body.innerHTML = "<pre id=seen></pre>";
  at("seen").textContent = JSON.stringify({ seen, ink, card: shape.width });
})();</script></body>"""


def driven(page, tmp_path, *flags):
    """The state of the page, opened from a file without a network."""
    file = tmp_path / "page.html"
    file.write_text(page.replace("</body>", DRIVE), encoding="utf-8")
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
    offline = ("--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={tmp_path / 'profile'}")
    command = [BROWSER, *quiet, *offline, *flags, "--virtual-time-budget=20000", "--dump-dom", file.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.S)
    assert found, dom[:400]
    return json.loads(unescape(found[1]))


def test_a_replay_is_stepped_through(tmp_path):
    game = built("karma", {"players": 3})
    actions = played(game, plies=12)
    names = ["Ann", "</script><b>Bo", "Cy"]
    page = drawing.replay(
        game, game.new(1), actions, names, thoughts={3: Opinion("value", {actions[3]: 0.5}, {actions[3]: 0.1})}
    ).html
    came = driven(page, tmp_path)
    plies = [int(told.split(" /")[0]) for told, *_ in came["seen"]]
    assert plies == [0, 1, 2, 1, 12, 12, 0, 1, 12, 11, 0, 5, 3, 3, 12, 0, 0, 12]
    assert all(f"move {ply}" in label for ply, (_, label, *_) in zip(plies, came["seen"], strict=True))
    assert [ply for ply, (*_, hidden) in zip(plies, came["seen"], strict=True) if not hidden] in ([3], [3, 3])
    assert came["seen"][0][2] == "the deal"
    assert came["seen"][12][2].startswith(("Ann lays", "</script><b>Bo lays", "Cy lays"))
    assert came["card"] > 10 and came["ink"] == "rgb(23, 35, 29)"


def test_it_is_dark_where_the_reader_prefers_it(tmp_path):
    game = built("karma", {"players": 2})
    page = drawing.replay(game, game.new(1), played(game, plies=12)).html
    came = driven(page, tmp_path, "--blink-settings=preferredColorScheme=0")
    assert came["ink"] == "rgb(233, 241, 236)"
