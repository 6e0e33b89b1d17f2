"""Damaged records of any game: one number changed in good ones, at every field and every depth.

`damaged(states)` yields (field, states) pairs. `survives(game, states)` reads what the game's own check lets pass, and
plays on: run in a process of its own, because what is looked for is above all a crash. Call it by
`python -m tests.games.damaged_records NAMES`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import tantra_envs
from tantra_envs.core.admission import check_consistent
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.testing import play
from tests.contract.games import contract

KEPT = 4  # tables of each phase
TRIED = 6  # numbers of a field that are changed, each in some table
AFTERWARDS = 20  # actions played at tables that were let pass


def tables(game: Game) -> States:
    """Some tables of each phase of two games."""
    found: dict[int, list[States]] = {}
    for seed in (1, 2):
        for state in play(game, seed):
            found.setdefault(int(state["phase"][0]), []).append(state.copy())
    few = [states[:: max(1, len(states) // KEPT)] for states in found.values()]
    return np.concatenate([state for states in few for state in states])


def damaged(states: States, rng: np.random.Generator) -> Iterator[tuple[str, States]]:
    """Pairs (field, table): each has one number that is another one, small, large, negative or one away."""
    for name, part in numbers(states.dtype):
        for row in rng.integers(len(states), size=TRIED).tolist():
            changed = states[row : row + 1].copy()
            _change(part(changed), rng)
            if changed.tobytes() != states[row : row + 1].tobytes():
                yield name, changed


def numbers(dtype: np.dtype[Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every field that holds numbers, and how it is reached; of lists of records those of the first in the list."""
    for name in dtype.names or ():
        inner, here = dtype[name].base, (*path, name)
        if inner.names:
            yield from numbers(inner, here)
        else:
            yield ".".join(here), lambda table, here=here: _reached(table, here)


def _reached(table: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        table = table[name]
        while table.dtype.names and table.ndim > 1:
            table = table[..., 0]
    return table


def _change(field: Any, rng: np.random.Generator) -> None:
    at, dtype = tuple(int(rng.integers(size)) for size in field.shape), field.dtype
    if dtype.kind == "f":
        field[at] = rng.choice([np.nan, np.inf, 1e300, 0.5])
        return
    limits, now = np.iinfo(dtype), int(field[at])
    values = [0, 1, -1, 2, 3, 5, 7, 13, 60, 127, limits.max, limits.min, 32000, now + 1, now - 1]
    field[at] = max(limits.min, min(limits.max, values[int(rng.integers(len(values)))]))


def survives(game: Game, seed: int = 0) -> tuple[int, int]:
    """Return how many damaged tables were refused, and how many were let pass; those are played on."""
    rng, refused, passed, problems = np.random.default_rng(seed), 0, 0, []
    sound = tables(game)
    check_consistent(game, sound)
    for field, state in damaged(sound, rng):
        try:
            check_consistent(game, state)
        except ValueError:
            refused += 1
            continue
        passed += 1
        try:
            same = game.from_position(game.position(state, full=True)).tobytes() == state.tobytes()
        except (ValueError, LookupError) as error:
            problems.append(f"{field}: {error}")
            continue
        problems += [] if same else [f"{field} passes, and reads back to another table"]
        _play_on(game, state, rng)
    assert not problems, f"{game.name}: {problems}"
    return refused, passed


def _play_on(game: Game, state: States, rng: np.random.Generator) -> None:
    for _ in range(AFTERWARDS):
        if state["over"][0]:
            return
        game.apply_action(state, int(rng.choice(game.legal(state))))
        game.observation(state, int(state["seat"][0]))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for config in (contract(name).BASE, *contract(name).TABLES[:2]):
            print(name, *survives(tantra_envs.game(name, **config)), flush=True)
