"""Random play, the ground all checks stand on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.game import Game, Mask
from ..core.state import States

ENDLESS = 1_000_000  # decisions after which a game is taken to have no cut-off


def play(game: Game, seed: int) -> Iterator[States]:
    """A game of uniformly random legal actions: its table, shape (1,), before every decision and at the end.

    The same array is moved on in place: copy what is to be kept. The game is over when the last one has
    come. AssertionError if it never ends or nothing is legal before its end.
    """
    state, rng = game.new(seed), np.random.default_rng(seed)
    yield state
    for _ in range(ENDLESS):
        if state["over"][0]:
            return
        game.apply_action(state, choose(game.mask(state), rng))
        yield state
    raise AssertionError(f"{game.name}: seed {seed} has no end")


def choose(mask: Mask, rng: np.random.Generator) -> int:
    """A uniformly random legal action; AssertionError if `mask` has none."""
    legal = np.flatnonzero(mask)
    assert len(legal), "no action is legal, but the game is not over"
    return int(legal[rng.integers(len(legal))])


def where(game: Game, state: States) -> str:
    """The game, move and phase of a table, for messages."""
    s = state[0]
    return f"{game.name} {game.options.changed(game.config)}, move {s['plies']}, {game.phases[s['phase']]}"
