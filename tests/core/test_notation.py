"""Readers of positions: every refusal names the field that is wrong."""

import math
import re

import numpy as np
import pytest

from tantra_envs.core import notation as read

NAMES = ("1", "2", "GIVE")


def field(notation, value):
    """What a notation reads, where numbers are 0 or 1."""
    return notation.read("field", value, range(2), None)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: read.check_fields({"hand": []}, ["hands"]), "unknown field 'hand'; fields: hands"),
        (lambda: read.check_config([], {}), "config=[]"),
        (lambda: read.check_config({"seats": 2}, {"players": 2}), "unknown field 'seats'; fields: players"),
        (lambda: read.check_config({"players": 3}, {"players": 2}), "players=3 contradicts the game, which has 2"),
        (lambda: read.read_int({"cur": 2}, "cur", 0, range(2)), "cur=2 is not allowed; allowed: 0..1"),
        (lambda: read.read_int({"cur": True}, "cur", 0, range(2)), "cur=True is not allowed"),
        (lambda: read.read_int({"cur": "1"}, "cur", 0, range(2)), "cur='1' is not allowed"),
        (lambda: read.read_int({"cur": 0}, "cur", 0, range(0)), "cur=0 is not allowed; allowed: nothing here"),
        (lambda: read.read_flag({"over": 1}, "over", False), "over=1 is not allowed; allowed: true or false"),
        (lambda: read.read_card("pile", 3, NAMES), "pile has the unknown card 3; cards: 1, 2, GIVE"),
        (lambda: read.read_card("pile", "TAKE", NAMES), "pile has the unknown card 'TAKE'"),
        (lambda: read.read_card("pile", True, NAMES), "pile has the unknown card True"),
        (lambda: read.read_cards("pile", 7, NAMES), "pile=7 is not allowed; allowed: a list of cards"),
        (lambda: read.read_cards_by_seat({"hands": [[]]}, "hands", 2, NAMES), "a list of 2 lists of cards"),
        (lambda: read.read_cards_by_seat({"hands": [[], ["9"]]}, "hands", 2, NAMES), "hands[1] has the unknown card"),
        (
            lambda: read.read_seats({"out": [0, 0]}, "out", [], 2),
            "out=[0, 0] is not allowed; allowed: a list of different",
        ),
        (lambda: read.read_seats({"out": [2]}, "out", [], 2), "out=[2] is not allowed"),
        (lambda: field(read.Real(), math.nan), "field=nan is not allowed; allowed: a finite number"),
        (lambda: field(read.Real(), True), "field=True is not allowed; allowed: a finite number"),
        (lambda: field(read.Real(), 10**400), "is not allowed; allowed: a finite number"),
        (lambda: field(read.Number(), None), "field=None is not allowed; allowed: 0..1"),
        (lambda: field(read.Number(), 2), "field=2 is not allowed; allowed: 0..1"),
        (lambda: field(read.Flag(), 1), "field=1 is not allowed; allowed: true or false"),
        (lambda: field(read.Choice(("NO", "YES")), "X"), "field='X' is not allowed; allowed: NO, YES"),
        (lambda: field(read.Choice(("NO", "YES")), None), "field=None is not allowed; allowed: NO, YES"),
        (lambda: field(read.Choice(("NO", "YES"), null=True), 0), "field=0 is not allowed; allowed: NO, YES or null"),
        (lambda: field(read.Card(NAMES), "3"), "field='3' is not allowed; allowed: 1, 2, GIVE"),
        (lambda: field(read.Counts(NAMES), "2 2"), "field='2 2' is not allowed; allowed: at most 1 of 2"),
        (lambda: field(read.Cards(NAMES), 7), "field=7 is not allowed; allowed: a list of cards"),
        (lambda: field(read.Seats(), [2]), "field=[2] is not allowed; allowed: a list of different seats 0..1"),
        (lambda: read.read_integers({"taken": [1.0]}, "taken", 1), "taken=[1.0] is not allowed"),
        (lambda: read.read_integers({"taken": [3]}, "taken", 1, range(0, 9), 2), "integers 0..8, multiples of 2"),
        (lambda: read.check_config({"players": [2]}, {"players": 2}), "players=[2] contradicts"),
        (lambda: read.read_seats({"out": [True]}, "out", [], 2), "out=[True] is not allowed"),
        (lambda: read.read_end({}, {"phase": 4}, 4), "phase='OVER' is not allowed; allowed: a game that goes on"),
        (lambda: read.read_end({"truncated": True}, {"phase": 1}, 4), "truncated=True is not allowed; allowed: false"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=f"^position: .*{re.escape(words)}"):
        call()


def test_words_are_read_in_any_case():
    assert field(read.Choice(("NO", "YES")), "Yes") == 1


def test_cards_are_read_by_name_in_any_case_and_by_id():
    assert read.read_cards("pile", ["give", 0, " 2 "], NAMES) == [2, 0, 1]
    assert read.read_cards("pile", "1 2  Give", NAMES) == [0, 1, 2]


def test_fields_left_out_have_their_defaults():
    assert read.read_int({}, "cur", 1, range(2)) == 1
    assert read.read_flag({}, "over", True) is True
    assert read.read_cards_by_seat({}, "hands", 3, NAMES) == [[], [], []]
    assert read.read_seats({}, "out", [1], 2) == [1]


def test_a_config_that_agrees_passes():
    read.check_config({"players": 2}, {"players": 2, "copies": 3})
    read.check_fields({"hands": []}, ["hands", "cur"])


def test_cards_are_written_in_order_by_count_and_in_groups():
    assert read.named([2, 0, 2], NAMES) == ["GIVE", "1", "GIVE"]
    assert read.expand([2, 0, 1], NAMES) == ["1", "1", "GIVE"]
    assert read.grouped(np.array([2, 0, 1]), NAMES, 3) == "1x2 GIVE ?x3"


def test_decks_are_one_or_several():
    assert read.split_decks("toy", None, 2) == []
    assert read.split_decks("toy", ["1", "2"], 2) == [["1", "2"]]
    assert read.split_decks("toy", "1 2", 2) == ["1 2"]
    assert read.split_decks("toy", [["1"], "1 2"], 2) == [["1"], "1 2"]
    with pytest.raises(ValueError, match=r"^toy: deck has 3 decks; allowed: one deck, or a list of at most 2"):
        read.split_decks("toy", [["1"]] * 3, 2)


def test_a_given_deck_is_whole():
    read.check_deck("toy: deck", [2, 0, 0], [2, 0, 1], NAMES)
    with pytest.raises(ValueError, match=r"^toy: deck has 1 of 1; allowed: 2, 3 cards in all"):
        read.check_deck("toy: deck", [2, 0], [2, 0, 1], NAMES)
    with pytest.raises(ValueError, match=r"^toy: unknown field 'decks'; allowed: deck, dealer"):
        read.check_deal_options("toy", {"decks": []}, ("deck", "dealer"))


@pytest.mark.parametrize(
    ("notation", "entry", "value"),
    [
        (read.Number(), 1, 1),
        (read.Number(null=True), -1, None),
        (read.Flag(), 1, True),
        (read.Real(), 0.5, 0.5),
        (read.Choice(("NO", "YES")), 1, "YES"),
        (read.Choice(("NO", "YES"), null=True), -1, None),
        (read.Card(NAMES), 2, "GIVE"),
        (read.Counts(NAMES), [1, 0, 1], ["1", "GIVE"]),
        (read.Marks(NAMES), [0, 1, 1], ["2", "GIVE"]),
        (read.Cards(NAMES), [2, 0], ["GIVE", "1"]),
        (read.Cards(NAMES, reverse=True), [2, 0], ["1", "GIVE"]),
        (read.Seats(), [1, 0], [1, 0]),
    ],
    ids=str,
)
def test_notations_read_what_they_write(notation, entry, value):
    assert notation.write(entry) == value
    assert field(notation, value) == entry


def test_values_are_compared_as_json_gives_them():
    assert read.is_same([1, [2]], (1, (2,)))
    assert read.is_same({"7": 1}, {"7": 1})
    assert not read.is_same({"7": 1.0}, {"7": 1})
    assert not read.is_same([1], [1, 2])
    assert not read.is_same(None, [])
