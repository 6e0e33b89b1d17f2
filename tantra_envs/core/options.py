"""Configuration fields of a game: their defaults, what is allowed, and clear refusals."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Config = dict[str, Any]


@dataclass(frozen=True)
class Matching:
    """The strings that a regular expression matches; `says` tells them in words."""

    pattern: str
    says: str

    def __contains__(self, value: str) -> bool:
        return re.fullmatch(self.pattern, value) is not None


@dataclass(frozen=True)
class Option:
    """One field. `allowed`: a range of integers, a tuple of values, matching strings, or None for any finite number."""

    name: str
    default: Any
    allowed: range | tuple[Any, ...] | Matching | None
    says: str

    def check(self, game: str, value: Any) -> Any:
        """`value` in plain Python; ValueError naming the field, the value and what is allowed."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(self.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not type(self.default) or not self._allows(value):
            raise ValueError(f"{game}: {self.name}={value!r} is not allowed; allowed: {self.allowed_words()}")
        return value

    def _allows(self, value: Any) -> bool:
        return math.isfinite(value) if self.allowed is None else value in self.allowed

    def allowed_words(self) -> str:
        """What is allowed, in words."""
        if self.allowed is None:
            return "any finite number"
        if isinstance(self.allowed, Matching):
            return self.allowed.says
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]}..{self.allowed[-1]}"
        return ", ".join(repr(value) for value in self.allowed)


SWITCH = (False, True)


class Options:
    """All fields of one game."""

    def __init__(self, game: str, *fields: Option) -> None:
        self.game = game
        self.fields = {field.name: field for field in fields}
        self.defaults: Config = {field.name: field.default for field in fields}

    def resolve(self, given: Mapping[str, Any]) -> Config:
        """Every field, `given` ones checked; ValueError for an unknown field or a value not allowed."""
        for name in given:
            if name not in self.fields:
                raise ValueError(f"{self.game}: unknown field {name!r}; fields: {', '.join(self.fields)}")
        return {name: field.check(self.game, given.get(name, field.default)) for name, field in self.fields.items()}

    def changed(self, config: Mapping[str, Any]) -> Config:
        """The fields of `config` that differ from the default."""
        return {name: value for name, value in config.items() if value != self.defaults[name]}

    def table(self) -> str:
        """The fields as a Markdown table."""
        rows = [f"| `{f.name}` | `{f.default!r}` | {f.allowed_words()} | {f.says} |" for f in self.fields.values()]
        return "\n".join(["| field | default | allowed | meaning |", "|---|---|---|---|", *rows])
