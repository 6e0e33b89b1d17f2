"""K-80 to K-84: going out, the end, finishing order, the cut-off, the order of work."""

import pytest

from ..loop_bounds import bounded_while
from .table import Table


def test_K80_out_without_any_cards_after_drawing():
    assert Table(hands=["7", "1", "2"]).do("play 7")["out"] == [0]
    assert Table(hands=["7", "1", "2"], draw="9").do("play 7")["out"] == []
    assert Table(hands=["7", "1", "2"], down=["9", "", ""]).do("play 7")["out"] == []
    assert Table(hands=["7", "8", "2 3"]).do("play 7", "play 8")["out"] == [0, 1]


def test_K80_the_giver_of_his_last_card_is_not_out_before_the_pile_is_given():
    table = Table(hands=["GIVE", "1", "2"], pile="9").do("play GIVE")
    assert (table["phase"], table["out"], table.seen(0, "own")[0]) == ("TARGET", [], 0.0)
    assert table.do("give 1")["out"] == [0] and table.seen(0, "own")[0] == 1.0
    draws = Table(hands=["GIVE", "1", "2"], pile="9", draw="3").do("play GIVE", "give 1")
    assert (draws["out"], draws.hand(0)) == ([], ["3"])


def test_K81_the_last_player_with_cards_loses():
    table = Table(hands=["7", "1", ""]).do("play 7")
    assert (table["phase"], table["loser"], table["cur"], table["truncated"]) == ("OVER", 1, 0, False)
    assert table["rewards"] == [1.0, -1.0, 1.0]
    assert table.legal == set()
    with pytest.raises(ValueError, match="over"):
        table.do("play 1")


@pytest.mark.parametrize("loser", [0, 5, 11])
def test_K81_any_of_twelve_players_can_lose(loser):
    hands, first = [""] * 12, (loser + 7) % 12
    hands[loser], hands[first] = "1", "7"
    table = Table({"copies": 3, "decks": 2}, hands=hands, cur=first).do("play 7")
    assert table["loser"] == loser and table["rewards"] == [-1.0 if seat == loser else 1.0 for seat in range(12)]


def test_K81_a_last_give_brings_somebody_back_and_the_game_goes_on():
    table = Table(hands=["GIVE", "1", ""], pile="9").do("play GIVE", "give 2")
    assert (table["phase"], table["out"], table["cur"]) == ("PLAY", [0], 1)
    over = Table(hands=["GIVE", "1", ""], pile="9").do("play GIVE", "give 1")
    assert (over["phase"], over["loser"]) == ("OVER", 1)


def test_K82_finishing_order_by_the_last_time_of_going_out():
    table = Table({"reward": "placement"}, hands=["GIVE", "1 2", "", "3 4"], pile="9", out=[2])
    table.do("play GIVE", "give 2", "play 1", "play 9")
    assert (table["out"], table["cur"]) == ([0, 2], 3)
    table.do("pickup", "play 2")
    assert (table["phase"], table["out"], table["loser"]) == ("OVER", [0, 2, 1], 3)
    assert table["rewards"] == pytest.approx([1, -1 / 3, 1 / 3, -1])


@pytest.mark.parametrize(
    ("scheme", "paid"), [("winlose", [1, -1, 1]), ("zerosum", [0.5, -1, 0.5]), ("placement", [0, -1, 1])]
)
def test_K82_rewards_by_scheme(scheme, paid):
    assert Table({"reward": scheme}, hands=["7", "1", ""], out=[2]).do("play 7")["rewards"] == paid


def test_K83_cut_off_after_fifty_actions_for_each_card():
    for config, limit in (({}, 2000), ({"copies": 3}, 3000), ({"max_moves": 9}, 9)):
        table = Table({"truncation_reward": -0.25, **config}, hands=["7 8", "9 10"], moves=limit - 1).do("play 7")
        assert (table["phase"], table["truncated"], table["loser"], table["cur"]) == ("OVER", True, -1, 0)
        assert table["rewards"] == [-0.25, -0.25]


def test_K83_the_check_comes_after_an_action_that_did_not_end_the_game():
    table = Table({"max_moves": 9}, hands=["7", "9 10"], moves=8).do("play 7")
    assert (table["phase"], table["truncated"], table["loser"]) == ("OVER", False, 1)


def test_K83_setup_choices_count():
    table = Table({"max_moves": 2}, seed=0)
    table.do(*sorted(table.legal)[:1])
    assert table["phase"] == "SETUP"
    table.do(*sorted(table.legal)[:1])
    assert (table["phase"], table["truncated"], table["moves"]) == ("OVER", True, 2)


def test_K83_forced_moves_can_go_round_for_ever():
    table = Table({"max_moves": 90}, hands=["16", "", "15"], up=["1", "2", "3"])
    for _ in bounded_while(lambda: table["phase"] != "OVER"):
        (only,) = table.legal
        table.do(only)
    assert table["truncated"] and table["moves"] == 90


def test_K84_effect_then_draw_then_out_then_over_then_turn():
    table = Table(hands=["7", "1", "2"], pile="7", draw="8").do("play 7")  # set, draw, so not out, and again
    assert (table["pile"], table.hand(0), table["out"], table["cur"]) == ([], ["8"], [], 0)
    table = Table(hands=["7", "1"], pile="7").do("play 7")  # set, nothing to draw, out, over
    assert (table["phase"], table["loser"]) == ("OVER", 1)
