"""Wrong positions of every game: refused with a ValueError that names the field, or read and kept exactly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby, islice

import pytest

import tantra_envs
from tantra_envs.core.game import Game, Position
from tantra_envs.games import SHIPPED
from tantra_envs.testing import play

from ..games.fuzz_positions import check, wrong
from .games import contract, words

PLAYED = [(name, *played) for name in SHIPPED for played in contract(name).PLAYED]
WHOLE = bool(os.environ.get("TANTRA_WHOLE_GAMES"))  # all values in all positions take minutes
SET_UP = [(name, *set_up) for name in SHIPPED for set_up in contract(name).SET_UP]


def last_of_every_phase(game: Game, seed: int) -> dict[str, Position]:
    """The last table in every phase of a game played at random."""
    tables = {game.phases[state["phase"][0]]: state.copy() for state in play(game, seed)}
    return {phase: game.position(state, full=True) for phase, state in tables.items()}


def check_wrong_values(game: Game, positions: Sequence[Position]) -> None:
    """Check all wrong values of every field: each in one of the positions, with its neighbours in the next ones."""
    share = 1 if WHOLE else len(positions)
    for number, position in enumerate(positions):
        for field, values in groupby(wrong(position), lambda pair: pair[0]):
            for _, value in islice(values, number % share, None, share):
                check(game, position, field, value)


@pytest.mark.parametrize(("name", "config", "seed"), PLAYED, ids=words)
def test_wrong_values_in_a_game_are_refused_by_name_or_kept(name, config, seed):
    game = tantra_envs.game(name, **config)
    check_wrong_values(game, [game.position(game.new(3)), *last_of_every_phase(game, seed).values()])


@pytest.mark.parametrize(("name", "config", "position"), SET_UP, ids=words)
def test_wrong_values_in_a_position_that_was_set_up_are_refused_by_name_or_kept(name, config, position):
    game = tantra_envs.game(name, **config)
    state = game.from_position(position)
    check_wrong_values(game, [{**game.position(state), **position}, game.position(state, full=True)])
