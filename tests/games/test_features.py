"""Columns of action features have names, and the arrays have as many columns as there are names."""

import keyword
import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games import SHIPPED

from .features import action_features

MODES = {"tantrix": [{"mode": mode} for mode in ("strategy", "solitaire", "gobble")]}
GAMES = [(name, config) for name in SHIPPED for config in MODES.get(name, [{}])]
INDEXED = re.compile(r"one-hot: |\b(type|card|class|honour|case) [a-z]\b|\bme \+ (1 \+ )?[a-z]\b|\b0 ")

each_game = pytest.mark.parametrize(("name", "config"), GAMES, ids=str)


@each_game
def test_every_column_has_a_name_of_its_own(name, config):
    features = tantra_envs.game(name, **config).features
    for blocks in (features.of_action, features.of_table):
        names = [block.name for block in blocks]
        assert all(name.isidentifier() and name.islower() and not keyword.iskeyword(name) for name in names)
        assert len(set(blocks.columns)) == blocks.size == sum(block.size for block in blocks)
        assert blocks.starts._asdict() == {block.name: block.start for block in blocks}


@each_game
def test_every_block_says_what_its_numbers_are(name, config):
    """A block of several numbers says what index i is: by a letter, or by a list."""
    features = tantra_envs.game(name, **config).features
    for blocks in (features.of_action, features.of_table):
        descriptions = [block.description for block in blocks]
        assert all(descriptions) and len(set(descriptions)) == len(descriptions)
        assert not [block for block in blocks if block.size > 1 and not INDEXED.search(block.description)]
        assert not [text for text in descriptions if "|" in text or "\n" in text]  # they are cells of a table


@each_game
def test_features_have_a_number_for_every_name(name, config):
    game = tantra_envs.game(name, **config)
    state = game.new(1)
    _, rows, table = action_features(game, state, int(state["seat"][0]))
    assert (rows.shape[1], len(table)) == (game.features.of_action.size, game.features.of_table.size)
    assert np.isfinite(rows).all() and np.isfinite(table).all()
