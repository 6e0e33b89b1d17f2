"""How much a player thinks: read from the options after its name, as in `search:samples=64,margin=2`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from .specs import parse_options

B = TypeVar("B")


def read(usual: B, options: str, allowed: Mapping[str, Any], refused: Callable[[str], str]) -> B:
    """The budget `usual`, a dataclass, with what `options` say instead; a number before all else is its first field.

    allowed: of each field the least and the most, or the words. ValueError, in the words of `refused`, for the rest.
    """
    known = {field.name: type(getattr(usual, field.name)) for field in fields(usual)}  # type: ignore[arg-type]
    try:
        argument, given = parse_options(options)
    except ValueError:
        raise ValueError(refused(options)) from None
    if argument is not None:
        given = {**given, next(iter(known)): argument}
    values: dict[str, Any] = {}
    for name, value in given.items():
        word = argument if value is argument else f"{name}={value}"
        try:
            values[name] = known[name](value)
        except (KeyError, ValueError):
            raise ValueError(refused(word)) from None
        if not _fits(values[name], allowed[name]):
            raise ValueError(refused(word))
    return replace(usual, **values)  # type: ignore[type-var]


def unusual(budget: Any) -> dict[str, Any]:
    """What a record must tell of a budget: all in which it is not the plainest one."""
    return {name: value for name, value in vars(budget).items() if value != getattr(type(budget), name)}


def _fits(value: Any, allowed: Any) -> bool:
    return value in allowed if isinstance(value, str) else bool(allowed[0] <= value <= allowed[1])
