"""Wrong positions of every game: refused with a ValueError that names the field, or read and kept exactly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tantra_envs
from tantra_envs.core.game import Game, Position
from tantra_envs.games import SHIPPED
from tantra_envs.testing import play

from ..games.fuzz_positions import check, wrong
from .games import contract, words


def good_positions() -> Iterator[tuple[str, Game, Position]]:
    """Names, games and the positions to be changed: of games played, dealt and set up."""
    for name in SHIPPED:
        for config, seed in contract(name).PLAYED:
            game = tantra_envs.game(name, **config)
            for phase, position in last_of_every_phase(game, seed).items():
                yield f"{name} {words(config)} {phase}", game, position
            yield f"{name} {words(config)} dealt", game, game.position(game.new(3))
        for config, position in contract(name).SET_UP:
            game = tantra_envs.game(name, **config)
            state = game.from_position(position)
            yield f"{name} {words(config)} set up", game, {**game.position(state), **position}
            yield f"{name} {words(config)} set up, written in full", game, game.position(state, full=True)


def last_of_every_phase(game: Game, seed: int) -> dict[str, Position]:
    """The last table in every phase of a game played at random."""
    tables = {game.phases[state["phase"][0]]: state.copy() for state in play(game, seed)}
    return {phase: game.position(state, full=True) for phase, state in tables.items()}


GOOD = {name: (game, position) for name, game, position in good_positions()}


@pytest.mark.parametrize(("game", "position"), GOOD.values(), ids=GOOD)
def test_wrong_values_are_refused_by_name_or_kept(game, position):
    for field, value in wrong(position):
        check(game, position, field, value)
