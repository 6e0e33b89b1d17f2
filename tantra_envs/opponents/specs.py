"""The grammar of agent names.

    NAME                          search
    NAME:key=value,key=value      search:samples=64,base=learned
    NAME:value,key=value          search:64,base=learned (the first option of an agent needs no key)
    FILE.py:CLASS                 my_agent.py:MyAgent
    AGENT@DEALS                   search:64@20 (in studies: this agent plays 20 deals at most)

Lists of agents are separate words on a command line and arrays in TOML files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from ..core.options import require

B = TypeVar("B")
GRAMMAR = "NAME, NAME:key=value,key=value, FILE.py:CLASS, and any of these with @DEALS where deals are counted"
_SPEC = re.compile(r"(?P<name>(?:[A-Za-z]:)?[^:]*\.py|[^:@,=]+)(?::(?P<options>.*))?", re.DOTALL)
_DEALS = re.compile(r"(.*)@(\d+)", re.DOTALL)
_KEYED = re.compile(r"(\w+)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class AgentSpec:
    """The parsed name of an agent.

    Attributes:
        text: The name without the limit of deals.
        name: The part before the colon: "search", or the path of a file.
        argument: The first option if it has no key (for a file its class), else None.
        options: The other options by key.
        deals: The limit of deals, or None.
    """

    text: str
    name: str
    argument: str | None = None
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    deals: int | None = None

    @classmethod
    def parse(cls, text: str | AgentSpec) -> AgentSpec:
        """Parse the name of one agent; raise ValueError unless it follows the grammar."""
        if isinstance(text, AgentSpec):
            return text
        words, deals = text.strip() if isinstance(text, str) else "", None
        if limited := _DEALS.fullmatch(words):
            words, deals = limited[1], int(limited[2])
        parts = _SPEC.fullmatch(words)
        if parts is None:
            raise ValueError(f"agent {text!r} is not allowed; allowed: {GRAMMAR}")
        try:
            argument, options = parse_options(parts["options"] or "")
        except ValueError as error:
            raise ValueError(f"agent {text!r} is not allowed: {error}; allowed: {GRAMMAR}") from None
        return cls(words, parts["name"].strip(), argument, options, deals)

    @property
    def file(self) -> Path | None:
        """The Python file of the agent's class; None for another agent."""
        return Path(self.name) if self.name.endswith(".py") else None

    @property
    def words(self) -> str:
        """The options as text: the part after the colon."""
        return self.text.partition(":")[2] if self.file is None else self.text[len(self.name) + 1 :]

    def lacking(self, *keys: str) -> AgentSpec:
        """Return this spec without some of its options."""
        return self._with({key: value for key, value in self.options.items() if key not in keys})

    def having(self, **options: str) -> AgentSpec:
        """Return this spec with these options in place of its own."""
        return self._with({**self.options, **options})

    def _with(self, options: Mapping[str, str]) -> AgentSpec:
        words = [] if self.argument is None else [self.argument]
        words += [f"{key}={value}" for key, value in options.items()]
        text = ":".join([self.name, ",".join(words)]) if words else self.name
        return AgentSpec(text, self.name, self.argument, options, self.deals)


def parse_options(words: str) -> tuple[str | None, dict[str, str]]:
    """Parse options: the first value if it has no key, and the others by key.

    Raises:
        ValueError: A later option has no key, or a key occurs twice.
    """
    argument, options = None, dict[str, str]()
    for number, word in enumerate(filter(None, map(str.strip, words.split(",")))):
        if keyed := _KEYED.fullmatch(word):
            if keyed[1] in options:
                raise ValueError(f"option {keyed[1]!r} is given twice")
            options[keyed[1]] = keyed[2]
        elif number == 0:
            argument = word
        else:
            raise ValueError(f"option {word!r} has no key")
    return argument, options


def read_budget(usual: B, options: str, allowed: Mapping[str, Any], agent: str, words: str) -> B:
    """Return the budget of a search with the values in `options`, as in `search:samples=64,margin=2`.

    Args:
        usual: The budget with the default values, a dataclass.
        options: The options as text. A first value without a key is the first field.
        allowed: For each field the smallest and the largest value, or the allowed words.
        agent: The game and the agent, for messages.
        words: The allowed options, for messages.

    Raises:
        ValueError: An option is unknown, or its value is not allowed.
    """

    def refused(word: str) -> ValueError:
        return ValueError(f"{agent}:{word} is not allowed; allowed: {words}")

    types = {field.name: type(getattr(usual, field.name)) for field in fields(usual)}  # type: ignore[arg-type]
    try:
        argument, settings = parse_options(options)
    except ValueError:
        raise refused(options) from None
    if argument is not None:
        first = next(iter(types))
        if first in settings:
            raise refused(f"{first}={settings[first]}")
        settings = {**settings, first: argument}
    values: dict[str, Any] = {}
    for name, value in settings.items():
        word = argument if value is argument else f"{name}={value}"
        try:
            number = values[name] = types[name](value)
        except (KeyError, ValueError):
            raise refused(word) from None
        limits = allowed[name]
        if not (number in limits if isinstance(number, str) else limits[0] <= number <= limits[1]):
            raise refused(word)
    return replace(usual, **values)  # type: ignore[type-var]


def unusual(budget: Any) -> dict[str, Any]:
    """Return the values of a budget that differ from the defaults of its class, for records."""
    return {name: value for name, value in vars(budget).items() if value != getattr(type(budget), name)}


def parse_list(specs: Iterable[str | AgentSpec]) -> list[AgentSpec]:
    """Parse the names of several agents; raise ValueError for a string in place of a list."""
    require("agents", specs, not isinstance(specs, str), "a list with the words of one agent in each entry")
    return [AgentSpec.parse(spec) for spec in specs]
