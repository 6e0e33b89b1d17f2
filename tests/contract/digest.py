"""Play some games and print a digest of every table, view and mask: `python -m tests.contract.digest karma`.

Run under other settings of the compiler, the same digest says that they play the same games.
"""

from __future__ import annotations

import hashlib
import os
import sys

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.testing import check_batch, play

from .games import contract

SEED = 0


def digest(game: Game) -> str:
    """All there is to see in a whole game."""
    seen = hashlib.sha256()
    for state in play(game, SEED):
        seen.update(state.tobytes())
        seen.update(game.mask(state).tobytes())
        for seat in range(game.players):
            seen.update(game.observation(state, seat).tobytes())
        seen.update(game.redeal(state, SEED, int(state["seat"][0])).tobytes())
    return seen.hexdigest()


def digests(name: str) -> list[str]:
    """One digest for each of the first tables of a game, batched play being checked on the first.

    Not where every index is checked: that compiles anew, and the loops around the kernels would take half of the time.
    """
    games = [tantra_envs.game(name, **config) for config in contract(name).TABLES[:3]]
    if not os.environ.get("NUMBA_BOUNDSCHECK"):
        check_batch(games[0], seed=0, tables=2)
    return [digest(game) for game in games]


if __name__ == "__main__":
    print(*digests(sys.argv[1]))
