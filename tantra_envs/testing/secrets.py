"""Checks of hidden information: observations show no hidden cards, and redealing does not depend on them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from ..core.admission import check_consistent
from ..core.game import Game
from ..core.state import States
from .play import choose, expect, no_refusal, where

Invariants = Callable[[Game, States], None]  # raises AssertionError for an impossible table
DEALS = 16  # redeals that are compared: those of few cards can be equal by chance


def check_leak(game: Game, state: States, seed: int) -> None:
    """Check that everything a seat is shown stays equal when everything it cannot know is resampled.

    It must also stay equal when only that is resampled which no seat knows.
    """
    for seat in range(game.players):
        before, at = _shown(game, state, seat), where(game, state)
        for observer in (seat, seat, None):
            seed += 1
            after = _shown(game, game.redeal(state, seed, observer), seat)
            for name, value in before.items():
                expect(
                    after[name] == value,
                    f"{at}: the {name} of seat {seat} depends on what it cannot know, "
                    "or `redeal` changes what it knows",
                )


def _shown(game: Game, state: States, seat: int) -> dict[str, object]:
    """Return everything that `seat` is shown of a table."""
    parts: dict[str, object] = {
        "observation": game.observation(state, seat).tobytes(),
        "info": {key: int(numbers[0]) for key, numbers in game.episode_info(state).items()},
        "picture": game.picture(state, seat),
        "record": game.conceal(state, seat).tobytes(),
    }
    if seat == state["seat"][0]:
        parts["mask"] = game.mask(state).tobytes()
        parts["action words"] = [game.action_name(state, action) for action in range(game.actions.size)]
    return parts


def check_known(game: Game, state: States) -> None:
    """Check that a concealed table gives the observation of its seat, and that concealing it again changes nothing."""
    for seat in range(game.players):
        at = f"{where(game, state)}: the concealed table of seat {seat}"
        concealed = game.conceal(state, seat)
        expect(game.conceal(concealed, 0).tobytes() == concealed.tobytes(), f"{at} still has something to conceal")
        views = game.observation(concealed, 0), game.observation(state, seat)
        expect(views[0].tobytes() == views[1].tobytes(), f"{at} gives another observation")
        if seat == state["seat"][0]:
            expect((game.mask(concealed) == game.mask(state)).all(), f"{at} has other legal actions")


def check_redeal(game: Game, state: States, seed: int, invariants: Invariants | None = None) -> bool:
    """Check that redealt tables depend only on the seed and on what the seat knows.

    They must break no rule, neither at once nor one action later.

    Returns:
        True if another seed, of a few that are tried, changed anything except the random stream.
    """
    before, changed, possible = state.tobytes(), False, list[States]()
    for seat in (*range(game.players), None):
        at = f"{where(game, state)}: redeal for {'all seats' if seat is None else f'seat {seat}'}"
        redealt = game.redeal(state, seed, seat)
        expect(state.tobytes() == before, f"{at} changed the table itself")
        expect(game.redeal(state, seed, seat).tobytes() == redealt.tobytes(), f"{at} differs for the same seed")
        other = game.redeal(state, seed + 1, seat)
        expect((other["rng"] != redealt["rng"]).any(), f"{at} keeps the random stream")
        # The seat sees both tables as equal, so one seed must give one table from either.
        expect(game.redeal(other, seed, seat).tobytes() == redealt.tobytes(), f"{at} depends on the hidden cards")
        if not changed:
            others = chain([other], (game.redeal(state, seed + number, seat) for number in range(2, DEALS)))
            changed = any(_without_chance(one) != _without_chance(redealt) for one in others)
        possible += [redealt, _one_action_later(game, redealt, seed)]
    with no_refusal(f"{where(game, state)}: redeal gives a table that the check refuses"):
        check_consistent(game, np.concatenate(possible))
    if invariants:
        for table in possible:
            invariants(game, table)
    return changed


def _without_chance(state: States) -> bytes:
    state = state.copy()
    state["rng"] = 0
    return state.tobytes()


def _one_action_later(game: Game, state: States, seed: int) -> States:
    after = state.copy()
    if not state["over"][0]:
        game.apply_action(after, choose(game.mask(after), np.random.default_rng(seed)))
    return after
