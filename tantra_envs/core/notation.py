"""Positions and decks: names of cards are written, and JSON-able dicts are read into checked values.

Every error is a ValueError that names the wrong field.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from .options import is_number, shown

INT32 = range(-(2**31), 2**31)

# Writing


def named(cards: Iterable[int], names: Sequence[str]) -> list[str]:
    """Return the names of cards in their order."""
    return [names[card] for card in cards]


def expand(counts: Iterable[int], names: Sequence[str]) -> list[str]:
    """Return the names of cards counted by type, ascending."""
    return [names[card] for card, count in enumerate(counts) for _ in range(count)]


def grouped(counts: Any, names: Sequence[str], unknown: int = 0) -> str:
    """Return cards counted by type as words, ascending, with unknown ones last: `4 7x2 GIVE ?x3`."""
    cards = [*zip(names, counts.tolist(), strict=True), ("?", unknown)]
    return " ".join(name + (f"x{count}" if count > 1 else "") for name, count in cards if count)


# Refusing


def refuse(field: str, value: Any, allowed: str) -> ValueError:
    """Return the error for a field with a value that is not allowed."""
    return ValueError(f"position: {field}={shown(value)} is not allowed; allowed: {allowed}")


def check_fields(position: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise ValueError for a field that the notation does not have."""
    names = list(known)
    for field in position:
        if field not in names:
            raise ValueError(f"position: unknown field {field!r}; fields: {', '.join(names)}")


def check_config(given: Any, config: Mapping[str, Any]) -> None:
    """Raise ValueError if the position was written with other options than `config`."""
    if not isinstance(given, Mapping):
        raise refuse("config", given, "a dict of configuration fields")
    for field, value in given.items():
        if field not in config:
            raise ValueError(f"position: config has an unknown field {field!r}; fields: {', '.join(config)}")
        if not is_same(value, config[field]):
            raise ValueError(
                f"position: config {field}={shown(value)} contradicts the game, which has {config[field]!r}"
            )


def is_same(value: Any, wanted: Any) -> bool:
    """Return whether a value from outside equals `wanted`; JSON writes a tuple as a list."""
    if isinstance(wanted, (list, tuple)):
        return isinstance(value, (list, tuple)) and len(value) == len(wanted) and all(map(is_same, value, wanted))
    if isinstance(wanted, dict):
        return (
            isinstance(value, dict)
            and list(value) == list(wanted)
            and all(map(is_same, value.values(), wanted.values()))
        )
    plain = isinstance(value, (bool, int, float, str, type(None)))
    return plain and not (isinstance(value, float) and isinstance(wanted, int)) and bool(value == wanted)


# Numbers and words


def read_int(position: Mapping[str, Any], field: str, default: int, allowed: range) -> int:
    """Return an integer field, which must be in `allowed`."""
    value = position.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise refuse(field, value, f"{allowed[0]}..{allowed[-1]}" if len(allowed) else "nothing here")
    return value


def read_flag(position: Mapping[str, Any], field: str, default: bool) -> bool:
    """Return a field that must be true or false."""
    value = position.get(field, default)
    if not isinstance(value, bool):
        raise refuse(field, value, "true or false")
    return value


# Cards


def read_card(field: str, value: Any, names: Sequence[str]) -> int:
    """Return the id of a card given by name (any case) or id."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
        return value
    if isinstance(value, str):
        card = _ids(tuple(names)).get(value.strip().upper())
        if card is not None:
            return card
    raise ValueError(f"position: {field} has the unknown card {shown(value)}; cards: {', '.join(names)}")


@functools.cache
def _ids(names: tuple[str, ...]) -> dict[str, int]:
    return {name.upper(): i for i, name in enumerate(names)}


def read_cards(field: str, value: Any, names: Sequence[str]) -> list[int]:
    """Return the ids of a list of cards, or of one string with blanks."""
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, (list, tuple)):
        raise refuse(field, value, "a list of cards or a string with blanks")
    return [read_card(field, card, names) for card in value]


def read_cards_by_seat(position: Mapping[str, Any], field: str, seats: int, names: Sequence[str]) -> list[list[int]]:
    """Return one list of cards for each seat; empty lists if the field is missing."""
    value = position.get(field)
    if value is None:
        return [[] for _ in range(seats)]
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise refuse(field, value, f"a list of {seats} lists of cards, one for each seat")
    return [read_cards(f"{field}[{seat}]", cards, names) for seat, cards in enumerate(value)]


def check_deal_options(game: str, given: Iterable[str], allowed: Sequence[str]) -> None:
    """Raise ValueError for a keyword that `new` does not take."""
    for name in given:
        if name not in allowed:
            raise ValueError(f"{game}: unknown field {name!r}; allowed: {', '.join(allowed)}")


def split_decks(game: str, deck: Any, most: int) -> list[Any]:
    """Return the decks of a game: one, or a list of at most `most`; [] for None."""
    if deck is None:
        return []
    several = isinstance(deck, (list, tuple)) and len(deck) > 0 and all(map(_is_deck, deck))
    decks = list(deck) if several else [deck]
    if len(decks) > most:
        raise ValueError(f"{game}: deck has {len(decks)} decks; allowed: one deck, or a list of at most {most}")
    return decks


def _is_deck(entry: Any) -> bool:
    """Return whether an entry is a deck, that is a list of cards or a string with blanks, and not a card."""
    return isinstance(entry, (list, tuple)) or (isinstance(entry, str) and " " in entry.strip())


def check_deck(deck: str, cards: Sequence[int], copies: Sequence[int], names: Sequence[str]) -> None:
    """Raise ValueError unless there are exactly `copies` of every card, by type. Messages call the deck `deck`."""
    counts = np.bincount(np.array(cards, np.int64), minlength=len(names))
    for name, count, wanted in zip(names, counts, copies, strict=True):
        if count != wanted:
            raise ValueError(f"{deck} has {count} of {name}; allowed: {wanted}, {sum(copies)} cards in all")


# Seats, rewards, the end


def read_seats(position: Mapping[str, Any], field: str, default: list[int], seats: int) -> list[int]:
    """Return a list of different seats."""
    value = position.get(field, default)
    ok = isinstance(value, (list, tuple)) and all(type(s) is int and 0 <= s < seats for s in value)
    if not ok or len(set(value)) != len(value):
        raise refuse(field, value, f"a list of different seats 0..{seats - 1}")
    return list(value)


def read_integers(
    position: Mapping[str, Any], field: str, size: int, allowed: range | None = None, step: int = 1
) -> list[int] | None:
    """Return a list of `size` integers, each in `allowed` and a multiple of `step`, or None if the field is missing."""
    value = position.get(field)
    if value is None:
        return None
    within = INT32 if allowed is None else allowed
    ok = isinstance(value, (list, tuple)) and all(type(n) is int and n in within and n % step == 0 for n in value)
    if not ok or len(value) != size:
        multiples = f", multiples of {step}" if step > 1 else ""
        raise refuse(field, value, f"a list of {size} integers {within[0]}..{within[-1]}{multiples}")
    return list(value)


def read_end(position: Mapping[str, Any], s: Any, over: int) -> None:
    """Read whether the game is over, that is in the phase `over`, and whether it was truncated.

    Only a full position may be over, because nothing is left to play.
    """
    s["over"] = s["phase"] == over
    if s["over"] and position.get("rng") is None:
        raise refuse("phase", "OVER", "a game that goes on, or a full position with its rng")
    s["truncated"] = read_flag(position, "truncated", False)
    if s["truncated"] and not s["over"]:
        raise refuse("truncated", True, "false while the game goes on")


# Notations of fields


@dataclass(frozen=True)
class Notation:
    """How positions write one entry of a field: a number, or the last axis of an array.

    name: the name of the field in positions, if it has another one.
    omit: positions leave the field out where it is null.
    """

    _: KW_ONLY
    name: str = ""
    omit: bool = False
    array: ClassVar[bool] = False  # one entry is the last axis of the field

    def bounds(self) -> tuple[int, int] | None:
        """Return the lowest and the highest number that the notation can write; None = any."""
        return None

    def write(self, entry: Any) -> Any:
        """Return an entry as JSON can write it."""
        raise NotImplementedError

    def read(self, label: str, value: Any, bounds: range, s: Any) -> Any:
        """Return a number within `bounds`, or the list of numbers, that a value names; raise ValueError for others.

        `s` is the table that is read, with the fields that come before this one.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Notation):
    """A whole number; null stands for -1 if the notation has it."""

    null: bool = False

    def write(self, entry: Any) -> int | None:
        """Return the number."""
        return None if self.null and entry < 0 else int(entry)

    def read(self, label: str, value: Any, bounds: range, s: Any) -> int:
        """Return the number."""
        return -1 if value is None and self.null else read_int({label: value}, label, 0, bounds)


class Flag(Notation):
    """True or false."""

    def bounds(self) -> tuple[int, int]:
        """Return 0 and 1."""
        return 0, 1

    def write(self, entry: Any) -> bool:
        """Return whether the number is not 0."""
        return bool(entry)

    def read(self, label: str, value: Any, bounds: range, s: Any) -> bool:
        """Return the flag."""
        return read_flag({label: value}, label, False)


class Real(Notation):
    """A finite number."""

    def write(self, entry: Any) -> float:
        """Return the number."""
        return float(entry)

    def read(self, label: str, value: Any, bounds: range, s: Any) -> float:
        """Return the number."""
        if not is_number(value):
            raise refuse(label, value, "a finite number")
        return float(value)


@dataclass(frozen=True)
class Choice(Notation):
    """One of some words, or null where no word applies and the number is -1."""

    words: tuple[str, ...] = ()
    null: bool = False

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest index."""
        return -self.null, len(self.words) - 1

    def write(self, entry: Any) -> str | None:
        """Return the word."""
        return self.words[entry] if entry >= 0 else None

    def read(self, label: str, value: Any, bounds: range, s: Any) -> int:
        """Return the index of a word in any case."""
        if value is None and self.null:
            return -1
        index = _ids(self.words).get(value.upper()) if isinstance(value, str) else None
        if index is None:
            raise refuse(label, value, ", ".join(self.words) + " or null" * self.null)
        return index


class Card(Choice):
    """A card or another thing of a table of names, by name or number."""

    def read(self, label: str, value: Any, bounds: range, s: Any) -> int:
        """Return the number."""
        whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.words)
        return value if whole else super().read(label, value, bounds, s)


Reader = Callable[[str, Any, Any], list[int]]  # reader(label, value, s): the cards that a value names


@dataclass(frozen=True)
class _Several(Notation):
    """Several cards."""

    words: tuple[str, ...] = ()
    reader: Reader | None = None  # if the game has forms of its own
    array: ClassVar[bool] = True

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest number of a card."""
        return 0, len(self.words) - 1

    def read(self, label: str, value: Any, bounds: range, s: Any) -> list[int]:
        """Return the cards in their order."""
        return self.reader(label, value, s) if self.reader else read_cards(label, value, self.words)


@dataclass(frozen=True)
class Cards(_Several):
    """A list of cards in their order; its length is another field."""

    reverse: bool = False  # the last entry is written first

    def write(self, entry: Any) -> list[str]:
        """Return the names."""
        return named(entry[::-1] if self.reverse else entry, self.words)

    def read(self, label: str, value: Any, bounds: range, s: Any) -> list[int]:
        """Return the cards in the order of the state."""
        return super().read(label, value, bounds, s)[:: -1 if self.reverse else 1]


class Counts(_Several):
    """Cards counted by type; they are written ascending."""

    most: ClassVar[int] = 127  # cards of a type, so that the number fits into eight bits

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest count."""
        return 0, self.most

    def write(self, entry: Any) -> list[str]:
        """Return the names, each as often as it is counted."""
        return expand(entry, self.words)

    def read(self, label: str, value: Any, bounds: range, s: Any) -> list[int]:
        """Return the counts by type."""
        counts = [0] * len(self.words)
        for card in super().read(label, value, bounds, s):
            counts[card] += 1
            if counts[card] > bounds[-1]:
                raise refuse(label, value, f"at most {bounds[-1]} of {self.words[card]}")
        return counts


class Marks(Counts):
    """Cards that are marked with 1, each of them once."""

    most: ClassVar[int] = 1


class Seats(Notation):
    """A list of different seats; its length is another field."""

    array: ClassVar[bool] = True

    def write(self, entry: Any) -> list[int]:
        """Return the seats."""
        return [int(seat) for seat in entry]

    def read(self, label: str, value: Any, bounds: range, s: Any) -> list[int]:
        """Return the seats."""
        return read_seats({label: value}, label, [], len(bounds))
