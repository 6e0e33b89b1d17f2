"""K-01 to K-12: cards, players, the deal, choosing face-up cards, drawing."""

from collections import Counter

import pytest

import tantra_envs
from tantra_envs.core.admission import check_consistent

from .reference import CARDS, deck_from_seed
from .table import Table


def test_K01_twenty_types_numbered_from_the_numbers_to_the_karma_cards():
    table = Table(hands=[list(range(20)), "1"])
    assert table.hand(0) == [*(str(n) for n in range(1, 17)), "GIVE", "TABLE", "BOTTOMS", "FIVE"]
    for card, name in enumerate(CARDS):
        assert table.game.parse_action(table.state, f"play {name}") == card


@pytest.mark.parametrize(
    ("config", "cards", "most"),
    [({}, 40, 4), ({"copies": 3}, 60, 6), ({"decks": 2}, 80, 8), ({"copies": 3, "decks": 2}, 120, 12)],
)
def test_K02_deck_and_players(config, cards, most):
    dealt = Table({**config, "players": most}, seed=0)
    zones = ["hands", "up", "down"]
    held = Counter(dealt["draw"]) + sum((Counter(cards) for zone in zones for cards in dealt[zone]), Counter())
    assert held == dict.fromkeys(CARDS, cards // 20)
    for players in (1, most + 1):
        with pytest.raises(ValueError, match=f"players={players}"):
            tantra_envs.game("karma", players=players, **config)


@pytest.mark.parametrize(
    ("config", "size"),
    [({}, 2), ({"copies": 3}, 3), ({"decks": 2}, 2), ({"copies": 3, "clear_set": 2}, 2), ({"clear_set": 3}, 3)],
)
def test_K03_size_of_a_clearing_set(config, size):
    table = Table({**config, "decks": 2}, hands=["7 7 7 7", "1 2 3"])
    for k in range(1, 5):
        assert (f"7x{k}" in table.cards_legal) == (2 <= k <= size)
    before = table["gone"].get("7", 0)
    table.do(f"play 7x{size}")
    assert (table["pile"], table["cur"], table["gone"]["7"]) == ([], 0, before + size)


def test_K04_the_seat_left_of_the_dealer_goes_first():
    for dealer in range(3):
        table = Table({"players": 3, "dealer": dealer}, seed=1)
        assert (table["dealer"], table["cur"]) == (dealer, (dealer + 1) % 3)
    drawn = {Table({"players": 3}, seed=seed)["dealer"] for seed in range(20)}
    assert drawn == {0, 1, 2}


def test_K04_after_the_choice_the_first_player_opens():
    table = Table({"players": 3, "dealer": 1, "auto_setup": True}, seed=1)
    assert (table["cur"], table["phase"], table["pile"]) == (2, "PLAY", [])
    with pytest.raises(ValueError, match="dealer=3"):
        tantra_envs.game("karma", players=3, dealer=3)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**40 + 3, 2**64 - 1])
@pytest.mark.parametrize("players", [2, 4])
def test_K05_deal_from_a_seed(seed, players):
    dealer, deck = deck_from_seed(seed, players, 2)
    table = Table({"players": players}, seed=seed)
    assert table["dealer"] == dealer
    for seat in range(players):
        assert table["down"][seat] == deck[9 * seat : 9 * seat + 3]
        assert Counter(table.hand(seat)) == Counter(deck[9 * seat + 3 : 9 * seat + 9])
    assert table["draw"] == deck[9 * players :]


def test_K05_a_given_deck_is_dealt_front_first():
    deck = CARDS + CARDS[::-1]
    table = Table(seed=3, deck=deck, dealer=1)
    assert table["down"] == [deck[:3], deck[9:12]]
    assert table.hand(0) == deck[3:9]
    assert table["draw"] == deck[18:]
    assert table["cur"] == 0
    drawn = Table({"auto_setup": True}, seed=3, deck=deck, dealer=1)
    drawn.do(f"play {drawn.hand(0)[0]}")
    assert drawn["draw"] == deck[19:] and deck[18] in drawn.hand(0)


def test_K05_a_given_deck_must_have_every_card():
    with pytest.raises(ValueError, match="deck has 3 of 1;"):
        Table(seed=0, deck=["1", *CARDS, *CARDS])


def test_K05_more_and_fewer_cards_by_option():
    deck = CARDS + CARDS[::-1]
    table = Table({"table_cards": 2, "hand_size": 5}, deck=deck, dealer=1, seed=3)
    assert table["down"] == [deck[:2], deck[9:11]] and table.hand(0) == deck[2:9]
    with pytest.raises(ValueError, match="players=4 is not allowed with 40 cards, 11 for each seat"):
        tantra_envs.game("karma", players=4, hand_size=5)
    with pytest.raises(ValueError, match="at most 2 cards"):
        Table({"table_cards": 2}, hands=["1", "2"], down=["3 4 5", ""])


def test_K10_the_last_of_the_cards_ends_the_choice():
    table = Table({"table_cards": 1, "dealer": 0}, seed=5)
    for seat in (1, 0):
        assert (table["phase"], table["cur"]) == ("SETUP", seat)
        table.do(f"place {table.hand(seat)[0]}")
    assert table["phase"] == "PLAY" and [len(up) for up in table["up"]] == [1, 1]


def test_K10_three_single_choices_in_turn_order():
    table = Table({"players": 3, "dealer": 0}, seed=5)
    hands = table["hands"]
    for seat in (1, 2, 0):
        for k in range(3):
            assert (table["phase"], table["cur"], table["moves"]) == ("SETUP", seat, 3 * [1, 2, 0].index(seat) + k)
            assert table.legal == {f"place {card}" for card in table.hand(seat)}
            table.do(f"place {table.hand(seat)[0]}")
        assert sorted(table["up"][seat] + table.hand(seat)) == sorted(hands[seat])
    assert (table["phase"], table["cur"]) == ("PLAY", 1)


@pytest.mark.parametrize("hidden", [True, False])
def test_K10_the_choice_is_hidden_until_all_have_chosen(hidden):
    table = Table(
        {"setup_hidden": hidden}, phase="SETUP", hands=["2 3 4", "2 3 4 5 6 7"], up=["8 9 10", []], cur=1, dealer=1
    )
    shown = [0.0] * 20 if hidden else [0.5 if card in ("8", "9", "10") else 0.0 for card in CARDS]
    assert table.seen(1, "seat_1")[20:40] == shown
    assert ("face up: ?" in table.game.picture(table.state, 1)) == hidden
    assert table.seen(0, "up")[CARDS.index("8")] == 0.5
    table.do("place 2", "place 3", "place 4")
    assert table["phase"] == "PLAY" and table.seen(1, "seat_1")[20 + CARDS.index("8")] == 0.5


def test_K11_auto_setup_puts_the_three_highest_types_up():
    for seed in range(5):
        table, dealt = Table({"auto_setup": True}, seed=seed), Table(seed=seed)
        for seat in range(2):
            assert table["up"][seat] == dealt.hand(seat)[3:]
            assert table.hand(seat) == dealt.hand(seat)[:3]
        assert (table["phase"], table["moves"], table["setup_left"]) == ("PLAY", 0, 0)


def test_K12_draw_to_three_after_a_play():
    table = Table(hands=["7 8 9", "1 2 3"], draw="10 11 12").do("play 7")
    assert table.hand(0) == ["8", "9", "10"] and table["draw"] == ["11", "12"]
    assert table.hand(1) == ["1", "2", "3"]


def test_K12_the_size_that_hands_are_filled_up_to_is_an_option():
    for refill, hand in ((0, ["8"]), (2, ["8", "10"]), (5, ["8", "10", "11", "12"])):
        table = Table({"refill": refill}, hands=["7 8", "1 2 3"], draw="10 11 12").do("play 7")
        assert table.hand(0) == hand
    with pytest.raises(ValueError, match=r"refill=7 is not allowed; allowed: 0\.\.6"):
        tantra_envs.game("karma", refill=7)


def test_K12_no_draw_with_three_or_more_and_none_from_an_empty_pile():
    table = Table(hands=["7 8 9 10", "8"], draw="11").do("play 7")
    assert (table.hand(0), table["draw"]) == (["8", "9", "10"], ["11"])
    table.do("pickup")
    assert table.hand(1) == ["7", "8", "11"] and table["draw"] == []
    table.do("play 8")
    assert table.hand(0) == ["9", "10"]


def test_K12_draw_before_playing_again():
    table = Table(hands=["7 8 9", "1 2 3"], pile="7", draw="10 11").do("play 7")
    assert (table["cur"], table.hand(0)) == (0, ["8", "9", "10"])


def test_K12_table_and_its_card_are_one_play_and_give_ends_with_the_handing_over():
    table = Table(hands=["TABLE 8 9", "1"], up=["2", []], draw="10 11").do("play TABLE")
    assert table.hand(0) == ["8", "9"]
    assert table.do("play 2").hand(0) == ["8", "9", "10"]
    table = Table(hands=["GIVE 8 9", "1", "2"], pile="4", draw="10 11").do("play GIVE")
    assert table.hand(0) == ["8", "9"]
    assert table.do("give 1").hand(0) == ["8", "9", "10"]


@pytest.mark.parametrize(
    ("deck", "cards"), [("mini", "5 9 9 12 GIVE TABLE BOTTOMS FIVE"), ("tiny", "5 9 9 12 GIVE FIVE")]
)
def test_K06_a_smaller_deck_has_few_cards_and_the_others_are_gone(deck, cards):
    game = tantra_envs.game(f"karma:{deck}")
    assert sorted(game.words.deck(game)) == sorted(cards.split())
    for state in (game.new(4), game.new(4, deck=cards.split())):
        held, gone = game.fields.cards(state)[0], state["gone"][0]
        names = [name for card, name in enumerate(CARDS) for _ in range(held[card] - gone[card])]
        assert sorted(names) == sorted(cards.split())
        assert (held == 2).all()
        check_consistent(game, state)
    with pytest.raises(ValueError, match="players=3"):
        tantra_envs.game(f"karma:{deck}", players=3)
    with pytest.raises(ValueError, match="deck"):
        game.new(4, deck=["5"] * len(cards.split()))
