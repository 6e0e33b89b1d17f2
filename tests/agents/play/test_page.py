"""The page in a browser: games by mouse and by keyboard, turning tiles, reloading, and a server that goes away."""

import pytest

from .browser import Browser, needed
from .serving import Client, seated, served

pytestmark = needed
SHORT = [
    ("karma", "me,scripted", {"max_moves": 40}),
    ("tarot", "me,scripted", {"players": 2, "max_moves": 40}),
    ("kanastic", "me,scripted", {"players": 2, "max_moves": 40}),
    ("tantra", "me,scripted,scripted", {"players": 3, "max_moves": 40}),
    ("tantrix", "me,scripted", {"players": 2}),
    ("tantrix", "me", {"mode": "discovery", "puzzle": 3, "max_steps": 8}),
]
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


@pytest.mark.parametrize(("name", "seats", "config"), SHORT, ids=[f"{s[0]}-{s[2].get('mode', '')}" for s in SHORT])
def test_a_game_by_mouse_and_by_keyboard(name, seats, config):
    table = seated(name, seats, config=config)
    table.start()
    with served(table) as server, Browser() as page:
        page.open(server.link(table.people[0]))
        page.wait("typeof state === 'object' && state.svg")
        turn = clicked = 0
        while page.wait("state.over ? 'over' : state.yours && 'go'") != "over":
            version, turn = page.run("state.version"), turn + 1
            clicked += _by_keyboard(page) if turn % 4 == 0 else _by_mouse(page, version)
            page.wait(f"state.version !== '{version}'")
        assert clicked
        assert "over" in page.run("document.body.innerText")
        assert page.run("document.querySelectorAll('#actions button').length") == 0


def _by_keyboard(page):
    page.press("ArrowDown")
    page.press("Enter")
    return 0


def _by_mouse(page, version):
    """Clicks until something is done; returns how much of it was on the table."""
    on_table = 0
    for _ in range(3):
        aim = page.wait(f"state.version !== '{version}' ? 'done' : {AIM}")
        if aim == "done":  # by the click before
            return on_table
        x, y, drawn = aim
        page.click(x, y)
        on_table += drawn
        if page.run("!!laid"):
            page.wheel(x, y)
            page.press("Enter")
            return on_table
        if not page.run("!!picked"):
            return on_table
    page.press("Escape")
    _by_keyboard(page)
    return on_table


def test_the_page_is_reloaded_goes_on_in_another_tab_and_says_when_the_server_is_gone():
    table = seated("karma", "me,me", config={"players": 2})
    with served(table) as server, Browser(width=420, height=900, dark=True) as page:
        first = next(person for person in table.people if table.shown(person)["yours"])
        link = server.link(first)
        page.open(link)
        page.wait("typeof state === 'object' && state.yours")
        page.run("play(state.actions[0][0])")
        page.wait("state.log.length === 1")
        page.open(link)
        page.wait("typeof state === 'object' && state.svg && state.log.length === 1")
        client = Client(server, first)
        if client.state()["yours"]:
            client.play(client.state()["actions"][0][0])
            page.wait("state.log.length === 2")
        assert page.run("document.documentElement.scrollWidth") <= 420
        page.run("(() => { $('palette').value = 'colour-blind'; $('palette').onchange(); })()")
        page.wait("state.svg.includes('#e69f00')")
        first.token = "another"
        page.run("again()")
        page.wait("$('message').textContent.includes('take the link that was printed last')")
