"""Tables and positions from outside: what a game demands of them before its kernels read them.

`game` is a `Game` everywhere; its module imports this one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.drivers import seed_streams
from .consistency import ImpossibleError, Tables, bytes_of, check_fields, check_header
from .notation import refuse
from .state import States

# Numbers of actions and of observed numbers for the options of every game built so far, by the bytes of `opt`.
_sizes: dict[tuple[str, int, bytes], tuple[int, int]] = {}


def remember(game: Any) -> None:
    """Admit tables with the options of this game to other games whose actions and observations are as many."""
    _sizes[game.name, game.players, game.rules_key] = _sizes_of(game)


def admitted(game: Any, states: Any) -> States:
    """Return tables (n,) that compiled code can read; they are copied only if their memory layout requires it.

    Raises:
        ValueError: The array does not hold tables of this game, or the options of a table give other actions or
            observations, so that compiled code would write beyond its arrays. Cards are not checked: see
            `check_consistent`.
    """
    if not isinstance(states, np.ndarray) or states.ndim != 1 or states.dtype != game.blank.dtype:
        raise ValueError(f"{game.name}: expected a 1-D array of states from `game.new()`, not {_kind_of(states)}")
    plain = type(states) is np.ndarray and states.flags.carray
    tables = states if plain else np.array(states)
    if not _fit(game, tables):
        raise ValueError(f"{game.name}: the tables have other options than this game")
    return tables


def one_table(game: Any, state: States) -> States:
    """Return `state` if it is a single table of this game, else raise ValueError."""
    table = admitted(game, state)
    if len(table) != 1:
        raise ValueError(f"{game.name}: expected one table, got {len(table)}; pass states[i : i + 1]")
    return table


def seats_at(game: Any, tables: States, seats: Any) -> npt.NDArray[np.int64]:
    """Return a seat for each of the tables (n,); raise ValueError unless all are seats of this game."""
    given = np.asarray(seats)
    fits = given.dtype.kind in "iu" and given.shape in ((), (len(tables),))
    right = fits and bool(((given >= 0) & (given < game.players)).all())
    game.check("seats", seats, right, f"0..{game.players - 1}, one seat or {len(tables)} of them")
    return np.broadcast_to(given, len(tables)).astype(np.int64)


def check_consistent(game: Any, states: Any) -> None:
    """Raise ValueError unless tables (n,) are possible in this game, so that kernels may read them.

    All records from outside, such as saved tables, are checked by this before they are used.
    """
    tables = Tables(game.name, admitted(game, states), game.fields)
    _check_tables(game, tables)
    if game.settle is not None:
        settled = copied(tables.states)
        game.settle(settled)
        tables.require((bytes_of(settled) == bytes_of(tables.states)).all(axis=1), "phase", "the next decision")
    _check_decisions(game, tables)


def read_position(game: Any, position: Any, seed: int) -> States:
    """Return the table that a position describes, as `Game.from_position` does, with a seed of 64 bits."""
    if not isinstance(position, Mapping):
        raise ValueError(f"position: a dict is wanted, not {type(position).__name__}")
    state: States | None = None
    try:
        state = game.words.from_position(game, position)
        if position.get("rng") is None:
            state["rng"] = _stream(seed)
        tables = Tables(game.name, state, game.fields)
        _check_tables(game, tables)
        if game.settle is not None and not state["over"][0]:
            game.settle(state)
            tables.require(state["over"] == 0, "phase", "a game that goes on: no seat has a legal action")
        _check_decisions(game, tables)
    except ImpossibleError as error:
        raise _refusal(game, position, state, error) from None
    return state


def _refusal(game: Any, position: Mapping[str, Any], state: States | None, error: ImpossibleError) -> ValueError:
    """Return the error for a position that describes an impossible table, by the names of positions."""
    name = game.fields[error.field].entry if error.field in game.fields else error.field
    entries = {**(game.position(state, True) if state is not None else {}), **position}
    value = entries.get(name, error.value)
    if error.at and isinstance(value, (list, tuple)) and error.at[0] < len(value):
        name, value = f"{name}[{error.at[0]}]", value[error.at[0]]
    return refuse(name, value, error.allowed)


def _check_tables(game: Any, tables: Tables) -> None:
    """Raise ValueError unless the fields of all tables fit together, before steps without a decision are taken."""
    check_header(tables, game.blank, game.phases)
    check_fields(tables, game.blank, game.fields)
    if game.consistent is not None:
        game.consistent(game, tables)


def _check_decisions(game: Any, tables: Tables) -> None:
    """Require a legal action at every table that is not over."""
    _, masks = game.views(tables.states, tables["seat"])
    tables.require(masks.any(axis=1) | (tables["over"] == 1), "seat", "a seat with a legal action")


def _fit(game: Any, tables: States) -> bool:
    """Return whether all tables have the seats of this game, and spaces of the same size for their options."""
    if len(tables) == 1 and tables["opt"].tobytes() == game.rules_key and tables["seats"][0] == game.players:
        return True  # the usual case, and this runs before every decision of an agent and every word
    if (tables["seats"] != game.players).any():
        return False
    rules, own = _rules_of(tables), _rules_of(game.blank)
    if (rules == own).all():
        return True
    others = rules[(rules != own).any(axis=1)]
    return all(
        _sizes.get((game.name, game.players, row.tobytes())) == _sizes_of(game) for row in np.unique(others, axis=0)
    )


def _sizes_of(game: Any) -> tuple[int, int]:
    return game.actions.size, game.view.size


def copied(states: States) -> States:
    """Return a copy. `states.copy()` copies field by field and takes fifty times as long."""
    return states.repeat(1)


def _stream(seed: int) -> npt.NDArray[np.int64]:
    """Return the random stream that `seed` starts, shape (1, 4)."""
    stream = np.zeros((1, 4), np.int64)
    seed_streams(stream, seed)
    return stream


def _kind_of(value: Any) -> str:
    """Return the kind of a refused value for an error message: `int8 of shape (3,)`, `list`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.type.__name__} of shape {value.shape}"
    return type(value).__name__


def _rules_of(states: States) -> npt.NDArray[Any]:
    """Return the bytes of `opt` in each table (n,), as rows of the widest integers that fit."""
    numbers, columns = _place_of_rules(states.dtype)
    rows = states.view(numbers).reshape(len(states), states.dtype.itemsize // numbers.itemsize)
    rules: npt.NDArray[Any] = rows[:, columns]
    return rules


@functools.cache
def _place_of_rules(record: np.dtype[Any]) -> tuple[np.dtype[Any], slice]:
    """Return the integers that a record is read as, and which of them are `opt`."""
    dtype, at = dict(record.fields or {})["opt"][:2]
    width = math.gcd(8, at, dtype.itemsize, record.itemsize)
    return np.dtype(f"i{width}"), slice(at // width, (at + dtype.itemsize) // width)
