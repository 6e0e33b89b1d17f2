"""One test for each ruling."""

from collections import Counter

import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.games.tantra.material import CARD_NAMES

from ..loop_bounds import bounded_while
from .table import DECK, Table

IDLE = ["2C", "2C"]  # hands of seats that nothing is asked of
FIXED = {"auto_forced": False}


def one_turn(display, hand, config=None, others=("3D", "3D"), **position):
    """Seat 0 is in MAIN with `hand`."""
    return Table({**FIXED, **(config or {})}, display=display, hands=[hand, *others], **position)


def with_run(display, hand, cards="5H 6H 7H", start=5, config=None, **position):
    """Seat 0 has laid down; a run of hearts of seat 1 lies in slot 0."""
    sets = [{"seat": 1, "slot": 0, "run": "H", "start": start, "cards": cards}]
    return one_turn(display, hand, config, laid_turn=[0, 0, -1], sets=sets, **position)


def drawing(hands, **position):
    return Table({"players": len(hands)}, hands=hands, phase="ASK", **position)


def test_R01_three_to_nine_players():
    for players in (2, 10):
        with pytest.raises(ValueError, match=f"players={players}"):
            tantra_envs.game("tantra", players=players)
    assert tantra_envs.game("tantra", players=9).actions.size == 271


@pytest.mark.parametrize(("players", "packs"), [(3, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 4)])
def test_R02_packs_by_players(players, packs):
    table = Table({"players": players}, seed=1, display=23)
    cards = Counter([*table["stock"], *table["discard"], *(card for hand in table["hands"] for card in hand)])
    assert cards == {**dict.fromkeys(CARD_NAMES[:52], packs), "JK": 2 * packs}


def test_R03_piles_are_cycled_and_the_wild_pile_rests_without_wild_cards():
    game = tantra_envs.game("tantra", players=3, n_rounds=5, display_cards=[23, 10], display_order="numeric",
                            wild_ranks=["4", "9"], max_turns_per_player=1)  # fmt: skip
    state, seen = game.new(3), []
    for _ in bounded_while(lambda: not state["over"][0]):
        round_now = game.position(state)
        if len(seen) == round_now["round"]:
            seen.append((round_now["display"], round_now["wild"]))
        game.apply_action(state, game.legal(state)[0])
    assert [display for display, _ in seen] == [10, 23, 10, 23, 10]
    wilds = [wild for _, wild in seen]
    assert wilds[1] is None and wilds[3] is None and wilds[0] == wilds[4] != wilds[2]


def test_R04_every_card_of_the_wild_rank_is_wild():
    table = Table({"players": 3}, seed=1, display=10, wild="7")
    cards = [*table["stock"], *table["discard"], *(card for hand in table["hands"] for card in hand)]
    assert cards.count("WILD") == 8 and not any(card[0] == "7" for card in cards)


def test_R05_one_card_at_a_time_from_the_dealers_left_then_the_first_discard():
    table = Table({"players": 3}, seed=1, display=23, dealer=0, deck=DECK)
    assert table.hand(1) == DECK[0:33:3] and table.hand(2) == DECK[1:33:3] and table.hand(0) == DECK[2:33:3]
    assert table["discard"] == [DECK[33]] and table["stock"] == DECK[34:]


def test_R05_given_decks_are_dealt_round_by_round():
    decks = [DECK[turned:] + DECK[:turned] for turned in (0, 20, 40, 60)]
    config = {"players": 3, "n_rounds": 4, "max_turns_per_player": 1, "display_cards": [23]}
    table = Table(config, seed=1, deck=decks)
    for number, deck in enumerate(decks):
        assert (table["round"], table["stock"]) == (number, deck[34:])
        for _ in bounded_while(lambda number=number: table["round"] == number):
            table.game.apply_action(table.state, table.game.legal(table.state)[0])


def test_R05_a_new_round_begins_with_nothing_of_the_last_one():
    kind = [{"seat": 1, "slot": 4, "kind": "K", "cards": "KC KD KH KS"}]
    table = Table({"n_rounds": 2}, display=10, wild="A", hands=["2C", "QD", "4D"], stock="JS JK", discard="9S 8S",
                  laid_turn=[3, 5, -1], buys_used=[1, 2, 3], recycles=2, sales=4, refusals=3, sets=kind,
                  known=[["", "QD", ""], ["", "", "4D"], ["", "QD", ""]]).do("discard 2C")  # fmt: skip
    position, nothing = table.game.position(table.state, full=True), [0, 0, 0]
    assert position["round"] == 1 and position["buys_used"] == nothing and position["laid_turn"] == [-1, -1, -1]
    assert [position[name] for name in ("turns", "recycles", "sales", "refusals", "declined")] == [0] * 5
    assert position["sets"] == [] and position["known"] == [[[]] * 3] * 3 and position["public"] == [[]] * 3
    assert table.game.from_position(position).tobytes() == table.state.tobytes()


def test_R06_dealer_drawn_and_passing_to_the_left():
    assert {Table({"players": 3}, seed=seed)["dealer"] for seed in range(20)} == {0, 1, 2}
    table = Table({"players": 3, "n_rounds": 2, "max_turns_per_player": 1}, seed=1, dealer=2)
    assert table["turn"] == 0
    for _ in bounded_while(lambda: table["round"] == 0):
        table.game.apply_action(table.state, table.game.legal(table.state)[0])
    assert (table["dealer"], table["turn"]) == (0, 1)


def test_R10_suits_of_a_kind_are_free_and_may_repeat():
    table = one_turn(41, "9C 9C 9D KH KH KS 4C 4D 4S 2C", wild="A")
    assert "lay down" in table.legal
    table.do("lay down", "kind 4", "place 4C", "place 4D", "place 4S", "kind 9", "place 9C", "place 9C", "place 9D")
    assert table["sets"][1]["cards"] == ["9C", "9C", "9D"]


def test_R11_a_run_is_consecutive_in_one_suit():
    assert "lay down" in one_turn(21, "5H 6H 7H 8H 10S JS QS KS 2C").legal
    assert "lay down" not in one_turn(21, "5H 6H 7H 9H 10S JS QS KS 2C").legal
    assert "lay down" not in one_turn(21, "5H 6H 7H 8D 10S JS QS KS 2C").legal


def test_R11_the_first_of_all_runs_begins_with_the_ace_of_clubs():
    table = one_turn(21, "AC 2C 3C 4C JS QS KS AS 9D").do("lay down", "run C 1")
    table.do("place AC", "place 2C", "place 3C", "place 4C")
    assert table["sets"] == [{"seat": 0, "slot": 0, "run": "C", "start": 1, "cards": ["AC", "2C", "3C", "4C"]}]


def test_R12_aces_are_low_or_high_and_never_in_the_middle():
    assert "lay down" in one_turn(21, "AH 2H 3H 4H JS QS KS AS 2C").legal
    assert "lay down" not in one_turn(21, "5H 6H 7H 8H QS KS AS 2S 2C").legal
    assert "lay off on 1.0 high" not in with_run(15, "WILD 2H 3C", "QH KH AH", 12, wild="9").legal


def test_R13_sets_are_laid_down_in_their_printed_size():
    table = one_turn(6, "9C 9D 9H 9S 9C KC KD KH KS 2C").do("lay down", "kind 9")
    table.do("place 9C", "place 9C", "place 9D", "place 9H")
    assert (table["phase"], table["sets"][0]["cards"]) == ("TEMPLATE", ["9C", "9C", "9D", "9H"])


def test_R14_a_run_grows_to_both_aces():
    cards = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    for allowed in (True, False):
        table = with_run(21, "AH 4C", cards, 2, {"two_aces_in_run": allowed})
        assert ("lay off on 1.0 low" in table.legal) == allowed


def test_R14_and_to_the_high_one_after_the_low_one():
    cards = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    for allowed in (True, False):
        table = with_run(21, "AH 4C", cards, 1, {"two_aces_in_run": allowed})
        assert ("lay off on 1.0 high" in table.legal) == allowed


def test_R15_equal_sets_are_allowed_and_stay_apart():
    table = one_turn(21, "5H 6H 7H 8H 5H 6H 7H 8H 2C").do("lay down", "run H 5")
    table.do("place 5H", "place 6H", "place 7H", "place 8H", "run H 5", "place 5H", "place 6H", "place 7H", "place 8H")
    assert [lies["cards"] for lies in table["sets"]] == [["5H", "6H", "7H", "8H"]] * 2


def test_R16_wild_cards_stand_anywhere_in_any_number():
    table = one_turn(32, "WILD 6H JK JK 3C WILD 9S WILD JS 2C", wild="A", config={"jokers_per_pack": 4})
    assert "lay down" not in table.legal  # on card 32 jokers are dead
    table = one_turn(29, "WILD JK 7H JK WILD 10H 2S 3S 4S 5S 6S WILD 2C", wild="A")
    assert "lay down" in table.legal
    table.do("lay down", "run H 5")
    assert table.legal_after("place") == {"JK", "WILD"}


def test_R17_a_set_may_be_all_wild():
    table = one_turn(41, "WILD WILD WILD 9C 9D 9H KC KD KH 2C", wild="A").do("lay down")
    assert {"kind 2", "kind 5"} <= table.legal


def test_R18_jokers_are_wild_without_a_wild_rank():
    assert "lay down" in one_turn(14, "9C 9D JK KC KD KH 4S 5S 6S 4H JK 6H 2C").legal


def test_R19_naturals_needed_when_laid_down():
    hand = "WILD WILD WILD 9C 9D 9H KC KD KH 2D"
    for naturals, possible in ((0, True), (1, True), (2, False)):
        table = one_turn(41, hand, {"min_naturals_per_set": naturals}, wild="A")
        assert ("lay down" in table.legal) == possible
    table = one_turn(41, hand, {"min_naturals_per_set": 1}, wild="A").do("lay down")
    assert table.legal_after("kind") == {"2", "9"}  # wild cards need a natural beside them


def test_R20_the_wild_rank_is_one_type_of_card():
    table = one_turn(10, "7C 7D 7H 2C", wild="7")
    assert table.hand(0) == ["2C", "WILD", "WILD", "WILD"] and table.legal_after("discard") == {"2C", "WILD"}


def test_R21_tabled_cards_never_move():
    table = with_run(15, "6H 4C", "5H WILD 7H", wild="9")
    assert table.legal == {"discard 6H", "discard 4C"}


def test_R22_no_jokers_makes_dead_cards():
    table = one_turn(41, "9C 9D JK KC KD KH 4S 4H 4C 2C", wild="A", stock="2D", discard="JK")
    assert "lay down" not in table.legal and "discard JK" in table.legal


PAIRS = ["6H 7H 7H 9H", "6H 7H 9H 9H", "5H 5H 7H 8H", "5H 6H 8H 8H", "5H 5H 8H 8H"]


@pytest.mark.parametrize("cards", PAIRS)
def test_R23_the_second_card_of_a_pair_stands_for_a_missing_card(cards):
    assert "lay down" in one_turn(21, f"{cards} 10S JS QS KS 2C").legal
    assert "lay down" not in one_turn(18, f"{cards} 10S JS QS KS AS 2C 2D 4D 6D 2H 3C").legal
    for wrong in ("6H 6H 7H 8H", "5H 6H 7H 7H"):  # not in place of 5 6 7 8
        assert "lay down" not in one_turn(21, f"{wrong} 10S JS QS KS 2C").legal


def test_R23_the_natural_of_a_pair_lies_beside_its_duplicate():
    hand = "5H 7H 7H 8H 8H 8H 9H 10H 2C"  # 5 7 8 8 is no run: the 7 stands beside no other 7
    assert "lay down" not in one_turn(21, hand, {"n_packs": 3}).legal
    assert "lay down" in one_turn(21, hand.replace("5H", "5H 6H"), {"n_packs": 3}).legal


def test_R24_several_pairs_in_one_run():
    table = one_turn(30, "5H 5H 7H 9H 9H 2S 3S 4S 5S 6S KC KD KH KS 2C", others=("3D", "3D"))
    assert "lay down" in table.legal


def test_R25_three_equal_cards_are_no_pair():
    config = {"n_packs": 3}
    assert "lay down" not in one_turn(30, "5H 7H 7H 7H 9H 2S 3S 4S 5S 6S KC KD KH KS 2C", config).legal


def test_R26_the_replaced_card_may_be_elsewhere():
    hand = "5H 5H 6H 7H 7H 8H 9H 9H 2C 2D 3C 4D"  # 5 5 7 8 and 6 7 9 9, though the 6 is there
    table = one_turn(21, hand).do("lay down")
    assert table.legal_after("run H") == {"5"}
    table.do("run H 5", "place 5H")
    assert table.legal_after("place") == {"5H"}


def test_R27_wild_cards_form_no_pairs_but_fill_other_places():
    table = with_run(30, "7H 9H 4C", "5H 6H JK")
    assert "lay off on 1.0 high" not in table.legal
    assert "lay off on 1.0 low" not in with_run(30, "5H 3H 4C", "JK 6H 7H").legal
    rest = "2S 3S 4S 5S 6S KC KD KH KS 2C"
    assert "lay down" in one_turn(30, f"5H 6H 6H JK 9H {rest}").legal


def test_R28_laying_down_is_a_choice_of_ones_own_turn():
    hand = "9C 9D 9H KC KD KH 4S 4H 4C 2C"
    table = one_turn(41, hand, wild="A", turns=0)
    assert {"lay down", "discard 2C"} <= table.legal
    table = one_turn(41, hand, wild="A", phase="DRAW", stock="2D", discard="2H")
    assert table.legal == {"draw", "take"}


def test_R29_a_card_must_remain():
    assert "lay down" not in one_turn(41, "9C 9D 9H KC KD KH 4S 4H 4C", wild="A").legal
    assert "lay down" in one_turn(41, "9C 9D 9H KC KD KH 4S 4H 4C 2C", wild="A").legal


def test_R30_sets_lie_in_printed_order():
    table = one_turn(16, "4C 4D 4H 4S 9H 10H JH QS KS AS 2C", wild="7").do("lay down")
    assert table.legal_after("kind") == {"4"} and not table.legal_after("run H")


def test_R31_laying_off_needs_a_lay_down():
    table = with_run(15, "8H 4C", wild="9")
    assert "lay off on 1.0 high" in table.legal
    sets = [{"seat": 1, "slot": 0, "run": "H", "start": 5, "cards": "5H 6H 7H"}]
    assert one_turn(15, "8H 4C", wild="9", sets=sets).legal == {"discard 8H", "discard 4C"}


def test_R32_lay_offs_go_on_kinds_and_the_ends_of_runs():
    table = with_run(15, "4H 8H WILD 4C", wild="9").do("lay off on 1.0 low")
    assert table.legal_after("place") == {"4H", "WILD"}
    table.do("place WILD", "lay off on 1.0 high", "place 8H")
    assert table["sets"][0]["cards"] == ["WILD", "5H", "6H", "7H", "8H"] and table["sets"][0]["start"] == 4
    kind = [{"seat": 2, "slot": 1, "kind": "4", "cards": "4S 4D 4D"}]
    table = one_turn(10, "4C 5C", wild="9", laid_turn=[0, -1, 0], sets=kind).do("lay off on 2.1", "place 4C")
    assert table["sets"][0]["cards"] == ["4C", "4D", "4D", "4S"]


def test_R32_there_are_no_lay_offs_where_no_set_lies():
    assert with_run(15, "WILD AC 4C", wild="9").legal_after("lay off on") == {"1.0 low", "1.0 high"}


def test_R32_a_card_that_is_laid_off_lies_on_the_table_and_nobody_thinks_that_it_is_held():
    known = [["", "", ""], ["8H 4C", "", ""], ["8H 4C", "", ""]]
    table = with_run(15, "8H 4C", wild="9", known=known).do("lay off on 1.0 high", "place 8H")
    assert table["known"] == [[[]] * 3, [["4C"], [], []], [["4C"], [], []]]
    assert [CARD_NAMES[card] for card, count in enumerate(table.seen(2, "tabled")) if count == 1] == [
        *("5H", "6H", "7H", "8H")
    ]


@pytest.mark.parametrize(
    ("end", "cards"),
    [
        *(("high", cards) for cards in ("7H 9H", "9H 9H", "7H 10H 10H", "7H JK")),
        *(("low", cards) for cards in ("5H 3H", "3H 3H", "5H 2H 2H", "5H JK")),
    ],
)
def test_R33_a_group_is_laid_off_as_a_whole(end, cards):
    layoff, mate = f"lay off on 1.0 {end}", {"high": "7H", "low": "5H"}[end]
    table = with_run(30, f"{cards} 4C").do(layoff, *(f"place {card}" for card in cards.split()))
    assert table["phase"] == "MAIN" and table.hand(0) == ["4C"]
    assert layoff not in with_run(30, f"{mate} 4C 4D").legal
    if "JK" not in cards:
        assert layoff not in with_run(30, f"{cards} 4C", config={"identical_layoff": False}).legal


@pytest.mark.parametrize(
    ("hand", "cards", "end"), [("8H 10H 4C", "5H 6H 8H 8H", "high"), ("5H 3H 4C", "5H 5H 7H 8H", "low")]
)
def test_R33_an_end_that_is_a_mate_already_is_free_for_no_other(hand, cards, end):
    packs = {"n_packs": 3}
    assert f"lay off on 1.0 {end}" not in with_run(30, hand, cards, config=packs).legal
    assert f"lay off on 1.0 {end}" in with_run(30, hand, "5H 6H 7H 8H", config=packs).legal


def test_R34_a_card_stays_for_the_discard():
    assert with_run(15, "8H", wild="9").legal == {"discard 8H"}
    assert "lay off on 1.0 high" not in with_run(30, "7H 9H").legal


def test_R35_one_lay_down_a_round():
    table = one_turn(41, "9C 9D 9H KC KD KH 4S 4H 4C 2C", wild="A", laid_turn=[3, -1, -1])
    assert "lay down" not in table.legal


def test_R36_one_card_is_taken_and_one_discarded():
    table = Table({}, display=41, wild="A", hands=["3C", *IDLE], phase="DRAW", stock="5D 6D 7D", discard="2H")
    table.do("draw", "discard 3C")
    assert (table["cur"], table["turn"], table.hand(0), table["phase"]) == (1, 1, ["5D"], "DRAW")


def test_R37_any_card_may_be_discarded():
    assert with_run(29, "8H JK WILD", wild="9").legal_after("discard") == {"8H", "JK", "WILD"}


def test_R38_going_out_needs_a_lay_down():
    table = with_run(15, "4C", wild="9").do("discard 4C")
    assert table["phase"] == "OVER" and table["scores"][0] == 50


def test_R40_who_may_buy():
    def asked(**position):
        return drawing(["2C", "3D", "4D"], display=10, wild="A", stock="5D 6D 7D", discard="2H", **position)["phase"]

    assert asked() == "ASK"
    assert asked(laid_turn=[-1, 0, 0]) == "DRAW" and asked(buys_used=[0, 3, 3]) == "DRAW"
    table = drawing(["2C", "3D", "4D"], display=7, wild="A", stock="5D 6D 7D", discard="2H", buys_used=[0, 3, 4])
    assert (table["phase"], table["cur"]) == ("ASK", 1)
    assert drawing(["2C", "3D", "4D"], display=41, wild="A", stock="5D 6D 7D", discard="2H")["phase"] == "DRAW"


def test_R40_buys_add_up():
    table = bought({"max_turns_per_player": 3}, buys_used=[0, 2, 0], sales=5).do("allow", "keep")
    assert table["buys_used"] == [0, 3, 0]
    for state, counts in ((table.state, (6, 0)), (bought(refusals=5).do("refuse").state, (0, 6))):
        assert (state["sales"][0], state["refusals"][0]) == counts


def test_R41_the_opening_card():
    for allowed in (True, False):
        table = Table({"players": 3, "buy_opening_card": allowed}, seed=1, display=10)
        assert table["phase"] == ("ASK" if allowed else "DRAW")


def test_R42_the_nearest_to_the_left_is_asked_first_and_the_discarder_last():
    table = drawing(["2C", "3D", "4D", "5D"], turn=1, cur=2, display=10, wild="A", stock="5D 6D 7D", discard="2H")
    order = [table["cur"], table.do("pass")["cur"], table.do("pass")["cur"]]
    assert order == [2, 3, 0] and table.do("pass")["phase"] == "DRAW"


def test_R42_from_one_turn_to_the_next():
    table = Table({}, display=10, wild="A", hands=["2C 3C", "3D", "4D"], stock="5D 6D 7D").do("discard 3C")
    assert (table["phase"], table["turn"], table["cur"]) == ("ASK", 1, 2)
    assert (table.do("pass")["cur"], table.do("pass")["cur"], table["phase"]) == (0, 1, "DRAW")


def bought(config=None, **position):
    table = Table(config, **{"display": 10, "wild": "A", "hands": ["2C", "3D", "4D"], "phase": "ASK", "cur": 1,
                             "stock": "5D 6D 7D", "discard": "9S 2H", **position})  # fmt: skip
    return table.do("buy")


def test_R43_the_seat_in_turn_takes_the_card_or_sells_it():
    assert bought().legal == {"refuse", "allow"}
    table = bought().do("refuse")
    assert table.hand(0) == ["2C", "2H"] and table["phase"] == "MAIN" and table["buys_used"] == [0, 0, 0]


def test_R44_the_card_looked_at_is_kept_or_handed_over():
    table = bought().do("allow")
    assert (table["peeked"], table.legal, table["buys_used"]) == ("5D", {"keep", "hand over"}, [0, 1, 0])
    kept, given = bought().do("allow", "keep"), bought().do("allow", "hand over")
    assert (kept.hand(0), kept.hand(1)) == (["2C", "5D"], ["3D", "6D", "2H"])
    assert (given.hand(0), given.hand(1)) == (["2C", "6D"], ["3D", "5D", "2H"])
    assert given["known"][0][1] == ["5D", "2H"] and given["known"][2][1] == ["2H"] == kept["known"][0][1]


def test_R44_cards_of_a_pile_that_was_turned_over_are_known_to_all():
    kept = bought(recycles=1).do("allow", "keep")
    assert (kept["known"][2][0], kept["known"][2][1], kept["known"][0][1]) == (["5D"], ["6D", "2H"], ["6D", "2H"])
    given = bought(recycles=1).do("allow", "hand over")
    assert (given["known"][1][0], given["known"][2][1], given["known"][0][1]) == (["6D"], ["5D", "2H"], ["5D", "2H"])
    assert given["known"][0][0] == given["known"][1][1] == []


def test_R44_a_sale_that_leaves_no_discard_goes_on_from_its_position():
    table = bought(stock="5D 6D", discard="2H").do("allow")
    assert (table["phase"], table["stock"], table["discard"]) == ("PEEK", ["6D"], [])
    assert table.game.from_position(table.game.position(table.state))["phase"] == table.state["phase"]
    check_consistent(table.game, table.state)


def test_R45_one_sale_for_each_discard():
    table = bought().do("allow", "keep")
    assert table["discard"] == ["9S"] and table["phase"] == "MAIN" and table["cur"] == 0


def test_R46_nobody_asks_and_the_discard_is_free():
    table = Table({}, display=10, wild="A", hands=["2C", "3D", "4D"], phase="ASK", stock="5D 6D 7D", discard="2H")
    table.do("pass", "pass")
    assert table.legal == {"draw", "take"}
    assert table.do("take")["buys_used"] == [0, 0, 0]


def test_R47_the_seat_in_turn_may_speak_first():
    table = Table({"buy_order": "turn_player_first"}, display=10, wild="A", hands=["2C", "3D", "4D"], phase="DRAW",
                  stock="5D 6D 7D", discard="2H")  # fmt: skip
    assert table.do("draw")["phase"] == "ASK"
    assert table.do("buy")["phase"] == "PEEK"


def test_R47_and_if_nobody_buys_the_declined_card_stays():
    table = Table({"buy_order": "turn_player_first"}, display=10, wild="A", hands=["2C", "3D", "4D"], phase="DRAW",
                  stock="5D 6D 7D", discard="2H").do("draw", "pass", "pass")  # fmt: skip
    assert (table["phase"], table["cur"], table.hand(0)) == ("MAIN", 0, ["2C", "5D"])
    assert table["discard"] == ["2H"] and not table.state["declined"][0]


def test_R47_a_position_in_which_others_are_asked_keeps_that_the_card_was_declined():
    table = Table({"buy_order": "turn_player_first"}, display=10, wild="A", hands=["2C", "3D", "4D"], phase="DRAW",
                  stock="5D 6D 7D", discard="2H").do("draw")  # fmt: skip
    table.state = table.game.from_position(table.game.position(table.state))
    assert table.do("buy")["phase"] == "PEEK"  # the seat in turn cannot refuse any more


def test_R48_in_the_middle_of_a_sale():
    table = bought(stock="5D", discard="9S 8S 7S 2H").do("allow")
    assert (table["peeked"], table["recycles"], table["discard"]) == ("5D", 0, ["9S", "8S", "7S"])
    table.do("keep")
    assert (table.hand(0), table.hand(1)) == (["2C", "5D"], ["3D", "2H", "9S"])
    assert (table["stock"], table["discard"], table["recycles"]) == (["8S"], ["7S"], 1)
    assert table["known"][2][1] == ["2H", "9S"] and table["known"][2][0] == []  # 5D was drawn before


def test_R48_the_discard_pile_is_turned_over_oldest_first():
    for keeps, left, stock in ((True, ["8D"], ["4D"]), (False, [], ["4D", "8D"])):
        table = Table({"recycle_keeps_top": keeps}, display=41, wild="A", hands=["2C", "3D", "4S"], phase="DRAW",
                      stock="", discard="2H 4D 8D").do("draw")  # fmt: skip
        assert (table.hand(0), table["discard"], table["stock"]) == (["2C", "2H"], left, stock)
        assert table["known"][1][0] == ["2H"] and sum(table.seen(2, "stock")) == len(stock)


def test_R49_packs_enough():
    with pytest.raises(ValueError, match="n_packs=1"):
        tantra_envs.game("tantra", players=4, n_packs=1)
    table = drawing(["2C", "3D", "4D"], display=10, wild="A", stock="5D", discard="2H")
    assert table.legal == {"draw", "take"}  # a sale would need two cards


@pytest.mark.parametrize(
    ("keeps", "stock", "discard", "asked", "may"),
    [
        (True, "5D 6D", "2H", True, {"draw", "take"}),
        (True, "5D", "2H 3H", False, {"draw", "take"}),
        (True, "5D", "2H 3H 4H", True, {"draw", "take"}),
        (False, "5D", "2H", False, {"draw", "take"}),
        (False, "5D", "2H 3H", True, {"draw", "take"}),
        (True, "", "2H", False, {"take"}),
        (True, "", "2H 3H", False, {"draw", "take"}),
        (False, "", "2H", False, {"draw", "take"}),
        (True, "5D 6D", "", False, {"draw"}),
    ],
)
def test_R49_guards(keeps, stock, discard, asked, may):
    known = {"display": 10, "wild": "A", "hands": ["2C", "3D", "4D"], "stock": stock, "discard": discard}
    if discard:
        assert (Table({"recycle_keeps_top": keeps}, phase="ASK", **known)["phase"] == "ASK") == asked
    assert Table({"recycle_keeps_top": keeps}, phase="DRAW", **known).legal == may


def test_R50_a_round_is_cut_off():
    for scoring, scores in (("penalty", [-5, -10, -5]), ("void", [0, 0, 0])):
        config = {"max_turns_per_player": 3, "cutoff_scoring": scoring}
        table = Table(config, display=10, wild="A", hands=["2C 7D", "KD", "4D"], turns=8).do("discard 2C")
        assert (table["phase"], table["truncated"], table["scores"]) == ("OVER", True, scores)


def test_R50_the_whole_game_is_cut_off_after_max_moves():
    table = Table({"max_moves": 2, "n_rounds": 5}, display=10, wild="A", hands=["2C", "KD", "4D"], phase="DRAW",
                  stock="5D 6D 7D", discard="2H").do("draw", "discard 2C")  # fmt: skip
    assert (table["phase"], table["truncated"], table["cur"]) == ("OVER", True, 0)
    assert table["scores"] == [-5, -10, -5] and table.game.round_info(table.state)["ending"] == "cut_off"


@pytest.mark.parametrize(
    ("laid_turn", "hand", "scores", "ending"),
    [([7, -1, -1], "2C", [50, -10, -5], "later"), ([-1, -1, -1], "2C 7D", [-5, -10, -5], "cut_off")],
)
def test_R50_a_round_that_ends_with_max_moves_is_the_last_one(laid_turn, hand, scores, ending):
    config = {"max_moves": 1, "n_rounds": 5, "max_turns_per_player": 3}
    table = Table(config, display=10, wild="A", hands=[hand, "KD", "4D"], laid_turn=laid_turn, turns=8)
    table.do("discard 2C")
    assert (table["phase"], table["truncated"], table["cur"], table["round"]) == ("OVER", True, 0, 1)
    assert table["scores"] == scores and table.game.round_info(table.state)["ending"] == ending


def test_R50_a_game_that_ends_with_max_moves_is_whole():
    table = Table({"max_moves": 1}, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[7, -1, -1])
    assert (table.do("discard 2C")["truncated"], table["scores"]) == (False, [50, -10, -5])


def test_R50_only_a_round_without_a_winner_is_void():
    config = {"cutoff_scoring": "void"}
    table = Table(config, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[7, -1, -1]).do("discard 2C")
    assert table["scores"] == [50, -10, -5]


@pytest.mark.parametrize(("own", "other", "score"), [(7, -1, 50), (7, 3, 50), (8, 3, 100), (8, -1, 300)])
def test_R51_going_out_scores(own, other, score):
    table = Table({}, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[own, other, -1]).do("discard 2C")
    assert table["scores"] == [score, -10, -5]


def test_R52_tabled_cards_do_not_count():
    kind = [{"seat": 1, "slot": 0, "kind": "K", "cards": "KC KD KH KS"}]
    table = Table({}, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[3, 5, -1], sets=kind)
    assert table.do("discard 2C")["scores"][1] == -10


@pytest.mark.parametrize(
    ("variation", "points"),
    [(0, [5, 10, 10, 10, 25, 100]), (1, [10, 10, 10, 10, 25, 100]), (2, [5, 10, 10, 20, 50, 100]),
     (3, [7, 8, 11, 15, 25, 100])],
)  # fmt: skip
def test_R53_points_of_cards_in_hand(variation, points):
    for card, value in zip(["7C", "8D", "JS", "AH", "JK", "2C"], points, strict=True):
        table = one_turn(10, [card], {"variation": variation}, wild="2")
        assert table.seen(0, "aux")[2] == value


def test_R54_the_length_of_a_game():
    for config, rounds in (({"n_rounds": 3}, 3), ({"n_rounds": 9, "turn_budget": 4}, 2)):
        game = tantra_envs.game("tantra", players=3, max_turns_per_player=1, **config)
        state = game.new(1)
        for _ in bounded_while(lambda: not state["over"][0]):
            game.apply_action(state, game.legal(state)[0])
        assert state["round"][0] == rounds


def test_R55_ties_are_shared():
    for reward, paid in (("win", [1 / 6, 1 / 6, -1 / 3]), ("rank", [0.5, 0.5, -1])):
        table = Table({"reward": reward}, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[3, -1, -1],
                      scores=[0, 60, 0]).do("discard 2C")  # fmt: skip
        assert table["scores"] == [50, 50, -5] and table["rewards"] == pytest.approx(paid)


@pytest.mark.parametrize(
    ("config", "paid"),
    [
        ({}, [0.575, -0.325, -0.25]),
        ({"reward": "score", "reward_scale": 50.0}, [1.0, -0.2, -0.1]),
        ({"variation": 1}, [0.3, -0.15, -0.15]),
        ({"variation": 1, "reward": "score"}, [0.2, -0.1, -0.1]),
        ({"reward_when": "game"}, [0.275, 0.275, -0.55]),
    ],
)
def test_rewards_of_a_round_and_of_a_game(config, paid):
    hands = ["2C", "KD", "KH"] if "variation" in config else ["2C", "KD", "4D"]
    table = Table(config, display=10, wild="A", hands=hands, laid_turn=[3, -1, -1], scores=[0, 60, 0])
    assert table.do("discard 2C")["rewards"] == pytest.approx(paid)


def test_rewards_are_paid_once():
    table = Table({"n_rounds": 2}, display=10, wild="A", hands=["2C", "KD", "4D"], laid_turn=[3, -1, -1])
    assert all(table.do("discard 2C")["rewards"])
    assert table.do(min(table.legal))["rewards"] == [0, 0, 0]


def test_shaping_pays_the_cards_that_are_lacking_less():
    table = Table({"shaping": "deficit"}, display=41, wild="A", hands=["9C 9D 9H KC KD KH 4S 4H 2C", "3D", "3S"],
                  phase="DRAW", stock="4C 6D", discard="2H")  # fmt: skip
    assert table.do("draw")["rewards"] == pytest.approx([0.05, 0, 0])
    assert table.do("discard 9C")["rewards"] == pytest.approx([-0.05, 0, 0])


def test_R56_variations():
    table = Table({"variation": 1}, display=10, wild="A", hands=["2C", "KD", "7D"], laid_turn=[8, -1, -1])
    table.do("discard 2C")
    assert table["scores"] == [-500, 10, 10] and table["rewards"][0] > 0
    game = tantra_envs.game("tantra", "numeric", players=3, max_turns_per_player=1)
    assert game.position(game.new(1))["display"] == 1


@pytest.mark.parametrize("reward", ["zero_sum", "score", "rank", "win"])
@pytest.mark.parametrize("low", [None, False, True])
@pytest.mark.parametrize("variation", [0, 1, 2, 3])
def test_R56_a_grand_slam_is_the_best_result_on_either_side(variation, low, reward):
    config = {"variation": variation, "low_score_wins": low, "reward": reward}
    table = Table(config, display=10, wild="A", hands=["2C", "KD", "7D"], laid_turn=[8, -1, -1]).do("discard 2C")
    lowest = variation == 1 if low is None else low
    assert table["scores"][0] == (-500 if lowest else 300)
    assert all((points > 0) == lowest for points in table["scores"][1:])
    assert table["rewards"][0] > 0 and table["rewards"][0] > max(table["rewards"][1:])


@pytest.mark.parametrize(
    ("config", "allowed"),
    [
        ({"going_out_points": (10, 20, 30), "low_score_wins": True}, "0 or less"),
        ({"going_out_points": (0, 0, 1), "variation": 1}, "0 or less"),
        ({"going_out_points": (-1, 20, 30)}, "0 or more"),
        ({"going_out_points": (-1, -2, -3), "variation": 1, "low_score_wins": False}, "0 or more"),
    ],
)
def test_R51_going_out_costs_nothing(config, allowed):
    with pytest.raises(ValueError, match=rf"tantra: going_out_points=\(.*\) is not allowed .*; allowed: {allowed}$"):
        tantra_envs.game("tantra", **config)
    points = {True: (-5, 0, -30), False: (5, 0, 30)}[allowed == "0 or less"]
    assert tantra_envs.game("tantra", **{**config, "going_out_points": points}).config["going_out_points"] == points


@pytest.mark.parametrize(("carry", "cards"), [(True, [1, 2, 1]), (False, [1, 1, 1])])
def test_R56_by_number_the_next_game_goes_on_with_the_next_card_until_a_seed_is_given(carry, cards):
    rules = {"n_rounds": 1, "max_turns_per_player": 1, "display_carry": carry}
    env, seen = SeatEnv(tantra_envs.game("tantra", "numeric", players=3, **rules)), []
    for seed in (1, None, 1):
        env.reset(seed=seed)
        info = {"rounds": 0}
        for _ in bounded_while(lambda: not info["rounds"]):
            *_, info = env.step(env.action_space.sample())
        seen.append(info["round_display"])
    assert seen == cards


@pytest.mark.parametrize(
    ("out", "laid", "ending", "scores"),
    [(True, [7, -1, -1], "later", [50, -10, -100]), (True, [8, 3, -1], "at_once", [100, -10, -100]),
     (True, [8, -1, -1], "grand_slam", [300, -10, -100]), (False, [-1, 2, -1], "cut_off", [-5, -10, -100])],
)  # fmt: skip
def test_what_there_is_to_tell_of_a_round(out, laid, ending, scores):
    hand = "4S" if out else "4S 2C"
    table = Table({"max_turns_per_player": 3}, display=10, wild="A", hands=[hand, "KD", "AC"], laid_turn=laid, turns=8)
    told = table.do("discard 4S").game.round_info(table.state)
    by_seat = {name: told.pop(name).tolist() for name in ("scores", "laid_turn", "hand_points")}
    assert by_seat == {"scores": scores, "laid_turn": laid, "hand_points": [5 * (not out), 10, 100]}
    assert told == {"display": 10, "wild": "A", "out": 0 if out else -1, "ending": ending, "turns": 9, "sales": 0,
                    "refusals": 0}  # fmt: skip


READY = "5H 6H 7H 8H 5S 6S 7S 8S 2C"  # two runs of four, for card 21


def test_D1_what_is_offered_can_be_completed_and_there_is_no_way_back():
    table = one_turn(21, "5H 6H 7H 8H 9H 5S 6S 7S 8S 2C").do("lay down")
    assert table.legal == {"run H 5", "run H 6"}  # the spades come second (D-5)
    for _ in bounded_while(lambda: table["phase"] != "MAIN"):
        words = sorted(table.legal)
        assert words and all(word.startswith(("run", "place")) for word in words)
        table.do(words[-1])
    assert len(table["sets"]) == 2


def test_D2_what_is_forced_plays_itself():
    table = one_turn(21, READY, {"auto_forced": True}).do("lay down")
    assert (table["phase"], table.hand(0)) == ("MAIN", ["2C"])
    table = one_turn(21, READY).do("lay down")
    assert (table["phase"], table.legal) == ("TEMPLATE", {"run H 5"})


def test_D5_alike_sets_come_in_ascending_order():
    table = one_turn(21, READY.replace("2C", "9S 2C")).do("lay down")
    assert table.legal == {"run H 5"}
    table.do("run H 5", "place 5H", "place 6H", "place 7H", "place 8H")
    assert table.legal == {"run S 5", "run S 6"}


def test_D5_a_card_is_not_offered_if_only_a_lower_run_could_follow():
    hand = "5H 6H 7H 8H 9H JK 10S JS QS KS 2D 3D 4D 5D 6D 2C"
    table = one_turn(1, hand, others=("3C", "3S"), wild="A").do(
        "lay down", "run H 5", "place 5H", "place 6H", "place 7H", "place 8H"
    )
    assert table.legal_after("place") == {"9H"}  # with the joker there, only the diamonds would be left


def test_D6_the_cards_of_a_kind_go_by_suit_then_WILD_then_JOKER():
    table = one_turn(10, "9C 9C WILD WILD JK 4C 4D 4H 4S KC KD KH KS 2C", wild="A").do("lay down", "kind 4")
    table.do("place 4C", "place 4D", "place 4H", "place 4S", "kind 9", "place 9C")
    for follows, placed in (({"9C", "WILD"}, "WILD"), ({"WILD"}, "WILD"), ({"JK"}, "JK")):
        assert table.legal_after("place") == follows
        table.do(f"place {placed}")


def test_D7_the_table_fills_the_places():
    hand = "5H WILD 7H 8H 5S 6S 7S JK 9S 2C 3C 3D 4D"
    table = one_turn(29, hand.replace("3D 4D", "10H 9H 8S"), {"fill_mode": "auto"}, wild="A").do("lay down")
    table.do("run H 5", "run S 5")
    assert [lies["cards"] for lies in table["sets"]] == [
        ["5H", "WILD", "7H", "8H", "9H", "10H"],
        ["5S", "6S", "7S", "8S", "9S", "JK"],
    ]


def test_R07_a_smaller_deck_asks_for_one_kind_of_three_and_allows_two_players():
    game = tantra_envs.game("tantra:mini")
    names = ["5C"] * 4 + ["9C"] * 4 + ["KC"] * 2 + ["JK"]
    assert game.words.deck(game) == names
    state = game.new(3, deck=names)
    counts = game.fields.cards(state)[0]
    held = [name for card, name in enumerate(CARD_NAMES) for _ in range(counts[card])]
    assert sorted(held) == sorted(["WILD" if name == "KC" else name for name in names])
    assert state["display"][0] == 45 and game.players == 2
    check_consistent(game, state)
    state = game.from_position(
        {
            "phase": "MAIN",
            "display": 45,
            "wild": "K",
            "hands": ["5C 5C WILD 9C", "9C"],
            "turn": 0,
            "turns": 2,
            "stock": "9C 9C",
        }
    )
    game.apply_action(state, game.parse_action(state, "lay down"))
    assert state["laid_turn"][0, 0] >= 0
    with pytest.raises(ValueError, match=r"players=2 is not allowed; allowed: 3\.\.9"):
        tantra_envs.game("tantra", players=2)
    with pytest.raises(ValueError, match="display_cards"):
        tantra_envs.game("tantra", display_cards=[45])
    with pytest.raises(ValueError, match=r"hand_size=5 .* at most 4"):
        tantra_envs.game("tantra:mini", hand_size=5)
