"""Named ranges. They give the action ids and the observation slices of a game, and print its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Block:
    """`size` consecutive indices with one meaning."""

    name: str
    size: int
    description: str  # what index i of the block means
    when: str = ""  # phases, for actions
    high: float = 1.0  # largest value in an observation; the smallest is `low`
    low: float = 0.0
    start: int = 0

    @property
    def stop(self) -> int:
        """One past the last index."""
        return self.start + self.size

    @property
    def slice(self) -> slice:
        """The block's part of an array."""
        return slice(self.start, self.stop)


class Blocks:
    """Blocks laid end to end: `blocks["hand"].start`, `blocks.size`, `blocks.at(17)`."""

    def __init__(self, *blocks: Block) -> None:
        placed: list[Block] = []
        start = 0
        for block in blocks:
            placed.append(replace(block, start=start))
            start += block.size
        self._by_name = {block.name: block for block in placed}
        self._by_index = [block for block in placed for _ in range(block.size)]
        self.size = start
        self.low = min(block.low for block in placed)
        self.high = max(block.high for block in placed)
        if len(self._by_name) != len(placed):
            raise ValueError(f"block names must differ: {[block.name for block in placed]}")

    def __getitem__(self, name: str) -> Block:
        return self._by_name[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self._by_name.values())

    def at(self, index: int) -> Block:
        """The block that holds `index`; IndexError if none does."""
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is not in 0..{self.size - 1}")
        return self._by_index[index]

    def table(self) -> str:
        """The blocks as a Markdown table."""
        timed = any(block.when for block in self)
        head = "| first | size | name | meaning |" + (" phases |" if timed else "")
        rule = "|---:|---:|---|---|" + ("---|" if timed else "")
        rows = [
            f"| {b.start} | {b.size} | `{b.name}` | {b.description} |" + (f" {b.when} |" if timed else "") for b in self
        ]
        return "\n".join([head, rule, *rows])
