"""Options of a game: their defaults, the allowed values, and clear errors."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePath
from typing import Any

import numpy as np

from .state import record

Config = dict[str, Any]
SWITCH = (False, True)
LONGEST = 300  # characters of a refused value in an error message


@dataclass(frozen=True)
class ListOf:
    """Allows a list of `sizes` integers, each in `values`. It is stored as a tuple."""

    values: range
    sizes: tuple[int, ...]

    def __contains__(self, value: Any) -> bool:
        return len(value) in self.sizes and all(type(entry) is int and entry in self.values for entry in value)

    @property
    def description(self) -> str:
        """Return the allowed values as a phrase."""
        first, last = self.sizes[0], self.sizes[-1]
        every = len(self.sizes) > 2 and self.sizes == tuple(range(first, last + 1))
        sizes = f"{first} to {last}" if every else " or ".join(map(str, self.sizes))
        return f"{sizes} integers in a list, each {_range_words(self.values)}"


@dataclass(frozen=True)
class OneOf:
    """Allows one of several values, possibly of several types; `description` lists them."""

    values: tuple[Any, ...]
    description: str

    def __contains__(self, value: Any) -> bool:
        return any(type(value) is type(allowed) and value == allowed for allowed in self.values)


@dataclass(frozen=True)
class Matching:
    """Allows strings that match a regular expression; `description` explains which."""

    pattern: str
    description: str

    def __contains__(self, value: str) -> bool:
        return re.fullmatch(self.pattern, value) is not None


@dataclass(frozen=True)
class Within:
    """Allows numbers from `least` to `most`, both included. Infinity is not allowed."""

    least: float
    most: float = math.inf

    def __contains__(self, value: Any) -> bool:
        return bool(self.least <= value <= self.most and value < math.inf)

    @property
    def description(self) -> str:
        """Return the allowed values as a phrase."""
        return f"{self.least} or more" if self.most == math.inf else f"{self.least}..{self.most}"


@dataclass(frozen=True)
class Whole(Within):
    """Allows integers of Python and NumPy from `least` to `most`, both included. Other types are not allowed."""

    def __contains__(self, value: Any) -> bool:
        return is_whole(value) and super().__contains__(value)

    @property
    def description(self) -> str:
        """Return the allowed values as a phrase."""
        return super().description if self.most < math.inf else f"{self.least}, {self.least + 1}, {self.least + 2}, .."


@dataclass(frozen=True)
class Rule:
    """Allows values for which `fits` returns true; `description` explains which."""

    fits: Callable[[Any], object]
    description: str

    def __contains__(self, value: Any) -> bool:
        return bool(self.fits(value))


SWITCHES = OneOf(SWITCH, "False, True")
Allowed = ListOf | OneOf | Matching | Within | Rule


def words_of(choices: type[IntEnum]) -> tuple[str, ...]:
    """Return the allowed values of an option that is stored as a number: the names of an enum in lower case."""
    return tuple(name.lower() for name in choices.__members__)


@dataclass(frozen=True)
class Option:
    """One option.

    Args:
        name: Its name.
        default: Its value if none is given.
        allowed: A range, a tuple of values, an `Allowed`, or None for any number.
        description: Its meaning, as a phrase.
        stored: The dtype, or dtype and shape, of its field in `opt`, for kernels. Switches and words are always stored.
        needs: Another option, and the only value with which this one has an effect.
        retired: True = it is no option any more. Saved games may still name it with an allowed value, and `opt` keeps
            its field, so that their bytes stay as they were.
    """

    name: str
    default: Any
    allowed: range | tuple[Any, ...] | Allowed | None
    description: str
    stored: Any = None
    needs: tuple[str, Any] | None = None
    retired: bool = False

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """Return the dtype of the field in `opt`; None = there is none."""
        words = isinstance(self.allowed, tuple) and isinstance(self.default, (bool, str))
        stored = np.int8 if words else self.stored
        return None if stored is None else np.dtype(stored)

    def check(self, game: str, value: Any) -> Any:
        """Return `value` in plain Python; raise ValueError with option, value and what is allowed."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(self.default, float) and is_number(value):
            value = float(value)
        if isinstance(self.default, tuple) and isinstance(value, list):
            value = tuple(value)
        require(f"{game}: {self.name}", value, self._allows(value), self.allowed_words())
        return value

    def _allows(self, value: Any) -> bool:
        if isinstance(self.allowed, tuple):  # the tuple may hold values of several types
            return value in OneOf(self.allowed, "")
        if isinstance(self.allowed, OneOf):
            return value in self.allowed
        if type(value) is not type(self.default):
            return False
        return math.isfinite(value) if self.allowed is None else value in self.allowed

    def allowed_words(self) -> str:
        """Return the allowed values as a phrase."""
        if self.allowed is None:
            return "any finite number"
        if isinstance(self.allowed, range):
            return _range_words(self.allowed)
        if isinstance(self.allowed, tuple):
            return ", ".join(repr(value) for value in self.allowed)
        return self.allowed.description


def is_whole(value: Any) -> bool:
    """Return whether a value is an integer of Python or NumPy; booleans are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def is_number(value: Any) -> bool:
    """Return whether a value is a finite real number of Python or NumPy that fits a float; booleans are not."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def shown(value: Any) -> str:
    """Return a refused value for an error message: its `repr`, shortened in the middle if it is very long."""
    try:
        words = repr(str(value) if isinstance(value, PurePath) else value)
    except ValueError:  # an integer with more digits than Python writes
        words = f"an integer of {int(value).bit_length()} bits"
    return words if len(words) <= LONGEST else f"{words[: LONGEST // 2]} .. {words[-LONGEST // 2 :]}"


def require(name: str, value: Any, fits: object, allowed: str) -> None:
    """Raise ValueError with the name of an argument, its value and what is allowed, unless it fits."""
    if not fits:
        raise ValueError(f"{name}={shown(value)} is not allowed; allowed: {allowed}")


def require_in(name: str, value: Any, allowed: Allowed) -> None:
    """Raise ValueError with the name of an argument, its value and what is allowed, unless that contains it."""
    if value not in allowed:
        require(name, value, False, allowed.description)


def _range_words(values: range) -> str:
    return f"{values[0]}..{values[-1]}" + (f" in steps of {values.step}" if values.step > 1 else "")


class Options:
    """All options of one game."""

    def __init__(self, game: str, *fields: Option) -> None:
        self.game = game
        self._all = {field.name: field for field in fields}
        self.fields = {field.name: field for field in fields if not field.retired}
        self.defaults: Config = {field.name: field.default for field in self.fields.values()}

    def resolve(self, given: Mapping[str, Any]) -> Config:
        """Return the value of every option; raise ValueError for an unknown option or a value that is not allowed.

        An option `dealer` must be a seat of the table.
        """
        for name, value in given.items():
            if name not in self._all:
                raise ValueError(f"{self.game}: unknown field {name!r}; fields: {', '.join(self.fields)}")
            if self._all[name].retired:
                self._all[name].check(self.game, value)
        config = {name: field.check(self.game, given.get(name, field.default)) for name, field in self.fields.items()}
        if "dealer" in config and config["dealer"] >= config["players"]:
            last = config["players"] - 1
            raise ValueError(f"{self.game}: dealer={config['dealer']} is not allowed; allowed: -1..{last}")
        return config

    def record(self, *derived: tuple[Any, ...], order: str = "") -> np.dtype[np.void]:
        """Return the dtype of `opt`, the options that kernels read. `FIELDS.blank` fills it in.

        Args:
            derived: Further numbers, which follow from the options: name, dtype and, for lists, shape.
            order: Names that come first. It keeps the bytes of records that were saved or hashed before.
        """
        fields = {name: (name, *kind) for name, *kind in derived}
        fields |= {name: (name, field.dtype) for name, field in self._all.items() if field.dtype is not None}
        return record([fields[name] for name in dict.fromkeys([*order.split(), *fields])])

    def store(self, config: Config, opt: Any) -> None:
        """Write values into the fields of the record `opt` that have the names of options.

        A word is stored as its index among the allowed words, a list from the beginning of its field. Values without a
        number, such as None, are left to the game.
        """
        for name in opt.dtype.names or ():
            value = config.get(name)
            allowed = self.fields[name].allowed if name in config else None
            if isinstance(value, tuple):
                opt[name][: len(value)] = value
            elif isinstance(value, str) and isinstance(allowed, tuple):
                opt[name] = allowed.index(value)
            elif isinstance(value, (int, float)):
                opt[name] = value

    def changed(self, config: Mapping[str, Any]) -> Config:
        """Return the options of `config` that differ from the default."""
        return {name: value for name, value in config.items() if value != self.defaults[name]}

    def table(self) -> str:
        """Return the options as a Markdown table."""
        rows = [
            f"| `{f.name}` | `{f.default!r}` | {f.allowed_words()} | {f.description} |" for f in self.fields.values()
        ]
        return "\n".join(["| field | default | allowed | meaning |", "|---|---|---|---|", *rows])
