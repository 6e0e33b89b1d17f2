"""The lay-down search against brute force, on narrow decks where identical pairs and several jokers really occur."""

import os

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantra.material import CARD_NAMES, DISPLAY_CARDS, IDENTICAL, NO_JOKERS, NO_WILD_CARDS

from . import reference

HANDS = int(os.environ.get("TANTRA_HANDS", "15"))  # for each case; 3000 take a quarter of an hour
CASES = [(display, 0) for display in (2, 4, 6, 9, 11, 12, 14, 16, 21, 23, 27, 30, 32, 35, 37, 41)]
CASES += [(display, naturals) for display in (2, 9, 21, 30) for naturals in (1, 2)]
MAIN, TEMPLATE, PLACE = 4, 5, 6
KIND, RUN, PLACE_AT, LAY_OFF = 62, 75, 127, 181


def narrow_hand(rng, display, size, ranks):
    """Cards of few ranks and two suits, with jokers and wild cards among them."""
    _, _, flags = DISPLAY_CARDS[display - 1]
    first = int(rng.integers(0, 14 - ranks))  # of the ranks
    suits = rng.choice(4, 2, replace=False)
    deck = [int(suit) * 13 + first + r for suit in suits for r in range(ranks)] * 4
    deck += [reference.JOKER] * int(rng.integers(0, 5))
    if not flags & NO_WILD_CARDS:
        wild = (first + ranks) % 13
        deck += [reference.WILD] * int(rng.integers(0, 4))
        deck = [card for card in deck if card >= 52 or card % 13 != wild]
    else:
        wild = None
    return sorted(int(card) for card in rng.choice(deck, size, replace=False)), wild


def table(display, hand, wild, naturals):
    game = tantra_envs.game(
        "tantra", players=3, n_packs=4, jokers_per_pack=4, min_naturals_per_set=naturals, auto_forced=False
    )
    names = [CARD_NAMES[card] for card in hand]
    return game, game.from_position({"display": display, "wild": wild, "hands": [names, ["JK"], ["JK"]]})


def legal(game, state, first, last):
    return {action - first for action in game.legal(state) if first <= action < last}


@pytest.mark.parametrize(("display", "naturals"), CASES)
def test_lay_down_template_and_place_are_as_by_brute_force(display, naturals):
    kinds, runs, flags = DISPLAY_CARDS[display - 1]
    contract = [("kind", size) for size in kinds] + [("run", size) for size in runs]
    how = {"pairs": bool(flags & IDENTICAL), "jokers": not flags & NO_JOKERS, "naturals": naturals}
    rng = np.random.default_rng(1000 * naturals + display)
    found = 0
    for _ in range(HANDS):
        extra = int(rng.integers(1, 4))
        hand, wild = narrow_hand(rng, display, sum(kinds) + sum(runs) + extra, int(rng.integers(4 if runs else 2, 7)))
        game, state = table(display, hand, wild, naturals)
        possible = reference.can_lay_down(contract, hand, **how)
        assert (7 in game.legal(state)) == possible, (display, hand)
        found += possible
        if possible:
            game.apply_action(state, 7)
            check_build(game, state, contract, hand, how, rng)
    assert found or naturals, "no hand could lay down: the case says little"


def check_build(game, state, contract, hand, how, rng):
    """Every template and place mask of one random lay-down."""
    lowest = 0
    for i, (kind, size) in enumerate(contract):
        first, last = (KIND, RUN) if kind == "kind" else (RUN, PLACE_AT)
        allowed = {t for t in reference.templates(contract[i:], hand, **how) if t >= lowest}
        assert legal(game, state, first, last) == allowed
        template = int(rng.choice(sorted(allowed)))
        game.apply_action(state, first + template)
        placed = []
        while len(placed) < size:
            cards = reference.first_cards(contract[i:], template, placed, hand, **how)
            assert legal(game, state, PLACE_AT, LAY_OFF) == cards, (contract, hand, template, placed)
            card = int(rng.choice(sorted(cards)))
            game.apply_action(state, PLACE_AT + card)
            placed.append(card)
            hand.remove(card)
        lowest = template if contract[i + 1 : i + 2] == [(kind, size)] else 0
    assert state["phase"][0] == MAIN


@pytest.mark.parametrize("display", [4, 15, 21, 32, 39])
def test_lay_offs_on_runs_are_as_by_brute_force(display):
    _, _, flags = DISPLAY_CARDS[display - 1]
    how = {"pairs": bool(flags & IDENTICAL), "jokers": not flags & NO_JOKERS}
    rng = np.random.default_rng(display)
    seen = 0
    for _ in range(5 * HANDS):
        suit, lo, size = int(rng.integers(4)), int(rng.integers(1, 12)), int(rng.integers(2, 5))
        size = min(size, 15 - lo)
        near = [suit * 13 + (p - 1) % 13 for p in range(max(1, lo - 3), min(14, lo + size + 3) + 1)]
        cards = [suit * 13 + (p - 1) % 13 if rng.random() < 0.8 else reference.JOKER for p in range(lo, lo + size)]
        if how["pairs"] and size > 2 and cards[0] < 52 and rng.random() < 0.5:
            cards[1] = cards[0]
        if not how["jokers"]:
            cards = [suit * 13 + (p - 1) % 13 if card == reference.JOKER else card for p, card in enumerate(cards, lo)]
        if not reference.run_is_valid(suit, lo, tuple(cards), how["pairs"]):
            continue
        deck = [*near * 2, *([reference.JOKER] if rng.random() < 0.3 else [])]
        hand = sorted(int(card) for card in rng.choice(deck, int(rng.integers(1, 6)), replace=False))
        seen += check_lay_offs(display, suit, lo, cards, hand, how)
    assert seen


def check_lay_offs(display, suit, lo, cards, hand, how):
    game = tantra_envs.game("tantra", players=3, n_packs=4, jokers_per_pack=4, auto_forced=False)
    wild = (
        None
        if DISPLAY_CARDS[display - 1][2] & NO_WILD_CARDS
        else next(rank for rank in range(13) if all(card % 13 != rank for card in [*cards, *hand] if card < 52))
    )
    state = game.from_position({
        "display": display, "wild": wild, "hands": [hand, ["JK"], ["JK"]], "laid_turn": [0, 0, -1],
        "sets": [{"seat": 1, "slot": 2, "run": "CDHS"[suit], "start": lo, "cards": list(cards)}],
    })  # fmt: skip
    seen = 0
    for end in (0, 1):
        action = LAY_OFF + 10 + 4 + end
        expected = reference.lay_off_cards(suit, lo, cards, bool(end), hand, **how)
        assert (action in game.legal(state)) == bool(expected), (cards, lo, hand, end)
        if expected:
            after = state.copy()
            game.apply_action(after, action)
            assert legal(game, after, PLACE_AT, LAY_OFF) == expected, (cards, lo, hand, end)
            seen += 1
    return seen


def test_the_fullest_rank_is_not_always_for_the_largest_kind():
    """Card 23, kinds of 3, 4 and 5, with seven kings and five queens: the five are the queens."""
    game = tantra_envs.game("tantra", players=3, n_packs=2, auto_forced=False)
    kings, queens = "KC KC KD KD KH KH KS", "QC QC QD QD QH"
    state = game.from_position({"display": 23, "hands": [f"{kings} {queens} 2C", "JK", "JK"]})
    assert 7 in game.legal(state)
    game.apply_action(state, 7)
    assert [game.action_name(state, action) for action in game.legal(state)] == ["kind K"]


def test_the_natural_is_not_always_the_card_to_take():
    """Card 21: the only sets are 5 5 7 8 and 6 7 9 9, though 5 6 7 8 is in hand."""
    game = tantra_envs.game("tantra", players=3, auto_forced=False)
    state = game.from_position({"display": 21, "hands": ["5H 5H 6H 7H 7H 8H 9H 9H 2C", "JK", "JK"]})
    for words in ("lay down", "run H 5", "place 5H", "place 5H", "place 7H", "place 8H", "run H 6"):
        assert words in [game.action_name(state, action) for action in game.legal(state)]
        assert words in ("lay down", "place 5H") or len(game.legal(state)) == 1
        game.apply_action(state, game.parse_action(state, words))
