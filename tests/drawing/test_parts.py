"""What drawings show besides cards in hand: the last trick, cards gone, contracts as cards, the words of actions."""

import re
from html import unescape
from itertools import pairwise

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.games.tarot.material import SUIT_CARDS, TRUMPS
from tantra_envs.games.tarot.words.drawing import NUMERAL
from tantra_envs.table.ending import end_of_round
from tantra_envs.words import sentences
from tests.contract.games import words

from .tables import CONFIGURATIONS, moments

TRUMP = ", a trump: it beats all plain cards and lower trumps"


def titles(svg):
    """The tooltips of a drawing."""
    return [unescape(title) for title in re.findall(r"<title>(.*?)</title>", svg)]


def play(game, state, *names, last=None):
    """Play actions; return the record of the last one."""
    for name in names:
        action = game.parse_action(state, name)
        last = drawing.move(game, state, action, last)
        game.apply_action(state, action)
    return last


def test_a_finished_trick_stays_until_the_next_card_and_then_lies_beside():
    game = tantra_envs.game("tarot", players=2)
    hands = [["CK", "S2", "S5"], ["T5", "S3", "S4"]]
    state = game.from_position({"hands": hands, "leader": 0, "dealer": 1})
    last = play(game, state, "CK")
    assert "last trick" not in drawing.draw(game, state, 0, last=last)
    last = play(game, state, "T5", last=last)
    svg = drawing.draw(game, state, 0, last=last)
    assert {"King of Cups", f"The Pontiff (V){TRUMP}"} <= set(titles(svg)) and ">wins<" in svg
    last = play(game, state, "S3", last=last)
    shown = titles(drawing.draw(game, state, 0, last=last))
    assert "last trick, Seat 0: King of Cups" in shown and "last trick, Seat 1: The Pontiff (V), which won" in shown
    last = play(game, state, "S2", last=last)
    assert "3 of Swords" in titles(drawing.draw(game, state, 0, last=last))
    assert "King of Cups" not in titles(drawing.draw(game, state, 0, last=last))


def test_the_end_of_a_hand_has_its_last_trick_and_the_next_hand_has_none():
    game = tantra_envs.game("tarot", players=2)
    state = game.from_position({"hands": [["CK"], ["T5"]], "leader": 0, "dealer": 1, "trick_no": 24})
    last = play(game, state, "CK")
    last = play(game, state, "T5", last=last)
    assert ">win" not in drawing.draw(game, state, None, last=last)  # the next hand begins with an empty trick
    for seat in (None, 0, 1):
        svg = drawing.draw(game, end_of_round(game, last), seat, last=last)
        assert titles(svg).count(f"The Pontiff (V){TRUMP}") == 1 and titles(svg).count("King of Cups") == 1
        assert ">wins<" in svg or ">win<" in svg
        assert "last trick, " not in svg and "hand, face down" not in svg


def test_open_cards_show_the_third_hand_in_a_panel_of_its_own():
    game = tantra_envs.game("tarot", players=2)
    state = game.new(1)
    shown = titles(drawing.draw(game, state, None))
    assert len([title for title in shown if title.startswith("third hand: ")]) == 25
    assert [title for title in titles(drawing.draw(game, state, 0)) if "third hand" in title] == [
        "third hand of 25 cards, face down"
    ]


def test_the_last_trick_is_in_replays_and_pixels_of_the_environment():
    env = tantra_envs.factory.make_raw("tarot", players=2, render_mode="svg", talon="blind")
    env.reset(seed=3)
    seen = set()
    while not all(env.terminations.values()) and "last trick" not in seen:
        env.step(env.game.legal(env._states)[0])
        seen |= {"last trick"} if "last trick" in env.render() else set()
    assert "last trick" in seen


def test_the_numbers_of_trumps_stay_visible():
    game, seen = tantra_envs.game("tarot", players=2, dealer=0), 0
    for seed in range(12):
        state = game.new(seed)
        while game.phases[state["phase"][0]] != "PLAY":
            legal = game.legal(state)
            game.apply_action(state, game.actions["yes"].start if game.actions["yes"].start in legal else legal[0])
        svg = drawing.draw(game, state, 0)
        cards = re.findall(r'<use href="#[^"]+-(c\d+|back)" transform="translate\((\S+) (\S+?)\)scale\((\S+?)\)', svg)
        for (card, x, y, scale), (_, next_x, next_y, _) in pairwise(cards):
            if card[0] == "c" and int(card[1:]) < TRUMPS and y == next_y and float(next_x) > float(x):
                assert float(next_x) - float(x) >= 0.95 * NUMERAL * float(scale)
                seen += 1
    assert seen > 50


def test_the_talon_leaves_the_trick_free():
    game = tantra_envs.game("tarot", players=2, dealer=0)
    svg = drawing.draw(game, game.new(1), 0)
    places = [float(x) for x in re.findall(r'<rect x="(\S+)" [^>]*stroke-dasharray', svg)]
    talon = re.findall(r'translate\((\S+) \S+?\)scale\((\S+?)\)"><title>talon', svg)
    assert len(places) == 2 and len(talon) == 3
    assert all(float(x) + 50 * float(scale) < min(places) for x, scale in talon)


def test_copies_of_a_card_say_how_many_they_play():
    game = tantra_envs.game("karma", players=2)
    state = game.from_position({"hands": [["5", "5", "9"], ["8", "10"]], "pile": ["3"], "draw": []})
    told = titles(drawing.draw(game, state, 0))
    assert {f"number 5: play {cards}" for cards in ("the 5", "two 5s: clears the pile")} <= set(told)
    assert "number 9: play the 9" in told
    state = game.new(1)
    svg = drawing.draw(game, state, int(state["seat"][0]))
    assert len(re.findall(r"<use [^>]*data-action", svg)) == 6


def test_a_discard_for_sale_is_blue_and_has_a_button():
    game = tantra_envs.game("tantra", players=3)
    state = game.new(3, display=1)
    svg = drawing.draw(game, state, int(state["seat"][0]))
    assert re.search(r'<use [^>]*class="go" data-action="1"[^>]*><title>discard', svg)
    assert 'data-action="1"><title>ask to buy' in svg and 'data-action="0"><title>do not buy' in svg


def test_cards_gone_are_shown_by_type():
    game = tantra_envs.game("karma", players=2)
    state = game.from_position({"hands": [["7", "9"], ["8", "10"]], "pile": ["3", "7"], "draw": []})
    assert "number 7: two cards left the game" not in titles(drawing.draw(game, state, 1))
    last = play(game, state, "play 7")
    svg = drawing.draw(game, state, 1, last=last)
    assert "number 7: two cards left the game" in titles(svg) and "number 9: one card left the game" in titles(svg)
    assert "the pile of three cards leaves the game" in svg


def test_the_page_of_a_table_says_how_many_cards_the_own_hand_needs():
    game = tantra_envs.game("tantra", players=3)
    hand = ["5C", "5D", "5H", "8C", "8D", "8H", "8S", "2H", "3H", "4H", "KC"]
    position = {"hands": [hand, ["9C", "9D"], ["9D"]], "display": 12, "turn": 0, "cur": 0, "turns": 4, "phase": "MAIN"}
    state = game.from_position(position | {"wild": "K"})
    for seat, needs in ((0, ">has all sets ·"), (1, ">needs 9 cards ·"), (2, ">needs 10 cards ·")):
        svg = drawing.draw(game, state, seat, bare=True)
        assert needs in svg and svg.count(">needs ") + svg.count(">has all") == 1
        assert drawing.draw(game, game.redeal(state, 1, seat), seat, bare=True) == svg
        assert ">needs " not in drawing.draw(game, state, seat)


@pytest.mark.parametrize(("display", "labels"), [(13, "kind of six"), (17, "3 of|a kind"), (42, "run|of 3")])
def test_the_display_card_names_its_sets_in_words(display, labels):
    game = tantra_envs.game("tantra", players=3)
    svg = drawing.draw(game, game.new(1, display=display), 0)
    assert all(f">{label}<" in svg for label in labels.split("|"))


def test_the_face_down_cards_lie_below_the_middle_of_their_label():
    game = tantra_envs.game("karma", players=2)
    position = {"hands": [["7"], ["8"]], "up": [[], []], "down": [["3"], []], "pile": ["2"], "draw": []}
    svg = drawing.draw(game, game.from_position(position), 0)
    (label,) = re.findall(r'<text x="([\d.]+)"[^>]*>1 face down<', svg)
    (x, scale) = re.search(
        r"translate\(([\d.]+) [\d.]+\)scale\(([\d.]+)\)[^>]*><title>[^<]+ face-down card", svg
    ).groups()
    assert abs(float(x) + 25 * float(scale) - float(label)) < 0.2


def test_the_display_card_shows_cards():
    game = tantra_envs.game("tantra", players=3)
    svg = drawing.draw(game, game.new(1, display=12), 0)
    told = titles(svg)
    assert told.count("a kind of four: any four cards of one rank") == 8
    assert told.count("a run of three: any three cards in a row, all of one suit, whichever it is") == 3
    assert "runs: any one suit" in svg


def test_the_display_card_explains_itself_and_the_wild_card_its_rank():
    game = tantra_envs.game("tantra", players=3)
    told = titles(drawing.draw(game, game.from_position(game.position(game.new(1, display=43))), 0))
    assert [title for title in told if title.startswith("Display Card 43 of 44, ")]
    svg = drawing.draw(game, game.new(1, display=7), 0)
    told = titles(svg)
    assert "Display Card 7 of 44, two kinds of three, three runs of three, up to 19 cards: four buys" in told
    assert "up to 19 cards: four buys" in svg
    assert [title for title in told if re.fullmatch("wild cards, in this round the [a-z]+s", title)]


def test_a_card_that_all_see_and_that_may_be_played_has_both_edges():
    game = tantra_envs.game("tarot", players=2, auto_declare=True)
    for seed in range(30):
        state = game.new(seed)
        while game.phases[state["phase"][0]] != "PLAY":
            game.apply_action(state, game.legal(state)[0])
        seat = int(state["seat"][0])
        if ((state["loc"][0] == seat) & (state["exposed"][0] == 1)).any():
            break
    svg = drawing.draw(game, state, seat)
    shown = re.findall(r'<rect[^>]*fill="var\(--gold\)"[^>]*/><use[^>]*class="([^"]*)"[^>]*data-action', svg)
    assert shown and set(shown) == {"go"}
    assert 'class="go shown"' not in svg


def test_the_stack_shows_its_size_and_its_top_cards():
    game = tantra_envs.game("kanastic", players=2)
    pile = ["4H", "5H", "6H", "7H", "8H", "9H", "10H", "JH", "QH", "KH", "AH", "4D", "5D", "6D"]
    position = game.position(game.new(1)) | {"phase": "DRAW", "pile": pile, "turn": 20, "stock": ["7D"] * 4}
    svg = drawing.draw(game, game.from_position(position), 0)
    assert "stack of 14<" in svg and ">14</text>" in svg and ">+2</text>" in svg
    assert "6 of hearts" in titles(svg) and any(said.startswith("6 of diamonds, on top of") for said in titles(svg))


@pytest.mark.parametrize(("name", "config"), CONFIGURATIONS, ids=words)
def test_titles_and_buttons_have_the_words_of_the_list(name, config):
    game = tantra_envs.game(name, **config)
    for state, last in moments(game):
        seat = int(state["seat"][0])
        svg = drawing.draw(game, state, seat, last=last)
        legal = {
            str(action): sentences.action_words(game, state, action, seat, names(game)) for action in game.legal(state)
        }
        for action, title in re.findall(r'<(?:g|rect)[^>]* data-action="(\d+)"[^>]*><title>(.*?)</title>', svg):
            assert unescape(title).startswith(legal[action]), title
        for seat_ in range(game.players):
            assert name == "kanastic" or game.config.get("mode") in PUZZLES or f'data-seat="{seat_}"' in svg
        assert ('role="group"' in svg) == ("data-action=" in svg or "data-choose=" in svg)
        assert 'role="img"' in drawing.draw(game, state, seat, legal=False)


PUZZLES = ("discovery", "rainbow", "daily")


def names(game):
    return [f"Seat {seat}" for seat in range(game.players)]


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("karma", ["Give The Pile To A Friend (G)", "Play A Table Card (T)", "Bottoms Up (B)", "Five or Below (≤5)"]),
        ("tarot", ["The Fool (0)", "The Juggler (I)", "The Universe (XXI)", "King (K)", "Queen (Q)", "Knave (Kv)"]),
        ("kanastic", ["Sword", "Artifact", "Shield", "golden"]),
        ("tantra", ["Joker", "wild"]),
    ],
)
def test_special_cards_are_explained_by_the_titles_of_drawings(name, cards):
    game = tantra_envs.game(name)
    assert set(cards) <= set(sentences.glossary(game))
    shown = set()
    for seed in range(8):
        for state, _ in moments(game, seed, 150):
            shown |= set(titles(drawing.draw(game, state)))
    named = [card if name == "karma" else card.split(" (")[0] for card in cards]  # as the page looks meanings up
    assert not [card for card in named if not any(title.startswith(card) for title in shown)]


@pytest.mark.parametrize("seed", range(4))
def test_two_rows_of_a_tarot_hand_split_no_suit(seed):
    game = tantra_envs.game("tarot", players=3)
    state = game.new(seed)
    svg = drawing.draw(game, state, 0, root="t")
    places = re.findall(r'href="#t-c(\d+)" transform="translate\([-\d.]+ ([-\d.]+)\)', svg)
    rows = {(int(card) - TRUMPS) // SUIT_CARDS if int(card) >= TRUMPS else -1: set() for card, _ in places}
    for card, y in places:
        rows[(int(card) - TRUMPS) // SUIT_CARDS if int(card) >= TRUMPS else -1].add(y)
    assert len({y for _, y in places}) == 2 and len(places) == 25
    assert all(len(row) == 1 for row in rows.values())
