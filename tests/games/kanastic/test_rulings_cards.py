"""KN-01 to KN-17: cards, players, the deal, turns, what is open."""

import zlib
from collections import Counter

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent
from tantra_envs.core.compiled.drivers import random_ints, seed_streams
from tantra_envs.games.kanastic.material import CARD_NAMES

from ..loop_bounds import bounded_while
from .table import Table

KINGS = {"ranks": {"K": "KH KD KC"}}
RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
PLAIN = [f"{rank}{suit}" for rank in RANKS for suit in "HHDDSCCG"] + ["SW"] * 8 + ["AR"] * 4 + ["SH"] * 4


def all_cards(table):
    cards = Counter(table["stock"])
    for hand in table["hands"]:
        cards += Counter(hand)
    return cards


def test_KN01_one_gold_card_a_rank_and_it_serves_either_way():
    cards = all_cards(Table(seed=1))
    assert [cards[f"{rank}G"] for rank in RANKS] == [1] * 11
    table = Table(hands=["7G 7H 7D 7S 8G 9G 4H 4D"], tables=[KINGS])
    assert {"NEW 7 {HDG}", "NEW 7 {HDS}", "NEWSUIT 7-8-9"} <= table.legal
    assert not {words for words in table.do("NEW 7 {HDG}").legal if words.startswith("NEWSUIT")}


def test_KN02_two_of_each_suit_one_spade_being_gold():
    cards = all_cards(Table(seed=1))
    for rank in RANKS:
        assert [cards[f"{rank}{suit}"] for suit in "HDSCG"] == [2, 2, 1, 2, 1]
    assert [cards[name] for name in ("SW", "AR", "SH")] == [8, 4, 4]


@pytest.mark.parametrize("shields", [1, 4, 6, 8])
def test_KN02_the_number_of_shields_is_an_option(shields):
    table = Table({"shields": shields}, seed=1)
    cards = all_cards(table)
    assert cards["SH"] == shields and cards.total() + sum(table["pots"]) == 104 + shields
    view = table.game.observation(table.state, 0)
    assert (view[table.game.view["hand"].slice] <= 1).all() and (view[table.game.view["unseen"].slice] <= 1).all()
    with pytest.raises(ValueError, match=r"shields=9 is not allowed; allowed: 1\.\.8"):
        Table({"shields": 9}, seed=1)


@pytest.mark.parametrize(
    ("hand", "rule", "begins"),
    [
        ("7H 7H 7D", "three_suits", set()),
        ("7H 7S 7G", "three_suits", set()),  # plain and gold spade are one suit
        ("7H 7D 7C", "three_suits", {"NEW 7 {HDC}"}),
        ("7H 7S 7G 7C", "three_suits", {"NEW 7 {HSC}", "NEW 7 {HGC}"}),
        ("7H 7H 7D", "any", {"NEW 7 {HDC}"}),
        ("7H 7C 7G", "any", {"NEW 7 {HDG}"}),
        ("7H 7H", "any", set()),
    ],
)
def test_KN03_what_begins_a_formation(hand, rule, begins):
    table = Table({"suit_rule": rule}, hands=[f"{hand} QH QD JC"], tables=[KINGS])
    assert {words for words in table.placements if words.startswith("NEW 7")} == begins


def test_KN03_further_cards_are_free():
    table = Table(hands=["7H 7H 7D 7C QH QD"], tables=[KINGS]).do("NEW 7 {HDC}")
    assert "ADD 7H" in table.legal


def test_KN10_teams():
    for players, scores in ((2, 2), (3, 3), (4, 2)):
        table = Table({"players": players}, seed=0)
        assert len(table["scores"]) == scores
    table = Table(hands=["7H 7D 7C QH QD"], cur=0, tables=[KINGS]).do("NEW 7 {HDC}")
    assert set(table.ranks(0)) == {"7", "K"}
    partner = Table(hands=["4H", "4H", "KS QD QC"], cur=2, tables=[KINGS])
    assert "ADD KS" in partner.legal
    with pytest.raises(ValueError, match="players=5"):
        tantra_envs.game("kanastic", players=5)


@pytest.mark.parametrize(("players", "stock"), [(4, 51), (3, 65), (2, 79)])
def test_KN11_deal(players, stock):
    for dealer in range(players):
        table = Table({"players": players, "dealer": dealer}, seed=3)
        assert table["cur"] == (dealer + 1) % players
        sizes = [len(hand) for hand in table["hands"]]
        assert sizes == [15 if seat == table["cur"] else 14 for seat in range(players)]
        assert len(table["stock"]) == stock - sum(table["pots"])
    assert len({Table({"players": players}, seed=seed)["dealer"] for seed in range(20)}) == players


@pytest.mark.parametrize("dealt", [5, 12, 20])
def test_KN11_the_number_of_cards_dealt_is_an_option(dealt):
    table = Table({"players": 3, "dealer": 0, "dealt": dealt}, seed=3)
    assert [len(hand) for hand in table["hands"]] == [dealt, dealt + 1, dealt]
    assert len(table["stock"]) == 108 - 3 * dealt - 1 - sum(table["pots"])
    with pytest.raises(ValueError, match=r"dealt=21 is not allowed; allowed: 3\.\.20"):
        Table({"dealt": 21}, seed=3)


def test_KN11_cards_come_from_the_top_of_the_deck_in_turn_order():
    deck = ["TP"] * 4 + PLAIN
    table = Table({"dealer": 1}, seed=0, deck=deck)
    assert Counter(table.hand(2)) == Counter(deck[-15:])
    assert Counter(table.hand(3)) == Counter(deck[-29:-15])
    assert table["stock"] == deck[:51]


def test_KN12_pots_dealt_are_laid_and_replaced():
    # The first seat is dealt two pots; the first card that replaces one is a pot as well, and one stays in the stock.
    deck = ["TP", *PLAIN[:76], "TP", *PLAIN[76:], "TP", "TP"]
    table = Table({"players": 2, "dealer": 0}, seed=0, deck=deck)
    assert table["pots"] == [0, 3] and len(table.hand(1)) == 15 and len(table.hand(0)) == 14
    assert "TP" not in table.hand(0) + table.hand(1)


def test_KN12_pots_drawn_are_laid_and_replaced_again_and_again():
    table = Table(phase="DRAW", hands=["4H 6D"], stock="5H 9C TP TP", pile="QH").do("DRAW")
    assert table.hand(0) == ["4H", "6D", "9C"]
    assert (table["pots"], table["stock"]) == ([2, 0], ["5H"])


def test_KN13_the_first_turn_is_a_discard():
    hand = "KH KD KC KS AH AD AC 4H 5D 6C 7H 8D 9C 10H JD"
    assert Table(phase="FIRST", hands=[hand]).placements == set()
    table = Table({"first_turn_meld": True}, phase="FIRST", hands=[hand])
    assert "NEW A {HDC}" in table.legal and "DISCARD 4H" in table.legal
    assert table.do("NEW A {HDC}")["phase"] == "MELD"


def test_KN14_draw_lay_discard_and_the_turn_passes():
    table = Table(phase="DRAW", hands=["7H 7D 7C QH"], tables=[KINGS], stock="4H JC", pile="5H", cur=0)
    table.do("DRAW")
    assert table["phase"] == "MELD"
    table.do("NEW 7 {HDC}", "DISCARD QH")
    assert (table["phase"], table["cur"], table["pile"], table["turn"]) == ("DRAW", 1, ["5H", "QH"], 9)


def test_KN15_what_cannot_be_completed_is_not_offered():
    table = Table(hands=["KH KD KC 4H 6D 7C 8H"])  # thirty points
    assert table.placements == set() and table.discards


def test_KN16_the_stack_is_turned_at_once_when_the_stock_is_empty():
    table = Table(phase="DRAW", hands=["4H 6D"], stock="9C", pile="QH QD JC").do("DRAW")
    assert (table["pile"], table["reshuffles"]) == ([], 1)
    assert sorted(table["stock"]) == ["JC", "QD", "QH"]


def test_KN16_between_a_pot_and_its_replacement():
    table = Table(phase="DRAW", hands=["4H 6D"], stock="TP", pile="QH").do("DRAW")
    assert table.hand(0) == ["4H", "6D", "QH"] and table["pots"] == [1, 0]
    assert (table["stock"], table["pile"], table["reshuffles"]) == ([], [], 1)
    table.do("DISCARD QH", "DRAW")  # nothing was left to turn over: the next player turns the stack first
    assert "QH" in table.hand(1) and table["reshuffles"] == 2


def test_KN16_with_both_empty_nothing_is_drawn():
    table = Table(phase="DRAW", hands=["4H 6D"], stock="TP", pile="").do("DRAW")
    assert (table.hand(0), table["pots"], table["phase"]) == (["4H", "6D"], [1, 0], "MELD")
    assert (table["stock"], table["pile"], table["reshuffles"]) == ([], [], 0)


def test_KN16_shuffles_the_stack_by_the_stream_of_the_table():
    drawn = {}
    for seed in range(6):
        full = Table(phase="DRAW", hands=["4H 6D"], stock="9C", pile="QH QD JC").game.position(
            Table(seed=seed).state, True
        )
        table = Table(phase="DRAW", hands=["4H 6D"], stock="9C", pile="QH QD JC 5H 6H", rng=full["rng"]).do("DRAW")
        drawn[tuple(table["stock"])] = seed
    assert len(drawn) > 3


def test_KN17_cards_taken_with_the_stack_stay_known_until_they_are_played():
    table = Table(phase="DRAW", hands=["QH QD 4H 5D 9C"], tables=[KINGS], pile="9C 8H QC", stock="4*4H 4*5D", cur=0).do(
        "TAKE_STACK", "NEW Q {HDC}", "DISCARD 4H"
    )
    assert table["known"][0] == ["8H", "9C"]
    assert table.hand(0) == ["5D", "8H", "9C", "9C"]
    view = table.seen(1, "known_3")
    assert [i for i, share in enumerate(view) if share] == [20, 28]
    table = Table(hands=["8H 9C QH QD"], known=["8H 9C"], tables=[KINGS]).do("DISCARD 8H")
    assert table["known"][0] == ["9C"]


SEVENS_AND_SUIT = {"ranks": {"K": "KH KD KC", "7": "7D 7C 7S"}, "suit": ["8", "8G 9G 10G"]}


@pytest.mark.parametrize(
    ("known", "tables", "words", "left"),
    [
        ("6H 6D 6C 6S", [KINGS], "NEW 6 {HDC}", "6S"),
        ("4G 6G 8G 9G AR AR AR 4H", [KINGS], "NEWSUIT 4-6-8", "4H 9G AR"),
        ("4G 5G 6G AR 5H", [KINGS], "NEWSUIT 4-5-6", "5H AR"),
        ("7H 7H SW", [SEVENS_AND_SUIT], "ADD 7H", "7H SW"),
        ("7H SW SW AR", [SEVENS_AND_SUIT], "ADD SW to 7", "7H AR SW"),
        ("7H SW AR AR", [SEVENS_AND_SUIT], "ADD AR to 7", "7H AR SW"),
        ("7G JG AR 7H", [SEVENS_AND_SUIT], "SUIT + JG", "7G 7H AR"),
        ("7G JG AR AR", [SEVENS_AND_SUIT], "SUIT + AR low", "7G AR JG"),
        ("7G JG AR AR", [SEVENS_AND_SUIT], "SUIT + AR high", "7G AR JG"),
        ("5H 5H 5D", [KINGS], "DISCARD 5H", "5D 5H"),
    ],
)
def test_KN17_what_is_laid_is_no_longer_in_the_hand_and_nothing_else_is_forgotten(known, tables, words, left):
    table = Table(hands=[f"{known} QH QD"], known=[known], tables=tables).do(words)
    assert sorted(table["known"][0]) == sorted(left.split())


def test_KN17_nobody_sees_a_hand_the_partner_no_more_than_others():
    table = Table(seed=3)
    for seat in range(4):
        for other in range(4):
            line = table.game.picture(table.state, seat).splitlines()[-4 + other]
            assert ("?x" in line) == (seat != other)


def test_KN17_the_taken_card_was_never_hidden_and_does_not_count_as_known():
    table = Table(
        phase="DRAW", hands=["QH QD QC 4H 5D"], known=["QC"], tables=[KINGS], pile="9C QC", stock="4*4H 4*5D"
    ).do("TAKE_STACK")
    assert "QC" in table["top_taken"] and table.seen(1, "top")[8 * 5 + 3] == 1.0
    table.do("NEW Q {HDC}")
    assert table["known"][0] == ["QC"]


def test_KN90_the_deal_from_a_seed():
    table = Table({"episode": "round"}, seed=1)
    assert (table["dealer"], table["pots"], table["cur"]) == (1, [2, 1], 2)
    assert " ".join(table.hand(2)) == "4C 4C 7D 8H 8D 9C JC QH KD AH AD AC SW SW AR"
    assert table["stock"][:-6:-1] == ["4G", "4S", "QS", "AG", "7S"]


def test_KN90_given_decks_are_dealt_round_by_round_and_draw_no_numbers():
    decks = [["TP"] * 4 + PLAIN[turned:] + PLAIN[:turned] for turned in (0, 30, 60, 90)]
    table = Table({"max_turns": 1}, seed=1, deck=decks)
    for number, deck in enumerate(decks):
        assert (table["round_no"], table["phase"]) == (number, "FIRST")
        assert Counter(table.hand(table["cur"])) == Counter(deck[-15:])
        table.do(f"DISCARD {table.hand(table['cur'])[0]}")
    with pytest.raises(ValueError, match="at most 4"):
        Table(seed=1, deck=[*decks, decks[0]])
    with pytest.raises(ValueError, match="deck has 3 of 4H"):
        Table(seed=1, deck=["4H", *decks[0][1:]])


@pytest.mark.parametrize(
    ("config", "seed", "decisions", "turns", "scores", "crc"),
    [
        ({"players": 4}, 1, 513, 225, [1385, 1745], 0x3AC71E21),
        ({"players": 3}, 2, 409, 179, [3910, 215, -360], 0x138C234D),
        ({"players": 2, "suit_rule": "any"}, 3, 662, 300, [7330, 1380], 0xBEE7518C),
    ],
)
def test_KN90_published_replays(config, seed, decisions, turns, scores, crc):
    game = tantra_envs.game("kanastic", episode="round", **config)
    state, stream, drawn = game.new(seed), np.zeros((1, 4), np.int64), np.zeros(1, np.int64)
    seed_streams(stream, 1000 + seed)
    actions = []
    for _ in bounded_while(lambda: not state["over"][0]):
        legal = game.legal(state)
        random_ints(stream, np.zeros(1, np.int64), len(legal), drawn)
        actions.append(legal[drawn[0]])
        game.apply_action(state, actions[-1])
    last = game.position(state)["last_round"]
    assert (len(actions), last["turns"], last["scores"]) == (decisions, turns, scores)
    assert zlib.crc32(np.array(actions, "<u2").tobytes()) == crc


def test_KN04_a_smaller_deck_has_kings_aces_and_few_others():
    game = tantra_envs.game("kanastic:mini")
    names = ["KH"] * 4 + ["AH"] * 4 + ["SW"] * 2 + ["AR", "SH"]
    assert game.words.deck(game) == names
    for state in (game.new(3), game.new(3, deck=names)):
        counts = game.fields.cards(state)[0]
        assert [name for card, name in enumerate(CARD_NAMES) for _ in range(counts[card])] == names
        assert state["hand_n"][0, :2].tolist() == [4, 3]
        check_consistent(game, state)
    with pytest.raises(ValueError, match="suit_rule"):
        tantra_envs.game("kanastic:mini", suit_rule="three_suits")
    with pytest.raises(ValueError, match=r"dealt=6 .* at most 5"):
        tantra_envs.game("kanastic:mini", dealt=6)
