"""Positions written and read by the table of fields.

The notation of each field comes from the table. A game adds `Entry` objects for entries of its own: derived ones, and
those with a notation that no field has. Every error is a ValueError that names the field, its value and what is
allowed. Whether the fields fit together is asked afterwards, by `admission.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import notation
from .fields import Field, Fields
from .game import Game, Position
from .notation import Choice, Notation, refuse
from .state import States


@dataclass(frozen=True)
class Entry:
    """An entry of positions that a game writes and reads itself.

    name: the name of the entry.
    write: Returns the value of the entry from a record.
    read: Reads a value into a record. None = the entry follows from others, and a given value must agree with it.
    tidy: Returns a given value as `write` writes it, for the comparison.
    omit: Positions leave the entry out where it is null.
    """

    name: str
    write: Callable[[Any], Any]
    read: Callable[[Any, Any], None] | None = None
    tidy: Callable[[Any], Any] | None = None
    omit: bool = False


def fill_in(position: Mapping[str, Any], s: Any, **values: Any) -> None:
    """Set fields of the table `s` whose entries a position leaves out. Lists are by seat or team."""
    for name, value in values.items():
        if position.get(name) is None:
            if np.ndim(value):
                s[name][: len(value)] = value
            else:
                s[name] = value


class Positions:
    """The notation of a game's positions.

    Args:
        fields: The fields of its state.
        order: The names of all entries in the order in which they are written and read, separated by blanks.
        full: The names of the entries that only full positions have.
        own: The entries that the game writes and reads itself.
    """

    def __init__(self, fields: Fields, order: str, *own: Entry, full: str = "rng") -> None:
        by_name = {entry.name: entry for entry in own}
        by_field = {field.entry: field for field in fields if isinstance(field.notation, Notation)}
        self._plain, self._full = (words.split() for words in (order, full))
        self._entries = {name: by_name.get(name) or by_field.get(name) for name in (*self._plain, *self._full)}
        missing = {name for name, entry in self._entries.items() if entry is None} - {"config", "phase"}
        if missing:
            raise KeyError(f"positions: no field has the notation of {', '.join(sorted(missing))}")

    def write(self, game: Game, state: States, full: bool) -> Position:
        """Return a table (1,) as a dict; `full` adds what is needed to rebuild it byte for byte."""
        names = (*self._plain, *(self._full if full else ()))
        written = {name: self._written(name, game, state[0]) for name in names}
        return {name: value for name, value in written.items() if value is not None or not self._omits(name)}

    def _omits(self, name: str) -> bool:
        entry = self._entries[name]
        return bool(entry and (entry.omit if isinstance(entry, Entry) else _notation_of(entry).omit))

    def _written(self, name: str, game: Game, s: Any) -> Any:
        if name == "config":
            changed = game.options.changed(game.config)
            return {option: list(value) if isinstance(value, tuple) else value for option, value in changed.items()}
        if name == "phase":
            return game.phases[s["phase"]]
        entry = self._entries[name]
        return entry.write(s) if isinstance(entry, Entry) else _write_field(entry, s) if entry else None

    def read(self, game: Game, position: Mapping[str, Any], state: States) -> None:
        """Read all given entries into a table (1,); entries that are left out keep what it holds.

        Raises:
            ValueError: An entry is unknown or has a value that is not allowed.
        """
        notation.check_fields(position, self._entries)
        notation.check_config(position.get("config", {}), game.config)
        s = state[0]
        for name in self._entries:
            if name in position:
                self._read(name, game, position[name], s)
        notation.read_end(position, s, game.phases.index("OVER"))

    def _read(self, name: str, game: Game, value: Any, s: Any) -> None:
        entry = self._entries[name]
        if name == "phase":
            s["phase"] = Choice(game.phases).read(name, value, range(0), s)
        elif isinstance(entry, Field):
            _read_field(entry, value, s)
        elif entry and entry.read:
            entry.read(value, s)

    def compare(self, position: Mapping[str, Any], state: States) -> None:
        """Raise ValueError for an entry that follows from others at the table (1,), and does not agree with them."""
        for name, entry in self._entries.items():
            if isinstance(entry, Entry) and entry.read is None and name in position:
                given, follows = position[name], entry.write(state[0])
                if not notation.is_same(entry.tidy(given) if entry.tidy else given, follows):
                    raise refuse(name, given, f"{follows!r}, which follows from the other fields")


def _write_field(field: Field, s: Any) -> Any:
    """Return the value of a field: one entry, or a list of them by seat, team or the other axes."""
    values, note, length = s[field.name], _notation_of(field), None
    if field.length:
        length = s[field.length]
    if field.by:
        rows = range(field.count(s))
        return [_write_axes(values[i], note, length if length is None else length[i]) for i in rows]
    return _write_axes(values, note, length)


def _write_axes(values: Any, note: Notation, length: Any) -> Any:
    if np.ndim(values) > note.array:
        return [_write_axes(part, note, length) for part in values]
    return note.write(values if length is None else values[:length])


def _notation_of(field: Field) -> Notation:
    assert isinstance(field.notation, Notation)
    return field.notation


def _read_field(field: Field, value: Any, s: Any) -> None:
    """Read the value of a field."""
    low, high = field.bounds(s) or _limits(field)
    bounds = range(low, high + 1)
    if not field.by:
        _read_row(field, field.entry, value, (), bounds, s)
    elif value is not None:
        for i, row in enumerate(_list_of(field.entry, value, field.count(s), f"one for each {field.by}")):
            _read_row(field, f"{field.entry}[{i}]", row, (i,), bounds, s)


def _limits(field: Field) -> tuple[int, int]:
    """Return the smallest and the largest number that the type of a field can hold."""
    kind = np.dtype(field.dtype)
    return (0, 0) if kind.kind == "f" else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))


def _list_of(label: str, value: Any, size: int, which: str) -> list[Any]:
    if not isinstance(value, (list, tuple)) or len(value) != size:
        raise refuse(label, value, f"a list of {size} entries, {which}")
    return list(value)


def _read_row(field: Field, label: str, value: Any, at: tuple[int, ...], bounds: range, s: Any) -> None:
    """Read a part of a field: the entry at `at`, or each of those below it."""
    note, shape = _notation_of(field), field.shape[len(at) :]
    if len(shape) > note.array:
        if value is not None:
            for i, part in enumerate(_list_of(label, value, shape[0], "all of them")):
                _read_row(field, f"{label}[{i}]", part, (*at, i), bounds, s)
        return
    entry = note.read(label, value, bounds, s)
    if field.length:
        if len(entry) > shape[0]:
            raise refuse(label, f"{len(entry)} entries", f"at most {shape[0]}")
        _put(s, field.length, at, len(entry))
        entry = [*entry, *[0] * (shape[0] - len(entry))]
    _put(s, field.name, at, entry)


def _put(s: Any, field: str, at: tuple[int, ...], value: Any) -> None:
    if at:
        s[field][at] = value
    else:
        s[field] = value
