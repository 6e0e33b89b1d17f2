"""All checks of this package on the games that are installed: `python -m tantra_envs.testing [GAME[:VARIANT] ...]`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

from ..configuration import game as configured
from ..configuration import variants
from ..core.game import Game
from ..core.state import States
from ..envs.aec import TableEnv
from ..games import GAMES
from .envs import check_env
from .games import check_game

STEPS = 60  # of a table that is kept and loaded again and again


def main(words: Sequence[str] | None = None) -> int:
    """Check the games named, or all of them with all their variants: 1 if one breaks a promise, 2 if there is none."""
    parser = argparse.ArgumentParser(
        prog="python -m tantra_envs.testing",
        description="Check that games and environments keep every promise, over random play.",
        epilog="example: python -m tantra_envs.testing karma karma:sixty",
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="a game, or game:variant (default: all of both)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other games (0)")
    asked = parser.parse_args(words)
    try:
        games = {name: configured(name) for name in asked.games or _all()}
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    kept = [_keeps_its_promises(name, game, asked.seed) for name, game in games.items()]
    print(f"{sum(kept)} of {len(kept)} keep every promise")
    return 0 if all(kept) else 1


def _all() -> list[str]:
    return [name for game in GAMES for name in (game, *(f"{game}:{variant}" for variant in variants(game)))]


def _keeps_its_promises(name: str, game: Game, seed: int) -> bool:
    """Check a game and its environment, and tell how it went."""
    begun = time.perf_counter()
    try:
        check_game(game, games=1, seed=seed, hides=game.players > 1, goes_on=_goes_on)
        short = game.build(**{**game.config, game.cutoff: STEPS})
        check_env(lambda: TableEnv(short), seed)
    except AssertionError as broken:
        print(f"{name}: {broken}", flush=True)
        return False
    print(f"{name}: ok, {time.perf_counter() - begun:.1f} s", flush=True)
    return True


def _goes_on(game: Game, ended: States) -> dict[str, Any]:
    """What the next deal at a table is given: in Tantra, where Display Cards come by number, the next of them."""
    if game.config.get("display_order", "shuffled") == "shuffled" or not game.config["display_carry"]:
        return {}
    pile = game.config["display_cards"] or tuple(range(1, 45))
    return {"display": pile[(pile.index(ended["display"][0]) + 1) % len(pile)]}


if __name__ == "__main__":
    sys.exit(main())
