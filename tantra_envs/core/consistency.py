"""Checks of records from outside, before compiled code reads them: lengths, numbers of cards, places.

A game writes its check with `Tables`. Its methods check all tables at once and raise ValueError for the first wrong
one. Kernels trust records: if a length exceeded its list, they would read beyond the end of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .state import States

WORD = 2**32  # words of a random stream are smaller
MOST_PLIES = 2**30  # far more actions than any game has

Array = npt.NDArray[Any]


class Tables:
    """Tables (n,) of one game to be checked. `tables["field"]` is a field of all of them."""

    def __init__(self, name: str, states: States) -> None:
        self._name, self.states = name, states
        self.n = len(states)

    def __getitem__(self, field: str) -> Array:
        found: Array = self.states[field]
        return found

    def require(self, fits: Any, problem: str) -> None:
        """Raise ValueError with the problem unless `fits` (n, ..) is true everywhere."""
        right = np.asarray(fits, bool).reshape(self.n, -1).all(axis=1)
        if not right.all():
            raise ValueError(f"{self._name}: table {int(right.argmin())} is damaged: {problem}")

    def read_back(self, rows: Array, again: Callable[[States], States]) -> None:
        """Require the tables `rows` (k,) to equal those read from their full positions. This is slow."""
        fits = np.ones(self.n, bool)
        for row in rows.tolist():
            state = self.states[row : row + 1]
            try:
                fits[row] = again(state).tobytes() == state.tobytes()
            except (ValueError, LookupError, TypeError, OverflowError):
                fits[row] = False
        self.require(fits, "its position reads to another table")

    def within(self, field: str, low: Any, high: Any) -> None:
        """Require every number of a field to be in low..high; the bounds may have shape (n,)."""
        values = self[field].reshape(self.n, -1)
        right = (values >= np.reshape(low, (-1, 1))) & (values <= np.reshape(high, (-1, 1)))
        self.require(right, f"{field} is out of its range")

    def flags(self, *fields: str) -> None:
        """Require fields to hold only 0 and 1."""
        for field in fields:
            self.within(field, 0, 1)

    def listed(self, field: str, length: str, low: int, high: int) -> Array:
        """Check a list (n, .., most) with its length, and return a flat mask of its entries.

        Entries before the end must be low..high, and zero after it.
        """
        entries, lengths = self[field], self[length]
        self.within(length, 0, entries.shape[-1])
        inside = np.arange(entries.shape[-1]) < lengths[..., None]
        self.require(~inside | ((entries >= low) & (entries <= high)), f"{field} holds what is no card")
        self.require(inside | (entries == 0), f"{field} has cards behind its end")
        return inside

    def counted(self, field: str, length: str, kinds: int) -> Array:
        """Check a list and return how many cards of each kind it has, shape (n, kinds)."""
        inside = self.listed(field, length, 0, kinds - 1).reshape(self.n, -1)
        return self.tally(self[field].reshape(self.n, -1), inside, kinds)

    def tally(self, entries: Array, inside: Array, kinds: int) -> Array:
        """Count the entries (n, k) that are `inside` (n, k) by kind; return shape (n, kinds)."""
        numbered = entries.astype(np.int64) + kinds * np.arange(self.n)[:, None]
        return np.bincount(numbered[inside], minlength=kinds * self.n).reshape(self.n, kinds)

    def nobody(self, seats: int, *fields: str) -> None:
        """Require fields by seat (n, seats, ..) to be zero from row `seats` on."""
        for field in fields:
            self.require(self[field][:, seats:].reshape(self.n, -1) == 0, f"{field} of a seat that nobody sits on")


def check_header(tables: Tables, blank: States, players: int, phases: Sequence[str]) -> None:
    """Check the header of every record, and that its options equal those of `blank` (1,)."""
    tables.require(bytes_of(tables["opt"]) == bytes_of(blank["opt"]), "its rules are not those of the game")
    tables.within("rng", 0, WORD - 1)
    tables.within("plies", 0, MOST_PLIES)
    tables.within("seat", 0, players - 1)
    tables.within("phase", 0, len(phases) - 1)
    tables.flags("over", "truncated")
    tables.require((tables["phase"] == phases.index("OVER")) == (tables["over"] == 1), "over and phase disagree")
    tables.require(tables["truncated"] <= tables["over"], "it is cut off and goes on")
    tables.require(np.isfinite(tables["rewards"]), "its rewards are not finite")
    tables.nobody(players, "rewards")
    for padding in _paddings(tables.states):
        tables.require(padding == 0, "there is something between its fields")


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
