"""Budgets of search agents, read from the options after their names, as in `search:samples=64,margin=2`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from .specs import parse_options

B = TypeVar("B")


def read(usual: B, options: str, allowed: Mapping[str, Any], refused: Callable[[str], str]) -> B:
    """Return a budget with the values in `options`.

    Args:
        usual: The budget with the default values, a dataclass.
        options: The options as text. A first value without a key is the first field.
        allowed: For each field the smallest and the largest value, or the allowed words.
        refused: Returns the message for an option that is not allowed.

    Raises:
        ValueError: An option is unknown, or its value is not allowed.
    """
    types = {field.name: type(getattr(usual, field.name)) for field in fields(usual)}  # type: ignore[arg-type]
    try:
        argument, settings = parse_options(options)
    except ValueError:
        raise ValueError(refused(options)) from None
    if argument is not None:
        first = next(iter(types))
        if first in settings:
            raise ValueError(refused(f"{first}={settings[first]}"))
        settings = {**settings, first: argument}
    values: dict[str, Any] = {}
    for name, value in settings.items():
        word = argument if value is argument else f"{name}={value}"
        try:
            values[name] = types[name](value)
        except (KeyError, ValueError):
            raise ValueError(refused(word)) from None
        if not _fits(values[name], allowed[name]):
            raise ValueError(refused(word))
    return replace(usual, **values)  # type: ignore[type-var]


def unusual(budget: Any) -> dict[str, Any]:
    """Return the values of a budget that differ from the defaults of its class, for records."""
    return {name: value for name, value in vars(budget).items() if value != getattr(type(budget), name)}


def _fits(value: Any, allowed: Any) -> bool:
    return value in allowed if isinstance(value, str) else bool(allowed[0] <= value <= allowed[1])
