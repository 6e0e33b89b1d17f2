"""Checks of a scripted agent: it plays legal actions, and its kernels and functions agree."""

from __future__ import annotations

import numpy as np

from ..core.game import Game, Player
from ..core.playouts import Playouts, chosen, standings
from ..core.state import States
from .play import where

HORIZON = 1  # of a playout, in units of the agent's clock


def check_scripted(game: Game, state: States) -> None:
    """Check the scripted agent, if the game has one, at a table (1,) where a seat decides.

    Raises:
        AssertionError: Its action is illegal or is not the first one that it rates highest, or a rating, `worth` or
            `standing` is not a number.
    """
    if game.player is None or state["over"][0] or not _plays(game, game.player):
        return
    at = f"{where(game, state)}: the scripted agent"
    known, mask = game.conceal(state, int(state["seat"][0])), game.mask(state)
    action = int(chosen(game, known, mask[None])[0])
    if not 0 <= action < len(mask) or not mask[action]:
        raise AssertionError(f"{at} chooses {action}; legal: {game.legal(state)}")
    ratings = Playouts(game).rate(known, mask[None])[0]
    if not (np.isfinite(ratings) == (mask == 1)).all():
        raise AssertionError(f"{at} must rate illegal actions, and only these, with -inf")
    if ratings.argmax() != action:
        raise AssertionError(f"{at} chooses {action} but rates {int(ratings.argmax())} highest")
    worth = np.asarray(game.player.worth(game, known))
    if worth.shape != (1,) or not np.isfinite(worth).all():
        raise AssertionError(f"{at}: `worth` returns {worth!r} for one table")
    values = standings(game, state)
    if not np.isfinite(values).all():
        raise AssertionError(f"{at}: `standing` returns {values[0]}")
    Playouts(game).run(state.copy(), horizon=HORIZON)


def _plays(game: Game, player: Player) -> bool:
    """Return whether the scripted agent plays with the options of the game: those of Tantrix refuse some encodings."""
    try:
        player.prepare(game)
    except ValueError:
        return False
    return True
