"""T-50 to T-64: leading, following, the Fool, who wins a trick and what it counts."""

from __future__ import annotations

import pytest

import tantra_envs

from ..loop_bounds import bounded_while
from .table import Table, cards


def trick(*played: str, config: dict | None = None, spare: str = "P2 P3 P4") -> Table:
    """One trick led by seat 0, each seat keeping one card, so that the hand goes on."""
    hands = [f"{card} {keep}" for card, keep in zip(played, spare.split(), strict=False)]
    table = Table(config, hands=hands)
    for seat, card in enumerate(played):
        assert table["cur"] == seat
        table.do(card)
    return table


def test_T50_a_king_cut_is_worth_five_to_the_winner():
    assert trick("WK", "T5")["points"] == [0, 5 + 5]
    assert trick("W2", "WK", "T5")["points"] == [0, 0, 5 + 5]
    assert trick("WK", "W2")["points"] == [5, 0]


def test_T50_who_is_overtrumped_scores_nothing_for_it():
    assert trick("WK", "T5", "T6")["points"] == [0, 0, 10]
    assert trick("WK", "T6", "T5")["points"] == [0, 10, 0]


def test_T50_a_king_thrown_off_is_taken_and_not_cut():
    thrown = trick("W2", "CK", "T5")
    assert thrown["points"] == [0, 0, 5]
    assert trick("T5", "CK")["points"] == [5, 0]


def test_T50_every_king_by_option():
    config = {"king_cut": "any"}
    assert trick("W2", "CK", "T5", config=config)["points"] == [0, 0, 10]
    assert trick("WK", "CK", "T5", config=config)["points"] == [0, 0, 5 + 10]
    assert trick("WK", "CK", "T5")["points"] == [0, 0, 5 + 5]
    assert trick("T5", "CK", "T3", config=config)["points"] == [5, 0, 0]


def test_T50_a_king_cut_by_option():
    assert trick("WK", "T5", config={"king_points": 12})["points"] == [0, 5 + 12]
    assert trick("WK", "T5", config={"king_points": 0})["points"] == [0, 5]


def test_T51_points_are_added_when_they_are_made():
    table = Table(hands=["WK T0", "T5 C2"]).do("WK T5")
    assert table["points"] == [0, 10]
    assert table.do("C2")["points"] == [0, 10]
    assert Table(hands=["T0 W3", "T5 C2"]).do("T0")["points"] == [5, 0]


def test_T52_the_dealers_left_leads_any_card_and_then_who_took_the_trick():
    table = Table(hands=["W2 T5", "W3 C4", "W4 CK"], dealer=1)
    assert table["cur"] == 2 and table.legal == cards("W4 CK")
    table.do("W4")
    assert table["cur"] == 0
    table.do("W2")
    assert table["cur"] == 1
    assert table.do("W3")["cur"] == 2
    dealt = Table({"players": 3}, seed=1)
    for _ in bounded_while(lambda: dealt["phase"] != "PLAY"):
        dealt.do("NO" if "NO" in dealt.legal else min(dealt.legal))
    assert dealt["cur"] == dealt["leader"] == (dealt["dealer"] + 1) % 3
    assert dealt.legal == set(dealt.hand(dealt["cur"]))


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [
        ("W2", "W5 WK C3 T4", "W5 WK"),
        ("W2", "W5 WK C3 T0", "W5 WK T0"),
        ("T2", "T5 W3 T0", "T5 T0"),
        ("T2", "W3 C4", "W3 C4"),
        ("T2", "W3 C4 T0", "W3 C4 T0"),
    ],
)
def test_T53_follow_suit_or_play_the_fool(led, hand, legal):
    assert Table(hands=[f"{led} P2", hand]).do(led).legal == cards(legal)


def test_T54_who_cannot_follow_plays_any_card():
    assert Table(hands=["W2 P2", "C3 T4 T0"]).do("W2").legal == cards("C3 T4 T0")
    higher = Table(hands=["W2 P2", "T9 P3", "C3 T4 T21"]).do("W2 T9")
    assert higher.legal == cards("C3 T4 T21")  # no duty to overtrump


def test_T54_must_trump_by_option():
    must = {"must_trump": True}
    assert Table(must, hands=["W2 P2", "C3 T4 T0"]).do("W2").legal == cards("T4 T0")
    assert Table(must, hands=["W2 P2", "C3 T0 P3"]).do("W2").legal == cards("C3 T0 P3")
    assert Table(must, hands=["W2 P2", "W3 T4"]).do("W2").legal == cards("W3")
    assert Table(must, hands=["T2 P2", "C3 W4"]).do("T2").legal == cards("C3 W4")


def test_T55_the_fool_may_be_played_always():
    for led in ("W2", "T5"):
        assert "T0" in Table(hands=[f"{led} P2", "W3 T0 T6"]).do(led).legal
    assert "T0" in Table(hands=["T0 P2", "W3 C4"]).legal


def test_T56_after_a_led_fool_the_next_card_is_the_suit_led():
    table = Table(hands=["T0 P2", "W3 C4", "W5 T4 C7"]).do("T0")
    assert table.legal == cards("W3 C4") and table.seen(1, "suit_led") == [0, 0, 0, 0, 0]
    table.do("C4")
    assert table.legal == {"C7"} and table.seen(2, "suit_led") == [0, 0, 1, 0, 0]
    assert table["void"] == [[0] * 5] * 3


def test_T56_failing_to_follow_is_known_to_all():
    table = trick("W2", "C3", "T0")
    assert table["void"] == [[0] * 5, [0, 1, 0, 0, 0], [0] * 5]
    assert table.seen(0, "seat_1")[5:] == [0, 1, 0, 0, 0]
    assert trick("T2", "C3")["void"][1] == [1, 0, 0, 0, 0]
    assert trick("W2", "T3")["void"][1] == [0, 1, 0, 0, 0]


def test_T56_following_shows_no_lack_of_the_suit():
    assert trick("W2", "W3", "WK")["void"] == [[0] * 5] * 3
    assert trick("T2", "T21")["void"] == [[0] * 5] * 2


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        ("W2 W3 W4", 2),
        ("WK WQ W10", 0),
        ("WKv WKn WQ", 2),
        ("W10 WKv W9", 1),
        ("W2 CK SK", 0),
        ("W2 T1 WK", 1),
        ("W2 T1 T21", 2),
        ("T9 T10 T8", 1),
        ("T0 W2 CK", 1),
        ("T0 W2 T1", 2),
        ("T2 T0 WK", 0),
    ],
)
def test_T57_the_highest_trump_or_else_the_highest_card_of_the_suit_led(played, winner):
    table = Table(hands=[f"{card} {keep}" for card, keep in zip(played.split(), ["P2", "P3", "P4"], strict=True)])
    table.do(played)
    assert (table["leader"], table["taken"]) == (winner, [int(seat == winner) for seat in range(3)])


def test_T57_the_fool_never_wins():
    assert trick("T0", "W2")["leader"] == 1
    assert trick("W2", "T0")["leader"] == 0


def test_T58_the_ace_is_the_lowest_of_its_suit():
    assert trick("WA", "W2")["leader"] == 1
    assert trick("W2", "WA")["leader"] == 0
    assert trick("WA", "CK")["leader"] == 0


COUNTS = [
    ("W2 WQ WK", 9, 5, 9),
    ("CQ WQ T2", 4, 4, 8),
    ("W2 WK T1", 5, 5, 10),
    ("WQ WKn WKv", 9, 4, 9),
    ("W2 W3 W4", 1, 1, 1),
    ("W2 T5 T9", 1, 1, 1),
    ("W2 T21 T1", 5, 5, 10),
    ("W2 T0 W3", 1, 1, 1),
    ("WKn T0 W3", 3, 3, 3),
    ("WKv CKv SKn", 5, 3, 7),
]


@pytest.mark.parametrize(("played", "by_classes", "best", "by_cards"), COUNTS)
def test_T61_T63_T64_three_ways_to_count_a_trick(played, by_classes, best, by_cards):
    for way, worth in (("classes", by_classes), ("best", best), ("cards", by_cards)):
        table = trick(*played.split(), config={"trick_points": way})
        cut = 5 * ("WK" in played.split() and table["leader"] == 2 and "T1" in played.split())
        fool = 5 * ("T0" in played.split())
        assert sum(table["points"]) - cut - fool == worth, way


def test_T61_points_go_to_the_taker():
    assert trick("W2", "WQ", "W3")["points"] == [0, 4, 0]


def test_T62_the_fool_counts_to_who_plays_it():
    assert trick("WQ", "T0", "W3")["points"] == [4, 5, 0]
    received = Table(phase="CALL", hands=["T21 WK W2", "T0 S3"], dealer=1).do("YES")
    assert received.do("T0")["points"] == [5, 0]


def test_T62_the_fool_by_option():
    assert trick("WQ", "T0", "W3", config={"fool_points": 9})["points"] == [4, 9, 0]
    assert "T0" in Table({"fool_points": 9}, hands=["W3", "C2"], trick=["T0"])["trick"]
    with pytest.raises(ValueError, match=r"fool_points=21 is not allowed; allowed: 0\.\.20"):
        tantra_envs.game("tarot", fool_points=21)


def test_T63_best_and_cards_by_option():
    assert trick("WK", "WQ", config={"trick_points": "best"})["points"] == [5, 0]
    assert trick("WK", "WQ", config={"trick_points": "cards"})["points"] == [9, 0]


def test_T64_every_other_trick_counts_one():
    assert trick("W2", "C9")["points"] == [1, 0]
    assert trick("T3", "T9")["points"] == [0, 1]
    assert trick("T0", "C9")["points"] == [5, 1]
