"""A bound for loops that play until something happens: a fault in the rules fails a test, and does not hang it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

MOST_ROUNDS = 20_000  # more than the decisions of any game that the tests play to its end


def bounded_while(condition: Callable[[], object], most: int = MOST_ROUNDS) -> Iterator[int]:
    """Yield 0, 1 .. while `condition()` holds; raise AssertionError after `most` rounds."""
    for count in range(most):
        if not condition():
            return
        yield count
    raise AssertionError(f"the condition still holds after {most} rounds")
