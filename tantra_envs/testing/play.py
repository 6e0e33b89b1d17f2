"""Random play, on which all checks are based."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from ..core.game import Game, Mask
from ..core.state import States

ENDLESS = 1_000_000  # decisions after which we assume that a game has no limit


def play(game: Game, seed: int) -> Iterator[States]:
    """Play a game of uniformly random legal actions; yield its table, shape (1,), before every decision and at the end.

    All yields are one array that is changed in place: copy what you want to keep. The game is over at the last one.

    Raises:
        AssertionError: The game does not end, or it has no legal action before its end.
    """
    state, rng = game.new(seed), np.random.default_rng(seed)
    yield state
    for _ in range(ENDLESS):
        if state["over"][0]:
            return
        game.apply_action(state, choose(game.mask(state), rng))
        yield state
    raise AssertionError(f"{game.name}: the game of seed {seed} does not end; give it a limit of actions")


def choose(mask: Mask, rng: np.random.Generator) -> int:
    """Return a uniformly random legal action; raise AssertionError if `mask` has none."""
    legal = np.flatnonzero(mask)
    expect(len(legal), "no action is legal, but the game is not over")
    return int(legal[rng.integers(len(legal))])


def expect(fits: object, broken: str) -> None:
    """Raise AssertionError, which says what is broken, unless `fits`."""
    if not fits:
        raise AssertionError(broken)


@contextlib.contextmanager
def no_refusal(broken: str) -> Iterator[None]:
    """Turn a ValueError inside the block into an AssertionError that says what is broken."""
    try:
        yield
    except ValueError as error:
        raise AssertionError(f"{broken}: {error}") from error


def where(game: Game, state: States) -> str:
    """Return the game, the number of actions and the phase of a table, for messages."""
    s = state[0]
    return f"{game.name} {game.options.changed(game.config)}, action {s['plies']}, {game.phases[s['phase']]}"
