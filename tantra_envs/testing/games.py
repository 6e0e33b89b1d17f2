"""`check_game`: all promises of a game, tested in whole games of random play."""

from __future__ import annotations

from itertools import chain

import numpy as np

from ..core.admission import check_consistent
from ..core.game import Game
from ..core.state import States
from .batch import GoesOn, check_batch
from .play import expect, no_refusal, play, where
from .positions import check_illegal_actions, check_mask, check_position, check_scripted, check_views, check_words
from .secrets import Invariants, check_known, check_leak, check_redeal

KEPT = 3  # tables of each phase, in each game, that the slow checks use
SHORT = 5  # limit of actions that `check_cutoff` sets


def check_game(
    game: Game,
    *,
    games: int = 2,
    seed: int = 0,
    invariants: Invariants | None = None,
    zero_sum: bool = False,
    hides: bool | None = None,
    goes_on: GoesOn | None = None,
) -> set[str]:
    """Run all checks of this package over random games; return the names of the phases that they reached.

    Args:
        game: The game.
        games: Number of games.
        seed: Seed of the first game.
        invariants: Called as `invariants(game, state)` at every table. It raises AssertionError for an impossible
            table, for example for a card in two places.
        zero_sum: True if the returns of a game must add up to 0.
        hides: True if the game must hide something from some seat. None = so it is with two or more seats, unless the
            table of fields lets every seat see every field.
        goes_on: See `check_batch`.

    Raises:
        AssertionError: A promise is broken. The message describes which one, and where.
    """
    rng = np.random.default_rng(seed)
    phases: set[str] = set()
    redrawn = False
    for number in range(seed, seed + games):
        samples = _check_play(game, number, rng, invariants, zero_sum)
        for state in chain(*samples.values()):
            redrawn |= check_table(game, state, int(rng.integers(2**32)), invariants)
        check_same_seed(game, number)
        phases |= samples.keys()
    secret = [field.name for field in game.fields if field.seen_by != "all" and field.name != "rng"]
    expect(
        redrawn or not (game.players > 1 and secret if hides is None else hides),
        f"{game.name}: redeal never changes anything, but hidden from some seat: {', '.join(secret) or 'nothing'}",
    )
    check_batch(game, seed, goes_on=goes_on)
    check_cutoff(game, seed)
    return phases


def _check_play(
    game: Game, seed: int, rng: np.random.Generator, invariants: Invariants | None, zero_sum: bool
) -> dict[str, list[States]]:
    """Run the fast checks at every table of a random game; return some of the tables by phase, for the slow checks."""
    samples: dict[str, list[States]] = {}
    returns, played = np.zeros(game.players), list[States]()
    for state in play(game, seed):
        played.append(state.copy())
        check_mask(game, state)
        if invariants:
            invariants(game, state)
        returns += state["rewards"][0][: game.players]
        check_partners(game, state)
        _keep(samples.setdefault(game.phases[state["phase"][0]], []), state, rng)
    with no_refusal(f"{game.name}: seed {seed} plays a table that its own check refuses"):
        check_consistent(game, np.concatenate(played))
    expect(
        not zero_sum or abs(returns.sum()) < 1e-9,
        f"{game.name}: seed {seed} has returns that do not add up to 0: {returns}",
    )
    return samples


def check_table(game: Game, state: States, seed: int, invariants: Invariants | None = None) -> bool:
    """Run all checks of a single table; return whether redealing depends on the seed."""
    check_words(game, state)
    check_position(game, state)
    check_views(game, state)
    check_illegal_actions(game, state)
    check_leak(game, state, seed)
    check_known(game, state)
    check_scripted(game, state)
    return check_redeal(game, state, seed, invariants)


def _keep(sample: list[States], state: States, rng: np.random.Generator) -> None:
    """Keep the first table of a phase and a random selection of the later ones."""
    if len(sample) < KEPT:
        sample.append(state.copy())
    elif rng.random() < 1 / KEPT:
        sample[1 + int(rng.integers(KEPT - 1))] = state.copy()


def check_partners(game: Game, state: States) -> None:
    """Check that partners get equal rewards."""
    for team in game.partners:
        rewards = state["rewards"][0][list(team)]
        expect(
            (rewards == rewards[0]).all(), f"{where(game, state)}: the partners {team} get different rewards, {rewards}"
        )


def check_same_seed(game: Game, seed: int) -> None:
    """Check that one seed and equal actions give equal tables, byte for byte."""
    for one, other in zip(play(game, seed), play(game, seed), strict=True):
        expect(one.tobytes() == other.tobytes(), f"{where(game, one)}: seed {seed} gives two different tables")


def check_cutoff(game: Game, seed: int) -> None:
    """Check that a game with a low limit of actions is truncated there, unless its rules end it earlier."""
    short = game.build(**{**game.config, game.cutoff: SHORT})
    for state in play(short, seed):
        plies, cut_off = int(state["plies"][0]), bool(state["truncated"][0])
        expect(plies <= SHORT, f"{where(short, state)}: {game.cutoff}={SHORT} does not end the game")
        expect(plies >= SHORT or not cut_off, f"{where(short, state)}: {game.cutoff}={SHORT} ends it too early")
