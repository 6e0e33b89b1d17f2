"""K-40 to K-72: sets, and the four karma cards."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.karma.material import GIVE, TYPES
from tantra_envs.games.karma.words.events import completes_set_rows
from tantra_envs.games.karma.words.sentences import consequence
from tantra_envs.testing import play

from .reference import KARMA
from .table import Table

SIXTY = {"copies": 3}


def test_K40_second_identical_card_clears():
    table = Table(hands=["7 8", "1 2"], pile="3 7").do("play 7")
    assert (table["pile"], table["run"], table["gone"]["3"], table["gone"]["7"]) == ([], 0, 2, 2)
    assert (table["cur"], table["phase"], table.legal) == (0, "PLAY", {"play 8"})


@pytest.mark.parametrize("config", [{}, SIXTY, {"karma_sets": False, "chain_clears": False}])
def test_K40_the_rule_as_agents_and_measures_read_it_is_that_of_the_game(config):
    game = tantra_envs.game("karma", players=3, **config)
    plays = game.actions["flip"].start
    seen = set()
    for state in play(game, 5):
        cleared = np.zeros((1, plays), np.int8)
        completes_set_rows(state, cleared)
        choices = game.legal(state) if game.phases[state["phase"][0]] in ("PLAY", "FOLLOW") else []
        for action in choices:
            if action < plays and action % TYPES != GIVE:  # GIVE leaves the game also without a set
                after = state.copy()
                game.apply_action(after, action)
                left = bool(after["gone"].sum() > state["gone"].sum())
                assert bool(cleared[0, action]) == left == bool(consequence(game, state, action))
                seen.add(left)
    assert seen == {False, True}


def test_K40_a_pair_clears_at_once():
    table = Table(hands=["7 7 8", "1 2"], pile="3").do("play 7x2")
    assert (table["pile"], table["cur"]) == ([], 0)


def test_K40_out_with_a_set_the_next_player_opens_a_new_pile():
    table = Table(hands=["7", "1 2", "3 4"], pile="7").do("play 7")
    assert (table["out"], table["cur"], table["pile"], table.legal) == ([0], 1, [], {"play 1", "play 2"})


@pytest.mark.parametrize("card", ["FIVE", "BOTTOMS", "TABLE"])
def test_K41_karma_cards_clear_in_place_of_their_effect(card):
    table = Table(hands=[f"{card} 8", "1 2", "3"], up=["9", "", ""], pile=["6", card]).do(f"play {card}")
    assert (table["pile"], table["phase"], table["cur"]) == ([], "PLAY", 0)
    assert table.legal == {"play 8"}


def test_K41_two_gives_at_once_clear_and_nobody_receives():
    table = Table(hands=["GIVE GIVE 8", "1 2", "3"], pile="6").do("play GIVEx2")
    assert (table["phase"], table["cur"], table["pile"]) == ("PLAY", 0, [])
    assert table["gone"]["GIVE"] == 2 and table.hand(1) == ["1", "2"]


@pytest.mark.parametrize("card", KARMA)
def test_K41_without_karma_sets_they_are_played_one_at_a_time(card):
    table = Table({"karma_sets": False}, hands=[[card, card, "7", "7"], "1 2", "3"])
    assert table.cards_legal == {card, "7", "7x2"}
    if card != "GIVE":
        table = Table({"karma_sets": False}, hands=[[card, "8"], "1 2", "3"], pile=[card]).do(f"play {card}")
        assert table["pile"] == [card, card]


def test_K42_table_completing_a_set_plays_again_from_the_hand():
    table = Table(hands=["TABLE 8", "1 2"], up=["9", ""], pile="TABLE").do("play TABLE")
    assert (table["phase"], table["cur"], table.legal) == ("PLAY", 0, {"play 8"})


def test_K43_a_card_brought_up_counts_as_one_played_card():
    table = Table(hands=["BOTTOMS 9", "4 6"], pile="4 8").do("play BOTTOMS")
    assert (table["pile"], table["run"]) == (["8", "BOTTOMS", "4"], 1)
    assert table.do("play 4")["pile"] == [] and table["cur"] == 1


def test_K43_the_move_itself_never_clears():
    config = {"decks": 2}
    table = Table(config, hands=["BOTTOMS 9", "4 6"], pile="BOTTOMS 8").do("play BOTTOMS")
    assert (table["pile"], table["run"], table["cur"]) == (["8", "BOTTOMS", "BOTTOMS"], 1, 1)


def test_K43_without_surfaced_counts_it_counts_for_nothing():
    table = Table({"surfaced_counts": False}, hands=["BOTTOMS 9", "4 6"], pile="4 8").do("play BOTTOMS")
    assert table["run"] == 0
    assert table.do("play 4")["pile"] == ["8", "BOTTOMS", "4", "4"]


def test_K44_identical_cards_from_one_zone_and_like_a_single_card():
    assert Table(hands=["7 7 8", "1"], pile="6").cards_legal == {"7", "7x2", "8"}
    assert Table(hands=["7 7 8", "1"], pile="8").cards_legal == {"8"}
    assert Table(hands=["", "1"], up=["7 7", ""]).cards_legal == {"7", "7x2"}
    assert Table(hands=["7", "1"], up=["7", ""]).cards_legal == {"7"}


def test_K45_in_the_sixty_card_edition_a_pair_is_an_ordinary_play():
    table = Table(SIXTY, hands=["7 7 8", "7 9 10"]).do("play 7x2")
    assert (table["pile"], table["run"], table["cur"]) == (["7", "7"], 2, 1)
    assert table.do("play 7")["pile"] == [] and table["cur"] == 1


@pytest.mark.parametrize(("first", "second"), [("7", "7x2"), ("7x2", "7"), ("7x2", "7x2")])
def test_K45_three_in_a_row_clear_however_they_come_together(first, second):
    table = Table({**SIXTY, "decks": 2}, hands=["7 7 8", "7 7 9"]).do(f"play {first}")
    assert table["pile"]
    assert table.do(f"play {second}")["pile"] == [] and table["cur"] == 1


def test_K45_one_by_one_and_three_at_once():
    table = Table(SIXTY, hands=["7 8", "7 9", "7 10"]).do("play 7", "play 7")
    assert table["run"] == 2 and table.do("play 7")["pile"] == []
    assert Table(SIXTY, hands=["7 7 7 8", "9"]).do("play 7x3")["pile"] == []


def test_K45_two_karma_cards_below_a_set_have_their_effect_once():
    table = Table(SIXTY, hands=["GIVE GIVE 8", "1 2", "3"], pile="6").do("play GIVEx2")
    assert (table["phase"], table["pile"], table["gone"]["GIVE"]) == ("TARGET", ["6"], 3)
    table = Table(SIXTY, hands=["TABLE TABLE 8", "1 2"], up=["9 10", ""]).do("play TABLEx2")
    assert table["phase"] == "FOLLOW"
    assert table.do("play 9")["cur"] == 1


def test_K50_table_from_any_zone_also_on_five():
    assert Table(hands=["TABLE 9", "1"], pile="FIVE").cards_legal == {"TABLE"}
    assert Table(hands=["", "1"], up=["TABLE 9", ""], pile="FIVE").do("play TABLE")["phase"] == "FOLLOW"
    assert Table(hands=["", "1"], down=["TABLE 9", ""], pile="FIVE").do("flip")["phase"] == "FOLLOW"


def test_K51_the_table_play_may_be_declined():
    table = Table(hands=["TABLE 9", "1 2"], up=["3", ""], pile="16").do("play TABLE")
    assert table.legal == {"play 3", "decline"}
    table.do("decline")
    assert (table["pile"], table["cur"]) == (["16", "TABLE"], 1)
    assert table.legal == {"play 1", "play 2", "pickup"}


def test_K51_without_follow_optional_no_declining():
    table = Table({"follow_optional": False}, hands=["TABLE 9", "1 2"], up=["3", ""]).do("play TABLE")
    assert table.legal == {"play 3"}


def test_K52_face_up_then_face_down_then_hand():
    assert Table(hands=["TABLE 9", "1"], up=["3", ""], down=["4", ""]).do("play TABLE").legal == {"play 3", "decline"}
    assert Table(hands=["TABLE 9", "1"], down=["4", ""]).do("play TABLE").legal == {"flip", "decline"}
    assert Table(hands=["TABLE 9 9", "1"]).do("play TABLE").legal == {"play 9", "play 9x2", "decline"}


def test_K53_the_card_after_table_is_not_compared():
    table = Table(hands=["TABLE 9", "1"], up=["6 2", ""], pile="FIVE").do("play TABLE")
    assert table.cards_legal == {"6", "2"}
    table = Table(hands=["TABLE 9", "1"], up=["6 2", ""], pile="16").do("play TABLE", "play 2")
    assert table["pile"] == ["16", "TABLE", "2"]


def test_K53_a_face_down_card_turned_after_table_always_stays():
    table = Table(hands=["TABLE 9", "1 2"], down=["2 8", ""], pile="16").do("play TABLE", "flip")
    assert (table["pile"], table["cur"], table.hand(0)) == (["16", "TABLE", "2"], 1, ["9"])


def test_K54_a_pair_after_table_clears_and_plays_again():
    table = Table(hands=["TABLE 9", "1 2"], up=["3 3", ""], pile="16").do("play TABLE", "play 3x2")
    assert (table["pile"], table["cur"], table["phase"], table.legal) == ([], 0, "PLAY", {"play 9"})


def test_K55_table_as_the_last_card_has_no_follow():
    table = Table(hands=["TABLE", "1 2", "3"], pile="16").do("play TABLE")
    assert (table["phase"], table["out"], table["cur"]) == ("PLAY", [0], 1)
    assert table.legal == {"play 1", "play 2", "pickup"}


def test_K56_table_after_table_clears():
    table = Table(hands=["TABLE 9", "1 2"], up=["TABLE 3", ""]).do("play TABLE", "play TABLE")
    assert (table["pile"], table["phase"], table["cur"]) == ([], "PLAY", 0)


def test_K56_without_chain_clears_it_opens_another_follow():
    table = Table({"chain_clears": False}, hands=["TABLE 9", "1 2"], up=["TABLE 3", ""]).do("play TABLE", "play TABLE")
    assert (table["pile"], table["phase"], table["run"], table["cur"]) == (["TABLE", "TABLE"], "FOLLOW", 1, 0)
    assert table.legal == {"play 3", "decline"}
    both = Table({"chain_clears": False, "decks": 2}, hands=["TABLE 9", "1 2"], up=["TABLE TABLE", ""])
    assert both.do("play TABLE", "play TABLEx2")["pile"] == []


def test_K57_give_after_table_gives_the_pile_with_that_table():
    table = Table(hands=["TABLE 9", "1 2"], up=["GIVE 3", ""], pile="16").do("play TABLE", "play GIVE")
    assert table.hand(1) == ["1", "2", "16", "TABLE"] and table["pile"] == []


def test_K57_bottoms_after_table_moves_the_bottom_card_be_it_that_table():
    table = Table(hands=["TABLE 9", "1 2"], up=["BOTTOMS 3", ""], pile="16 8").do("play TABLE", "play BOTTOMS")
    assert table["pile"] == ["8", "TABLE", "BOTTOMS", "16"]
    table = Table(hands=["TABLE 9", "1 2"], up=["BOTTOMS 3", ""]).do("play TABLE", "play BOTTOMS")
    assert (table["pile"], table["run"]) == (["BOTTOMS", "TABLE"], 1)


def test_K57_five_after_table_binds_the_next_player():
    table = Table(hands=["TABLE 9", "5 6"], up=["FIVE 3", ""]).do("play TABLE", "play FIVE")
    assert table.legal == {"play 5", "pickup"}


def test_K60_give_leaves_the_game_and_the_rest_goes_to_the_chosen_player():
    table = Table(hands=["GIVE 9", "1", "2", "3"], pile="16 4").do("play GIVE")
    assert (table["phase"], table["cur"], table["pile"], table["run"]) == ("TARGET", 0, ["16", "4"], 0)
    assert table.legal == {"give 1", "give 2", "give 3"}
    table.do("give 1")
    assert table.hand(1) == ["1", "4", "16"] and table["known"][1] == ["4", "16"]
    assert (table["cur"], table["pile"], table["gone"]["GIVE"]) == (1, [], 2)
    assert table.legal == {"play 1", "play 4", "play 16"}


def test_K61_the_choice_comes_after_the_card_also_when_turned_blind():
    table = Table(hands=["", "1", "2"], down=["GIVE 9", "", ""], pile="16").do("flip")
    assert (table["phase"], table.legal) == ("TARGET", {"give 1", "give 2"})


def test_K61_no_choice_with_one_candidate():
    table = Table(hands=["GIVE 9", "1"], pile="16").do("play GIVE")
    assert (table["phase"], table["cur"], table.hand(1)) == ("PLAY", 1, ["1", "16"])


def test_K62_give_on_an_empty_pile_gives_nothing():
    table = Table(hands=["GIVE 9", "1", "2", ""]).do("play GIVE")
    assert (table["phase"], table["cur"], table["out"], table["gone"]["GIVE"]) == ("PLAY", 1, [3], 2)
    assert [table.hand(seat) for seat in (1, 2, 3)] == [["1"], ["2"], []]


def test_K63_a_player_who_is_out_comes_back():
    table = Table(hands=["GIVE 9", "1", "", ""], pile="16", out=[3, 2]).do("play GIVE", "give 3")
    assert (table["out"], table.hand(3), table["cur"]) == ([2], ["16"], 1)
    assert table.do("play 1")["cur"] == 3


def test_K63_a_place_once_lost_is_won_anew():
    table = Table(hands=["GIVE 9", "1 2", ""], pile="16", out=[2]).do("play GIVE", "give 2", "play 1", "play 16")
    assert table["out"] == [2] and table["phase"] == "PLAY"


def test_K64_without_give_to_out_only_players_with_cards():
    config = {"give_to_out": False}
    assert Table(config, hands=["GIVE 9", "1", "2", ""], pile="16").do("play GIVE").legal == {"give 1", "give 2"}
    table = Table(config, hands=["GIVE 9", "1", ""], pile="16").do("play GIVE")
    assert (table["phase"], table.hand(1), table["out"]) == ("PLAY", ["1", "16"], [2])


def test_K70_the_bottom_card_really_moves_to_the_top():
    table = Table(hands=["BOTTOMS 9", "3 4 5"], pile="4 16 8").do("play BOTTOMS")
    assert table["pile"] == ["16", "8", "BOTTOMS", "4"]
    assert table.legal == {"play 4", "play 5", "pickup"}
    table = Table({"decks": 2}, hands=["BOTTOMS 9", "BOTTOMS 4"], pile="4 16 8").do("play BOTTOMS", "play BOTTOMS")
    assert table["pile"] == ["8", "BOTTOMS", "4", "BOTTOMS", "16"]


def test_K70_two_bottoms_at_once_move_one_card():
    table = Table(SIXTY, hands=["BOTTOMS BOTTOMS 9", "3"], pile="4 16 8").do("play BOTTOMSx2")
    assert table["pile"] == ["16", "8", "BOTTOMS", "BOTTOMS", "4"]


def test_K71_on_an_empty_pile_nothing_moves():
    table = Table(hands=["BOTTOMS 9", "1 2"]).do("play BOTTOMS")
    assert (table["pile"], table["run"], table.cards_legal) == (["BOTTOMS"], 1, {"1", "2"})
    table = Table(SIXTY, hands=["BOTTOMS BOTTOMS 9", "1 2"]).do("play BOTTOMSx2")
    assert (table["pile"], table["run"]) == (["BOTTOMS", "BOTTOMS"], 2)


def test_K72_a_five_that_comes_up_binds_and_table_has_value_zero():
    table = Table(hands=["BOTTOMS 9", "5 6"], pile="FIVE 2").do("play BOTTOMS")
    assert table.legal == {"play 5", "pickup"}
    table = Table(hands=["BOTTOMS 9", "5 6"], pile="TABLE 16").do("play BOTTOMS")
    assert (table["phase"], table.legal) == ("PLAY", {"play 5", "play 6", "pickup"})
