"""Action features: every legal action as a row of numbers with names, for networks that rate actions one by one.

`game.features` has the names of the columns. `game.describe(states)` and `obs.described` return the rows. A game with a
module `agents/features.py` works its own columns out. For any other game, `generic_features` makes columns from the
words of its actions and from its observation.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .actions import ActionBlocks
from .blocks import Block, Blocks, ViewBlocks
from .compiled import jit
from .compiled.drivers import ones, to_float
from .compiled.jit import Kernel, entry_point, kernel, template, unbound
from .state import States

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int8]
MOST_WORDS = 64  # a hole with more words is one number in generic features


class Described(NamedTuple):
    """The m legal actions of the seats to decide at k tables. A table that is over has none.

    The table of each action is `rows`, and the first action of each table is `starts`.
    """

    counts: Ints  # (k,) numbers of legal actions
    actions: Ints  # (m,) their ids, ascending within a table
    features: Floats  # (m, game.features.of_action.size)
    tables: Floats  # (k, game.features.of_table.size)

    @property
    def rows(self) -> Ints:
        """The table of each action, (m,), ascending."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def starts(self) -> Ints:
        """The place of the first action of each table in `actions`, (k,)."""
        return np.asarray(np.cumsum(self.counts) - self.counts)

    def take(self, rows: Ints) -> Described:
        """Return copies of the tables `rows`, (j,), with their actions: `counts` (j,), `tables` (j, T), and so on."""
        counts = self.counts[rows]
        shift = self.starts[rows] - (np.cumsum(counts) - counts)
        flat = np.repeat(shift, counts) + np.arange(counts.sum())
        return Described(counts, self.actions[flat], self.features[flat], self.tables[rows])


class Describing(Protocol):
    """What describes the actions of a game: the module `agents/features.py` in its folder."""

    OF_ACTION: Blocks  # the columns of an action
    OF_TABLE: Blocks  # the columns of a table
    describe_legal: Kernel
    """The kernel for one table. It is called with a concealed record, the mask of its seat 0, the arrays of `prepare`,
    rows of zeros for the legal actions, ascending, and a row of zeros for the table. It returns the number of legal
    actions. With a mask of zeros it describes the table alone."""

    def prepare(self, game: Any) -> Any:
        """Return the arrays that `describe_legal` works in. Each thread needs its own."""
        ...


@dataclass(frozen=True, eq=False)
class Features:
    """The action features of a game: the names of their columns, and the compiled functions that fill them in."""

    of_action: Blocks  # the columns of an action
    of_table: Blocks  # the columns of a table, which all its actions share
    describe_legal: Kernel  # see `Describing`
    prepare: Callable[[Any], Any]  # see `Describing`
    find_legal: Kernel  # see `find_legal`
    describe_rows: Kernel  # see `describe_rows`

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of columns of an action, and of a table."""
        return self.of_action.size, self.of_table.size

    def table(self) -> str:
        """Return the columns of an action and of a table as two Markdown tables."""
        return f"An action:\n\n{self.of_action.table()}\n\nA table:\n\n{self.of_table.table()}"


class Describer:
    """Describes tables of a game into arrays that are used again: `describer(states, rows, seats)`.

    Args:
        game: The `Game`, which imports this module.
        most: The most tables of one call.
    """

    def __init__(self, game: Any, most: int) -> None:
        self._game, self._most = game, most
        self.features: Features = game.features
        self._rooms: dict[int, tuple[States, Any]] = {}  # what a thread works in
        self._masks = np.zeros((most, game.actions.size), np.int8)
        self._counts, self._tables = np.zeros(most, np.int64), np.zeros((most, self.features.of_table.size), np.float32)
        self._grow(4 * most)

    def __reduce__(self) -> tuple[Any, ...]:
        return Describer, (self._game, self._most)

    def __call__(self, states: States, rows: Ints, seats: Ints) -> Described:
        """Return the legal actions of `seats` at the tables `rows`, valid until the next call."""
        return self.describe(states, rows, seats, *self.find(states, rows, seats))

    def find(self, states: States, rows: Ints, seats: Ints) -> tuple[Masks, Ints]:
        """Return the masks and the numbers of legal actions of `seats` at the tables `rows`, valid until the next call.

        They are zero where another seat decides, and where the game is over.
        """
        masks, counts = self._masks[: len(rows)], self._counts[: len(rows)]
        self.features.find_legal(states, rows, seats, masks, counts)
        return masks, counts

    def describe(self, states: States, rows: Ints, seats: Ints, masks: Masks, counts: Ints) -> Described:
        """Return the legal actions of seats whose masks are known, valid until the next call."""
        described = self.begin(counts)
        self.fill(described, states, rows, seats, masks, 0, len(rows))
        return described

    def begin(self, counts: Ints) -> Described:
        """Return arrays for tables with these numbers of legal actions, which `fill` fills in."""
        m = int(counts.sum())
        if m > len(self._actions):
            self._grow(2 * m)
        return Described(counts, self._actions[:m], self._features[:m], self._tables[: len(counts)])

    def fill(
        self, described: Described, states: States, rows: Ints, seats: Ints, masks: Masks, lo: int, hi: int
    ) -> None:
        """Fill in the tables rows[lo:hi]. Threads can fill in several such parts at once."""
        thread = threading.get_ident()
        if thread not in self._rooms:
            self._rooms[thread] = self._game.blanks(1), self.features.prepare(self._game)
        first = int(described.counts[:lo].sum())
        mine = slice(first, first + int(described.counts[lo:hi].sum()))
        inputs, outputs = (states, rows[lo:hi], seats[lo:hi], masks[lo:hi]), (described.actions, described.features)
        self.features.describe_rows(
            *inputs, *self._rooms[thread], *(array[mine] for array in outputs), described.tables[lo:hi]
        )

    def _grow(self, room: int) -> None:
        self._actions, self._features = np.zeros(room, np.int64), np.zeros((room, self.features.sizes[0]), np.float32)


def features_of(describing: Describing, rules: ModuleType, conceal: Kernel) -> Features:
    """Return the features that a module of a game describes.

    Args:
        describing: The module.
        rules: The module with the kernel `legal_actions`, by which the machine code is stored.
        conceal: The kernel of the game's fields.
    """
    describe_legal, columns = describing.describe_legal, (describing.OF_ACTION, describing.OF_TABLE)
    return Features(*columns, describe_legal, describing.prepare, *_bound(describe_legal, rules, conceal))


@functools.cache
def _bound(describe_legal: Kernel, rules: ModuleType, conceal: Kernel) -> tuple[Kernel, Kernel]:
    """Return `find_legal` and `describe_rows` with the kernels of a game."""
    own: Any = inspect.unwrap(describe_legal)
    kernels = {"legal_actions": rules.legal_actions, "conceal": conceal, "describe_legal": describe_legal}
    ending = f"_of_{own.__module__.rpartition('.')[2]}_{own.__qualname__}"
    copies = jit.bind(__name__, kernels, rules, ending)
    return copies["find_legal"], copies["describe_rows"]


legal_actions: Kernel = unbound
conceal: Kernel = unbound
describe_legal: Kernel = unbound
observe: Kernel = unbound


@template(entry_point)
def find_legal(states: Any, rows: Any, seats: Any, masks: Any, counts: Any) -> None:
    """Fill in the masks of `seats[k]` at the tables `rows[k]`, and the numbers of their legal actions."""
    for k in range(len(rows)):
        s = states[rows[k]]
        if s.over == 0 and seats[k] == s.seat:
            legal_actions(s, masks[k])
        else:
            for a in range(masks.shape[1]):
                masks[k, a] = 0
        counts[k] = ones(masks[k])


@template(entry_point)
def describe_rows(
    states: Any, rows: Any, seats: Any, masks: Any, known: Any, room: Any, actions: Any, features: Any, tables: Any
) -> None:
    """Fill in the legal actions of `seats[k]` at the tables `rows[k]`, table by table, by their `masks`."""
    for i in range(len(features)):
        for j in range(features.shape[1]):
            features[i, j] = 0
    n = 0
    for k in range(len(rows)):
        conceal(states[rows[k]], seats[k], seats[k], known[0])
        for j in range(tables.shape[1]):
            tables[k, j] = 0
        describe_legal(known[0], masks[k], room, features[n:], tables[k])
        for a in range(masks.shape[1]):
            if masks[k, a] == 1:
                actions[n] = a
                n += 1


# Generic features


class GenericRoom(NamedTuple):
    """The arrays in which generic features are made."""

    actions: Floats  # (actions.size, columns of an action): they do not depend on the table
    narrow: npt.NDArray[Any]  # (view.size,) the observation in whole numbers
    factors: Floats  # see `ViewBlocks`


class GenericFeatures:
    """Features of a game without `agents/features.py`: the words of an action, and the observation of its seat.

    Args:
        actions: The actions of the game.
        blocks: Its observation.
        view: The module with the kernel `observe`, by which the machine code is stored.
    """

    def __init__(self, actions: ActionBlocks, blocks: ViewBlocks, view: ModuleType) -> None:
        self.OF_ACTION, self.OF_TABLE = _columns(actions), Blocks(*blocks)
        self.describe_legal = _by_words(view)
        self._actions, self._view = actions, blocks

    def prepare(self, game: Any) -> GenericRoom:
        """Return the arrays that `describe_legal` works in. Each thread needs its own."""
        rows = np.zeros((self._actions.size, self.OF_ACTION.size), np.float32)
        kinds = [block.name for block in self._actions]
        for action, row in enumerate(rows):
            row[kinds.index(self._actions.at(action).name)] = 1
            for name, (hole, index) in self._actions.words_of(action).items():
                at = self.OF_ACTION[f"word_{name}"].start
                if hole.size <= MOST_WORDS:
                    row[at + index] = 1
                else:
                    row[at] = index / (hole.size - 1)
        return GenericRoom(rows, np.zeros(self._view.size, self._view.dtype), self._view.factors)


def _columns(actions: ActionBlocks) -> Blocks:
    """Return the columns of generic features: the block of an action, and each word of its pattern."""
    kinds = ", ".join(block.name for block in actions)
    blocks = [Block("kind", len(list(actions)), f"one-hot: the block of the action: {kinds}")]
    for name, hole in actions.holes.items():
        many = hole.size > MOST_WORDS
        meaning = "number of the word, as a share of all" if many else "one-hot: the number of the word"
        blocks.append(Block(f"word_{name}", 1 if many else hole.size, f"{name.upper()} in the words: {meaning}"))
    return Blocks(*blocks)


@functools.cache
def _by_words(view: ModuleType) -> Kernel:
    """Return `describe_by_words` with the kernel of a game."""
    return jit.bind(__name__, {"observe": view.observe}, view)["describe_by_words"]


@template(kernel)
def describe_by_words(known: Any, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in generic features of a table and of its legal actions, ascending; return their number."""
    observe(known, 0, room.narrow)
    to_float(room.narrow, room.factors, table)
    n = 0
    for action in range(len(mask)):
        if mask[action] == 1:
            for i in range(room.actions.shape[1]):
                features[n, i] = room.actions[action, i]
            n += 1
    return n
