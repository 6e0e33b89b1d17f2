"""Drawings are sound SVG in which every legal action can be found, whatever the table."""

import html
import itertools
import re
from xml.etree import ElementTree

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.drawing import text
from tantra_envs.drawing.drawings import orders
from tantra_envs.words import sentences
from tests.contract.games import words

from . import golden
from .tables import CONFIGURATIONS, moments

PUZZLES = ("discovery", "rainbow", "daily")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=CONFIGURATIONS, ids=words)
def tables(request):
    """A game, the names of its seats, and some of its tables with the actions before them."""
    name, config = request.param
    game = tantra_envs.game(name, **config)
    return game, [f"Seat {seat}" for seat in range(game.players)], list(moments(game, seed=2))


def test_every_legal_action_is_there_once_in_the_words_of_the_list_and_every_symbol_is_defined(tables):
    game, names, played = tables
    for state, last in played:
        before, seat = state.tobytes(), int(state["seat"][0])
        svg = drawing.draw(game, state, seat, last=last)
        assert state.tobytes() == before
        root = ElementTree.fromstring(svg)
        actions = [int(part.get("data-action")) for part in root.iter() if part.get("data-action")]
        assert sorted(set(actions)) == game.legal(state)
        chosen = {part.get("data-choose") for part in root.iter()}
        assert {part.get("data-for") for part in root.iter()} <= chosen
        ids = [part.get("id") for part in root.iter() if part.get("id")]
        assert len(ids) == len(set(ids))
        assert {part.get("href")[1:] for part in root.iter(f"{SVG}use")} <= set(ids)
        for action, title in re.findall(r'<(?:g|rect)[^>]* data-action="(\d+)"[^>]*><title>(.*?)</title>', svg):
            assert html.unescape(title).startswith(sentences.action_words(game, state, int(action), seat, names)), title
        if game.id != "kanastic" and game.config.get("mode") not in PUZZLES:
            assert all(f'data-seat="{i}"' in svg for i in range(game.players))
        assert ('role="group"' in svg) == ("data-action=" in svg or "data-choose=" in svg)
        assert 'role="img"' in drawing.draw(game, state, seat, legal=False)


def test_nothing_leaves_the_table_and_cards_say_what_they_are(tables):
    game, _, played = tables
    for (state, last), seat in itertools.product(played, (None, 0)):
        root = ElementTree.fromstring(drawing.draw(game, state, seat, last=last))
        _, _, width, height = map(float, root.get("viewBox").split())
        cards = root.findall(f"{SVG}use")
        for part in cards:
            x, y = map(float, re.match(r"translate\((\S+) (\S+?)\)", part.get("transform")).groups())
            assert 0 <= x <= width and 0 <= y <= height
        for part in root.iter(f"{SVG}text"):  # also in a wide typeface
            styles, x = (part.get("class") or "").split(), float(part.get("x"))
            room = text.width(part.text, float(part.get("font-size"))) * 0.98
            left = x - (room if "e" in styles else room / 2 if "m" in styles else 0)
            assert left > -1 and left + room < width + 1 and 0 < float(part.get("y")) <= height, part.text
        titles = [part for part in cards if part.find(f"{SVG}title") is not None]
        assert len(titles) >= 0.5 * len(cards)  # the rest is what lies under a stack


def test_names_are_made_safe_and_made_to_fit():
    game = tantra_envs.game("karma", players=2)
    names = ['</text><script>alert("x")</script>\x01', "a very long name that would never fit into the panel of a seat"]
    svg = drawing.draw(game, game.new(1), 0, names=names)
    root = ElementTree.fromstring(svg)
    assert "<script" not in svg and "\x01" not in svg
    assert any(part.text and part.text.startswith("</text><sc") for part in root.iter(f"{SVG}text"))


def test_two_drawings_in_a_page_share_no_id_but_equal_ones():
    game = tantra_envs.game("karma", players=2)
    one, other = (re.findall(r' id="([^"]+)"', drawing.draw(game, game.new(seed))) for seed in (1, 2))
    assert not set(one) & set(other)
    assert drawing.draw(game, game.new(1)) == drawing.draw(game, game.new(1))
    assert ' id="mine"' in drawing.draw(game, game.new(1), root="mine")


@pytest.mark.parametrize("name", ["tantra", "kanastic"])
def test_hands_are_sorted_by_suit_or_by_rank(name):
    game = tantra_envs.game(name)
    state, usual, size = game.new(3), orders(game)[0], -int(game.new(3)["hand_n"][0][0])
    drawn = {order: drawing.draw(game, state, 0, legal=False, order=order) for order in ("", "rank", "suit")}
    assert drawn[""] == drawn[usual] and sorted(orders(game)) == ["rank", "suit"]
    rank, suit = (
        re.findall(r"<title>([^<]+)</title>", drawn[order])[size:] for order in ("rank", "suit")
    )  # last panel
    assert sorted(rank) == sorted(suit) and rank != suit
    for hand, at in ((rank, 0), (suit, -1)):
        plain = [title.split(" of ")[at] for title in hand if " of " in title and "golden" not in title]
        assert len(list(itertools.groupby(plain))) == len(set(plain)), hand  # equal ones stand together


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"seat": 5}, "seat=5 is not allowed; allowed: 0..1"),
        ({"names": ["A"]}, "1 names are given; allowed: 2"),
        ({"theme": "red"}, "theme='red' is not allowed; allowed: auto, light, dark"),
        ({"order": "rank"}, "order='rank' is not allowed"),
        ({"palette": "red"}, "palette='red' is not allowed; allowed: plain, colour-blind, felt"),
    ],
)
def test_what_is_wrong_is_named(wrong, told):
    game = tantra_envs.game("karma", players=2)
    with pytest.raises(ValueError, match=re.escape(told)):
        drawing.draw(game, game.new(1), **wrong)


def test_a_drawing_saves_itself(tmp_path):
    game = tantra_envs.game("karma", players=2)
    shown = drawing.show(game, game.new(1), 0)
    shown.save(tmp_path / "table.svg")
    assert (tmp_path / "table.svg").read_text(encoding="utf-8") == shown.svg
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png"):
        shown.save(tmp_path / "table.gif")
    with pytest.raises(ValueError, match=r"ends in \.html"):
        drawing.replay(game, game.new(1), []).save(tmp_path / "table.svg")


def test_drawings_are_those_of_the_file():
    kept, drawn = golden.FILE.read_text(encoding="utf-8").splitlines(), list(golden.lines())
    different = [pair for pair in zip(kept, drawn, strict=True) if pair[0] != pair[1]]
    assert not different, f"{len(different)}, such as {different[0]}; see tests/drawing/golden.py"
