"""KN-70 to KN-79: scores, rounds, the end, rewards."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .table import Table

CANASTA = {"ranks": {"9": "9H 9H 9D 9D 9C 9C 9S"}}  # 670
OUT = {"hands": ["4H", "KH KD", "QH", "4H 6D"], "tables": [CANASTA]}
SCORES = [660, -30]


def test_KN70_bonuses_cards_and_pots_less_the_hands():
    tables = [CANASTA, {"ranks": {"A": "AH AD AC SW AR"}, "suit": ["4", "4G AR 6G 7G"]}]
    table = Table({"episode": "round"}, hands=["4H", "KH AR", "SW 5D", "SH"], tables=tables, pots=[2, 1]).do(
        "DISCARD 4H"
    )
    assert table["last_round"]["scores"] == [670 + 200 - 30, 60 + 75 + 65 + 100 - 60 - 100]


def test_KN71_what_is_left_in_a_hand():
    for card, loss in (("SH", 100), ("SW", 25), ("AR", 50), ("AH", 20), ("9G", 10), ("4S", 5)):
        table = Table({"episode": "round"}, hands=["4H", card, "QH", "4H"], tables=[CANASTA]).do("DISCARD 4H")
        assert table["last_round"]["scores"][1] == -loss - 5


def test_KN71_shields_by_option():
    config = {"episode": "round", "shield_penalty": 35}
    table = Table(config, hands=["4H", "SH SH", "QH", "4H"], tables=[CANASTA]).do("DISCARD 4H")
    assert table["last_round"]["scores"][1] == -2 * 35 - 5


@pytest.mark.parametrize(("pots", "points"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 1200)])
def test_KN72_pots(pots, points):
    table = Table({"episode": "round"}, **OUT, pots=[0, pots]).do("DISCARD 4H")
    assert table["last_round"]["scores"][1] == points - 30


@pytest.mark.parametrize(("last", "scores"), [("4H", [760, -30]), ("SW", [1520, -60])])
def test_KN73_bonus_for_going_out_before_doubling(last, scores):
    table = Table({"episode": "round", "go_out_bonus": 100}, **{**OUT, "hands": [last, *OUT["hands"][1:]]})
    assert table.do(f"DISCARD {last}")["last_round"]["scores"] == scores


def test_KN74_the_next_dealer_and_a_whole_new_deal():
    table = Table(**OUT, dealer=2).do("DISCARD 4H")
    assert (table["dealer"], table["cur"], table["phase"], table["round_no"], table["turn"]) == (3, 0, "FIRST", 1, 0)
    assert table["scores"] == SCORES and table["last_round"] == {"scores": SCORES, "out": 0, "turns": 9}
    cards = len(table["stock"]) + sum(len(hand) for hand in table["hands"]) + sum(table["pots"])
    assert cards == 108 and table["tables"] == [{"ranks": {}, "suit": None}] * 2


@pytest.mark.parametrize(
    ("before", "over", "winners"),
    [([9340, 0], True, [0]), ([9335, 0], False, []), ([9340, 10030], False, []), ([9340, 10035], True, [1])],
)
def test_KN75_one_team_alone_at_the_target(before, over, winners):
    table = Table(**OUT, scores=before).do("DISCARD 4H")
    assert (table["phase"] == "OVER", table["winners"], table["truncated"]) == (over, winners, False)


def test_KN76_a_round_is_cut_off_and_scored_as_it_stands():
    table = Table({"max_turns": 9}, **{**OUT, "hands": ["4H 5D", *OUT["hands"][1:]]}).do("DISCARD 4H")
    assert table["last_round"] == {"scores": [655, -30], "out": -1, "turns": 9} and table["phase"] == "FIRST"
    assert Table({"max_turns": 9}, **OUT).do("DISCARD 4H")["last_round"]["out"] == 0


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_KN76_whoever_discards_nobody_went_out_and_nobody_has_the_bonus(seat):
    hands = ["KH KD"] * 4
    hands[seat] = "4H SW"
    table = Table({"max_turns": 9, "go_out_bonus": 100}, hands=hands, cur=seat).do("DISCARD SW")
    scores = [-40, -40]
    scores[seat % 2] = -25
    assert table["last_round"] == {"scores": scores, "out": -1, "turns": 9}


@pytest.mark.parametrize(("scores", "cut_off", "winners"), [([9340, 0], False, [0]), ([9335, 0], True, [0])])
def test_KN77_the_target_in_the_last_round_is_no_cut_off(scores, cut_off, winners):
    table = Table({"max_rounds": 1}, **OUT, scores=scores).do("DISCARD 4H")
    assert (table["phase"], table["truncated"], table["winners"]) == ("OVER", cut_off, winners)


def test_KN77_a_game_is_cut_off_and_ties_are_shared():
    table = Table({"max_rounds": 1}, **OUT, scores=[0, 690]).do("DISCARD 4H")
    assert (table["phase"], table["truncated"], table["winners"], table["scores"]) == ("OVER", True, [0, 1], [660, 660])


def test_KN78_a_single_round_from_given_totals():
    table = Table({"episode": "round", "start_scores": (5000, 1500)}, seed=0)
    assert (table["scores"], table["stage"]) == ([5000, 1500], [4, 2])
    table = Table({"episode": "round"}, **OUT, scores=[0, 5000]).do("DISCARD 4H")
    assert (table["winners"], table["truncated"], table["scores"]) == ([0], False, [660, 4970])
    cut = Table({"episode": "round", "max_turns": 9}, **{**OUT, "hands": ["4H 5D"]}).do("DISCARD 4H")
    assert (cut["phase"], cut["truncated"]) == ("OVER", True)
    with pytest.raises(ValueError, match="start_scores"):
        tantra_envs.game("kanastic", players=3, start_scores=(0, 0))
    with pytest.raises(ValueError, match="start_scores"):
        tantra_envs.game("kanastic", start_scores=(0, 7))


def test_KN79_a_limit_of_actions_cuts_everything_off():
    table = Table({"max_moves": 3}, **{**OUT, "hands": ["4H 5D", *OUT["hands"][1:]]}).do("DISCARD 4H", "DRAW")
    assert table["phase"] == "MELD"
    table.do(f"DISCARD {table.hand(1)[0]}")
    assert (table["phase"], table["truncated"], table["winners"]) == ("OVER", True, [0])


def test_KN79_while_the_partner_is_asked_too():
    table = Table({"max_moves": 1}, hands=["9G 4H 5D", "KH", "QH", "KD"], tables=[CANASTA]).do("ASK")
    assert (table["phase"], table["truncated"], table["cur"]) == ("OVER", True, 0)
    assert table.state["asker"][0] == -1


def rewards(config, tables=(CANASTA,), **more):
    table = Table({"episode": "round", **config}, **{**OUT, "tables": list(tables), **more}).do("DISCARD 4H")
    return table["rewards"]


def test_rewards_of_a_round():
    assert rewards({}) == pytest.approx([0.69, -0.69, 0.69, -0.69])
    assert rewards({"reward": "score", "reward_scale": 100.0}) == pytest.approx([6.6, -0.3, 6.6, -0.3])
    assert rewards({"reward": "win"}) == [1, -1, 1, -1]
    hands = ["4H", "KH", "QH QD"]
    assert rewards({"players": 3}, hands=hands) == pytest.approx([0.685, -0.335, -0.35], abs=0.011)
    assert rewards({"players": 3, "reward": "win"}, hands=hands) == [1, -0.5, -0.5]


def test_a_win_that_is_shared_is_paid_in_shares():
    hands = ["4H", "KH", "QH QD"]  # 670 for seat 0, -10 and -20 for the others
    table = Table({"players": 3, "max_rounds": 1, "reward": "win"}, hands=hands, tables=[CANASTA], scores=[0, 680, 0])
    assert table.do("DISCARD 4H")["rewards"] == pytest.approx([0.25, 0.25, -0.5])


@pytest.mark.parametrize("config", [{"players": 2}, {"players": 3}, {"reward": "score"}, {"target_score": 1000}])
def test_dense_rewards_add_up_to_the_sparse_ones(config):
    sums = []
    for dense in (False, True):
        game = tantra_envs.game("kanastic", max_rounds=2, dense=dense, **config)
        sums.append(sum(state["rewards"][0].copy() for state in play(game, 3)))
    np.testing.assert_allclose(sums[0], sums[1], atol=1e-9)


def test_auto_draw_plays_draws_that_are_no_choice():
    table = Table({"auto_draw": True}, hands=["4H 6D", "5H 6H"], stock="9C JC").do("DISCARD 4H")
    assert (table["phase"], table["cur"], table.hand(1)) == ("MELD", 1, ["5H", "6H", "JC"])


def test_auto_draw_leaves_the_choice_to_who_may_take():
    hands = ["AC 6D", "AH AD 4H 5D 6C 7H"]
    table = Table({"auto_draw": True}, hands=hands, stock="9C JC").do("DISCARD AC")
    assert (table["phase"], table["cur"], table.legal) == ("DRAW", 1, {"DRAW", "TAKE_TOP"})
    assert table.state["top_taken"][0] == -1 and table["pile"] == ["AC"]  # nothing is taken yet
