"""The page in a browser: games by mouse and by keyboard, turning tiles, reloading, and a server that goes away."""

import itertools
import os
import re
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.table.history import deal
from tantra_envs.table.table import Person, Table

from .browser import PATIENCE, Browser, needed
from .serving import DRAWN, Client, is_over, opened, play, seated, served

pytestmark = needed
ACCESS = Path(__file__).with_name("access.js").read_text()
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
    table = seated(name, seats, config=config)
    compiled(table)
    table.start()
    with opened(table, DRAWN) as page:
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
        steps_through_the_replay(page, len(table.history.moves))


def compiled(table):
    """Lets the agents decide once, which may take a minute that no page should have to wait."""
    for chair in table.chairs:
        if not isinstance(chair, Person):
            ask(chair, Observation(table.game, table.game.new(2)), np.random.default_rng(1))


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
    for _ in range(3):
        done(page, lambda: on_table.append(click(page)))
        if page.run(f"state.version !== '{version}'"):
            return sum(on_table)
        if page.run("!!laid"):
            page.wheel(*page.middle("laid"))
            done(page, lambda: page.press("Enter"))
            return sum(on_table)
    page.press("Escape")
    done(page, lambda: by_list(page))
    return sum(on_table)


def click(page):
    """Where something can be done; was it on the table?"""
    x, y, drawn = page.wait(AIM)
    page.click(x, y)
    return drawn


def by_tab(page):
    """With Tab and Enter on the table, turning a tile with r; with the list if nothing there can be done."""
    version = page.run("state.version")
    if not page.run("!!table.querySelector('[tabindex]')"):
        done(page, lambda: by_list(page))
        return 0
    tab_to(page, "table.contains(document.activeElement)")
    done(page, lambda: page.press("Enter"))
    if page.run("!!picked"):
        tab_to(page, "!!document.activeElement.dataset.for")
        done(page, lambda: page.press("Enter"))
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


def steps_through_the_replay(page, plies):
    page.run("$('replay').click()")
    page.wait("document.getElementById('ply')?.textContent.startsWith('0 /')")
    page.press("ArrowRight")
    page.wait(f"document.getElementById('ply').textContent === '1 / {plies}'")
    page.press("End")
    page.wait(f"document.getElementById('ply').textContent === '{plies} / {plies}'")
    assert page.run("document.querySelectorAll('#moves li').length") == plies + 1
    assert page.run("[...document.getElementById('view').options].map((view) => view.text)")[1] == "all cards open"


def test_hint_undo_and_a_new_deal_by_key():
    table = seated("karma", "me,scripted", config={"players": 2, "auto_setup": True})
    table.start()
    with opened(table) as page:
        page.press("h")
        page.wait("!busy && $('advice').textContent.includes('rules of thumb')")
        assert page.run("document.querySelectorAll('#actions .hinted').length") == 1
        moves = len(table.history.moves)
        done(page, lambda: by_list(page))
        page.wait("state.yours")
        done(page, lambda: page.press("u"))
        page.wait("state.yours")
        assert len(table.history.moves) == moves
        done(page, lambda: by_list(page))
        page.wait("state.yours")
        page.press("n")
        page.wait("$('message').textContent.includes('press New deal again')")
        done(page, lambda: page.press("n"))
        page.wait("state.log.length <= 1")


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
        page.wait("$('message').textContent.includes('This table is closed')")


DRAWING = "table.querySelector('svg').getBoundingClientRect()"
MEANING = "$('meaning').innerText"


def test_the_mouse_gets_the_meaning_of_what_it_is_over_also_through_words():
    table = seated("tantra", "me,scripted,scripted", config={"players": 3})
    with opened(table, f"{DRAWN} && Object.keys(terms).length", size=(1280, 900)) as page:
        display = "table.querySelector('g[data-title^=\"Display Card\"]')"
        printed = "[...table.querySelectorAll('text')].find((text) => / of( |$)/.test(text.textContent))"
        for thing in (display, printed):
            page.hover(thing)
            page.wait(f"{MEANING}.includes('sets that everybody needs')")
            top, bottom = page.run("(({top, bottom}) => [top, bottom])($('meaning').getBoundingClientRect())")
            assert page.run(f"{DRAWING}.bottom") <= top < bottom <= 900  # it covers no card
            assert page.run("$('meaning').getBoundingClientRect().right <= $('hint').getBoundingClientRect().left")
        assert not page.run("table.querySelector('title')")  # the browser would show it over the meaning
        page.hover("$('log')")
        page.wait(f"{MEANING} === ''")
        page.hover(display)
        table.deal(table.people[0], table.version, seed=2)
        page.wait(f"state.version === '{table.version}'")
        assert page.run("$('undo').disabled && $('turning').hidden")


def test_a_click_of_the_mouse_is_answered_at_once_and_marks_nothing_afterwards():
    table = seated("karma", "me,me", config={"players": 2})
    with served(table) as server, Browser() as page:
        person = next(person for person in table.people if table.shown(person)["yours"])
        page.open(server.link(person))
        page.wait("typeof state === 'object' && state.yours")
        version = page.run("state.version")
        x, y = page.run("(({x, y}) => [x + 9, y + 9])($('actions').querySelector('button').getBoundingClientRect())")
        with table._changed:  # the server is busy
            page.click(x, y)
            assert page.run("$('actions').querySelector('button').matches('.taken:disabled')")
            assert page.run("$('status').textContent").startswith("Your action: Lay ")
        page.wait(f"state.version !== '{version}' && !busy && state.yours")
        assert page.run("document.querySelectorAll('.taken, .seen, :focus-visible').length") == 0
        page.press("ArrowDown")
        assert page.run("$('actions').contains(document.querySelector(':focus-visible'))")
        assert page.run("table.querySelectorAll('.seen').length") == 1


def test_an_entry_lights_the_tiles_that_it_names_and_shows_where_its_tile_goes():
    table = seated("tantrix", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["placed"][0] > 5 and table.history.state["seat"][0] == 0)
    with opened(table, size=(1400, 900)) as page:
        page.press("ArrowDown")
        words = page.run("document.activeElement.textContent")
        named = set(re.findall(r"\d+", words.partition(", turned")[0]))
        lit = page.run("[...table.querySelectorAll('.named')].map((thing) => thing.dataset.title.split(':')[0])")
        assert {title.removeprefix("tile ") for title in lit} == named
        assert page.run("getComputedStyle(table.querySelector('.for.seen')).display") == "inline"
        groups = page.run("[...$('actions').querySelectorAll('button')].map((line) => chosen(line.dataset.number))")
        assert [key for key, _ in itertools.groupby(groups)] == list(dict.fromkeys(groups))
        several = {group for group in groups if groups.count(group) > 1}  # a heading above one action would repeat it
        assert page.run("$('actions').querySelectorAll('.group').length") == len(several) > 0
        page.run("document.activeElement.blur()")
        assert page.run("table.querySelectorAll('.named').length") == 0
        page.hover("$('log').lastElementChild")
        assert page.run("table.querySelectorAll('.named').length") > 0


def test_a_tile_stays_picked_when_the_speed_changes_and_its_focus_covers_nothing():
    table = seated("tantrix", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["placed"][0] > 5 and table.history.state["seat"][0] == 0)
    with opened(table, size=(1400, 900)) as page:
        version = page.run("state.version")
        tab_to(page, "!!document.activeElement.dataset.choose")
        assert page.run("getComputedStyle(document.activeElement).outlineStyle") == "none"
        assert page.run("getComputedStyle(document.activeElement).strokeWidth") == "5px"
        page.press("Enter")
        page.run("(() => { $('speed').value = 'fast'; $('speed').onchange(); })()")
        page.wait(f"state.version !== '{version}' && !busy")
        assert page.run("picked && table.querySelectorAll('.picked').length > 0 && places(picked).length > 0")


def test_a_click_draws_no_rectangle_and_never_lays_a_tile():
    table = seated("tantrix", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["placed"][0] > 5 and table.history.state["seat"][0] == 0)
    with opened(table, size=(1400, 900)) as page:
        once = (
            "[...table.querySelectorAll('.for[data-action]')].find((thing) => thing.parentNode.children.length === 1)"
        )
        name = page.run(f"({once})?.dataset.for")
        assert name, "no tile fits a place in one way only: take another deal"
        page.click(*page.middle(f"chooser('{name}')"))
        assert page.run("picked") == name
        assert page.run("getComputedStyle(document.activeElement).outlineStyle") == "none"
        moves = len(table.history.moves)
        for _ in range(2):
            page.click(*page.middle(once))
            assert page.run(f"laid === {once} && !$('lay').hidden && !busy")
            assert page.run("getComputedStyle(document.activeElement).outlineStyle") == "none"
        assert len(table.history.moves) == moves
        page.run("$('lay').click()")
        page.wait(f"state.log.length && {NOW} && !laid")
        assert len(table.history.moves) == moves + 1


def test_by_keyboard_the_focus_goes_to_the_first_place_which_has_a_name_and_the_list_is_one_stop():
    table = seated("tantrix", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["placed"][0] > 5 and table.history.state["seat"][0] == 0)
    with opened(table, size=(1400, 900)) as page:
        tab_to(page, "!!document.activeElement.dataset.choose")
        page.press("Enter")
        assert page.run("document.activeElement === table.querySelector('.for.on')")
        offered = page.run("[...table.querySelectorAll('.for.on')].map((thing) => thing.ariaLabel)")
        legal = {words for _, words in table.shown(table.people[0])["actions"]}
        assert set(offered) <= legal and len(offered) > 0
        assert page.run(f"({ACCESS}).length") == 0
        page.press("Escape")
        assert page.run("!picked && !!document.activeElement.dataset.choose")
        assert page.run("$('actions').querySelectorAll('button').length > 2")
        assert page.run("$('actions').querySelectorAll('[tabindex=\"0\"]').length") == 1
        page.press("ArrowDown")
        page.press("ArrowDown")
        assert page.run("document.activeElement === $('actions').querySelectorAll('button')[1]")
        assert page.run("document.activeElement.tabIndex") == 0
        assert page.run("$('actions').querySelectorAll('[tabindex=\"0\"]').length") == 1


def test_a_watcher_is_not_spoken_to_and_gets_no_signs_and_keys_of_players():
    game = tantra_envs.game("tarot", players=2)
    agents = [load("scripted", game)] * 2
    table = Table(deal(game, 1), agents, agents[0], watchers=[Person()])
    with served(table) as server, Browser() as page:
        page.open(server.link(table.watchers[0]))
        page.wait(f"{DRAWN}")
        assert page.run("$('question').textContent") in {f"scripted {seat} is laying cards away." for seat in (1, 2)}
        assert page.run("[...$('signs').children].map((sign) => sign.textContent)") == [
            "seat to decide",
            "no card here",
        ]
        assert page.run("!table.querySelector('[data-action], .go')")
        assert not {"undo", "hint", "find"} & set(
            re.findall(r"\w+", page.run("document.querySelector('.keys').innerText"))
        )


@pytest.mark.parametrize("mode", ["solitaire", "discovery"])
def test_at_the_end_of_a_game_for_one_no_seat_and_no_gobble_is_marked(mode):
    config = {"mode": mode, **({"puzzle": 3, "max_steps": 8} if mode == "discovery" else {})}
    table = seated("tantrix", "me", config=config)
    play(table, is_over)
    with opened(table, f"{DRAWN} && state.over") as page:
        assert page.run("$('signs').innerText").strip() in ("", "new, or asked about")
        assert page.run("$('ask').hidden")


def test_the_message_about_the_server_goes_when_it_answers_again():
    table = seated("karma", "me,scripted", config={"players": 2})
    with opened(table, DRAWN) as page:
        page.run("(() => { globalThis.real = fetch; fetch = () => Promise.reject(new Error()); polling.abort(); })()")
        page.wait("$('message').textContent.includes('does not answer')")
        page.run("(() => { fetch = real; })()")
        page.wait("$('message').textContent === ''")
        assert page.run(f"!!({DRAWN})")


@pytest.mark.parametrize(("width", "height", "least"), [(1400, 900, 800), (908, 800, 600), (400, 800, 376)])
def test_the_table_has_the_free_width_and_the_question_stands_above_it(width, height, least):
    table = seated("tantra", "me,scripted,scripted,scripted", config={"players": 4})
    with opened(table, DRAWN, size=(width, height)) as page:
        box = page.run("(({width, top, bottom}) => [width, top, bottom])(table.getBoundingClientRect())")
        assert box[0] >= least and box[2] <= height
        assert page.run("$('question').getBoundingClientRect().bottom") <= box[1]
        assert page.run("parseFloat(getComputedStyle($('actions')).maxHeight)") >= 0.5 * height


FILLED = """(() => { const svg = table.querySelector("svg"), box = svg.getBoundingClientRect();
  const {width, height} = svg.viewBox.baseVal;
  return Math.min(box.width, box.height * width / height) / table.clientWidth; })()"""  # part of the free width


SIZES = [(1366, 768), (1920, 1080), (820, 1180), (390, 844)]
SAID = """(() => {
  const svg = table.querySelector("svg"), scale = svg.getScreenCTM().a, texts = [...svg.querySelectorAll("text")];
  const across = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width;
  const meet = (a, b) => across(a, b) && a.y + 4 < b.y + b.height && b.y + 4 < a.y + a.height;
  const heads = [...svg.querySelectorAll("[data-seat]")].map((panel) => [Number(panel.dataset.seat), panel.getBBox()]);
  return [...svg.querySelectorAll(".said")].map((text) => {
    const box = text.getBBox(), at = {x: box.x, width: 1, y: box.y + 4, height: 1};
    const [seat, panel] = heads.find(([, {x, width, y}]) => across(at, {x, width}) && at.y > y && at.y < y + 24);
    const alone = !texts.some((other) => other !== text && meet(box, other.getBBox()));
    const size = scale * parseFloat(getComputedStyle(text).fontSize);
    return {seat, words: text.textContent, size, free: alone && box.x + box.width <= panel.x + panel.width};
  });
})()"""  # the words beside the names of seats


def test_in_every_size_the_drawing_fills_the_width_and_the_last_action_of_each_seat_can_be_read():
    beside = 0
    with Browser(*SIZES[0]) as page:
        for name, players in (("karma", 3), ("kanastic", 4), ("tantra", 4), ("tarot", 3), ("tantrix", 2)):
            table = seated(name, ",".join(["me"] + ["scripted"] * (players - 1)), config={"players": players})
            play(table, lambda table: table.history.state["plies"][0] > 30 and table.history.state["seat"][0] == 0)
            with served(table) as server:
                for size in SIZES:
                    page.look(*size, False)
                    page.open(server.link(table.people[0]))
                    page.wait(f"{DRAWN} && innerWidth === {size[0]}")
                    assert page.run(FILLED) > 0.85, (name, size)
                    drawn, listed = page.run(SAID), page.run("[...$('last').children].map((line) => line.textContent)")
                    assert all(said["size"] > 11.9 and said["free"] for said in drawn), (name, size, drawn)
                    whole = {said["seat"]: said["words"][2:] for said in drawn if not said["words"].endswith("…")}
                    for seat, line in table.shown(table.people[0])["last"]:
                        assert line.endswith(f" {whole[seat]}.") if seat in whole else line in listed, (name, size)
                    beside += len(drawn)
        assert beside > 20
        with served(table) as server:
            client = Client(server)
            assert client.get("state?wide=1.6")[0] == 200
            assert client.get("state?wide=x")[0] == client.get("state?wide=-1")[0] == 400


def test_the_drawing_fills_the_width_also_after_the_window_changes():
    with opened(seated("tantra", "me,scripted,scripted,scripted", config={"players": 4}), DRAWN) as page:
        page.look(820, 1180, False)
        page.wait(f"{FILLED} > 0.99")  # of a tablet held upright


def test_words_beside_the_drawing_are_not_drawn_and_no_code_is_shown():
    table = seated("karma", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["plies"][0] > 12 and table.history.state["seat"][0] == 0)
    with opened(table, "typeof state === 'object' && state.log.length", size=(400, 800)) as page:
        assert "to decide" not in page.run("table.textContent")
        assert page.run("document.querySelectorAll('#actions [title]').length") == 0
        assert page.run("table.querySelectorAll('g[data-action]').length") == 0  # buttons would be too small on a phone


def test_on_a_small_screen_the_menu_leads_to_the_settings_and_a_replay_leads_back():
    table = seated("karma", "me,scripted", config={"players": 2})
    with opened(table, DRAWN, size=(400, 800)) as page:
        page.run("$('menu').click()")
        page.wait("(({top, bottom}) => top >= 0 && bottom <= innerHeight)($('tools').getBoundingClientRect())")
        play(table, is_over)
        page.open(page.run("location.href") + "replay")
        page.wait("document.querySelector('header a')?.textContent === 'Back to the table'")
        page.run("document.querySelector('header a').click()")
        page.wait("typeof state === 'object' && state.over")
