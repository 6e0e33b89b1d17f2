"""Reading positions: a JSON-able dict in, checked values out. Every refusal names the field that is wrong."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def refuse(field: str, value: Any, allowed: str) -> ValueError:
    """The error to raise for a field with a value that is not allowed."""
    return ValueError(f"position: {field}={value!r} is not allowed; allowed: {allowed}")


def check_fields(position: Mapping[str, Any], known: Iterable[str]) -> None:
    """ValueError for a field the notation does not have."""
    names = list(known)
    for field in position:
        if field not in names:
            raise ValueError(f"position: unknown field {field!r}; fields: {', '.join(names)}")


def check_config(given: Any, config: Mapping[str, Any]) -> None:
    """ValueError where the position was written under other rules than `config`."""
    if not isinstance(given, Mapping):
        raise refuse("config", given, "a dict of configuration fields")
    for field, value in given.items():
        if field not in config:
            raise ValueError(f"position: config has an unknown field {field!r}; fields: {', '.join(config)}")
        if (tuple(value) if isinstance(value, list) else value) != config[field]:
            raise ValueError(f"position: config {field}={value!r} contradicts the game, which has {config[field]!r}")


def read_int(position: Mapping[str, Any], field: str, default: int, allowed: range) -> int:
    """An integer field within `allowed`."""
    value = position.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise refuse(field, value, f"{allowed[0]}..{allowed[-1]}" if len(allowed) else "nothing here")
    return value


def read_choice(position: Mapping[str, Any], field: str, default: str, allowed: Sequence[str]) -> int:
    """The index in `allowed` of a word, whatever its case."""
    value = position.get(field, default)
    if not isinstance(value, str) or value.upper() not in allowed:
        raise refuse(field, value, ", ".join(allowed))
    return allowed.index(value.upper())


def read_flag(position: Mapping[str, Any], field: str, default: bool) -> bool:
    """A true-or-false field."""
    value = position.get(field, default)
    if not isinstance(value, bool):
        raise refuse(field, value, "true or false")
    return value


def read_card(field: str, value: Any, names: Sequence[str]) -> int:
    """A card by name (any case) or id."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
        return value
    if isinstance(value, str):
        card = _ids(tuple(names)).get(value.strip().upper())
        if card is not None:
            return card
    raise ValueError(f"position: {field} has the unknown card {value!r}; cards: {', '.join(names)}")


@functools.cache
def _ids(names: tuple[str, ...]) -> dict[str, int]:
    return {name.upper(): i for i, name in enumerate(names)}


def read_cards(field: str, value: Any, names: Sequence[str]) -> list[int]:
    """A list of cards, or one string with blanks."""
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, (list, tuple)):
        raise refuse(field, value, "a list of cards or a string with blanks")
    return [read_card(field, card, names) for card in value]


def read_cards_by_seat(position: Mapping[str, Any], field: str, seats: int, names: Sequence[str]) -> list[list[int]]:
    """One list of cards for each seat; none where the field is left out."""
    value = position.get(field)
    if value is None:
        return [[] for _ in range(seats)]
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise refuse(field, value, f"a list of {seats} lists of cards, one for each seat")
    return [read_cards(f"{field}[{seat}]", cards, names) for seat, cards in enumerate(value)]


def read_seats(position: Mapping[str, Any], field: str, default: list[int], seats: int) -> list[int]:
    """A list of different seats."""
    value = position.get(field, default)
    ok = isinstance(value, (list, tuple)) and all(isinstance(s, int) and 0 <= s < seats for s in value)
    if not ok or len(set(value)) != len(value):
        raise refuse(field, value, f"a list of different seats 0..{seats - 1}")
    return list(value)


def read_numbers(position: Mapping[str, Any], field: str, size: int) -> list[float] | None:
    """A list of `size` numbers, or None where the field is left out."""
    value = position.get(field)
    if value is None:
        return None
    numbers = isinstance(value, (list, tuple)) and all(isinstance(v, (int, float)) for v in value)
    if not numbers or len(value) != size:
        raise refuse(field, value, f"a list of {size} numbers")
    return list(value)


def read_end(position: Mapping[str, Any], s: Any, over: int) -> None:
    """Is the game in the phase `over`, and was it cut off? Only a full position may: there is nothing left to play."""
    s["over"] = s["phase"] == over
    if s["over"] and "rng" not in position:
        raise refuse("phase", "OVER", "a game that goes on, or a full position with its rng")
    s["truncated"] = read_flag(position, "truncated", False)
    if s["truncated"] and not s["over"]:
        raise refuse("truncated", True, "false while the game goes on")


def read_stream(position: Mapping[str, Any], s: Any) -> None:
    """The random stream, `rng`; without one the record keeps its own."""
    words = read_numbers(position, "rng", len(s["rng"]))
    if words is None:
        return
    if any(not isinstance(word, int) or not 0 <= word < 1 << 32 for word in words):
        raise refuse("rng", position["rng"], "four integers of 32 bits")
    s["rng"] = words
