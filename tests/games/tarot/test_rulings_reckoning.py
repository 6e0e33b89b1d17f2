"""T-30 to T-46: the nine classes, showing, and the call."""

from __future__ import annotations

import random
from functools import cache

import pytest

from ..loop_bounds import bounded_while
from .table import DECK, SUITS, TAROTS, Table, cards

LOW = "P2"


def declare(hand: str, config: dict | None = None, **position) -> Table:
    return Table(config, phase="DECLARE", hands=[hand, LOW], **position)


def points(hand: str, cls: str, config: dict | None = None) -> int:
    """What a hand scores for one class, shown alone."""
    table = declare(hand, config)
    for _ in bounded_while(lambda: table["phase"] == "DECLARE" and table["cur"] == 0):
        table.do("YES" if table["class"] == cls else "NO")
    return table["points"][0]


@pytest.mark.parametrize("cls", ["greater", "lesser"])
@pytest.mark.parametrize(("held", "worth"), [(2, 0), (3, 5), (4, 10), (5, 15)])
def test_T30_three_four_or_five_of_the_greater_or_lesser_trumps(cls, held, worth):
    five = {"greater": ["T17", "T19", "T21", "T18", "T20"], "lesser": ["T1", "T3", "T5", "T2", "T4"]}[cls]
    assert points(" ".join([*five[:held], "WA"]), cls) == worth


@pytest.mark.parametrize(("held", "worth"), [(9, 0), (10, 10), (12, 10), (13, 15), (20, 15)])
def test_T31_ten_or_thirteen_trumps(held, worth):
    assert points(" ".join(SUITS["T"][2 : 2 + held]), "trumps") == worth


def test_T31_the_fool_counts_among_the_trumps_and_not_among_the_lesser():
    ten = " ".join(["T0", *SUITS["T"][5:14]])
    assert points(ten, "trumps") == 10
    assert points(ten, "trumps", {"fool_in_trump_count": False}) == 0
    assert points("T0 T1 T3", "lesser") == 0


def test_T32_a_class_is_scored_only_if_it_is_shown():
    table = declare("T17 T18 T19 WA")
    assert (table["class"], table.legal) == ("greater", {"YES", "NO"})
    assert table.seen(0, "class_points") == pytest.approx([5 / 30]) and table.seen(1, "class_points") == [0]
    assert table.do("NO")["points"] == [0, 0] and table["exposed"] == []
    assert declare("T17 T18 T19 WA").do("YES")["points"] == [5, 0]


def test_T32_classes_without_points_are_passed_over():
    table = declare("T1 T2 T3 S4 S5 S6 S7")
    assert table["class"] == "lesser"
    assert table.do("NO")["class"] == "seq_S"
    assert table.do("NO")["phase"] == "PLAY"


def test_T32_auto_declare_shows_everything_without_asking():
    table = Table({"auto_declare": True}, phase="DECLARE", hands=["T17 T18 T19 T20 WA", LOW])
    assert (table["phase"], table["points"]) == ("PLAY", [15, 0])
    assert table["exposed"] == ["T17", "T18", "T19", "T20"]


@pytest.mark.parametrize(("held", "worth"), [(2, 0), (3, 15), (5, 15), (6, 30), (7, 30)])
def test_T33_fifteen_for_every_three_tarot_trumps(held, worth):
    assert points(" ".join([*TAROTS[:held], "WA"]), "tarots") == worth


def shown(hand: str, cls: str, exposed: str = "") -> set[str]:
    table = declare(hand, exposed=exposed)
    for _ in bounded_while(lambda: table["class"] != cls):
        table.do("NO")
    return set(table.do("YES")["exposed"])


def test_T34_all_of_the_five_are_shown():
    assert shown("T17 T18 T20 T21 WA", "greater") == cards("T17 T18 T20 T21")
    assert shown("T1 T3 T5 T6 WA", "lesser") == cards("T1 T3 T5")


def test_T34_ten_or_thirteen_trumps_public_ones_first_then_the_lowest():
    eleven, fourteen = SUITS["T"][1:22:2], SUITS["T"][:14]
    assert shown(" ".join(eleven), "trumps") == set(eleven[:10])
    assert shown(" ".join(eleven), "trumps", exposed="T21") == {*eleven[:9], "T21"}
    assert shown(" ".join(fourteen), "trumps") == set(fourteen[:13])
    every_second = " ".join(SUITS["T"][0:22:2])
    without = Table({"fool_in_trump_count": False}, phase="DECLARE", hands=[every_second, LOW]).do("YES")
    assert "T0" not in without["exposed"] and len(without["exposed"]) == 10


def test_T34_three_or_six_tarot_trumps():
    assert shown("T0 T21 WK PK", "tarots") == cards("T0 T21 WK")
    assert shown("T0 T21 WK PK", "tarots", exposed="PK") == cards("T0 T21 PK")
    assert shown("T0 T1 T21 WK CK SK PK", "tarots") == cards("T0 T1 T21 WK CK SK")


def test_T34_the_lowest_cards_of_a_run():
    assert shown("W3 W4 W5 W6 W7 WK", "seq_W") == cards("W3 W4 W5 W6")
    hand = " ".join([*SUITS["C"][:5], *SUITS["C"][6:14]])
    assert shown(hand, "seq_C") == {*SUITS["C"][:4], *SUITS["C"][6:13]}


def test_T34_public_until_played_or_given_away():
    table = Table(hands=["W3 W4", "W5 W6"], exposed="W3 W5")
    assert table.seen_cards(1, "known_1") == {"W3"} and table.seen_cards(0, "shown") == {"W3"}
    assert table.do("W3")["exposed"] == ["W5"]


@pytest.mark.parametrize(
    ("hand", "cls", "worth"),
    [
        ("T0 T1 T2 T3", "seq_trumps", 5),
        ("T18 T19 T20 T21", "seq_trumps", 5),
        ("PJ", None, None),
        ("SA S2 S3 S4", "seq_S", 5),
        ("SKv SKn SQ SK", "seq_S", 5),
        ("SA SKn SQ SK", "seq_S", 0),
        ("T19 T20 T21 WA", "seq_trumps", 0),
        ("WQ WK CA C2", "seq_W", 0),
        ("WKn WQ WK CA C2 C3", "seq_C", 0),
    ],
)
def test_T35_runs_are_unbroken_and_not_round_the_corner(hand, cls, worth):
    if cls is None:
        with pytest.raises(ValueError, match="unknown card"):
            declare(hand)
        return
    assert points(hand, cls) == worth


def test_T35_the_fool_below_the_pagad_by_option():
    assert points("T0 T1 T2 T3", "seq_trumps", {"fool_in_sequences": False}) == 0
    assert points("T0 T1 T2 T3 T4", "seq_trumps", {"fool_in_sequences": False}) == 5


@cache
def cut(length: int) -> int:
    """The most points a run can be cut into, by trying all first pieces."""
    return max([0] + [worth + cut(length - size) for size, worth in ((4, 5), (7, 10), (10, 15)) if size <= length])


ORACLES = {
    "partition": cut,
    "longest": lambda length: 15 if length >= 10 else 10 if length >= 7 else 5 if length >= 4 else 0,
    "nested": lambda length: 5 * (length // 4) + 10 * (length // 7) + 15 * (length // 10),
}


@pytest.mark.parametrize("sequences", ORACLES)
@pytest.mark.parametrize("length", range(23))
def test_T36_every_length_in_every_mode(sequences, length):
    oracle, hand = ORACLES[sequences], SUITS["T"][:length]
    table = declare(" ".join([*hand, "W2"]), {"sequences": sequences})
    for _ in bounded_while(lambda: table["phase"] == "DECLARE" and table["class"] != "seq_trumps"):
        table.do("NO")
    if oracle(length) == 0:
        assert table["phase"] != "DECLARE"
        return
    table.do("YES")
    assert table["points"][0] == oracle(length)
    needed = min(n for n in range(length + 1) if oracle(n) == oracle(length))
    assert table["exposed"] == hand[:needed]


def test_T36_the_table_of_the_page():
    table = {0: 0, 3: 0, 4: 5, 6: 5, 7: 10, 9: 10, 10: 15, 13: 15, 14: 20, 16: 20, 17: 25, 19: 25, 20: 30, 22: 30}
    assert {length: cut(length) for length in table} == table


def test_T37_from_the_dealers_left_to_the_dealer_all_before_the_first_lead():
    run = ["W4 W5 W6 W7", "C4 C5 C6 C7", "S4 S5 S6 S7"]
    table = Table(phase="DECLARE", hands=run, dealer=1)
    asked = []
    for _ in bounded_while(lambda: table["phase"] == "DECLARE"):
        asked.append(table["cur"])
        table.do("YES")
    assert (asked, table["cur"], table["points"]) == ([2, 0, 1], 2, [5, 5, 5])


def test_T37_every_player_is_asked_from_the_first_class_on():
    table = Table(phase="DECLARE", hands=["T17 T18 T19 W2", "T1 T2 T3 C4 C5 C6 C7", "W4 W5 W6 W7"], dealer=1)
    asked = []
    for _ in bounded_while(lambda: table["phase"] == "DECLARE"):
        asked.append((table["cur"], table["class"]))
        table.do("YES")
    assert asked == [(2, "seq_W"), (0, "greater"), (1, "lesser"), (1, "seq_C")]


def test_T37_classes_come_in_their_order_and_then_the_call():
    order = []
    runs = "WA W2 W3 W4 CA C2 C3 C4 SA S2 S3 S4 PA P3 P4 P5 P6"
    table = Table(phase="DECLARE", hands=[f"T2 T3 {runs} T17 T18 T19 T20 T21 T1 T0 T4", "P2"])
    for _ in bounded_while(lambda: table["phase"] == "DECLARE" and table["cur"] == 0):
        order.append(table["class"])
        table.do("YES")
    assert order == ["greater", "lesser", "trumps", "tarots", "seq_trumps", "seq_W", "seq_C", "seq_S", "seq_P"]
    assert declare("T21 WK W2 W3 W4 W5").do("YES")["phase"] == "CALL"


def test_T38_one_card_serves_in_several_classes():
    table = declare("T1 T2 T3 T4 T0 WK W2")
    for _ in bounded_while(lambda: table["phase"] == "DECLARE"):
        table.do("YES")
    assert table["points"][0] == 10 + 15 + 5  # lesser trumps, honours, a run of five


# The call


def call(caller: str, *repliers: str, config: dict | None = None, **position) -> Table:
    return Table(config, phase="CALL", hands=[caller, *repliers], **position).do("YES")


def test_T40_a_call_is_offered_once_and_may_be_left():
    table = Table(phase="CALL", hands=["T21 WK W2", "T1 S3"])
    assert (table["phase"], table["cur"], table.legal) == ("CALL", 0, {"YES", "NO"})
    assert table.do("NO")["phase"] == "PLAY" and table["exposed"] == []
    after = call("T21 WK W2 W3", "T1 S3").do("W2")
    assert after["phase"] == "PLAY"
    still_able = call("T21 WK W2 W3", "T1 S3", config={"call_rule": "at_least_two"}).do("W2")
    assert still_able["phase"] == "PLAY"


@pytest.mark.parametrize(
    ("rule", "can"), [("open_pair", {2, 5}), ("exactly_two", {2}), ("at_least_two", {2, 3, 4, 5, 6})]
)
def test_T41_how_many_tarot_trumps_make_a_call(rule, can):
    found = set()
    for held in range(8):
        table = Table({"call_rule": rule}, phase="CALL", hands=[" ".join([*TAROTS[:held], "W2"]), LOW])
        if table["phase"] == "CALL" and table["cur"] == 0:
            found.add(held)
    assert found == can


def test_T41_whether_or_not_the_class_was_shown():
    for answer in ("YES", "NO"):
        assert declare("T0 T1 T21 WK CK W2").do(answer)["phase"] == "CALL"


def test_T41_a_hand_of_honours_alone_cannot_call():
    assert Table({"deck_cards": "tiny"}, phase="CALL", hands=["T0 T1", "WK WA"], dealer=1)["phase"] == "PLAY"
    mini = {"deck_cards": "mini", "call_rule": "at_least_two"}
    for hand, phase in ("T0 T1 T21 WK", "PLAY"), ("T0 T1 T21 W7", "CALL"):
        assert Table(mini, phase="CALL", hands=[hand, "CQ C7 T9 WQ"], dealer=1)["phase"] == phase


def test_T44_a_caller_who_waits_for_an_answer_has_a_card_to_give_in_all_redealt_tables():
    mini = {"players": 3, "deck_cards": "mini", "call_rule": "at_least_two"}
    table = Table(
        mini, phase="ANSWER", hands=["T0 T1 W7", "T21 WK WQ", "C7 CQ T9"], dealer=2, exposed="T0 T1", dead="CK"
    )
    others = [table.game.position(table.game.redeal(table.state, seed, 1))["hands"][0] for seed in range(60)]
    assert {card for hand in others for card in hand} == cards("T0 T1 W7 C7 CQ T9")


def test_T42_the_pair_is_shown():
    assert set(call("T21 WK W2 W3", "S3")["exposed"]) == cards("T21 WK")
    assert set(call("T0 T1 T21 WK CK W2", "S3")["exposed"]) == cards("T0 T1")
    assert set(call("T0 T1 T21 WK CK W2", "S3", exposed="CK")["exposed"]) == cards("T0 CK")


def test_T42_with_five_and_three_shown_all_five_are_public():
    assert set(declare("T0 T1 T21 WK CK W2").do("YES YES")["exposed"]) == cards("T0 T1 T21 WK CK")
    assert set(declare("T0 T1 T21 WK CK W2").do("NO YES")["exposed"]) == cards("T0 T1")


def test_T43_all_opponents_in_turn_from_the_left():
    table = call("T21 WK W2 W3", "S3 S5", "T0 C4")
    assert "T0" in table.hand(0) and table["no_tarot"] == [0, 1, 0]
    first = call("T21 WK W2 W3", "T1 S3", "T0 C4")
    assert "T1" in first.hand(0) and first["no_tarot"] == [0, 0, 0] and "T0" in first.hand(2)


def test_T43_only_the_left_neighbour_by_option():
    table = call("T21 WK W2 W3", "S3 S5", "T0 C4", config={"call_scope": "left"})
    assert (table["points"], table["no_tarot"], table.hand(2)) == ([5, 0, 0], [0, 1, 0], ["T0", "C4"])


def test_T44_a_pip_is_given_back_face_down():
    table = call("T21 WK W2 W10 WKv WQ T5", "T1 S3")
    assert (table["phase"], table["cur"], table.legal) == ("RETURN", 0, cards("W2 W10"))
    table.do("W10")
    assert table.hand(1) == ["W10", "S3"] and table["giver"] == {"W10": 0} and "W10" not in table["exposed"]
    assert table.seen_cards(0, "known_1") == {"W10"}
    assert table.do(table.hand(0)[0])["phase"] == "PLAY"


def test_T44_without_a_pip_any_card_but_a_tarot_trump():
    assert call("T21 WK WKv WQ T5", "T1 S3").legal == cards("WKv WQ T5")
    assert call("T21 WK W2 WQ T5", "T1 S3", config={"return_rule": "non_tarot"}).legal == cards("W2 WQ T5")


def test_T44_a_single_card_goes_without_asking():
    table = call("T21 WK W2 WQ T5", "T1 S3")
    assert table["phase"] == "PLAY" and table.hand(1) == ["W2", "S3"]


def test_T44_a_shown_card_given_away_is_public_no_more_and_its_giver_is_forgotten_when_it_is_played():
    table = call("T21 WK W2 W3", "T1 S3", exposed="W2").do("W2")
    assert "W2" not in table["exposed"] and table["giver"] == {"W2": 0}
    assert table.do("W3 W2")["giver"] == {}
    passed = Table(phase="CALL", hands=["S4", "T1 T21 W2", "T0 C4 C5"], dealer=0, giver={"W2": 2}, cur=1).do("YES")
    assert passed["giver"] == {"W2": 1} and "W2" in passed.hand(2)


def test_T45_nobody_can_answer():
    table = call("T21 WK W2 W3", "S3 S4")
    assert (table["points"], table["no_tarot"], table["phase"]) == ([5, 0], [0, 1], "PLAY")


def test_T45_points_by_option():
    assert call("T21 WK W2 W3", "S3 S4", config={"call_points": 15})["points"] == [15, 0]


def test_T45_an_answered_call_scores_nothing_and_completes_no_class():
    table = call("T21 WK W2 W3", "T1 S3").do("W2")
    assert table["points"] == [0, 0] and "T1" in table.hand(0) and table["phase"] == "PLAY"


def test_T45_the_giver_reckons_on_what_is_left_and_may_call_back():
    table = call("T21 WK W2 W3", "T0 T1 CK S3").do("T0 W2")
    assert (table["phase"], table["cur"]) == ("CALL", 1)  # two are left of three
    assert table.do("YES")["phase"] == "ANSWER" and table.legal == cards("T0 T21 WK")


def test_T46_the_asked_player_chooses_which_to_give():
    table = call("T21 WK W2 W3", "T0 PK S3")
    assert (table["phase"], table["cur"], table["asker"], table["replier"]) == ("ANSWER", 1, 0, 1)
    assert table.legal == cards("T0 PK")
    table.do("PK")
    assert "PK" in table["exposed"] and "PK" in table.hand(0) and table["phase"] == "RETURN"
    assert "PK" in table.seen_cards(1, "known_1")


def test_T46_a_single_one_is_given_without_asking():
    table = call("T21 WK W2 W3", "PK S3")
    assert (table["phase"], table["cur"]) == ("RETURN", 0) and "PK" in table["exposed"]


def test_every_class_of_random_hands_against_slow_counting():
    draw = random.Random(5)
    for _ in range(150):
        hand = draw.sample([card for card in DECK if card != LOW], 25)
        table = declare(" ".join(hand))
        found = {}
        for _ in bounded_while(lambda: table["phase"] == "DECLARE" and table["cur"] == 0):
            cls, before = table["class"], table["points"][0]
            found[cls] = table.do("YES")["points"][0] - before
        assert found == {cls: worth for cls, worth in slow_classes(set(hand)).items() if worth}


def slow_classes(hand: set[str]) -> dict[str, int]:
    def five(first, last):
        return {3: 5, 4: 10, 5: 15}.get(sum(f"T{i}" in hand for i in range(first, last + 1)), 0)

    def runs(line):
        held = "".join("x" if card in hand else " " for card in line)
        return sum(cut(len(run)) for run in held.split())

    trumps = sum(card[0] == "T" for card in hand)
    tarots = len(hand & set(TAROTS))
    return {
        "greater": five(17, 21),
        "lesser": five(1, 5),
        "trumps": 15 if trumps >= 13 else 10 if trumps >= 10 else 0,
        "tarots": tarots // 3 * 15,
        "seq_trumps": runs(SUITS["T"]),
        **{f"seq_{suit}": runs(SUITS[suit]) for suit in "WCSP"},
    }
