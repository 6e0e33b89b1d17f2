"""Make the puzzle of a kind and a seed."""

from __future__ import annotations

import functools
import threading
from typing import Any

from .. import games
from ..core.draws import Draws
from ..core.game import as_seed, is_whole
from ..core.options import require
from ..core.posed import Kind
from ..extras import module_in
from .puzzle import Puzzle

# Seeds of the puzzles to train with, and of those that a benchmark must use.
SPLITS = {"train": range(1_000_000), "test": range(1_000_000, 2_000_000)}
_ONE_AT_A_TIME = threading.Lock()  # the arrays of a search serve one puzzle
MOST_TRIES = 20_000  # tables that are tried for one puzzle; the rarest kinds need about 60


def kinds(game: str | None = None) -> dict[str, str]:
    """Return the kinds of puzzles by name, such as "karma/win", with the task of each; of one game, or of all.

    Raises:
        ValueError: There is no such game, or it has no puzzles.
    """
    names = games.GAMES if game is None else (game,)
    return {f"{name}/{kind}": entry.task for name in names for kind, entry in _kinds(name, required=bool(game)).items()}


def make(kind: str, seed: int = 0) -> Puzzle:
    """Return the puzzle of a kind and a seed.

    Args:
        kind: The name of a kind, such as "karma/win", or of a game. The kinds of a game take turns by seed.
        seed: The seed. `SPLITS` has those for training and for tests.

    Raises:
        ValueError: There is no such kind, or the seed is not a whole number.
    """
    game, name = check_kind(kind)
    available = _kinds(game)
    require("seed", seed, is_whole(seed) and seed >= 0, "0, 1, 2, ..")
    return _made(game, name or list(available)[int(seed) % len(available)], as_seed(int(seed)))


def check_kind(kind: str) -> tuple[str, str]:
    """Return the game and the kind in a name such as "karma/win"; the kind is "" for a game.

    Raises:
        ValueError: There is no such kind.
    """
    game, _, name = kind.partition("/") if isinstance(kind, str) else (kind, "", "")
    if name not in ("", *_kinds(game)):
        raise ValueError(f"kind={kind!r} is not allowed; allowed: {game}, {', '.join(kinds(game))}")
    return game, name


@functools.lru_cache(maxsize=1024)  # trainers ask for the same puzzle many times
def _made(game: str, name: str, seed: int) -> Puzzle:
    kind, draws = _kinds(game)[name], Draws(f"{game}/{name}", seed)
    with _ONE_AT_A_TIME:
        for _ in range(MOST_TRIES):
            if posed := kind.pose(draws):
                posed.game.check_consistent(posed.state)
                return Puzzle(f"{game}/{name}", seed, posed, kind.several)
    raise RuntimeError(f"{game}/{name}: none of {MOST_TRIES:,} tables with seed={seed} is a puzzle; take another seed")


def _kinds(game: str, required: bool = True) -> dict[str, Kind]:
    """Return the kinds of a game by name; {} or ValueError if it has none."""
    if isinstance(game, str) and game in games.GAMES and (module := _puzzles_of(game)):
        found: dict[str, Kind] = module.KINDS
        return found
    if required:
        named = list(filter(_puzzles_of, games.GAMES))
        raise ValueError(f"game={game!r} is not allowed: it has no puzzles; allowed: {', '.join(named)}")
    return {}


def _puzzles_of(game: str) -> Any:
    return module_in(f"{games.__name__}.{game}", "words.puzzles")
