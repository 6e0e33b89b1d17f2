"""Which placements an unopened team may make, against brute force over all sequences of placements."""

import numpy as np
import pytest

import tantra_envs

from .reference import RANKS, Opening
from .table import Table

STAGE_TOTALS = {1: 0, 2: 1500, 3: 3000, 4: 5000}
HANDS = 80  # of each kind, stage and suit rule


def hand_of(rng, kind, size):
    """A hand from the deck that leans to what makes opening a close thing."""
    deck = [f"{rank}{suit}" for rank in RANKS for suit in "HHDDSCCG"] + ["SW"] * 8 + ["AR"] * 4 + ["SH"] * 4
    if kind == "ranks":
        few = rng.choice(RANKS, 3, replace=False)
        liked = [card for card in deck if card[:-1] in few]
    elif kind == "golds":
        liked = [card for card in deck if card[-1] == "G" and card[:-1] in RANKS] + ["AR"] * 4
    else:
        liked = []
    liked = list(rng.permutation(liked)[: int(rng.integers(size - 2, size + 1))]) if liked else []
    rest = list(deck)
    for card in liked:
        rest.remove(card)
    return [str(card) for card in liked + list(rng.permutation(rest)[: size - len(liked)])]


@pytest.mark.parametrize("suit_rule", ["three_suits", "any"])
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["deck", "ranks", "golds"])
def test_opening_is_offered_exactly_when_brute_force_finds_one(kind, stage, suit_rule):
    rng = np.random.default_rng([stage, len(suit_rule), len(kind)])
    game = tantra_envs.game("kanastic", suit_rule=suit_rule)
    found = []
    for _ in range(HANDS):
        hand = hand_of(rng, kind, int(rng.integers(6, 12)))
        state = game.from_position({"hands": [hand], "scores": [STAGE_TOTALS[stage], 0]})
        plain = [card[:-1] + "H" if suit_rule == "any" and card[-1] in "DSC" else card for card in hand]
        expected = sum(after.can_open() for after in _distinct(Opening(plain, stage, suit_rule)))
        offered = [a for a in game.legal(state) if game.action_name(state, a).startswith("NEW")]
        assert len(offered) == expected, (hand, [game.action_name(state, a) for a in offered])
        found.append(expected > 0)
    assert kind == "deck" or any(found)
    assert not all(found)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_every_seat_opens_with_a_suit_from_its_own_hand(seat):
    hands = ["QH", "QD", "JC", "JH"]
    hands[seat] = "4G 5G 6G 8G 9G 10G AR 4H"
    table = Table(hands=hands, cur=seat, scores=[5000, 5000])
    table.do("NEWSUIT 4-5-6", "SUIT + AR high", "SUIT + 8G", "SUIT + 9G", "SUIT + 10G")
    assert (table["opened"][seat % 2], table["opener"][seat % 2]) == (True, seat)


def test_no_Artifact_is_offered_that_takes_the_place_of_one_to_come():
    table = Table(hands=["5G 6G 7G 9G 10G AR AR AR AR 4H"], scores=[5000, 0])
    table.do("NEWSUIT 5-6-7", "SUIT + AR high", "SUIT + AR high")
    assert table.placements == {"SUIT + 10G", "SUIT + AR low"}  # a third one above would leave no seventh card


def test_KN61_after_a_canasta_a_begun_suit_opens_with_one_card_left():
    table = Table(
        {"partial_suit_opens": True},
        hands=["4S 5G 6G 7G KH"],
        scores=[2000, 0],
        tables=[{"ranks": {"4": "4H 4H 4D 4D 4C 4C"}}],
        opened=[False, False],
    )
    assert table.placements == {"ADD 4S", "NEWSUIT 5-6-7"}
    table.do("ADD 4S", "NEWSUIT 5-6-7")
    assert table["opened"][0] and table.discards == {"KH"}


def _distinct(opening):
    return {after.key(): after for after in opening.steps()}.values()


@pytest.mark.parametrize(
    "config", [{}, {"suit_rule": "any"}, {"partial_suit_opens": True}, {"pickup_wilds": True}], ids=str
)
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_in_the_middle_of_opening_every_step_is_offered_that_leads_on(stage, config):
    rng = np.random.default_rng([7, stage])
    game = tantra_envs.game("kanastic", **config)
    steps = 0
    for _ in range(60):
        hand = hand_of(rng, str(rng.choice(["ranks", "golds"])), int(rng.integers(7, 12)))
        state = game.from_position({"hands": [hand], "scores": [STAGE_TOTALS[stage], 0]})
        plain = [card[:-1] + "H" if config.get("suit_rule") and card[-1] in "DSC" else card for card in hand]
        opening = Opening(plain, stage, config.get("suit_rule", ""), partial=config.get("partial_suit_opens", False))
        while True:
            good = {after.key(): after for after in opening.steps() if after.can_open()}
            offered = [a for a in game.legal(state) if game.action_name(state, a).startswith(("NEW", "ADD", "SUIT"))]
            assert len(offered) == len(good), (hand, stage, [game.action_name(state, a) for a in offered])
            if not good:
                break
            game.apply_action(state, int(rng.choice(offered)))
            opening = next(after for after in good.values() if _same(game, state, after))
            steps += 1
            if opening.met():
                assert game.position(state)["opened"][0]
                break
    assert steps > 10


def _same(game, state, opening):
    """Is the table of team 0 what the brute force has laid?"""
    position = game.position(state)
    table = position["tables"][0]
    ranks = {rank: sorted(cards.elements()) for rank, cards in opening.ranks.items()}
    suit = [opening.suit[r] for r in sorted(opening.suit)]
    return {rank: sorted(cards) for rank, cards in table["ranks"].items()} == ranks and (
        (table["suit"] or [None, []])[1] == suit
    )
