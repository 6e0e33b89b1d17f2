"""KN-50 to KN-63: the discard stack, going out, asking."""

import pytest

from .table import Table

KINGS = {"ranks": {"K": "KH KD KC"}}
CANASTA = {"ranks": {"9": "9H 9H 9D 9D 9C 9C 9S"}}
STOCK = "4*4H 4*5D"


def to_draw(hand, pile, **more):
    """Seat 0 is to draw; its team has kings unless said otherwise."""
    return Table(
        more.pop("config", None),
        **{"phase": "DRAW", "hands": [hand], "pile": pile, "tables": [KINGS], "stock": STOCK, **more},
    )


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("stop", ["SH", "SW", "AR"])
def test_KN50_a_stop_card_blocks_until_the_blockers_next_turn(players, stop):
    table = Table(
        {"players": players}, hands=[f"{stop} 4H 5D 6C 7C"] + ["QH QD 7H 8D 9C 10S"] * (players - 1), stock="9*9H"
    )
    table.do(f"DISCARD {stop}")
    for left in range(players - 1, 0, -1):
        assert table["block_left"] == left
        assert "TAKE_TOP" not in table.legal and "TAKE_STACK" not in table.legal
        table.do("DRAW", f"DISCARD {'7H' if left > 1 else '9C'}")
    assert (table["cur"], table["block_left"]) == (0, 0)


def test_KN50_the_block_stays_when_the_stack_is_turned_over():
    table = to_draw("4H 6D", "QH SH", stock="9C", block_left=2).do("DRAW", "DISCARD 4H")
    assert (table["block_left"], table["reshuffles"]) == (1, 1)


def test_KN51_the_first_discard_cannot_be_taken():
    hand = "AH AD 4H 5D 6C 7H"
    assert "TAKE_STACK" not in to_draw(hand, "AC", turn=1).legal
    assert "TAKE_STACK" in to_draw(hand, "AC", turn=2).legal


def test_KN52_the_top_card_for_an_initial_meld_in_this_turn():
    hand = "AH AD 4H 5D 6C 7H"
    table = to_draw(hand, "9H AC", tables=[])
    assert table.legal == {"DRAW", "TAKE_TOP"}
    table.do("TAKE_TOP")
    assert (table["pile"], table["taken"], table["top_taken"]) == (["9H"], 1, "AC")
    assert table.legal == {"NEW A {HDC}"}
    table.do("NEW A {HDC}")
    assert (table["opened"][0], table["pile"], table["pick"]) == (True, ["9H"], "A")


@pytest.mark.parametrize(
    ("hand", "pile", "more"),
    [
        ("KH KD 4H 5D 6C 7H", "KC", {}),  # thirty points
        ("AH AD 4H 5D 6C 7H", "AC", {"block_left": 1}),
        ("AH AS 4H 5D 6C 7H", "AG", {}),  # two spades
        ("AH AD 4H 5D 6C 7H", "AC", {"scores": [1500, 0]}),
        ("AH AD 4H 5D 6C 7H", "SW", {}),
    ],
)
def test_KN52_refused(hand, pile, more):
    assert to_draw(hand, pile, tables=[], **more).legal == {"DRAW"}
    assert "TAKE_TOP" not in to_draw(hand, pile, **more).legal


@pytest.mark.parametrize(
    ("hand", "pile", "more", "may"),
    [
        ("AH AD 4H 5D", "9H AC", {}, True),
        ("AH AD 4H 5D", "AC", {}, True),
        ("AH AD 4H", "9H AC", {}, False),  # three cards
        ("AH AD 4H 5D", "9H AC", {"stock": "3*4H"}, False),
        ("AH AD 4H 5D", "9H AC", {"block_left": 1}, False),
        ("AH AD 4H 5D", "9H AC", {"unlocked": [False, False]}, False),
        ("KS AD 4H 5D", "9H KC", {}, False),  # adding is no use
        ("AH SW 4H 5D", "9H AC", {}, False),  # no wild cards
        ("7G 8G 4H 5D", "9H 9G", {}, True),
        ("7G 8G 4H 5D", "9H 9G", {"tables": [{"suit": ["Q", "QG KG AG"]}]}, False),
        ("7G 8G 4H 5D", "9H 9S", {}, False),
    ],
)
def test_KN53_the_stack(hand, pile, more, may):
    assert ("TAKE_STACK" in to_draw(hand, pile, **more).legal) == may


@pytest.mark.parametrize(("least", "may"), [(5, True), (6, False)])
def test_KN53_more_cards_by_option(least, may):
    config = {"episode": "round", "stack_minimum": least}
    assert ("TAKE_STACK" in to_draw("AH AD KS 4H 5D", "9H QH AC", config=config).legal) == may


def test_KN54_steps_of_taking_the_stack():
    table = to_draw("AH AD KS 4H 5D", "9H QH AC").do("TAKE_STACK")
    assert (table["phase"], table["pile"]) == ("PICKUP", ["9H", "QH"])
    assert table.seen(1, "top")[10 * 5 + 3] == 1.0
    table.do("NEW A {HDC}", "ADD KS")
    assert not any(table.seen(0, "top"))
    assert table.placements == set()
    table.do("DISCARD 4H")
    assert table["pile"] == ["4H"]
    assert table.hand(0) == ["5D", "9H", "QH"]


def test_KN54_with_cards_waiting_the_last_one_may_go_and_does_not_go_out():
    table = to_draw("AH AD KS 4H", "9H AC").do("TAKE_STACK", "NEW A {HDC}")
    assert "ADD KS" in table.legal
    table.do("ADD KS", "DISCARD 4H")
    assert (table.hand(0), table["round_no"], table["cur"]) == (["9H"], 0, 1)


def test_KN54_a_stack_of_one_card_leaves_nothing_waiting():
    table = to_draw("AH AD KS 4H", "AC").do("TAKE_STACK", "NEW A {HDC}")
    assert table.placements == set() and table.hand(0) == ["4H", "KS"]


def test_KN55_naturals_only_and_no_wild_card_this_turn():
    table = to_draw("AH AD AR SW 4H 5D", "9H AC").do("TAKE_STACK", "NEW A {HDC}")
    assert {words for words in table.placements if "A" in words.split()[-1]} == set()
    assert {"ADD SW to K", "ADD AR to K"} <= table.legal
    lifted = to_draw("AH AD AR SW 4H 5D", "9H AC", config={"pickup_wilds": True}).do("TAKE_STACK", "NEW A {HDC}")
    assert {"ADD SW to A", "ADD AR to A"} <= lifted.legal


def test_KN55_a_suit_of_three_consecutive_golds_without_artifacts():
    hand = "7G 8G 10G AR 4H 5D"
    table = to_draw(hand, "9H 9G").do("TAKE_STACK")
    assert table.legal == {"NEWSUIT 7-8-9", "NEWSUIT 8-9-10"}
    table.do("NEWSUIT 7-8-9")
    assert (table["pick"], "SUIT + 10G" in table.legal, "SUIT + AR low" in table.legal) == ("SUIT", True, False)
    lifted = to_draw(hand, "9H 9G", config={"pickup_wilds": True}).do("TAKE_STACK")
    assert "NEWSUIT 7-9-10" in lifted.legal


def test_KN55_a_taken_gold_card_may_begin_its_rank():
    assert "NEW 9 {HDG}" in to_draw("9H 9D 4H 5D 6C", "4C 9G").do("TAKE_STACK").legal


def test_KN56_the_stack_is_open_from_the_openers_next_turn_on():
    others = "QH QD 4H 5D 7C"
    table = Table(hands=["AH AD AC 4H 6D", others, "JH JD 4H 5D 7C", others], stock="9*9H", turn=8)
    table.do("NEW A {HDC}", "DISCARD 4H", "DRAW", "DISCARD QH", "DRAW", "DISCARD 4H", "DRAW", "DISCARD QH")
    assert (table["cur"], table["unlocked"]) == (0, [True, False])
    partner = Table(hands=["4H 6D", others, "JH JD 4H 5D 7C"], cur=1, opened=[True, False], unlocked=[False, False],
                    tables=[KINGS], stock="9*9H")  # fmt: skip
    partner.do("DISCARD QH")
    assert partner["unlocked"] == [False, False]


def test_KN60_the_last_card_is_never_laid():
    table = Table(hands=["9G"], tables=[CANASTA])
    assert table.legal == {"DISCARD 9G", "ASK"}


def test_KN61_going_out_needs_a_canasta_or_a_complete_suit():
    with pytest.raises(ValueError, match="cur"):
        Table(hands=["4H"], tables=[KINGS])
    suit = {"suit": ["4", "4G 5G 6G 7G 8G 9G 10G"]}
    for table in (CANASTA, suit):
        out = Table(hands=["4H"], tables=[table]).do("DISCARD 4H")
        assert out["last_round"]["out"] == 0


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_KN61_whoever_lays_the_seventh_card_may_go_out(seat):
    hands = ["KH QH", "KD QD", "KC QC", "KS QS"]
    hands[seat] = "7S 4H"
    tables = [{}, {}]
    tables[seat % 2] = {"ranks": {"7": "7H 7H 7D 7D 7C 7C"}}
    table = Table(hands=hands, cur=seat, tables=tables).do("ADD 7S", "DISCARD 4H")
    assert table["last_round"]["out"] == seat


def test_KN61_perhaps_in_the_turn_of_the_initial_meld():
    table = Table(hands=["AH AH AD AD AC AC AS 4H"]).do(
        "NEW A {HDC}", "ADD AH", "ADD AD", "ADD AC", "ADD AS", "DISCARD 4H"
    )
    assert table["last_round"]["out"] == 0


@pytest.mark.parametrize(("last", "factor"), [("4H", 1), ("SH", 1), ("SW", 2), ("AR", 2)])
def test_KN62_doubling(last, factor):
    hands = [last, "KH KD", "QH", "SH"]
    table = Table({"episode": "round"}, hands=hands, tables=[CANASTA], pots=[1, 0]).do(f"DISCARD {last}")
    assert table["last_round"]["scores"] == [factor * (600 + 70 + 100 - 10), factor * (-20 - 100)]


def test_KN63_asking_once_a_turn_and_the_answer_binds_nobody():
    table = Table(hands=["9G 4H 5D"], tables=[CANASTA]).do("ASK")
    assert (table["phase"], table["cur"], table["asker"], table.legal) == ("ANSWER", 2, 0, {"YES", "NO"})
    assert table.seen(1, "ask") == [1.0, 0.0, 0.0]
    table.do("NO")
    assert (table["phase"], table["cur"], table["answer"]) == ("MELD", 0, "NO")
    assert table.seen(3, "ask") == [1.0, 0.0, 1.0]
    assert "ASK" not in table.legal
    table.do("ADD 9G", "DISCARD 5D")
    assert table["asked"] is False


def test_KN63_also_in_the_middle_of_an_initial_meld_that_lacks_points():
    """Seven fours are a canasta and 35 points; no discard is legal before the meld has its 45."""
    fours = {"ranks": {"4": "4H 4H 4D 4D 4C 4C 4S"}}
    table = Table(hands=["KH KD KC 9H 5D"], tables=[fours], opened=[False, False])
    assert "ASK" in table.legal and not table.discards
    table.do("ASK", "YES")
    assert (table["phase"], table["cur"], table["opened"]) == ("MELD", 0, [False, False])
    table.do("NEW K {HDC}")
    assert table["opened"] == [True, False] and table.discards


@pytest.mark.parametrize(
    ("config", "more"),
    [
        ({"ask_partner": False}, {}),
        ({"players": 2}, {}),
        ({"players": 3}, {}),
        ({}, {"tables": [KINGS]}),
        ({}, {"taken": 2, "pile": "4H", "pick": "9", "top_taken": "9H"}),
    ],
)
def test_KN63_not_asked(config, more):
    table = Table(config, **{"hands": ["9G 4H 5D"], "tables": [CANASTA], **more})
    assert "ASK" not in table.legal
