"""Zoom and pan of Tantrix on a phone: places are large enough for a finger, and the person may choose the size."""

import pytest

from .browser import needed
from .serving import OWN_TURN, first_decides, opened, play, seated

pytestmark = needed
PHONE = (390, 844)
PLACES = """[...table.querySelectorAll("[data-place]:has(.on)")].map((place) => {
  const {a, e, f} = place.getScreenCTM(); return [HEXAGON * a, e, f]; })"""
BOX = "(({left, top, right, bottom}) => [left, top, right, bottom])(table.getBoundingClientRect())"


@pytest.fixture(scope="module")
def page():
    session = seated("tantrix", "me,scripted", config={"players": 2})
    play(session, lambda session: first_decides(session, "placed", 30))
    with opened(session, OWN_TURN, size=PHONE) as page:
        page.run("pointing = true")  # a finger, so that the focus moves nothing
        yield page


def test_the_places_of_a_picked_tile_are_large_enough_for_a_finger(page):
    page.run("pick(table.querySelector('[data-choose]').dataset.choose)")
    places = page.run(PLACES)
    assert page.run("zoom") > 1
    assert min(wide for wide, *_ in places) >= 39.5
    left, top, right, bottom = page.run(BOX)
    assert any(left <= x <= right and top <= y <= bottom for _, x, y in places)
    assert page.run("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.run("table.scrollWidth > table.clientWidth")  # it can be panned
    page.run("pick(picked)")
    assert page.run("zoom") == 1 and page.run("table.scrollWidth <= table.clientWidth")


def test_a_finger_lifts_a_narrow_card_before_a_second_tap_plays_it():
    session = seated("tarot", "me,scripted", config={"players": 2, "episode": "hand"})
    playing = session.game.phases.index("PLAY")
    play(session, lambda session: (session.history.state["phase"][0], session.history.state["seat"][0]) == (playing, 0))
    with opened(session, OWN_TURN, size=PHONE) as page:
        before, card = session.version, "table.querySelector('use[data-action]')"
        tap = f"""(() => {{ const card = {card};
          card.dispatchEvent(new PointerEvent("pointerdown", {{pointerType: "touch", bubbles: true}}));
          card.dispatchEvent(new MouseEvent("click", {{bubbles: true}}));
          return card.classList.contains("raised"); }})()"""
        assert page.run(tap) and "Tap it again to play it." in page.run("$('meaning').innerText")
        assert session.version == before
        page.run(tap)
        page.wait(f"state.version !== '{before}'")
