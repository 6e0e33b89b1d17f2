"""The kernels against a second Karma written from the rulings: whole games side by side, every move compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tantra_envs

from .reference import Model, deck_from_seed

SWITCHES = (
    *("auto_setup", "setup_hidden", "voluntary_pickup", "follow_optional"),
    *("chain_clears", "karma_sets", "surfaced_counts", "give_to_out"),
)


def assert_same_game(seed: int, **config: object) -> None:
    game = tantra_envs.game("karma", **config)
    dealer, deck = deck_from_seed(
        seed, game.players, game.config["copies"] * game.config["decks"], game.config["dealer"]
    )
    state, model, rng = game.new(seed), Model(game.config, dealer, deck), np.random.default_rng(seed)
    while True:
        position = game.position(state)
        for field, value in model.position().items():
            assert position[field] == value, f"seed {seed}, move {model.moves}: {field}"
        legal = [game.action_name(state, action) for action in game.legal(state)]
        assert set(legal) == model.legal() and len(legal) == len(model.legal()), f"seed {seed}, move {model.moves}"
        if not legal:
            return
        words = legal[rng.integers(len(legal))]
        game.apply_action(state, game.parse_action(state, words))
        model.apply(words)


VARIANTS = [name for name, options in tantra_envs.variants("karma").items() if "deck_cards" not in options]


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_variants_play_like_the_model(name, players):
    config = {**tantra_envs.variants("karma")[name], "players": players}
    for seed in range(3):
        assert_same_game(seed, **config)


@st.composite
def configurations(draw):
    copies, decks = draw(st.sampled_from([2, 3])), draw(st.sampled_from([1, 2]))
    players = draw(st.integers(2, min(12, 20 * copies * decks // 9)))
    return {
        "copies": copies,
        "decks": decks,
        "players": players,
        "clear_set": draw(st.sampled_from([0, 2, 3])),
        "refill": draw(st.sampled_from([0, 3, 3, 6])),
        "dealer": draw(st.integers(-1, players - 1)),
        "table_cards": draw(st.integers(1, 3)),
        "hand_size": draw(st.integers(1, 3)),
        "five_limit": draw(st.integers(1, 16)),
        "max_moves": draw(st.sampled_from([0, 1, 7, 60])),
        **{name: draw(st.booleans()) for name in SWITCHES},
    }


@settings(max_examples=40)
@given(config=configurations(), seed=st.integers(0, 2**64 - 1))
def test_any_configuration_plays_like_the_model(config, seed):
    assert_same_game(seed, **config)
