"""T-01 to T-22: cards, players, the deal and the dealer's exchange."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent

from .. import sfc32
from ..loop_bounds import bounded_while
from .table import DECK, TAROTS, Table, cards, others

TAKE_FIRST = {"talon": "take_first"}


def test_T01_numbers_and_names_of_the_cards():
    table = Table(hands=["T0", "WA"])
    assert len(DECK) == 78
    for card, name in enumerate(DECK):
        assert table.game.action_name(table.state, card) == name
        assert table.game.parse_action(table.state, name) == card
    kings = [DECK.index(card) for card in ("WK", "CK", "SK", "PK")]
    assert kings == [35, 49, 63, 77]


def test_T02_the_seven_tarot_trumps_can_be_called():
    for card in DECK:
        caller = "T1 T21 C2 C3" if card not in cards("T1 T21 C2 C3") else "WK PK W2 W3"
        table = Table(phase="CALL", hands=[caller, card]).do("YES")
        assert (table["points"][0] == 5) == (card not in TAROTS), card


def test_T03_two_or_three_players():
    for players in (2, 3):
        assert len(Table({"players": players}, seed=0)["hands"]) == players
    for players in (1, 4):
        with pytest.raises(ValueError, match=f"players={players}"):
            tantra_envs.game("tarot", players=players)


def test_T10_the_first_dealer_is_drawn_or_fixed_and_the_deal_rotates():
    assert {Table({"players": 3}, seed=seed)["dealer"] for seed in range(20)} == {0, 1, 2}
    for dealer in range(3):
        assert Table({"players": 3, "dealer": dealer}, seed=5)["dealer"] == dealer
        assert Table({"players": 3}, seed=5, dealer=dealer)["dealer"] == dealer
    for dealer in range(3):
        table = Table(hands=["WA", "W2", "W3"], dealer=dealer, leader=0).do("WA W2 W3")
        assert (table["hand_no"], table["dealer"], table["cur"]) == (1, (dealer + 1) % 3, (dealer + 1) % 3)


def test_T11_packets_of_five_to_three_places_and_three_cards_to_the_talon():
    places = [[card for i, card in enumerate(DECK[:75]) if i // 5 % 3 == place] for place in range(3)]
    three = Table({"players": 3}, seed=0, deck=DECK, dealer=1)
    assert [three.hand(seat) for seat in (2, 0, 1)] == places
    two = Table(seed=0, deck=DECK, dealer=1)
    assert [two.hand(0), two["dead"], two.hand(1)] == places
    assert two["talon"] == three["talon"] == DECK[75:] and three["dead"] == []


def test_T11_later_hands_are_dealt_from_given_decks_and_then_from_the_stream():
    end = {"hands": ["WA", "W2"], "dealer": 1}
    shuffled = Table(**end, rng=[1, 2, 3, 4], decks=[]).do("WA W2")["hands"]
    given = Table(**end, rng=[1, 2, 3, 4], decks=[DECK]).do("WA W2")
    assert given["hands"] == Table(seed=0, deck=DECK, dealer=0)["hands"] != shuffled
    first = Table(seed=3, deck=[DECK, DECK[::-1]], dealer=0)
    assert first.game.position(first.state, full=True)["decks"] == [DECK[::-1]]
    with pytest.raises(ValueError, match="5 decks"):
        Table(seed=3, deck=[DECK] * 5)


def test_T11_the_shuffle_anybody_can_repeat():
    words, deck = sfc32.stream(11), list(DECK)
    dealer = sfc32.below(words, 3)
    sfc32.shuffle(words, deck)
    assert Table({"players": 3}, seed=11)["hands"] == Table({"players": 3}, seed=0, deck=deck, dealer=dealer)["hands"]


def test_T12_the_third_hand_stays_out_of_play():
    table = Table(seed=4)
    dead = table["dead"]
    assert len(dead) == 25
    for _ in bounded_while(lambda: table["hand_no"] == 0 and table["trick_no"] < 24):
        assert table["dead"] == dead
        table.do(min(table.legal))


def test_T20_blind_three_cards_go_before_the_talon_comes():
    table = Table(seed=0, deck=DECK, dealer=1)
    hand, talon = table.hand(1), table["talon"]
    assert table["cur"] == 1 and table.legal == set(hand)
    table.do(*hand[:2])
    assert table["phase"] == "DISCARD" and len(table.hand(1)) == 23 and table["talon"] == talon
    table.do(hand[2])
    assert set(table.hand(1)) == set(hand[3:]) | set(talon)
    assert (table["discards"], table["talon"], table["phase"]) == (hand[:3], [], "DECLARE")


def test_T20_taken_first_the_talon_may_be_laid_away():
    table = Table(TAKE_FIRST, seed=0, deck=DECK, dealer=1)
    assert len(table.hand(1)) == 28 and table["talon"] == [] and table.legal == set(table.hand(1))
    table.do(*DECK[75:])
    assert table["discards"] == DECK[75:] and len(table.hand(1)) == 25


@pytest.mark.parametrize(
    ("rule", "hand", "legal"),
    [
        ("none", "T0 T5 WK WA C2", "T0 T5 WK WA C2"),
        ("no_tarots", "T0 T5 WK WA C2", "T5 WA C2"),
        ("no_tarots", "T0 T1 WK SK PK", "T0 T1 WK SK PK"),
        ("no_trumps_kings", "T0 T5 WK WA WQ", "WA WQ"),
        ("no_trumps_kings", "T0 T5 WK T6 T7", "T5 T6 T7"),
        ("no_trumps_kings", "T0 T1 WK SK PK", "T0 T1 WK SK PK"),
    ],
)
def test_T21_which_cards_may_be_laid_away(rule, hand, legal):
    table = Table({"discard_rule": rule}, phase="DISCARD", hands=["C3 C4 C5 C6 C7", hand])
    assert table.legal == cards(legal)


def test_T21_at_each_of_the_three_choices():
    table = Table({"discard_rule": "no_trumps_kings"}, phase="DISCARD", hands=["C3 C4", "T0 T5 WK WA"])
    assert table.legal == {"WA"}
    assert table.do("WA").legal == {"T5"}
    assert table.do("T5").legal == {"T0", "WK"}


def test_T22_only_the_dealer_knows_the_discards_and_they_count_for_nobody():
    hand = "T21 WK CK WA"
    table = Table(phase="DISCARD", hands=["C3", hand], talon="S2 S3 S4", dead=others("C3", hand, "S2 S3 S4", count=1))
    table.do("T21 WK CK").play_on()
    assert table.seen_cards(1, "discards") == cards("T21 WK CK") and table.seen_cards(0, "discards") == set()
    assert "CK" in table.game.picture(table.state, 1).split()[-3:]
    assert not any(line.startswith("laid away") for line in table.game.picture(table.state, 0).splitlines())
    table.do("C3", table.hand(1)[0])
    assert sum(table["history"][0]) == 1


@pytest.mark.parametrize(
    ("deck", "names", "hand"), [("mini", "T0 T1 T9 T21 WQ WK W7 CQ CK C7", 4), ("tiny", "T0 T1 T9 WA WK CK CA", 2)]
)
def test_T13_a_smaller_deck_has_no_talon_and_its_other_cards_are_played(deck, names, hand):
    game = tantra_envs.game(f"tarot:{deck}")
    for state in (game.new(2), game.new(2, deck=names.split()), game.new(2, dealer=0)):
        position = game.position(state)
        assert [len(cards) for cards in position["hands"]] == [hand, hand]
        assert sorted([*position["hands"][0], *position["hands"][1], *position["dead"]]) == sorted(names.split())
        assert (position["talon"], position["discards"], position["trick_no"]) == ([], [], 25 - hand)
        assert position["phase"] != "DISCARD"
        check_consistent(game, state)
    fixed = game.position(game.new(2, deck=names.split(), dealer=0))
    assert sorted(fixed["hands"][1]) == sorted(names.split()[:hand])
    assert sorted(fixed["hands"][0]) == sorted(names.split()[hand : 2 * hand])
    state, rng = game.new(5), np.random.default_rng(5)
    for _ in bounded_while(lambda: not state["over"][0], 40):
        game.apply_action(state, int(rng.choice(game.legal(state))))
    assert state["trick_no"][0] == 25 and state["taken"][0].sum() == hand
