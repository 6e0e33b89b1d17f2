"""Prompts for language models say everything that the observation of a seat has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import tantra_envs
from tantra_envs.adapters.text import prompt
from tantra_envs.core.game import Position
from tantra_envs.games import SHIPPED
from tantra_envs.testing import play

from .games import contract

TABLES, EDITS = 30, 3  # positions, and edits of every kind in every entry of a position
Where = tuple[str | int, ...]


def leaves(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Yield every number and word of a position with its place."""
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*where, key))
    else:
        yield where, value


def entry(where: Where) -> Where:
    """Return the entry that a place belongs to: all cards of all hands are one."""
    return tuple("*" if isinstance(key, int) else key for key in where)


def put(position: Position, where: Where, value: Any) -> Position:
    """Return the position with another value in one place."""
    edited: Any = deepcopy(position)
    part = edited
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    return edited  # type: ignore[no-any-return]


def edits(positions: list[Position], rng: np.random.Generator) -> Iterator[tuple[Position, Position]]:
    """Yield positions, each with one edit: a value or a field of another position, or two values exchanged."""
    places = defaultdict(list)
    for position in positions:
        for where, value in leaves(position):
            places[entry(where)].append((position, where, value))
    for found in places.values():
        for _ in range(EDITS):
            position, where, value = found[rng.integers(len(found))]
            other, _, another = found[rng.integers(len(found))]
            yield position, put(position, where, another)
            yield position, {**position, str(where[0]): other[str(where[0])]}
            mine = [place for place in leaves(position) if type(place[1]) is type(value)]
            there, swapped = mine[rng.integers(len(mine))]
            yield position, put(put(position, where, swapped), there, value)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_block_of_the_observation_has_its_words(name):
    """Positions that differ in one fact, and therefore in the observation, differ in the prompt."""
    game, rng = tantra_envs.game(name, **contract(name).BASE), np.random.default_rng(1)
    tables = [state.copy() for state in play(game, 1) if not state["over"][0]]
    chosen = [tables[i] for i in rng.permutation(len(tables))[:TABLES]]
    positions = [game.position(state, full=True) for state in chosen]
    for position in positions:
        del position["rng"]
    told = set()
    for position, edited in edits(positions, rng):
        try:
            before, after = (game.from_position(each) for each in (position, edited))
        except ValueError:
            continue  # no table can stand like this
        seat = int(before["seat"][0])
        views = [game.observation(state, seat) for state in (before, after)]
        blocks = {block.name for block in game.view if (views[0][block.slice] != views[1][block.slice]).any()}
        if blocks and seat == after["seat"][0] and not after["over"][0]:
            assert prompt(game, before, seat) != prompt(game, after, seat), (blocks, edited)
            told |= blocks
    assert told
