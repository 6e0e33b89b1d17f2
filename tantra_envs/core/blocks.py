"""Named index ranges: the action ids and the observation slices of a game, and their tables."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.drivers import to_float_rows
from .state import States

Meaning = Callable[[States], npt.NDArray[Any]]
FLOAT_BITS = 24  # bits in the mantissa of a float32
TRIED = 1 << 16  # larger numbers are divided instead of being tried one by one
ROUNDED = 1e-5  # share of a bound by which the rounded sum of several parts may be beyond it
NARROW = (np.int8, np.int16, np.int32)  # dtypes that an observation in whole numbers may have


@dataclass(frozen=True)
class Block:
    """`size` consecutive indices with one meaning."""

    name: str
    size: int
    description: str  # meaning of index i of the block
    high: float = 1.0  # largest value in an observation or in features; the smallest is `low`
    low: float = 0.0
    scale: int | tuple[int, ...] = 1  # divisor of the whole numbers: one for all, or one for each
    start: int = 0
    of: Meaning | None = field(default=None, compare=False, repr=False)
    """The whole numbers of an observation's block by NumPy, from concealed tables (n,): any shape (n, ..) of that size.
    Kernels fill in the same numbers. Tests compare them, so the expression is the meaning of the block."""

    @property
    def stop(self) -> int:
        """Return one past the last index."""
        return self.start + self.size

    @property
    def slice(self) -> slice:
        """Return the slice of the block in an array."""
        return slice(self.start, self.stop)


class Blocks:
    """Consecutive blocks: `blocks["hand"].start`, `blocks.size`, `blocks.at(17)`."""

    def __init__(self, *blocks: Block) -> None:
        placed: list[Block] = []
        start = 0
        for block in blocks:
            placed.append(replace(block, start=start))
            start += block.size
        self._by_name = {block.name: block for block in placed}
        self._by_index = [block for block in placed for _ in range(block.size)]
        self.size = start
        if len(self._by_name) != len(placed):
            raise ValueError(f"block names must differ: {[block.name for block in placed]}")

    def __getitem__(self, name: str) -> Block:
        return self._by_name[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self._by_name.values())

    @functools.cached_property
    def starts(self) -> Any:
        """Return the first index of every block as a named tuple, which kernels read: `row[starts.hand + card]`."""
        kind: Any = namedtuple("starts", [*self._by_name])  # type: ignore[misc]
        return kind(*(block.start for block in self))

    @property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the lowest and the highest value of every index, each of shape (size,), with room for rounded sums."""
        low, high = (np.array([getattr(b, end) for b in self for _ in range(b.size)]) for end in ("low", "high"))
        return (low - ROUNDED * abs(low)).astype(np.float32), (high + ROUNDED * abs(high)).astype(np.float32)

    @property
    def columns(self) -> list[str]:
        """Return a name for every index: that of its block, with the place in it if the block has several."""
        return [b.name if b.size == 1 else f"{b.name}[{i}]" for b in self for i in range(b.size)]

    def at(self, index: int) -> Block:
        """Return the block that holds `index`; raise IndexError if none does."""
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is not in 0..{self.size - 1}")
        return self._by_index[index]

    def table(self) -> str:
        """Return the blocks as a Markdown table."""
        rows = [f"| {b.start} | {b.size} | `{b.name}` | {b.description} |" for b in self]
        return "\n".join(["| first | size | name | meaning |", "|---:|---:|---|---|", *rows])


def repeated(blocks: Blocks, numbers: Iterable[object], name: str, whose: str) -> Iterator[Block]:
    """Yield the blocks once for every number: a block `cards` with the name "seat_{}" is `seat_1_cards`, and so on.

    Args:
        blocks: The blocks of one seat, suit or moment.
        numbers: What `name` and `whose` are filled with.
        name: The beginning of the names.
        whose: The beginning of the descriptions.
    """
    for number in numbers:
        for block in blocks:
            meaning = f"{whose.format(number)}: {block.description}"
            yield replace(block, name=f"{name.format(number)}_{block.name}", description=meaning)


class ViewBlocks(Blocks):
    """The blocks of an observation. Kernels write whole numbers; divided by `scale` they are the float32 observation.

    Attributes:
        low, high: The bounds of all numbers after division.
        scale: The divisors, shape (size,), float32, whole and positive.
        factors: The numbers that kernels multiply with instead of dividing by `scale`.
        dtype: The narrowest integer type that holds the whole numbers.
    """

    def __init__(self, *blocks: Block) -> None:
        super().__init__(*blocks)
        self.low = min(block.low for block in self)
        self.high = max(block.high for block in self)
        self.scale = np.concatenate([_scale(block) for block in self])
        self.factors = _factors(self)
        self.scale.flags.writeable = self.factors.flags.writeable = False
        self.dtype = _narrowest(self)

    def meant(self, known: States) -> npt.NDArray[np.int64]:
        """Return the whole numbers of seat 0 at concealed tables (n,) by the meanings of the blocks, shape (n, size).

        Raises:
            ValueError: A block has no meaning, or one of another size.
        """
        numbers = np.empty((len(known), self.size), np.int64)
        for block in self:
            if block.of is None:
                raise ValueError(f"{block.name}: of=None is not allowed; allowed: a function of concealed tables")
            part = np.asarray(block.of(known)).reshape(len(known), -1)
            if part.shape[1] != block.size:
                raise ValueError(f"{block.name}: `of` returns {part.shape[1]} numbers; allowed: {block.size}")
            numbers[:, block.slice] = part
        return numbers

    def unpack(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """Return the numbers of observations, shape (.., size), by block: views of shape (.., size of the block).

        Raises:
            ValueError: The last axis does not have `size` numbers.
        """
        if observation.shape[-1:] != (self.size,):
            raise ValueError(f"observation of shape {observation.shape} is not allowed; allowed: (.., {self.size})")
        return {block.name: observation[..., block.slice] for block in self}

    def to_float(self, narrow: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return the whole numbers `narrow` as float32 observations, shape (.., size), correctly rounded.

        Raises:
            ValueError: `narrow` has another dtype or shape.
        """
        if narrow.dtype != self.dtype or narrow.shape[-1:] != (self.size,):
            wanted = f"{self.dtype} of shape (.., {self.size})"
            raise ValueError(f"narrow={narrow.dtype} of shape {narrow.shape} is not allowed; allowed: {wanted}")
        views = np.empty(narrow.shape, np.float32)
        rows = np.ascontiguousarray(narrow).reshape(-1, self.size)
        to_float_rows(rows, self.factors, views.reshape(-1, self.size), 0, len(rows))
        return views


def one_hot(numbers: npt.NDArray[Any], size: int) -> npt.NDArray[np.bool_]:
    """Return a row for each of the numbers (..), shape (.., size): True at the number, all False if it is outside."""
    return np.asarray(numbers[..., None] == np.arange(size))


def _scale(block: Block) -> npt.NDArray[np.float32]:
    """Return the divisors of a block, shape (size,); a shorter list of them is repeated."""
    each = np.array(block.scale, np.float32).reshape(-1)
    if block.size % len(each) or each.min() < 1:
        raise ValueError(f"{block.name}: scale={block.scale!r} is not allowed; its size is {block.size}")
    return np.tile(each, block.size // len(each))


def _factors(blocks: ViewBlocks) -> npt.NDArray[np.float32]:
    """Return the factors that replace a division by `scale`.

    The sum of a whole number times both factors is its quotient, at half the cost of a division.

    Returns:
        Two factors for each entry, shape (2, size). If they do not exist for some entry, `scale` itself, shape (1,
        size).
    """
    factors = np.ones((2, blocks.size), np.float32)
    for block in blocks:
        for scale in np.unique(blocks.scale[block.slice]):
            pair = _pair(scale, round(float(scale) * max(block.high, -block.low)))
            if pair is None:
                return blocks.scale[None].copy()
            factors[:, block.start : block.stop][:, blocks.scale[block.slice] == scale] = np.array(pair)[:, None]
    return factors


def _pair(scale: np.float32, most: int) -> tuple[np.float32, np.float32] | None:
    """Return two factors that divide whole numbers up to `most`, or None if a quotient would be rounded otherwise.

    The first factor has few bits, so its product is exact. The second is the rest of 1 / scale. The rounding of its
    product matters only if a quotient is close to the middle between two floats. All numbers are tried.
    """
    if most >= TRIED:
        return None
    mantissa, exponent = np.frexp(1.0 / float(scale))
    bits = FLOAT_BITS - most.bit_length()
    first = np.float32(np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits))
    rest = np.float32(1.0 / float(scale) - float(first))
    numbers = np.arange(-most, most + 1, dtype=np.float32)
    exact = (numbers * first + numbers * rest == numbers / scale).all()
    return (first, rest) if exact else None


def _narrowest(blocks: ViewBlocks) -> np.dtype[Any]:
    low = min(float(blocks.scale[b.slice].max(initial=1)) * b.low for b in blocks)
    high = max(float(blocks.scale[b.slice].max(initial=1)) * b.high for b in blocks)
    for kind in NARROW:
        if np.iinfo(kind).min <= round(low) and round(high) <= np.iinfo(kind).max:
            return np.dtype(kind)
    raise ValueError(f"observations from {low} to {high} do not fit into {NARROW[-1].__name__}")
