"""The page of a replay in a browser, where Chromium is found: keys, clicks, slider, seats, playing by itself."""

import tantra_envs
from tantra_envs import drawing
from tantra_envs.core.opinions import Opinion
from tantra_envs.drawing.replays import Luck
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


def judged(game, actions, mistake):
    """Opinions on all actions: they were the best, but for one mistake."""
    state, thoughts = game.new(1), {}
    for ply, action in enumerate(actions):
        others = [other for other in game.legal(state) if other != action]
        values = {action: 0.5} | ({others[0]: 0.9 if ply == mistake else 0.4} if others else {})
        thoughts[ply] = Opinion("win probability, in 8 sampled deals", values, dict.fromkeys(values, 0.01))
        game.apply_action(state, action)
    return thoughts


def test_a_judgement_leads_to_the_table_before_a_mistake_with_the_best_action_outlined(tmp_path):
    game = tantra_envs.game("karma", players=2)
    actions = played(game, plies=12)
    thoughts = judged(game, actions, mistake=6)
    seats = content(drawing.replay(game, game.new(1), actions).html)[0]["moves"]
    mover, decisions = seats[6], seats.count(seats[6])
    with Browser() as page:
        show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts), tmp_path)
        assert page.run("document.getElementById('curve').querySelectorAll('path[class^=c]').length") == 2
        assert page.run("document.getElementById('curve').querySelectorAll('circle').length") == 1
        rows = page.run("[...document.getElementById('summary').rows].map((row) => row.innerText.split('\\t'))")
        lost = [f"{40 / decisions:.1f}", "0", "1"]
        assert [row[1:] for row in rows[1:]] == [lost if seat == mover else ["0.0", "0", "0"] for seat in range(2)]
        for act in ("document.getElementById('mistake').click()",
                    "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'm'}))",
                    "document.querySelectorAll('#moves button')[7].click()"):  # fmt: skip
            page.run("document.getElementById('first').click()")
            page.run(act)
            assert page.run("document.getElementById('ply').textContent") == "6 / 12"
            note = page.run("document.getElementById('thoughts').innerText")
            assert note.endswith("40 points below the judge's choice")
            assert page.run("document.querySelectorAll('#stage [data-action]').length") >= 1
            assert page.run("document.querySelector('#moves .judged i').textContent") == "7"
        assert page.run("document.getElementById('parts').hidden")
        page.run("document.querySelectorAll('#moves button')[6].click()")  # not marked: the table after it
        assert page.run("document.getElementById('ply').textContent") == "6 / 12"
        scores = {None: {0: [0.25] * 12 + [1], 1: [0.75] * 12 + [0]}, 0: {0: [0.5] * 13}}
        show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts, scores=scores), tmp_path)
        assert page.run("document.getElementById('curve').querySelectorAll('path[class^=c]').length") == 2
        assert page.run("document.getElementById('chance').textContent") == "Seat 0 25 %, Seat 1 75 %"
        page.run("document.getElementById('end').click()")
        assert page.run("document.getElementById('chance').textContent") == "Seat 0 100 %, Seat 1 0 %"
        page.run("document.getElementById('view').value = 1")
        page.run("document.getElementById('view').dispatchEvent(new Event('change'))")
        assert page.run("document.getElementById('chance').textContent") == "Seat 0 50 %"
        assert page.run("document.getElementById('curve').querySelectorAll('path[class^=c]').length") == 1
    best = max(thoughts[6].values, key=thoughts[6].values.get)
    other = content(drawing.replay(game, game.new(1), actions, thoughts=thoughts, seat=1 - mover).html)[1][0]
    own = content(drawing.replay(game, game.new(1), actions, thoughts=thoughts, seat=mover).html)[1][0]
    assert f'data-action="{best}"' in own[6] and "data-action" not in other[6]


def test_a_list_that_is_not_in_the_order_of_its_numbers_says_why(tmp_path):
    game = tantra_envs.game("karma", players=2)
    actions = played(game, plies=2)
    for higher, why in ((0.52, "the difference is within chance"), (0.9, "how likely a trained agent is")):
        thoughts = {0: Opinion("win probability", {actions[0]: 0.5, 43: higher}, {43: 0.02}, choice=actions[0])}
        with Browser() as page:
            show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts), tmp_path)
            note = page.run("document.querySelector('#thoughts p').textContent")
            assert "played the judge's choice" in note and "has a higher number" in note and why in note


def test_the_parts_of_luck_are_shown_to_readers_of_all_cards(tmp_path):
    game = tantra_envs.game("karma", players=2)
    actions = played(game, plies=12)
    luck = [Luck(0, -0.06, 0.05, -0.2, 0.1, 0.66, 0.1, 1.0), Luck(1, 0.06, 0.05, -0.1, 0.2, -0.66, 0.1, 0.0)]
    thoughts = judged(game, actions, mistake=6)
    with Browser() as page:
        show(page, drawing.replay(game, game.new(1), actions, thoughts=thoughts, luck=luck), tmp_path)
        rows = page.run(
            "[...document.querySelectorAll('#luck tbody tr')].map((row) => [...row.cells].map((c) => c.textContent))"
        )
        assert rows == [
            ["Seat 0", "-6 ± 10", "-20", "+10", "+66 ± 20", "100"],
            ["Seat 1", "+6 ± 10", "-10", "+20", "-66 ± 20", "0"],
        ]
        page.run("document.getElementById('view').value = 1")
        page.run("document.getElementById('view').dispatchEvent(new Event('change'))")
        assert page.run("document.getElementById('parts').hidden")


def test_an_address_names_a_table_and_the_link_of_a_table_is_its_address(tmp_path):
    game = tantra_envs.game("karma", players=2)
    page_file = drawing.replay(game, game.new(1), played(game, plies=12))
    with Browser() as page:
        show(page, page_file, tmp_path)
        page.run("document.getElementById('next').click()")
        assert page.run("document.getElementById('here').getAttribute('href')") == "#1"
        address = page.run("location.href.split('#')[0]")
        for fragment, ply in (("#7", 7), ("#99", 12), ("#x", 0), ("", 0)):
            page.open("about:blank")
            page.open(address + fragment)
            page.wait("!!document.querySelector('#moves .on')")
            assert page.run("document.getElementById('ply').textContent") == f"{ply} / 12", fragment
        page.run("location.hash = '#5'")
        page.wait("document.getElementById('ply').textContent === '5 / 12'")


def test_why_opens_for_the_next_action_and_stays_open(tmp_path):
    game = tantra_envs.game("karma", players=2)
    actions = played(game, plies=12)
    reasons = {ply: Opinion("probability", {actions[ply]: 0.25, 43: 0.75}, {}) for ply in (3, 4)}
    judged = {3: Opinion("win probability, in 8 sampled deals", {actions[3]: 0.4, 43: 0.5}, {43: 0.02})}
    methods = ["scripted follows rules of thumb: low cards first."] * 2
    shown = drawing.replay(game, game.new(1), actions, thoughts=judged, reasons=reasons, methods=methods)
    why = "document.getElementById('why')"
    with Browser() as page:
        show(page, shown, tmp_path)
        assert page.run(f"{why}.querySelector('table').rows.length") == 0
        assert "low cards first" in page.run(f"{why}.querySelector('p').textContent")
        page.run("location.hash = '#3'")
        page.wait("document.getElementById('ply').textContent === '3 / 12'")
        page.run(f"{why}.querySelector('summary').click()")
        assert page.run(f"{why}.querySelector('summary').textContent").startswith("Why? 4 Seat ")
        rows = (
            f"[...{why}.querySelectorAll('tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"
        )
        assert page.run(rows) == [["probability", "chances"], ["75 %", "50 % ± 2 %"], ["25 %", "40 %"]]
        page.press("ArrowRight")
        page.run("document.getElementById('next').click()")
        assert page.run(f"{why}.querySelector('details').open")
        page.run("location.hash = '#4'")
        page.wait("document.getElementById('ply').textContent === '4 / 12'")
        assert page.run(rows) == [["probability"], ["75 %"], ["25 %"]]  # nobody judged it
        page.run("document.getElementById('end').click()")
        assert page.run(f"{why}.hidden")
