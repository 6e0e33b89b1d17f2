"""`check_game`: every promise of a game, over whole games of random play."""

from __future__ import annotations

from itertools import chain

import numpy as np

from ..core.game import Game
from ..core.state import States
from .batch import GoesOn, check_batch
from .play import play, where
from .positions import check_illegal_actions, check_mask, check_position, check_views, check_words
from .secrets import Invariants, check_known, check_leak, check_redeal

KEPT = 6  # tables of each phase that the slower checks look at, in each game
SHORT = 5  # actions to which the cut-off is set


def check_game(
    game: Game,
    *,
    games: int = 2,
    seed: int = 0,
    invariants: Invariants | None = None,
    zero_sum: bool = False,
    hides: bool = True,
    goes_on: GoesOn | None = None,
) -> set[str]:
    """All checks of this package over `games` random games; returns the names of the phases they reached.

    `invariants(game, state)` is asked at every table and raises AssertionError where a rule is broken: a card
    in two places, say. Partners must be paid alike. `zero_sum`: the returns of a game must add up to nothing.
    `hides`: something must be hidden from somebody. `goes_on`: as in `check_batch`. AssertionError names what breaks
    which promise.
    """
    rng = np.random.default_rng(seed)
    phases: set[str] = set()
    redrawn = False
    for number in range(seed, seed + games):
        kept: dict[str, list[States]] = {}
        returns = np.zeros(game.players)
        for state in play(game, number):
            check_mask(game, state)
            if invariants:
                invariants(game, state)
            returns += state["rewards"][0][: game.players]
            check_partners(game, state)
            _keep(kept.setdefault(game.phases[state["phase"][0]], []), state, rng)
        assert not zero_sum or abs(returns.sum()) < 1e-9, f"{game.name}: seed {number} pays {returns} in all"
        game.check_consistent(np.concatenate([*chain(*kept.values())]))
        for state in chain(*kept.values()):
            redrawn |= check_table(game, state, int(rng.integers(2**32)), invariants)
        check_same_seed(game, number)
        phases |= kept.keys()
    assert redrawn or not hides, f"{game.name}: redealing draws nothing anew"
    check_batch(game, seed, goes_on=goes_on)
    check_cutoff(game, seed)
    return phases


def check_table(game: Game, state: States, seed: int, invariants: Invariants | None = None) -> bool:
    """All checks of a single table; returns whether redealing depends on the seed."""
    check_words(game, state)
    check_position(game, state)
    check_views(game, state)
    check_illegal_actions(game, state)
    check_leak(game, state, seed)
    check_known(game, state)
    return check_redeal(game, state, seed, invariants)


def _keep(kept: list[States], state: States, rng: np.random.Generator) -> None:
    """The first table of a phase, the last one, and some between."""
    if len(kept) < KEPT:
        kept.append(state.copy())
    elif rng.random() < 1 / KEPT:
        kept[1 + int(rng.integers(KEPT - 1))] = state.copy()


def check_partners(game: Game, state: States) -> None:
    """Who plays together is paid alike."""
    for team in game.partners:
        paid = state["rewards"][0][list(team)]
        assert (paid == paid[0]).all(), f"{where(game, state)}: the partners {team} are paid {paid}"


def check_same_seed(game: Game, seed: int) -> None:
    """The same seed and actions give the same tables, byte for byte."""
    for one, other in zip(play(game, seed), play(game, seed), strict=True):
        assert one.tobytes() == other.tobytes(), f"{where(game, one)}: seed {seed} gives two different tables"


def check_cutoff(game: Game, seed: int) -> None:
    """A game under a short cut-off ends there as truncated, or earlier by its rules."""
    short = game.build(**{**game.config, game.cutoff: SHORT})
    for state in play(short, seed):
        plies, cut_off = int(state["plies"][0]), bool(state["truncated"][0])
        assert plies <= SHORT, f"{where(short, state)}: {game.cutoff}={SHORT} does not end the game"
        assert plies == SHORT or not cut_off, f"{where(short, state)}: {game.cutoff}={SHORT} ends it too early"
