"""Observations against the meanings of their blocks, in every configuration: kernels and NumPy give equal numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.blocks import Block, ViewBlocks
from tantra_envs.core.game import Game
from tantra_envs.core.playouts import chosen
from tantra_envs.core.state import States

from .games import configurations, words

TABLES, STEPS = 24, 300
POSITIONS = 1000  # for each configuration, so 100,000 in all


def positions(game: Game) -> States:
    """Return tables (POSITIONS,) of games of random actions, half of them with nine of ten by the scripted agent."""
    rng, tables = np.random.default_rng(5), np.arange(TABLES)
    states, streams, actions = game.blanks(TABLES), rng.integers(0, 2**32, (TABLES, 4)), np.zeros(TABLES, np.int64)
    game.drivers.deal_rows(states, tables, tables)
    kept = []
    for step in range(STEPS):
        kept.append(states[rng.random(TABLES) < 1.2 * POSITIONS / (STEPS * TABLES)])
        over = np.flatnonzero(states["over"])
        game.drivers.deal_rows(states, over, over + TABLES * (step + 1))
        seats = states["seat"].astype(np.int64)
        _, masks = game.views(states, seats)
        game.drivers.sample_legal(masks, streams, actions, 0, TABLES)
        if step % 10 and game.player is not None and game.config.get("encoding", "compact") == "compact":
            half = slice(0, TABLES // 2)
            actions[half] = chosen(game, game.conceal(states[half], seats[half]), masks[half])
        game.drivers.apply_rows(states, tables, actions)
    return np.concatenate(kept)[:POSITIONS]


@pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
def test_every_number_is_what_its_block_says(name: str, config: dict[str, Any]) -> None:
    game = tantra_envs.game(name, **config)
    states = positions(game)
    seats = np.where(np.arange(len(states)) % 2, states["seat"], np.arange(len(states)) // 2 % game.players)
    meant, (narrow, _) = game.view.meant(game.conceal(states, seats)), game.views(states, seats)
    wrong = np.argwhere(narrow != meant)
    if len(wrong):
        k, i = wrong[0]
        block = game.view.at(int(i))
        where = f"{block.name}[{i - block.start}] of seat {seats[k]} is {narrow[k, i]}, by its meaning {meant[k, i]}"
        raise AssertionError(f"{where}, in {game.position(states[k : k + 1])}")


def test_a_block_without_a_meaning_or_with_too_many_numbers_is_refused() -> None:
    game = tantra_envs.game("karma")
    known = game.conceal(game.new(1), 0)
    with pytest.raises(ValueError, match="hand: of="):
        ViewBlocks(Block("hand", 20, "")).meant(known)
    with pytest.raises(ValueError, match=r"hand: .* 240 numbers; allowed: 20"):
        ViewBlocks(Block("hand", 20, "", of=lambda k: k["hands"])).meant(known)
