"""Pages that everybody can use: axe-core finds nothing serious; text, targets and borders are large and clear."""

import contextlib
import itertools
import json
from pathlib import Path

import pytest

from tantra_envs.table.lobby import Lobby

from .browser import Browser, needed
from .serving import DRAWN, first_decides, is_over, opened, play, seated, served

pytestmark = needed
AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"
SIZES = [(1280, 860), (400, 800)]
PAGES = ["lobby", "table", "ending", "book", "gone", "replay", "judged", "study"]
STOPS = ("lobby", "table", "ending", "judged")  # pages whose stops of Tab and names of controls are looked at
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
def address(page_name, folder):
    """The address of a page."""
    if page_name == "lobby":
        with served(None, lobby=Lobby(lambda *_: None)) as server:
            yield server.lobby_link()
        return
    if page_name == "study":
        results = pytest.importorskip("tantra_envs.programs.results").read(RESULTS)
        pytest.importorskip("benchmarks.views.study").write_study_page(folder / "karma.html", results, "a command")
        yield (folder / "karma.html").as_uri()
        return
    session = seated("karma", "me,learned", config={"players": 2})
    ended = page_name in ("ending", "replay", "judged")
    play(session, is_over if ended else lambda session: first_decides(session, "plies", 12))
    path = {"book": "book", "replay": "replay", "judged": "replay?judged=1", "gone": "../closed/"}.get(page_name, "")
    with served(session, "search:4") as server:
        yield server.link(session.people[0]) + path


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


@pytest.mark.parametrize("page_name", PAGES)
def test_a_page_has_large_text_clear_borders_names_and_a_focus_that_is_seen_at_every_stop(page_name, tmp_path):
    with address(page_name, tmp_path) as link, Browser() as page:
        for (width, height), dark in itertools.product(SIZES, (False, True)):
            page.look(width, height, dark)
            if not dark:  # other colours come without loading it again
                page.open(link)
            page.wait(f"document.readyState === 'complete' && {READY[page_name]}")
            assert page.run(CHECKS) == [] and serious(page) == [], (width, dark)
            if page_name in STOPS and (width, dark) == (SIZES[0][0], False):
                assert focus_walk(page) == [] and nameless(page) == []


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
    shown = [node for node in page.accessibility() if not node["ignored"] and node["role"]["value"] in CONTROLS]
    assert shown
    return [node["role"]["value"] for node in shown if not node.get("name", {}).get("value", "").strip()]


def serious(page):
    """What axe finds on a page that has stopped moving; nothing where it is not installed."""
    if not AXE.is_file():  # npm ci --prefix tests/table
        return []
    page.run("Promise.all(document.getAnimations().map((motion) => motion.finished))")
    page.run(AXE.read_text())
    return json.loads(page.run(SERIOUS))


def test_nothing_is_wrong_while_a_tile_is_picked_and_shown():
    session = seated("tantrix", "me,scripted", config={"players": 2})
    play(session, lambda session: first_decides(session, "placed", 5))
    with opened(session) as page:
        for step in (
            "pick(table.querySelector('[data-choose]').dataset.choose)",
            "lay(places(picked).find((thing) => thing.classList.contains('on')))",
        ):
            page.run(step)
            assert page.run(CHECKS) == [] and serious(page) == []
            assert nameless(page) == []
        assert page.run("!!laid")
        page.run("putBack(); pick(table.querySelector('[data-choose]').dataset.choose)")
        assert focus_walk(page) == []
        assert page.run(
            "[...table.querySelectorAll('[tabindex=\"0\"]')][0].classList.contains('on')"
        )  # the places come before the tiles


def test_the_tables_of_all_games_are_clear_on_a_small_screen_in_dark_colours():
    with Browser(*SIZES[1], dark=True) as page:
        for name, config in TABLES:
            session = seated(name, config=config)
            with served(session) as server:
                page.open(server.link(session.people[0]))
                page.wait(DRAWN)
                assert page.run(CHECKS) == [], (name, config)
                assert page.run(SMALLEST) > LEAST - 0.01, (name, config)
                assert serious(page) == [], (name, config)
