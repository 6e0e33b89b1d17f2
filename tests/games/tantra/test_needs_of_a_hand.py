"""What the scripted agent finds out about a hand by suits and ranks, against the search of the rules."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games.tantra.agents import standing
from tantra_envs.games.tantra.agents.scripted import LACKING
from tantra_envs.games.tantra.material import DISPLAYS, JOKER, RANKS, SUITS, TOTAL, TYPES, WILD
from tantra_envs.games.tantra.state import Phase

HANDS = 60  # for each Display Card


def narrow_hand(rng, display):
    """Cards by type: of few ranks or suits, so that sets compete for them, or of all; up to four copies of each."""
    ranks = rng.choice(RANKS, rng.integers(4, RANKS + 1), replace=False)
    suits = rng.choice(SUITS, rng.integers(1, SUITS + 1), replace=False)
    deck = [suit * RANKS + rank for suit in suits for rank in ranks] * 4 + [JOKER, WILD, WILD]
    size = min(len(deck), int(TOTAL[display]) + int(rng.integers(-4, 6)))
    return np.bincount(rng.choice(deck, size, replace=False), minlength=TYPES)


def seen(game, display, hands):
    """Return the tables at which seat 0 holds these hands, and what it sees there."""
    states, every = game.blanks(len(hands)), np.arange(len(hands))
    states["display"], states["phase"], states["laid_turn"] = display, Phase.MAIN, -1
    states["hands"][:, 0] = hands
    states["hand_n"][:, 0] = hands.sum(axis=1)
    narrow = np.zeros((len(hands), game.view.size), game.view.dtype)
    game.drivers.observe_rows(states, every, 0 * every, narrow, np.zeros((len(hands), game.actions.size), np.int8))
    return states, np.asarray(narrow / game.view.scale, np.float32)


@pytest.mark.parametrize("naturals", [0, 1])
def test_a_hand_lacks_what_the_search_says(naturals):
    game = tantra_envs.game("tantra", players=3, n_packs=4, min_naturals_per_set=naturals)
    rng, lacking = np.random.default_rng(naturals), set()
    for display in range(1, DISPLAYS + 1):
        hands = np.stack([narrow_hand(rng, display) for _ in range(HANDS)])
        states, views = seen(game, display, hands)
        searched = [standing.lacking(states[i : i + 1], 0) for i in range(HANDS)]
        points = views[:, game.view["aux"].stop - 1]
        found = (-points - game.player.worth(game, game.conceal(states, 0))) / LACKING
        for hand, ours, theirs in zip(hands, found, searched, strict=True):
            assert ours == theirs, (display, np.repeat(np.arange(TYPES), hand).tolist())
        lacking |= set(found)
    assert len(lacking) > 8, "all hands are alike: the case says little"


def test_a_hand_with_all_copies_of_a_card_changes_no_other_table():
    """A fifth 3C would have the number of this hand under Display Card 14, which asks for other sets."""
    game = tantra_envs.game("tantra", players=3, n_packs=4)
    hands = ["3C 3C 3C 3C 5H 6H 7H 8S 9S JD QD KD", "JK", "JK"]
    first, second = (
        game.conceal(game.from_position({"display": display, "wild": wild, "hands": hands}), 0)
        for display, wild in ((10, "A"), (14, None))
    )
    described = game.describe(np.concatenate([first, second]))
    _, _, alone, table_alone = game.describe(second)
    assert np.array_equal(described.features[described.rows == 1], alone)
    assert np.array_equal(described.tables[1:], table_alone)
