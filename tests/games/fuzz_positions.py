"""Wrong positions of any game: every field of good ones, at every depth, with values of every kind.

`wrong(position)` yields (field, value) pairs, `check(game, position, field, value)` asserts that the game refuses such
a position with a ValueError that names the field, or reads it, and then writes and reads it back to the same bytes.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tantra_envs.core.admission import check_consistent
from tantra_envs.core.game import Game, Position

# Never the value of a field, an entry or a card in any game: who refuses it names the field itself.
NONSENSE: tuple[Any, ...] = (
    *(-(10**30), 10**400, 3.5, -0.5, math.nan, math.inf, -math.inf, "nonsense", "\ud800", b"7", {1: []}, {"x": {}}),
    *([[[]]], [None], [math.nan], [10**30], object(), {1, 2}, np.array([1, 2]), np.array([[0.5]]), range(3)),
)
# What some field has, and others have not: the error may name another one, with which it does not agree.
ELSEWHERE: tuple[Any, ...] = (
    *(None, False, True, 0, 1, -1, 2, 7, 127, 128, 32767, 32768, 2**31, 2**40),
    *("", "7", "JK", [], [[]], {}, [{}]),
)
MANY = 150  # times a list is repeated: more cards than there are
FEW = 8  # entries of a dict that are changed: all of what a set of cards or a round has


def wrong(position: Position) -> Iterator[tuple[str, Any]]:
    """Pairs (field, value): each field with values of every kind, and its own value with one thing changed in it."""
    for field, value in position.items():
        yield from ((field, other) for other in (*NONSENSE, *ELSEWHERE))
        yield from ((field, changed) for changed in _changed(value))


def _changed(value: Any) -> Iterator[Any]:
    """Copies of a list or dict in which one thing is wrong, at any depth. Of a list the first entry speaks for all."""
    if isinstance(value, dict):
        yield from _with_entries(value, list(value)[:FEW])
        yield {**value, "nonsense": 1}
        yield {**value, 3: 1}
        yield from ({k: v for k, v in value.items() if k != left_out} for left_out in list(value)[:FEW])
    elif isinstance(value, list) and value:
        yield from _with_entries(value, range(1))
        yield from (value[1:], value[:-1], [*value, value[0]], [*value, None], value * MANY, value[::-1])


def _with_entries(value: Any, places: Iterable[Any]) -> Iterator[Any]:
    """Yield copies in which an entry is another value. Every second value has its turn: all of them take minutes."""
    for number, place in enumerate(places):
        for entry in (*(*NONSENSE, *ELSEWHERE)[number % 2 :: 2], *_changed(value[place])):
            changed = copy.copy(value)
            changed[place] = entry
            yield changed


def check(game: Game, position: Position, field: str, value: Any) -> None:
    """`position` with `field` set to `value` is refused by name, or read and kept exactly."""
    given = {**position, field: value}
    before = repr(given)
    try:
        state = game.from_position(given)
    except ValueError as error:
        _assert_names(game, str(error), [field] if _holds_nonsense(value) else position)
    else:
        assert_kept(game, state)
    assert repr(given) == before, f"{field}: reading changed the position"


def _holds_nonsense(value: Any) -> bool:
    if isinstance(value, (list, dict)) and not any(value is nonsense for nonsense in NONSENSE):
        return any(map(_holds_nonsense, value.values() if isinstance(value, dict) else value))
    return any(value is nonsense for nonsense in NONSENSE)


def _assert_names(game: Game, message: str, fields: Iterable[str]) -> None:
    assert message.startswith(("position: ", f"{game.name}: ")), message
    assert any(field in message for field in fields), f"none of {', '.join(fields)} in: {message}"


def assert_kept(game: Game, state: Any) -> None:
    """A table that was read: JSON writes it, reading gives it back to the byte, and it can be seen and gone on with."""
    check_consistent(game, state)
    text = json.dumps(game.position(state, full=True), allow_nan=False)
    assert game.from_position(json.loads(text)).tobytes() == state.tobytes(), text
    assert all(np.isfinite(game.observation(state, seat)).all() for seat in range(game.players)), text
    if state["over"][0]:
        return
    assert game.mask(state).any(), text
    plain = game.from_position(json.loads(json.dumps(game.position(state))))
    assert game.mask(plain).tolist() == game.mask(state).tolist(), text
