"""`python -m tantra_envs check`: run the tests of `tantra_envs.testing` on the installed games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ..cli import user_errors
from ..configuration import game as configured
from ..configuration import variants
from ..core.game import Game
from ..core.state import States
from ..envs.aec import TableEnv
from ..games import GAMES
from ..testing import check_env, check_game
from .parsing import Parser

STEPS = 60  # limit of actions at the table that is saved and loaded repeatedly


def main(argv: Sequence[str] | None = None) -> int:
    """Check games and environments. Return 1 if a check fails, otherwise 0."""
    parser = Parser("check", "Check games and environments of the library.", "karma karma:sixty")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="Game, or GAME:VARIANT. [default: all games and variants]"
    )
    parser.add_argument("--seed", type=int, default=0, help="Seed of the games that are played. [default: %(default)s]")
    arguments = parser.parse_args(argv)
    with user_errors("train"):
        games = {name: configured(name) for name in arguments.games or _all()}
    passed = [_passes(name, game, arguments.seed) for name, game in games.items()]
    print(f"{sum(passed)} of {len(passed)} pass every check")
    return 0 if all(passed) else 1


def _all() -> list[str]:
    return [name for game in GAMES for name in (game, *(f"{game}:{variant}" for variant in variants(game)))]


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
