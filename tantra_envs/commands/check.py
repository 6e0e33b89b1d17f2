"""`python -m tantra_envs check`: run the tests of `tantra_envs.testing` on the installed games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..configuration import game as configured
from ..configuration import variants
from ..core.game import Game
from ..core.state import States
from ..envs.aec import TableEnv
from ..games import GAMES
from ..programs import cli
from ..testing import check_env, check_game

STEPS = 60  # limit of actions at the table that is saved and loaded repeatedly


@dataclass(frozen=True)
class Args:
    """Check games and environments of the library.

    Example: python -m tantra_envs check karma karma:sixty
    """

    games: tuple[str, ...] = ()
    """Game, or GAME:VARIANT. [default: all games and variants]"""
    seed: cli.Natural = field(default=0, kw_only=True)
    """Seed of the games that are played."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check games and environments. Return 1 if a check fails, otherwise 0."""
    with cli.user_errors("train"):
        options = cli.read(Args, "tantra_envs check", argv)
        every = [name for game in GAMES for name in (game, *(f"{game}:{variant}" for variant in variants(game)))]
        games = {name: configured(name) for name in options.games or every}
    passed = [_passes(name, game, options.seed) for name, game in games.items()]
    print(f"{sum(passed)} of {len(passed)} pass every check")
    return 0 if all(passed) else 1


def _passes(name: str, game: Game, seed: int) -> bool:
    """Check a game and its environment, and print the result."""
    begun = time.perf_counter()
    try:
        check_game(game, games=1, seed=seed, goes_on=_goes_on)
        short = game.build(**{**game.config, game.cutoff: STEPS})
        check_env(lambda: TableEnv(short), seed)
    except AssertionError as broken:
        print(f"{name}: {broken}", flush=True)
        return False
    print(f"{name}: ok, {time.perf_counter() - begun:.1f} s", flush=True)
    return True


def _goes_on(game: Game, ended: States) -> dict[str, Any]:
    """Return the options of the next deal: in Tantra with Display Cards in order, the next card."""
    if game.config.get("display_order", "shuffled") == "shuffled" or not game.config["display_carry"]:
        return {}
    pile = game.config["display_cards"] or tuple(range(1, 45))
    return {"display": pile[(pile.index(ended["display"][0]) + 1) % len(pile)]}
