"""Pages that everybody can use: axe-core finds nothing serious; text, targets and borders are large and clear."""

import contextlib
import json
import tempfile
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.table.lobby import Lobby

from .browser import Browser, needed
from .serving import DRAWN, is_over, opened, play, seated, served

pytestmark = needed
AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"
SIZES = [(1280, 860), (400, 800)]
PAGES = ["lobby", "table", "ending", "book", "gone", "replay", "judged", "study"]
RESULTS = Path(__file__).parents[2] / "docs/results/study/karma.csv"
SERIOUS = """axe.run().then((report) => JSON.stringify(report.violations
  .filter((rule) => ["serious", "critical"].includes(rule.impact))
  .map((rule) => [rule.id, ...rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])))"""
SMALLEST = """(() => { const svg = document.querySelector("#table svg");
  const sizes = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
  return Math.min(...sizes) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; })()"""  # px
LEAST = 12  # px of letters in a drawing on a small screen
TABLES = [
    ("karma", {"players": 4}),
    ("kanastic", {}),
    ("tantra", {"players": 4}),
    ("tarot", {"players": 3}),
    ("tantrix", {"players": 2}),
    ("tarot", {"players": 2}),
]
TABLES += [("tantrix", {"mode": mode}) for mode in ("gobble", "solitaire", "discovery", "rainbow", "daily")]
CHECKS = Path(__file__).with_name("access.js").read_text()


@contextlib.contextmanager
def address(page_name):
    """The address of a page."""
    if page_name == "lobby":
        with served(None, lobby=Lobby(lambda *_: None)) as server:
            yield server.lobby_link()
        return
    if page_name == "study":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "karma.html")
            results = pytest.importorskip("tantra_envs.programs.results").read(RESULTS)
            pytest.importorskip("benchmarks.views.study").write_study_page(file, results, "a command")
            yield file.as_uri()
        return
    session = seated("karma", "me,learned", config={"players": 2})
    play(session, is_over if page_name in ("ending", "replay", "judged") else _is_own_turn)
    with served(session, "search:4") as server:
        if page_name == "gone":
            session.people[0].token = "another"
            yield server.link(session.people[0]).replace("another", "closed")
            return
        path = {"book": "book", "replay": "replay", "judged": "replay?judged=1"}.get(page_name, "")
        yield server.link(session.people[0]) + path


def _is_own_turn(session):
    return session.history.state["plies"][0] > 12 and session.history.state["seat"][0] == 0


READY = {
    "lobby": "document.querySelectorAll('#games button').length > 4",
    "table": "typeof state === 'object' && state.yours && $('log').children.length",
    "ending": "typeof state === 'object' && state.over && !$('ending').hidden && $('table').firstChild?.id === 'o'",
    "book": "!!document.querySelector('h2')",
    "gone": "!!document.getElementById('printed')",
    "study": "document.querySelectorAll('table tr').length > 2",
    "replay": "!!document.querySelector('#moves li')",
    "judged": "!!document.querySelector('#summary td') && (() => { const at = (id) => document.getElementById(id); "
    "at('view').value = 1; at('view').dispatchEvent(new Event('change')); "
    "for (let i = 0; i < 30 && at('why').hidden; i++) at('next').click(); "
    "for (const part of document.querySelectorAll('details')) part.open = true; return !at('why').hidden; })()",
}
CONTROLS = {"button", "link", "textbox", "combobox", "slider", "DisclosureTriangle", "image"}  # roles that need a name
STOP = """(() => { const stop = document.activeElement, box = stop.getBoundingClientRect();
  const style = getComputedStyle(stop), over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return stop === document.body ? null : {
    place: [...document.querySelectorAll("*")].indexOf(stop), what: stop.outerHTML.slice(0, 120),
    clear: (ring || (stop.closest("svg") && style.filter !== "none")) && box.width > 0 && !!over &&
      (stop.contains(over) || over.contains(stop) || !!stop.closest("svg")) }; })()"""  # it has a ring, and lies above


def looks(page_name):
    """A page in each size, light and dark."""
    with address(page_name) as link, Browser() as page:
        for width, height in SIZES:
            for dark in (False, True):
                page.look(width, height, dark)
                page.open(link)
                page.wait(READY[page_name])
                yield page, (width, dark)


@pytest.mark.parametrize("page_name", PAGES)
def test_a_page_has_large_text_clear_borders_and_names(page_name):
    for page, look in looks(page_name):
        assert page.run(CHECKS) == [], look


def focus_walk(page):
    """What is wrong with the stops of the Tab key: one without a ring, hidden or covered, or out of order."""
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    stops = []
    while len(stops) < 300:
        page.press("Tab")
        stop = page.run(STOP)
        if stop is None or (stops and stop["place"] == stops[0]["place"]):
            break
        stops.append(stop)
    places = [stop["place"] for stop in stops]
    assert len(stops) > 5 and places == sorted(set(places))
    return [stop["what"] for stop in stops if not stop["clear"]]


def nameless(page):
    """The controls and pictures that a screen reader could not name."""
    nodes = page.accessibility()
    shown = [node for node in nodes if not node["ignored"] and node["role"]["value"] in CONTROLS]
    assert shown
    return [node["role"]["value"] for node in shown if not node.get("name", {}).get("value", "").strip()]


@pytest.mark.parametrize("page_name", ["lobby", "table", "ending", "judged"])
def test_the_focus_is_seen_at_every_stop_and_screen_readers_can_name_all_controls(page_name):
    with address(page_name) as link, Browser(1280, 860) as page:
        page.open(link)
        page.wait(READY[page_name])
        assert focus_walk(page) == [] and nameless(page) == []


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci --prefix tests/table")
@pytest.mark.parametrize("page_name", PAGES)
def test_axe_finds_nothing_serious(page_name):
    for page, look in looks(page_name):
        assert serious(page) == [], look


def serious(page):
    """What axe finds on a page that has stopped moving."""
    page.run("Promise.all(document.getAnimations().map((motion) => motion.finished))")
    page.run(AXE.read_text())
    return json.loads(page.run(SERIOUS))


def test_nothing_is_wrong_while_a_tile_is_picked_and_shown():
    session = seated("tantrix", "me,scripted", config={"players": 2})
    play(session, lambda session: session.history.state["placed"][0] > 5 and session.history.state["seat"][0] == 0)
    with opened(session) as page:
        for step in (
            "pick(table.querySelector('[data-choose]').dataset.choose)",
            "lay(places(picked).find((thing) => thing.classList.contains('on')))",
        ):
            page.run(step)
            assert page.run(CHECKS) == [] and (not AXE.is_file() or serious(page) == [])
            assert nameless(page) == []
        assert page.run("!!laid")
        page.run("putBack(); pick(table.querySelector('[data-choose]').dataset.choose)")
        assert focus_walk(page) == []
        first = page.run("[...table.querySelectorAll('[tabindex=\"0\"]')][0].classList.contains('on')")
        assert first  # the places come before the tiles


def test_the_tables_of_all_games_are_clear_on_a_small_screen_in_dark_colours():
    with Browser(*SIZES[1], dark=True) as page:
        for name, config in TABLES:
            game = tantra_envs.game(name, **config)
            session = seated(name, ",".join(["me"] + ["scripted"] * (game.players - 1)), config=config)
            with served(session) as server:
                page.open(server.link(session.people[0]))
                page.wait(DRAWN)
                assert page.run(CHECKS) == [], (name, config)
                assert page.run(SMALLEST) > LEAST - 0.01, (name, config)
                assert not AXE.is_file() or serious(page) == [], (name, config)
