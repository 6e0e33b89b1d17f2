"""T-70 to T-73: the result of a hand, the end of the game, rewards and the cut-off."""

from __future__ import annotations

import pytest

from ..loop_bounds import bounded_while
from .table import Table


def last_trick(*cards: str, config: dict | None = None, **position) -> Table:
    return Table(config, hands=list(cards), **position).do(" ".join(cards))


def test_T70_the_higher_one_scores_the_difference():
    table = last_trick("WQ", "W2", points=[10, 20])
    assert (table["totals"], table["history"], table["hand_no"]) == ([0, 6], [[0, 6]], 1)
    assert last_trick("WQ", "W2", points=[16, 20])["history"] == [[0, 0]]


@pytest.mark.parametrize(
    ("points", "net"),
    [([10, 20, 5], [0, 6, 0]), ([30, 20, 5], [14, 0, 0]), ([16, 20, 20], [0, 0, 0]), ([0, 20, 20], [0, 0, 0])],
)
def test_T71_only_the_player_with_most_points_scores_the_excess_over_the_second(points, net):
    assert last_trick("WQ", "W2", "W3", points=points)["history"] == [net]


def test_T72_the_game_ends_at_the_end_of_a_hand_with_the_target_reached():
    running = last_trick("W2", "WQ", points=[0, 20], totals=[0, 70])
    assert (running["phase"], running["totals"], running["winner"]) == ("DISCARD", [0, 94], -1)
    over = last_trick("W2", "WQ", points=[0, 20], totals=[0, 76])
    assert (over["phase"], over["totals"], over["winner"], over["truncated"]) == ("OVER", [0, 100], 1, False)
    assert over["rewards"] == [-1, 1] and over["cur"] == 1 and over.legal == set()
    with pytest.raises(ValueError, match="over"):
        over.do("WA")


def test_T72_points_within_a_hand_end_nothing():
    table = Table(hands=["W2 W5", "WQ W3"], points=[0, 150]).do("W2 WQ")
    assert table["phase"] == "PLAY"


def test_T72_a_single_hand_by_option():
    hand = {"episode": "hand"}
    over = last_trick("WQ", "W2", config=hand, points=[10, 20])
    assert (over["phase"], over["winner"], over["rewards"]) == ("OVER", 1, [-1, 1])
    tie = last_trick("WQ", "W2", config=hand, points=[16, 20])
    assert (tie["phase"], tie["winner"], tie["rewards"], tie["truncated"]) == ("OVER", -1, [0, 0], False)


def test_T72_the_winner_takes_one_from_the_others():
    assert last_trick("WQ", "W2", "W3", points=[99, 0, 0], totals=[90, 0, 0])["rewards"] == [1, -0.5, -0.5]
    assert last_trick("WQ", "W2", "W3", points=[9, 0, 0])["rewards"] == [0, 0, 0]


def test_T72_net_scores_by_option_at_the_end_of_every_hand():
    score = {"reward": "score"}
    table = last_trick("WQ", "W2", "W3", config=score, points=[10, 4, 4])
    assert table["rewards"] == pytest.approx([0.1, -0.05, -0.05]) and table["phase"] == "DISCARD"
    assert table.do(table.hand(table["cur"])[0])["rewards"] == [0, 0, 0]
    over = last_trick("WQ", "W2", config=score, points=[10, 4], totals=[95, 0])
    assert over["rewards"] == pytest.approx([0.1, -0.1]) and over["phase"] == "OVER"


def test_T73_after_max_hands_the_game_is_truncated():
    table = last_trick("WQ", "W2", hand_no=59, history=[])
    assert (table["phase"], table["truncated"], table["winner"]) == ("OVER", True, -1)
    assert table["rewards"] == [0, 0] and table["totals"] == [4, 0]
    won = last_trick("WQ", "W2", hand_no=59, points=[96, 0])
    assert (won["truncated"], won["winner"]) == (False, 0)


def test_T73_max_moves_cuts_off_within_a_hand():
    table = Table({"max_moves": 7}, hands=["WQ W5", "W2 W3"], moves=6).do("WQ")
    assert (table["phase"], table["truncated"], table["winner"], table["cur"]) == ("OVER", True, -1, 0)
    asked = Table({"max_moves": 4}, seed=0)
    for _ in bounded_while(lambda: asked["phase"] != "OVER"):
        asked.do(min(asked.legal))
    assert asked["moves"] == 4 and asked["class"] is None and asked["declarer_no"] == 0
