"""Checks of hidden information: nobody sees what they must not, and redealing forgets the truth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.game import Game
from ..core.state import States
from .play import choose, where

Invariants = Callable[[Game, States], None]  # raises AssertionError where a table cannot be


def check_leak(game: Game, state: States, seed: int) -> None:
    """With everything a seat cannot know drawn again, all it is shown stays the same to the last byte.

    So does what every seat is shown, when that is drawn again which no seat knows.
    """
    for seat in range(game.players):
        seen = _shown(game, state, seat)
        for observer in (seat, seat, None):
            seed += 1
            shown = _shown(game, game.redeal(state, seed, observer), seat)
            for name, value in seen.items():
                assert shown[name] == value, (
                    f"{where(game, state)}: the {name} of seat {seat} tells what it cannot know"
                )


def _shown(game: Game, state: States, seat: int) -> dict[str, object]:
    """All that `seat` is shown of a table."""
    shown: dict[str, object] = {
        "observation": game.observation(state, seat).tobytes(),
        "info": {key: int(numbers[0]) for key, numbers in game.episode_info(state).items()},
        "picture": game.picture(state, seat),
    }
    if game.fields is not None:
        shown["record"] = game.conceal(state, seat).tobytes()
    if seat == state["seat"][0]:
        shown["mask"] = game.mask(state).tobytes()
        shown["action words"] = [game.action_name(state, action) for action in range(game.actions.size)]
    return shown


def check_known(game: Game, state: States) -> None:
    """A concealed table holds all that its observer is shown, and concealing it once more changes nothing."""
    if game.fields is None:
        return
    for seat in range(game.players):
        at = f"{where(game, state)}: what seat {seat} knows"
        known = game.conceal(state, seat)
        assert game.conceal(known, 0).tobytes() == known.tobytes(), f"{at} holds more than it may"
        seen = game.observation(known, 0), game.observation(state, seat)
        assert seen[0].tobytes() == seen[1].tobytes(), f"{at} gives another observation"
        if seat == state["seat"][0]:
            assert (game.mask(known) == game.mask(state)).all(), f"{at} has other legal actions"


def check_redeal(game: Game, state: States, seed: int, invariants: Invariants | None = None) -> bool:
    """Redealt tables are possible ones, depend on the seed and on what a seat knows, and never on the truth.

    Returns whether another seed drew anything differently, the random stream apart.
    """
    before, changed = state.tobytes(), False
    for seat in (*range(game.players), None):
        at = f"{where(game, state)}: redeal for {'all seats' if seat is None else f'seat {seat}'}"
        redealt = game.redeal(state, seed, seat)
        assert state.tobytes() == before, f"{at} changed the table itself"
        assert game.redeal(state, seed, seat).tobytes() == redealt.tobytes(), f"{at} differs for the same seed"
        other = game.redeal(state, seed + 1, seat)
        assert (other["rng"] != redealt["rng"]).any(), f"{at} keeps the random stream"
        # Both tables look alike to the seat: from either the same seed must lead to the same table.
        assert game.redeal(other, seed, seat).tobytes() == redealt.tobytes(), f"{at} reads the truth"
        changed |= _without_chance(redealt) != _without_chance(other)
        _check_possible(game, redealt, seed, invariants)
    return changed


def _without_chance(state: States) -> bytes:
    state = state.copy()
    state["rng"] = 0
    return state.tobytes()


def _check_possible(game: Game, state: States, seed: int, invariants: Invariants | None) -> None:
    """The table, and the one after a move from it, breaks no rule."""
    if invariants:
        invariants(game, state)
    if not state["over"][0]:
        game.apply_action(state, choose(game.mask(state), np.random.default_rng(seed)))
        if invariants:
            invariants(game, state)
