"""Checks of records from outside, before compiled code reads them: lengths, numbers of cards, places.

A game writes its check with `Tables`. Its methods check all tables at once and raise `ImpossibleError` for the first
wrong one. Kernels trust records: if a length exceeded its list, they would read beyond the end of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .fields import Array, Fields, tally
from .options import shown
from .state import States


class ImpossibleError(ValueError):
    """Raised for a table that cannot be: its row, the field, the wrong place in it, and what is allowed."""

    def __init__(self, game: str, row: int, field: str, at: tuple[int, ...], value: Any, allowed: str) -> None:
        self.field, self.at, self.value, self.allowed = field, at, value, allowed
        place = f"[{at[0]}]" if at else ""
        words = f"{field}{place}={shown(value)} is not allowed; allowed: {allowed}"
        super().__init__(f"{game}: table {row} is damaged: {words}")


class Tables:
    """Tables (n,) of one game to be checked. `tables["field"]` is a field of all of them."""

    def __init__(self, name: str, states: States, fields: Fields) -> None:
        self._name, self.states, self._fields = name, states, fields
        self.n = len(states)

    def __getitem__(self, field: str) -> Array:
        found: Array = self.states[field]
        return found

    def require(self, fits: Any, field: str, allowed: str) -> None:
        """Raise `ImpossibleError` with what a field is allowed to be, unless `fits` (n, ..) is true everywhere.

        With a field by seat or team, the second axis of `fits` is by seat or team too. Then the error names the row.
        """
        right = np.asarray(fits, bool)
        if right.all():
            return
        row, *at = np.argwhere(~right)[0].tolist()
        by_row = field in self._fields and self._fields[field].by and self._fields[field].rows == 1
        place = (at[0],) if by_row and at else ()
        value = self.states[field][(row, *place)] if field in (self.states.dtype.names or ()) else "this"
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        raise ImpossibleError(self._name, row, field, place, value, allowed)

    def follows(self, field: str, values: Any) -> None:
        """Require a field to equal `values`, which follow from the other fields."""
        self.require(self[field] == values, field, "what follows from the other fields")

    def read_back(self, rows: Array, field: str, again: Callable[[States], States]) -> None:
        """Require the tables `rows` (k,) to equal those read from their full positions. This is slow."""
        fits = np.ones(self.n, bool)
        for row in rows.tolist():
            state = self.states[row : row + 1]
            try:
                fits[row] = again(state).tobytes() == state.tobytes()
            except (ValueError, LookupError, TypeError, OverflowError):
                fits[row] = False
        self.require(fits, field, "a table that its position reads back to")

    def within(self, field: str, low: Any, high: Any) -> None:
        """Require every number of a field to be in low..high; the bounds may have shape (n,)."""
        values = self[field]
        edges = [np.reshape(bound, (-1, *[1] * (values.ndim - 1))) for bound in (low, high)]
        words = f"{np.min(low)}..{np.max(high)}"
        self.require((values >= edges[0]) & (values <= edges[1]), field, words)

    def flags(self, *fields: str) -> None:
        """Require fields to hold only 0 and 1."""
        for field in fields:
            self.within(field, 0, 1)

    def listed(self, field: str, low: int, high: int) -> None:
        """Check a list (n, .., most) and its length: entries must be low..high before the end, and zero after it."""
        entries, length = self[field], self._fields[field].length
        self.within(length, 0, entries.shape[-1])
        inside = self.inside(field)
        self.require(~inside | ((entries >= low) & (entries <= high)), field, f"entries {low}..{high}")
        self.require(inside | (entries == 0), field, f"zeros after the end, see {length}")

    def inside(self, field: str) -> Array:
        """Return which entries of a list (n, .., most) are before its end."""
        lengths = self[self._fields[field].length]
        before: Array = np.arange(self[field].shape[-1]) < lengths[..., None]
        return before

    def counted(self, field: str, kinds: int) -> Array:
        """Return how many of each number below `kinds` a list has, shape (n, kinds); `check_fields` has checked it."""
        return tally(self[field], self.inside(field), kinds)

    def cards(self, most: Any) -> Array:
        """Require that all zones together hold at most `most` of each card; return how many, shape (n, cards).

        `most` is (n, cards), (cards,) or one number. The error names the first zone with the card.
        """
        zones, names = self._fields.zones(self.states), self._fields.card_names
        held: Array = np.sum([*zones.values()], axis=0)
        fits, most = held <= most, np.broadcast_to(most, held.shape)
        for row, card in np.argwhere(~fits)[:1].tolist():
            *others, last = dict.fromkeys(self._fields[zone].entry for zone in zones)
            places = f"{', '.join(others)} and {last} together" if others else last
            zone = next(zone for zone, counts in zones.items() if counts[row, card])
            self.require(fits[:, card], zone, f"at most {most[row, card]} of {names[card]} in {places}")
        return held

    def whole_decks(self, whole: Array) -> None:
        """Require `decks_n` decks for later rounds, each with the cards `whole` (k,) in some order, and zeros else."""
        decks, count = self["decks"], self["decks_n"]
        most, size = decks.shape[1], len(whole)
        self.within("decks_n", 0, most)
        cards, given = decks[:, :, :size], (np.arange(most) < count[:, None])[..., None]
        right = np.where(given, np.sort(cards, axis=2) == np.sort(whole), cards == 0)
        fits = right.all(axis=(1, 2)) & (decks[:, :, size:] == 0).all(axis=(1, 2))
        self.require(fits, "decks", "whole decks, and zeros after them")

    def nobody(self, seats: int, *fields: str) -> None:
        """Require fields by seat (n, seats, ..) to be zero from row `seats` on."""
        for field in fields:
            rows = self[field]
            beyond = np.arange(rows.shape[1]) >= seats
            numbers = np.ascontiguousarray(rows).view(np.uint8) if rows.dtype.names else rows
            empty = (numbers.reshape(self.n, len(beyond), -1) == 0).all(axis=2)
            self.require(empty | ~beyond, field, f"zeros: there are only {seats} seats or teams")


def check_header(tables: Tables, blank: States, phases: Sequence[str]) -> None:
    """Check the header of every record, and that its options equal those of `blank` (1,)."""
    tables.require(bytes_of(tables["opt"]) == bytes_of(blank["opt"]), "opt", "the options of the game")
    tables.within("phase", 0, len(phases) - 1)
    tables.flags("over", "truncated")
    tables.require((tables["phase"] == phases.index("OVER")) == (tables["over"] == 1), "over", "1 in the phase OVER")
    tables.require(tables["truncated"] <= tables["over"], "truncated", "0 while the game goes on")
    tables.require(np.isfinite(tables["rewards"]), "rewards", "finite numbers")
    for padding in _paddings(tables.states):
        tables.require(padding == 0, "padding", "zeros between the fields")


def check_fields(tables: Tables, blank: States, fields: Fields) -> None:
    """Check every field by the table of fields: its bounds, limit and length, and that the rows of nobody are zero.

    `blank` is a record of the game, shape (1,), with its options.
    """
    s, going = blank[0], tables["over"] == 0
    for field in fields:
        bounds = field.bounds(s)
        if field.limit and s["opt"][field.limit]:
            most = s["opt"][field.limit]
            tables.require(~going | (tables[field.name] < most), field.name, f"less than {most} while the game goes on")
        if field.length and bounds:
            tables.listed(field.name, *bounds)
        elif bounds:
            tables.within(field.name, *bounds)
        if field.by:
            tables.nobody(field.count(s), field.name)


def _paddings(part: Array) -> Iterator[Array]:
    """Yield the unused bytes of records and of nested records, see `core.state.record`."""
    for name in part.dtype.names or ():
        if name == "padding":
            yield part[name]
        elif part.dtype[name].base.names:
            yield from _paddings(part[name])


def bytes_of(records: Array) -> Array:
    """Return the bytes of records (n,), shape (n, bytes)."""
    return np.ascontiguousarray(records).view(np.uint8).reshape(len(records), records.dtype.itemsize)
