"""K-20 to K-34: what fits on the pile, where cards come from, picking up, face-down cards, whose turn it is."""

from .reference import CARDS, KARMA, NUMBERS
from .table import Table

ALL = " ".join(CARDS)


def test_K20_equal_or_higher_than_the_top_card():
    table = Table(hands=[ALL, "1"], pile="12 9")
    assert table.cards_legal == {*NUMBERS[8:], *KARMA}


def test_K21_five_allows_the_numbers_up_to_five_and_karma_cards():
    table = Table({"decks": 2}, hands=[ALL, ALL], pile="12").do("play FIVE")
    assert table.cards_legal == {*NUMBERS[:5], *KARMA}
    assert table.do("play 4").cards_legal == {*NUMBERS[3:], *KARMA} - {"FIVE"}


def test_K21_another_limit_by_option():
    table = Table({"five_limit": 7}, hands=["1 6 7 8 16 GIVE", "2"], pile="FIVE")
    assert table.cards_legal == {"1", "6", "7", "GIVE"}


def test_K21_the_limit_binds_whoever_acts_next_and_goes_with_the_pile():
    table = Table(hands=["FIVE", "6 7 8", "6 4"]).do("play FIVE")
    assert table["out"] == [0] and table.legal == {"pickup"}
    table.do("pickup")
    assert table["cur"] == 2 and table.cards_legal == {"6", "4"}
    table = Table(hands=["9 9", "GIVE 6", "6 7"], pile="FIVE", cur=1).do("play GIVE", "give 0")
    assert table["cur"] == 2 and table.cards_legal == {"6", "7"}


def test_K22_any_card_on_table_and_bottoms():
    for top in ("TABLE", "BOTTOMS"):
        table = Table(hands=[ALL, "1"], pile=["16", top])
        assert table.cards_legal == set(CARDS)


def test_K23_any_card_on_an_empty_pile_and_karma_cards_on_anything():
    assert Table(hands=[ALL, "1"]).cards_legal == set(CARDS)
    for top in ("16", "FIVE", "TABLE", "BOTTOMS"):
        assert Table(hands=[ALL, "1"], pile=[top]).cards_legal >= set(KARMA)


def test_K30_hand_then_face_up_then_face_down():
    zones = {"up": ["8", "9"], "down": ["10 11", []]}
    assert Table(hands=["7", "1"], **zones).legal == {"play 7"}
    assert Table(hands=["", "1"], **zones).legal == {"play 8"}
    assert Table(hands=["", "1"], down=["10 11", []]).legal == {"flip"}
    assert Table(hands=["7", "1"], up=["7", []]).cards_legal == {"7"}  # one from each zone is no pair (K-44)


def test_K31_the_pile_may_be_picked_up_whatever_one_holds():
    assert "pickup" in Table(hands=["16 GIVE", "1"], pile="2").legal
    assert Table(hands=["", "1"], down=["16", []], pile="2").legal == {"flip", "pickup"}
    assert "pickup" not in Table(hands=["16", "1"]).legal
    assert Table(hands=["2", "1"], pile="9").legal == {"pickup"}


def test_K31_without_voluntary_pickup_only_when_nothing_can_be_played():
    forced = {"voluntary_pickup": False}
    assert Table(forced, hands=["16", "1"], pile="2").legal == {"play 16"}
    assert Table(forced, hands=["2", "1"], pile="9").legal == {"pickup"}
    assert Table(forced, hands=["", "1"], down=["2", []], pile="9").legal == {"flip"}


def test_K32_a_pickup_takes_the_whole_pile_and_ends_the_turn():
    table = Table(hands=["3", "1"], up=["8 9", []], pile="12 4 9", draw="5 6").do("pickup")
    assert table.hand(0) == ["3", "4", "9", "12"]
    assert table["known"][0] == ["4", "9", "12"]
    assert (table["pile"], table["run"], table["cur"], table["up"][0]) == ([], 0, 1, ["8", "9"])
    assert table["draw"] == ["5", "6"]


def test_K33_face_down_cards_come_in_dealt_order():
    table = Table(hands=["", "1 2"], down=["7 3 9", []]).do("flip")
    assert (table["pile"], table["down"][0]) == (["7"], ["3", "9"])


def test_K33_a_card_that_does_not_fit_goes_to_the_hand_with_the_pile():
    table = Table(hands=["", "1 2"], down=["3 9", []], pile="8", draw="16 15 14").do("flip")
    assert table.hand(0) == ["3", "8", "16"] and table["known"][0] == ["3", "8"]
    assert (table["pile"], table["cur"], table["down"][0]) == ([], 1, ["9"])


def test_K33_a_turned_card_has_all_its_effects():
    table = Table(hands=["", "1 2"], down=["FIVE 9", []], pile="16").do("flip")
    assert (table["pile"], table["cur"]) == (["16", "FIVE"], 1)
    second = Table(hands=["", "1 2"], down=["8 9", []], pile="8").do("flip")
    assert (second["pile"], second["cur"], second.legal) == ([], 0, {"flip"})
    twins = Table(hands=["", "1 2"], down=["8 8", []])
    assert twins.legal == {"flip"}
    assert twins.do("flip")["cur"] == 1


def test_K34_next_seat_to_the_left_that_has_cards():
    table = Table(hands=["7 8", "", "9", ""], up=["", "", "", "3"]).do("play 7")
    assert table["cur"] == 2
    assert table.do("pickup")["cur"] == 3
    assert table.do("play 3")["cur"] == 0
