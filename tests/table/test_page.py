"""The page in a browser: games by mouse and by keyboard, turning tiles, reloading, and a server that goes away."""

import os

import pytest

from .browser import PATIENCE, Browser, needed
from .serving import DRAWN, OWN_TURN, Client, opened, seated, served, shown

pytestmark = needed
SHORT = {} if os.environ.get("TANTRA_WHOLE_GAMES") else {"max_moves": 40}  # a whole one takes most of a minute
GAMES = [
    ("karma", "me,scripted", {"players": 2}),
    ("tarot:hand", "me,scripted", {"players": 2}),
    ("kanastic", "me,scripted", {"players": 2, **SHORT}),
    ("tantra", "me,scripted,scripted", {"players": 3, "n_rounds": 1}),
    ("tantrix", "me,scripted", {"players": 2}),
    ("tantrix", "me", {"mode": "discovery", "puzzle": 3, "max_steps": 8}),
]
NOW = "JSON.stringify([state.version, picked, laid && laid.dataset.action])"  # whatever is done on the page changes it
AGAIN = 3.0  # seconds until what has come to nothing is done again: the page may have been redrawn under the mouse
# Where the mouse does an action: its thing on the table if that is on top there, else its line in the list.
AIM = """(() => {
  const shows = (made) => {
    const box = made.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.15, .5], [.1, .1], [.2, .8], [.8, .2]].map(
        ([a, b]) => [box.x + a * box.width, box.y + b * box.height]))
      if (box.width && made.contains(document.elementFromPoint(x, y))) return [x, y, true];
    return null;
  };
  const things = [...table.querySelectorAll("[data-action]:not(.for), .for.on")];
  const chooser = !picked && table.querySelector("[data-choose]");
  for (const made of chooser ? [...things, chooser] : things) { const at = shows(made); if (at) return at; }
  const line = document.querySelector("#actions button");
  if (!line) return null;
  line.scrollIntoView();
  const box = line.getBoundingClientRect();
  return [box.x + 5, box.y + 5, false];
})()"""


@pytest.mark.parametrize(("name", "seats", "config"), GAMES, ids=[f"{g[0]}-{g[2].get('mode', '')}" for g in GAMES])
def test_a_game_by_mouse_and_by_keyboard_and_its_replay(name, seats, config):
    session = seated(name, seats, config=config)
    with opened(session, DRAWN) as page:
        turn = clicked = tabbed = 0
        while page.wait("state.over ? 'over' : state.yours && 'go'") != "over":
            turn += 1
            if turn % 4 == 0:
                done(page, lambda: by_list(page))
            elif turn % 4 == 2:
                tabbed += by_tab(page)
            else:
                clicked += by_mouse(page)
        assert clicked and (tabbed or turn < 2)
        assert page.run("$('ask').hidden && !!$('verdict').innerText")  # the verdict says that it is over
        assert page.run("document.querySelectorAll('#actions button').length") == 0
        page.run("$('replay').click()")  # whose steps are tested in tests/drawing
        moves = page.wait(
            "document.getElementById('ply')?.textContent && document.querySelectorAll('#moves li').length"
        )
        assert moves == 1 + len(session.history.moves)
        assert page.run("document.getElementById('view').options[1].text") == "all cards open"


def done(page, act):
    """Does something until the page shows that it was done. The server refuses what comes too late."""
    before = page.run(NOW)
    for _ in range(int(PATIENCE / AGAIN)):
        act()
        if page.becomes(f"{NOW} !== {before!r} && {NOW}", AGAIN):
            return
    raise AssertionError(f"nothing comes of it: {page.run('document.body.innerText')}")


def by_list(page):
    page.run("document.activeElement.blur()")
    page.press("ArrowDown")
    page.press("Enter")


def by_mouse(page):
    """Clicks until the table has moved on; how many of the clicks were on the table."""
    version, on_table = page.run("state.version"), []

    def click():
        x, y, drawn = page.wait(AIM)
        page.click(x, y)
        on_table.append(drawn)

    for _ in range(3):
        done(page, click)
        if page.run("!!laid"):
            page.mouse("mouseWheel", *page.middle("laid"), deltaX=0, deltaY=100)
            done(page, lambda: page.press("Enter"))
        if page.run(f"state.version !== '{version}'"):
            return sum(on_table)
    page.press("Escape")
    done(page, lambda: by_list(page))
    return sum(on_table)


def by_tab(page):
    """With Tab and Enter on the table, turning a tile with r; with the list if nothing there can be done."""
    version = page.run("state.version")
    if not page.run("!!table.querySelector('[tabindex]')"):
        done(page, lambda: by_list(page))
        return 0
    for place in ("table.contains(document.activeElement)", "!!document.activeElement.dataset.for"):
        tab_to(page, place)
        done(page, lambda: page.press("Enter"))
        if not page.run("!!picked"):
            break
    if page.run("!!laid"):
        if page.run("turns(laid).length > 1"):
            done(page, lambda: page.press("r"))
        done(page, lambda: page.press("Enter"))
    return page.run(f"state.version !== '{version}'")


def tab_to(page, there):
    for _ in range(200):
        if page.run(there):
            return
        page.press("Tab")
    raise AssertionError("Tab does not lead there")


def test_hint_undo_and_a_new_deal_by_key():
    session = seated("karma", "me,scripted", config={"players": 2, "auto_setup": True})
    with opened(session) as page:
        page.press("h")
        page.wait("!busy && $('advice').textContent.includes('rules of thumb')")
        assert page.run("document.querySelectorAll('#actions .hinted').length") == 1
        moves = len(session.history.moves)
        for act in (lambda: by_list(page), lambda: page.press("u")):
            done(page, act)
            page.wait("state.yours")
        assert len(session.history.moves) == moves
        done(page, lambda: by_list(page))
        page.wait("state.yours")
        page.press("n")
        page.wait("$('message').textContent.includes('press New deal again')")
        dealt = session.history
        done(page, lambda: page.press("n"))
        page.wait("state.yours")
        assert session.history is not dealt


def test_the_mouse_on_a_hint_lights_the_tiles_that_it_names():
    with opened(seated("tantrix", "me,scripted", config={"players": 2})) as page:
        page.press("h")
        page.wait("!busy && !$('advice').hidden")
        page.click(*page.middle("$('advice')"))
        assert page.becomes("!!table.querySelector('.named')", 5)


def test_the_page_is_reloaded_goes_on_in_another_tab_and_says_when_the_server_is_gone_and_answers_again():
    session = seated("karma", "me,me", config={"players": 2})
    with served(session) as server, Browser(width=420, height=900, dark=True) as page:
        first = next(person for person in session.people if shown(session, person).yours)
        page.open(server.link(first))
        page.wait(OWN_TURN)
        page.run("play(state.actions[0][0])")
        page.wait("state.log.length === 1")
        page.open(server.link(first))
        page.wait(f"{DRAWN} && state.log.length === 1")
        Client(server, first).play(session.game.legal(session.history.state)[0])
        page.wait("state.log.length === 2")
        assert page.run("document.documentElement.scrollWidth") <= 420
        page.run("(() => { $('palette').value = 'colour-blind'; $('palette').onchange(); })()")
        page.wait("state.svg.includes('#e69f00')")
        page.run("(() => { globalThis.real = fetch; fetch = () => Promise.reject(new Error()); polling.abort(); })()")
        page.wait("$('message').textContent.includes('does not answer')")
        page.run("(() => { fetch = real; })()")
        page.wait(f"$('message').textContent === '' && {DRAWN}")
        first.token = "another"
        page.run("again()")
        page.wait("$('message').textContent.includes('This table is closed')")
