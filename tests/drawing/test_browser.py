"""The page of a replay in a browser, where Chromium is found: keys, clicks, slider, seats, playing by itself."""

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.core.opinions import Opinion
from tests.table.browser import Browser, needed

from .test_replay import content, played

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
  key("Home"); at("speed").value = 10; key(" ");
  for (let i = 0; i < 600 && !at("ply").textContent.startsWith("12 /"); i++) await wait(50);
  note();
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
    page.run("globalThis.at = (id) => document.getElementById(id)")


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


def judged(game, actions, mistake):
    """Opinions on all actions: they were the best, but for one mistake."""
    state, thoughts = game.new(1), {}
    for ply, action in enumerate(actions):
        others = [other for other in game.legal(state) if other != action]
        values = {action: 0.5} | ({others[0]: 0.9 if ply == mistake else 0.4} if others else {})
        thoughts[ply] = Opinion("win probability, in 8 sampled deals", values, dict.fromkeys(values, 0.01))
        game.apply_action(state, action)
    return thoughts


CURVES = "at('curve').querySelectorAll('path[class^=c]').length"


def test_a_judgement_leads_to_the_table_before_a_mistake_with_the_best_action_outlined(tmp_path):
    game = tantra_envs.game("karma", players=2)
    actions = played(game, plies=12)
    thoughts = judged(game, actions, mistake=6)
    seats = content(drawing.replay(game, game.new(1), actions).html)[0]["moves"]
    mover, decisions = seats[6], seats.count(seats[6])
    with Browser() as page:
        show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts), tmp_path)
        assert page.run(f"[{CURVES}, at('curve').querySelectorAll('circle').length]") == [2, 1]
        rows = page.run("[...at('summary').rows].map((row) => row.innerText.split('\\t'))")
        lost = [f"{40 / decisions:.1f}", "0", "1"]
        assert [row[1:] for row in rows[1:]] == [lost if seat == mover else ["0.0", "0", "0"] for seat in range(2)]
        for act in ("at('mistake').click()", "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'm'}))",
                    "document.querySelectorAll('#moves button')[7].click()"):  # fmt: skip
            page.run("at('first').click()")
            page.run(act)
            assert page.run("at('thoughts').innerText").endswith("40 points below the judge's choice")
            assert page.run("document.querySelectorAll('#stage [data-action]').length") >= 1
            marked = "document.querySelector('#moves .judged i').textContent"
            assert page.run(f"[at('ply').textContent, {marked}, at('parts').hidden]") == ["6 / 12", "7", True]
        page.run("document.querySelectorAll('#moves button')[6].click()")  # not marked: the table after it
        assert page.run("at('ply').textContent") == "6 / 12"
        scores = {None: {0: [0.25] * 12 + [1], 1: [0.75] * 12 + [0]}, 0: {0: [0.5] * 13}}
        show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts, scores=scores), tmp_path)
        for act, curves, chance in (
            ("at('first').click()", 2, "Seat 0 25 %, Seat 1 75 %"),
            ("at('end').click()", 2, "Seat 0 100 %, Seat 1 0 %"),
            ("at('view').value = 1; at('view').dispatchEvent(new Event('change'))", 1, "Seat 0 50 %"),
        ):
            page.run(act)
            assert page.run(f"[{CURVES}, at('chance').textContent]") == [curves, chance]


OUTLINED = """(() => {
  const stage = document.getElementById("stage"), probe = stage.querySelector("svg use").cloneNode();
  stage.querySelector("svg").append(probe);
  probe.style.stroke = "var(--go)";
  const blue = getComputedStyle(probe).stroke;
  probe.remove();
  const drawn = (part) => !part.closest("defs") && part.getClientRects().length;
  const parts = [...stage.querySelectorAll("svg *")].filter(drawn);
  const is_space = (part) => (part.getAttribute("href") ?? "").endsWith("space_go");
  return parts.filter((part) => getComputedStyle(part).stroke === blue || is_space(part)).length;
})()"""


@pytest.mark.parametrize(("name", "config", "plies"), [
    ("karma", {"players": 2}, 30),
    ("tarot", {"players": 2}, 30),
    ("tantrix", {"players": 2}, 12),
    ("kanastic", {"players": 2}, 30),
])  # fmt: skip
def test_an_own_mistake_is_tried_again_on_a_table_without_the_answer(tmp_path, name, config, plies):
    game = tantra_envs.game(name, **config)
    actions = played(game, plies=plies)
    seats = content(drawing.replay(game, game.new(1), actions).html)[0]["moves"]
    with Browser() as page:
        for mistake in range(plies - 8, plies):
            thoughts = judged(game, actions, mistake)
            show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts, seat=seats[mistake]), tmp_path)
            page.run("at('mistake').click()")
            outlined = page.run(OUTLINED)
            if outlined and not page.run("at('retry').hidden"):
                break
        page.run("at('retry').click()")
        assert outlined and page.run(OUTLINED) == 0
        page.run("document.querySelector('#ways button').click()")
        assert page.run(OUTLINED) == outlined
