"""Redealing: exactly the unknown cards are drawn again, and who is in the middle of something can go on."""

from collections import Counter

import tantra_envs
from tantra_envs.testing import play
from tantra_envs.testing.secrets import check_leak, check_redeal

from ..loop_bounds import bounded_while
from .contract import BASE, invariants
from .table import Table

GAME = tantra_envs.game("tantra", players=3)
OPEN = {  # seat 0 knows two cards of seat 1, and all seats one of them
    **{"display": 10, "wild": "A", "hands": ["2C 3C 4C", "5D 6D 7D", "8H 9H 10H"], "stock": "JS QS KS", "turn": 1},
    **{"discard": "2H 3H", "known": [["", "5D 6D", ""], ["", "", ""], ["", "5D", ""]], "dealer": 0, "wild": "A"},
}


def redealt(seed, seat=0, **change):
    return GAME.position(GAME.redeal(GAME.from_position({**OPEN, **change}), seed, seat))


def test_a_seat_that_is_laying_down_gets_a_hand_with_which_it_can_go_on():
    hands = ["5H 6H 7H 8H 5S 6S 7S 8S 2C", "3D 4D", "3C 4C"]
    table = Table({"auto_forced": False}, display=21, hands=hands, stock="9H 4H").do("lay down", "run H 5", "place 5H")
    for seed in range(3):
        again = table.game.redeal(table.state, seed, 1)
        p = table.game.position(again)
        words = [table.game.action_name(again, action) for action in table.game.legal(again)]
        assert p["hands"][1] == ["3D", "4D"] and len(p["hands"][0]) == 8 and words
        assert all(word.removeprefix("place ") in p["hands"][0] for word in words)
        for _ in bounded_while(lambda again=again: table.game.phases[again["phase"][0]] != "MAIN"):
            table.game.apply_action(again, table.game.legal(again)[0])  # to the end of the lay-down
        assert len(table.game.position(again)["sets"]) == 2


def test_a_pile_that_was_turned_over_stays_as_it_is():
    for seed in range(10):
        p = redealt(seed, recycles=1)
        assert p["stock"] == ["JS", "QS", "KS"]
        assert Counter(p["hands"][1]) + Counter(p["hands"][2]) == Counter(["5D", "6D", "7D", "8H", "9H", "10H"])


def test_the_card_looked_at_is_known_to_who_looks_only():
    looking = {"phase": "PEEK", "peeked": "KD", "requester": 2}
    assert {redealt(seed, 1, **looking)["peeked"] for seed in range(10)} == {"KD"}
    assert len({redealt(seed, 0, **looking)["peeked"] for seed in range(20)}) > 3


def test_the_card_looked_at_is_known_to_all_from_a_pile_that_was_turned_over():
    looking = {"phase": "PEEK", "peeked": "KD", "requester": 2, "recycles": 1}
    assert {redealt(seed, seat, **looking)["peeked"] for seed in range(10) for seat in (0, 2, None)} == {"KD"}


def test_the_hands_that_were_counted_stay():
    game = tantra_envs.game("tantra", players=3, n_rounds=1, max_turns_per_player=1)
    state = game.new(1)
    for _ in bounded_while(lambda: not state["over"][0]):
        game.apply_action(state, game.legal(state)[0])
    assert state["hands"].any()
    for seat in (0, 1, 2, None):
        assert (game.redeal(state, 5, seat)["hands"] == state["hands"]).all()


def test_the_order_of_displays_by_number_stays():
    game = tantra_envs.game("tantra", players=3, n_rounds=4, display_order="numeric")
    state = game.new(1)
    for seed in range(3):
        assert (game.redeal(state, seed, 0)["display_pile"] == state["display_pile"]).all()


def test_whether_a_drawn_hand_can_be_laid_down_is_looked_up_again():
    hands = ["2C 3C 4C", "5H 6H 7H 8H 5S 6S 7S 8S 2C", "9D"]
    state = GAME.from_position({"display": 21, "hands": hands, "stock": "JS", "turn": 1})
    assert state["can_lay"][0] == 1  # a drawn hand of this size hardly ever can
    for seed in range(5):
        again = GAME.redeal(state, seed, 0)
        assert (GAME.mask(again) == GAME.mask(GAME.from_position(GAME.position(again)))).all()


def test_cards_of_the_piles_that_were_turned_up_are_not_forgotten():
    game = tantra_envs.game("tantra", players=3, n_rounds=4, max_turns_per_player=1)
    state = game.new(1)
    for _ in bounded_while(lambda: state["round"][0] < 2):
        game.apply_action(state, game.legal(state)[0])
    true = game.position(state, full=True)
    redealt = [game.position(game.redeal(state, seed, 0), full=True) for seed in range(12)]
    for pile, seen in (("display_pile", "displays_seen"), ("wild_pile", "wilds_seen")):
        n = true[seen]
        assert {tuple(p[pile][:n]) for p in redealt} == {tuple(true[pile][:n])}
        assert len({tuple(p[pile][n:]) for p in redealt}) > 1
    assert true["displays_seen"] == 3


def test_no_phase_tells_or_forgets_too_much():
    """Laying down and off as well: whoever looks on, the builder's hand is drawn so that it can go on."""
    game = tantra_envs.game("tantra", **{**BASE, "display_cards": [4, 9, 30], "n_rounds": 1})
    checked = Counter()
    for deal in range(6):
        for state in play(game, deal):
            phase = game.phases[state["phase"][0]]
            if phase != "OVER" and checked[phase, deal] < (6 if phase in ("TEMPLATE", "PLACE") else 1):
                checked[phase, deal] += 1
                check_leak(game, state, deal)
                check_redeal(game, state, deal, invariants)
    assert {phase for phase, _ in checked} == set(game.phases) - {"OVER"}
