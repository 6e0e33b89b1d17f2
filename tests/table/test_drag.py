"""Cards and tiles are dragged with the mouse to where they go."""

import pytest

from .browser import needed
from .serving import opened, play, seated

pytestmark = needed


def own_turn(table):
    return table.history.state["seat"][0] == 0


def middle(page, script):
    return tuple(page.middle(script))


@pytest.mark.parametrize(("name", "phase"), [("karma", "PLAY"), ("tarot", "PLAY")])
def test_a_card_that_is_dragged_out_of_the_hand_is_played_and_one_that_stays_there_is_not(name, phase):
    table = seated(name, "me,scripted", config={"players": 2})
    play(table, lambda table: table.game.phases[table.history.state["phase"][0]] == phase and own_turn(table))
    with opened(table) as page:
        start = middle(page, "document.querySelector('[data-seat=\"0\"] ~ use[data-action]')")
        number = len(table.history.moves)
        page.drag(start, (start[0] + 30, start[1]))
        assert len(table.history.moves) == number and page.run("table.querySelector('.dragged')") is None
        action = page.run(f"document.elementFromPoint({start[0]}, {start[1]}).closest('[data-action]').dataset.action")
        page.drag(start, middle(page, "document.querySelector('#table [data-seat=\"1\"]')"))
        page.wait("!busy")
        assert table.history.moves[number].action == int(action)


def test_a_tile_that_is_dragged_to_a_place_is_shown_there_and_not_laid_yet():
    table = seated("tantrix", "me,scripted", config={"players": 2})
    play(table, lambda table: table.history.state["placed"][0] > 5 and own_turn(table))
    with opened(table) as page:
        number = len(table.history.moves)
        start = middle(page, "table.querySelector('[data-choose]')")
        page.run("pick(table.querySelector('[data-choose]').dataset.choose)")
        end = middle(page, "table.querySelector('.for.on')")
        page.run("pick(picked)")
        page.drag(start, end)
        assert page.run("!!laid && !$('lay').hidden") and len(table.history.moves) == number
        page.press("Enter")
        page.wait("!laid")
        assert len(table.history.moves) > number
