"""Actions with words: blocks of action ids with one pattern each. Names, the parser and errors follow from it.

    play = Action("play", "play {card}", "play a card", "PLAY")
    give = Action("give", "give {seat}", "give the pile to another seat", "TARGET")
    ActionBlocks(play, give, card=("7", "8", "KING"), seat=other_seats(players))

A block has one id for each combination of words in the holes of its pattern; the last hole counts fastest. In patterns
and in words, `|` separates spellings. All of them are read, and one is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from string import Formatter

import numpy as np

from .blocks import Block, Blocks
from .state import States

LISTED, SOME = 24, 12  # an error lists so many words of a hole; of more words it lists some


class Hole:
    """The words in one hole of a pattern. They may depend on the table, shape (1,): then they are a function of it.

    A subclass may have words that cannot be listed: it replaces `write`, `read` and `hint`.
    """

    def __init__(self, words: Sequence[str] | Callable[[States], Sequence[str]], size: int) -> None:
        self.words, self.size = words if callable(words) else lambda state: words, size

    def write(self, state: States, index: int) -> str:
        """Return a word in its first spelling."""
        return self.words(state)[index].partition("|")[0]

    def read(self, state: States, text: str) -> int | None:
        """Return the index of a word in lower case, or None if there is no such word."""
        return next((i for i, word in enumerate(self.words(state)) if text in word.lower().split("|")), None)

    def hint(self, state: States) -> str:
        """Return the words for an error: all of them, or some if there are many."""
        indices = range(self.size) if self.size <= LISTED else np.linspace(0, self.size - 1, SOME).astype(int)
        return ", ".join(self.write(state, i) for i in indices) + f" ({self.size} words)" * (self.size > LISTED)


def other_seats(players: int) -> Hole:
    """Return the absolute numbers of the other seats, counted from the one after the seat to decide."""
    return Hole(lambda s: [str((int(s["seat"][0]) + k) % players) for k in range(1, players)], players - 1)


@dataclass(frozen=True)
class Action:
    """A block of actions, before it has ids."""

    name: str
    pattern: str
    description: str  # meaning of index i of the block; the phrase in logs, if the game has no other
    when: str  # phases in which the actions are legal
    spelling: Callable[[States], int] | None = None  # index of the spelling that a table writes; None = always 0


class ActionBlocks(Blocks):
    """The actions of a game: blocks of ids with their words, which may depend on the table, shape (1,).

    Attributes:
        holes: The holes of the patterns by name.
    """

    def __init__(self, *actions: Action, **holes: Hole | Sequence[str]) -> None:
        named = {name: hole if isinstance(hole, Hole) else Hole(hole, len(hole)) for name, hole in holes.items()}
        self._actions = {action.name: action for action in actions}
        self._spellings = {action.name: action.pattern.split("|") for action in actions}
        self.holes = named
        self._holes = {action: {n: named[n] for n in _names(texts[0])} for action, texts in self._spellings.items()}
        self._sizes = {action: [hole.size for hole in inside.values()] for action, inside in self._holes.items()}
        super().__init__(*(Block(a.name, prod(self._sizes[a.name]), a.description) for a in actions))
        self._regexes = [(block, _regex(text)) for block in self for text in self._spellings[block.name]]

    def write(self, state: States, action: int) -> str:
        """Return the words of an action id at a table (1,)."""
        block = self.at(action)
        words = {name: hole.write(state, index) for name, (hole, index) in self.words_of(action).items()}
        spelling = self._actions[block.name].spelling
        return self._spellings[block.name][spelling(state) if spelling else 0].format(**words)

    def words_of(self, action: int) -> dict[str, tuple[Hole, int]]:
        """Return the holes in the pattern of an action id by name, each with the number of its word."""
        block = self.at(action)
        holes, indices = self._holes[block.name], np.unravel_index(action - block.start, self._sizes[block.name])
        return {name: (hole, int(i)) for (name, hole), i in zip(holes.items(), indices, strict=True)}

    def read(self, state: States, text: str) -> int | None:
        """Return the action id of words in lower case with single blanks, or None if they name no action."""
        text = re.sub(r"\d+", lambda number: str(int(number[0])), text)  # without leading zeros
        for block, regex in self._regexes:
            if words := regex.fullmatch(text):
                indices = [hole.read(state, words[name]) for name, hole in self._holes[block.name].items()]
                known = [index for index in indices if index is not None]
                if len(known) == len(indices):
                    return block.start + (int(np.ravel_multi_index(known, self._sizes[block.name])) if known else 0)
        return None

    def hint(self, state: States) -> str:
        """Return all patterns and the words in their holes, for an error."""
        forms = ", ".join(_shown(text) for texts in self._spellings.values() for text in texts)
        holes = {name: hole for inside in self._holes.values() for name, hole in inside.items()}
        return "; ".join([forms, *(f"{name.upper()}: {hole.hint(state)}" for name, hole in holes.items())])

    def table(self) -> str:
        """Return the blocks as a Markdown table."""
        rows = ["| first | size | name | words | meaning | phases |", "|---:|---:|---|---|---|---|"]
        for block, action in zip(self, self._actions.values(), strict=True):
            words = ", ".join(f"`{_shown(text)}`" for text in self._spellings[block.name])
            cells = block.start, block.size, f"`{block.name}`", words, block.description, action.when
            rows.append(f"| {' | '.join(map(str, cells))} |")
        return "\n".join(rows)


def _names(pattern: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(pattern) if name]


def _shown(pattern: str) -> str:
    """Return a pattern with its holes in capitals: `give SEAT`."""
    return pattern.format(**{name: name.upper() for name in _names(pattern)})


def _regex(pattern: str) -> re.Pattern[str]:
    """Return a regular expression for a pattern in lower case, with a group for each hole."""
    parts = Formatter().parse(pattern.lower())
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+)" if name else "") for text, name, *_ in parts))
