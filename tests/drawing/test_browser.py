"""The page of a replay in a browser, where Chromium is found: keys, clicks, slider, seats, playing by itself."""

import tantra_envs
from tantra_envs import drawing
from tantra_envs.opinions import Opinion
from tests.table.browser import Browser, needed

from .test_replay import played

pytestmark = needed
DRIVE = """(async () => {
  const at = (id) => document.getElementById(id), seen = [];
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const note = () => seen.push([at("ply").textContent, at("stage").querySelector("svg").getAttribute("aria-label"),
    document.querySelector("#moves .on span").textContent, at("thoughts").hidden]);
  const key = (name) => { document.dispatchEvent(new KeyboardEvent("keydown", { key: name })); note(); };
  note();
  for (const name of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]) key(name);
  for (const name of ["next", "end", "back", "first"]) { at(name).click(); note(); }
  at("slider").value = 5; at("slider").dispatchEvent(new Event("input")); note();
  document.querySelectorAll("#moves button")[3].click(); note();
  at("view").value = 2; at("view").dispatchEvent(new Event("change")); note();
  const box = at("chart").getBoundingClientRect();
  at("chart").dispatchEvent(new MouseEvent("click", { clientX: box.right - 1 })); note();
  key("Home"); at("speed").value = 10; key(" "); await wait(3000); note();
  at("back").click();
  return { seen, card: document.querySelector("#stage use").getBoundingClientRect().width };
})()"""
INK = "getComputedStyle(document.body).color"


def show(page, replay, folder):
    """Open a replay from a file."""
    file = folder / "page.html"
    file.write_text(replay.html, encoding="utf-8")
    page.open(file.as_uri())
    page.wait("document.getElementById('ply')?.textContent")


def test_a_replay_is_stepped_through(tmp_path):
    game = tantra_envs.game("karma", players=3)
    actions = played(game, plies=12)
    names = ["Ann", "</script><b>Bo", "Cy"]
    thoughts = {3: Opinion("value", {actions[3]: 0.5}, {actions[3]: 0.1})}
    with Browser() as page:
        show(page, drawing.replay(game, game.new(1), actions, names, thoughts=thoughts), tmp_path)
        came = page.run(DRIVE)
        assert page.run(INK) == "rgb(23, 35, 29)"
    plies = [int(told.split(" /")[0]) for told, *_ in came["seen"]]
    assert plies == [0, 1, 2, 1, 12, 12, 0, 1, 12, 11, 0, 5, 3, 3, 12, 0, 0, 12]
    assert all(f"move {ply}" in label for ply, (_, label, *_) in zip(plies, came["seen"], strict=True))
    assert [ply for ply, (*_, hidden) in zip(plies, came["seen"], strict=True) if not hidden] in ([3], [3, 3])
    assert came["seen"][0][2] == "the deal"
    assert came["seen"][12][2].startswith(("Ann lays", "</script><b>Bo lays", "Cy lays"))
    assert came["card"] > 10


def test_it_is_dark_where_the_reader_prefers_it(tmp_path):
    game = tantra_envs.game("karma", players=2)
    with Browser(dark=True) as page:
        show(page, drawing.replay(game, game.new(1), played(game, plies=12)), tmp_path)
        assert page.run(INK) == "rgb(233, 241, 236)"
